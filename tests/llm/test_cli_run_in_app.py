"""Debates that the command line asks for while the app has the database open, and judges once they are complete."""

from __future__ import annotations

import json

import pytest

from core.errors import MootError
from core.runs.plan import Budget
from storage.database import IN_MEMORY, Database
from storage.debate_desk import About, DebateDesk, about_run, desk_answer, resume_question, run_question
from storage.debate_run_worker import DebateRunWorker
from tests.llm.debaters import SINGLE, Debaters, a_plan, server_answer, some_claims
from tests.llm.judging import KEY
from tests.llm.test_cli_run import agents, moot, run_id, server  # noqa: F401 - the fixtures are used by name


def answer(question):
    """Answer a judge with a score, and a debater as usual."""
    return '{"score": 0.7}' if question.body["model"] == "judge" else server_answer(question)


def judge_file(tmp_path, server):  # noqa: F811
    file = tmp_path / "judge.json"
    endpoint = {"name": "fake", "base_url": server.base_url, "key_variable": "MY_KEY", "retries": 0}
    judge = {"kind": "llm", "model": "judge", "endpoint": "fake"}
    file.write_text(json.dumps({"endpoints": [endpoint], "judges": [judge]}), "utf-8")
    return file


def test_the_running_app_holds_debates_with_its_own_key_and_the_command_line_tells(moot, app, server, tmp_path):  # noqa: F811
    estimate = moot("run", "claims.csv", "--agent", agents(tmp_path, server), "--estimate")
    assert estimate.returncode == 0, estimate.stderr
    assert "3 debates: about 36 calls" in estimate.stderr
    assert not server.attempts
    done = moot(
        "run", "claims.csv", "--agent", agents(tmp_path, server), "--dataset", "Held by the app", "-o", "out.jsonl",
        MY_KEY="not this one",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "The app is open; it holds the debates" in done.stderr
    assert "3 debates: about 36 calls" in done.stderr
    assert "is done" in done.stderr
    written = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert {record["debate_id"]: record["label"] for record in written} == {"zoo": True, "lake": False, "park": None}
    assert server.keys == {f"Bearer {KEY}"}
    assert KEY not in "".join(file.read_text("utf-8") for file in (tmp_path / "inbox").rglob("*.json"))
    replayed = moot("run", "--resume", run_id(done), "--replay", "-o", "again.jsonl")
    assert replayed.returncode == 0, replayed.stderr
    assert "3 the same to the last byte, 0 different" in replayed.stderr
    again = (tmp_path / "again.jsonl").read_text("utf-8").splitlines()
    assert sorted(map(json.dumps, map(json.loads, again))) == sorted(map(json.dumps, written))


def test_a_run_in_the_app_stops_at_its_limit_and_is_resumed_there(moot, app, server, tmp_path):  # noqa: F811
    first = moot("run", "claims.csv", "--agent", agents(tmp_path, server), "--max-calls", 10)
    assert first.returncode == 1
    assert f"Go on with: python cli.py run --resume {run_id(first)}" in first.stderr
    second = moot("run", "--resume", run_id(first), "--max-calls", 100)
    assert second.returncode == 0, second.stderr
    assert sum(server.answered.values()) == len(server.answered) == 3 * 2 * 6
    gone = moot("run", "--resume", "nobody")
    assert gone.returncode == 1
    assert "nobody" in gone.stderr
    assert "Traceback" not in gone.stderr


def test_judges_named_at_the_command_line_judge_the_debates_once_they_are_complete(moot, server, tmp_path):  # noqa: F811
    server.reply = answer
    done = moot(
        "run", "claims.csv", "--agent", agents(tmp_path, server), "--judge", judge_file(tmp_path, server), MY_KEY=KEY
    )
    assert done.returncode == 0, done.stderr
    assert "Judges of Debated by model-A1, model-A2, single-turn" in done.stderr
    assert "3 of 3 cases: 3 ok" in done.stderr
    assert sum(question.body["model"] == "judge" for question in server.questions.values()) == 3


def test_the_app_has_the_debates_judged_that_it_held(moot, app, server, tmp_path):  # noqa: F811
    server.reply = answer
    done = moot(
        "run", "claims.csv", "--agent", agents(tmp_path, server), "--judge", judge_file(tmp_path, server),
        "--judge-max-calls", 50,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    more = moot("judge", "--judge", judge_file(tmp_path, server), "-o", "-")  # asks for nothing that is not there
    assert more.returncode == 0, more.stderr
    assert len([line for line in more.stdout.splitlines() if "moot-judgement/1" in line]) == 3
    assert sum(question.body["model"] == "judge" for question in server.questions.values()) == 3


# --- the desk itself --------------------------------------------------------------------------------------------------


@pytest.fixture
def desk():
    with Database.open(IN_MEMORY) as database:
        worker = DebateRunWorker(database, client=Debaters)
        yield DebateDesk(database, lambda: worker)
        worker.stop()


def test_the_desk_holds_debates_and_gives_them_back(desk):
    asked = run_question(a_plan(SINGLE), some_claims(2), None, dataset="held", budget=Budget(calls=100))
    begun = desk.answer(json.loads(json.dumps(asked)))
    run = begun["run"]
    assert desk._worker().wait(run, 60.0)
    look = desk.answer(about_run(About.LOOK, run))
    assert (look["ended"], look["done"]) == (True, True)
    assert len(desk.answer(about_run(About.WRITE, run))["lines"]) == 2
    replayed = desk.answer(about_run(About.REPLAY, run))
    assert (replayed["same"], replayed["differing"]) == (True, [])
    again = desk.answer(resume_question(run, Budget(), retry_failed=False))
    assert again["run"] == run


def test_the_desk_takes_the_limit_and_turns_down_what_it_cannot_read(desk):
    told = desk.answer(run_question(a_plan(SINGLE), some_claims(5), 2, estimate=True))
    assert told["lines"][0].startswith("2 debates: about 36 calls")
    for wrong in ({}, {"about": "nothing"}, {"about": "begin"}, {"about": "begin", "prompts": []}):
        with pytest.raises(MootError):
            desk.answer(wrong)
    with pytest.raises(MootError, match="nobody"):
        desk.answer(about_run(About.LOOK, "nobody"))


def test_questions_go_to_the_desk_of_their_kind(desk):
    both = desk_answer(lambda question: {"judges": True}, desk)
    assert both({"about": "look"}) == {"judges": True}
    with pytest.raises(MootError):
        both({"of": "debates", "about": "nothing"})
