from __future__ import annotations

import json
import re
import threading
from functools import partial
from pathlib import Path

import pytest

from core.errors import MootError
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.judge_choice import chosen_debates, chosen_judges, preset_names
from storage.judgement_repository import JudgementRepository
from storage.lock import Holder
from storage.run_repository import RunRepository
from tests.command import command
from tests.llm.fault_server import Fault, FaultServer, Question
from tests.llm.interrupting import interrupted
from tests.llm.judging import KEY, a_debate
from tests.storage.debates import a_dataset

ROOT = Path(__file__).resolve().parents[2]
DEBATES = 4


@pytest.fixture
def moot(tmp_path):
    """Return a function that runs a command on a database with a few debates, and returns what it printed."""

    with Database.open(tmp_path / "moot.duckdb") as database:
        DebateRepository(database).add(a_dataset("few"), [a_debate(n) for n in range(DEBATES)])
    return partial(command, tmp_path)


@pytest.fixture
def server():
    with FaultServer() as opened:
        yield opened


def definition(tmp_path: Path, server: FaultServer, **more) -> Path:
    file = tmp_path / "judges.yaml"
    endpoint = {"name": "fake", "base_url": server.base_url, "key_variable": "MY_KEY", "retries": 0, **more}
    file.write_text(
        f"endpoints: [{json.dumps(endpoint)}]\n"
        "judges:\n  - {kind: llm, endpoint: fake, model: fake-model, vary: {naming: [named, anonymised]}}\n",
        "utf-8",
    )
    return file


def run_id(done) -> str:
    found = re.search(r"^Run (\w+)", done.stderr, re.MULTILINE)
    assert found
    return found[1]


def test_judges_of_a_file_judge_a_dataset_and_the_judgements_are_written(moot, server, tmp_path):
    done = moot("judge", "--judge", definition(tmp_path, server), "--dataset", "few", "-o", "-", MY_KEY=KEY)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines() if "moot-judgement/1" in line]
    assert len(lines) == 2 * DEBATES
    assert {line["score"] for line in lines} == {0.75}
    assert {line["models"][0] for line in lines} == {"fake-1"}
    assert "is done" in done.stderr
    assert "8 calls, 800 tokens sent, 80 received, cost unknown" in done.stderr
    assert server.keys == {f"Bearer {KEY}"}


def test_a_limit_stops_a_run_and_resume_goes_on_without_repeating_a_call(moot, server, tmp_path):
    first = moot("judge", "--judge", definition(tmp_path, server), "--max-calls", 3, MY_KEY=KEY)
    assert first.returncode == 1
    assert f"Go on with: python cli.py judge --resume {run_id(first)}" in first.stderr
    second = moot("judge", "--resume", run_id(first), "--max-calls", 100, MY_KEY=KEY)
    assert second.returncode == 0, second.stderr
    assert sum(server.answered.values()) == len(server.answered) == 2 * DEBATES


def test_what_failed_is_tried_again_on_demand(moot, server, tmp_path):
    server.fault = lambda question: (
        Fault.BAD_REQUEST if "Claim number 1 " in question.body["messages"][1]["content"] else Fault.NONE
    )
    first = moot("judge", "--judge", definition(tmp_path, server), MY_KEY=KEY)
    assert first.returncode == 0  # every case is judged or marked
    assert "2 error" in first.stderr
    assert f"--resume {run_id(first)} --retry-failed" in first.stderr
    server.fault = lambda question: Fault.NONE
    second = moot("judge", "--resume", run_id(first), "--retry-failed", MY_KEY=KEY)
    assert "8 ok" in second.stderr
    assert sum(server.answered.values()) == len(server.answered) == 2 * DEBATES


def test_judges_that_ask_nobody_need_no_key(moot):
    done = moot("judge", "--judge", "all-semantics", "--judge", "votes", "--limit", 2, "-o", "-")
    assert done.returncode == 0, done.stderr
    assert "0 calls, 0 tokens sent, 0 received, no cost" in done.stderr
    assert len(done.stdout.splitlines()) > 20


def test_a_preset_asks_the_model_and_address_given(moot, server):
    done = moot(
        "judge", "--judge", "claim-alone", "--model", "m", "--endpoint", server.base_url, "--limit", 1,
        OPENAI_API_KEY=KEY,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert len(server.answered) == 2
    assert server.keys == {"Bearer none"}  # OpenAI's key goes to no address but OpenAI's own


def test_every_preset_has_judges():
    for name in preset_names():
        assert chosen_judges([name], "m")


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [((), 2, "--judge"), (("--judge", "nobody"), 1, "neither a file nor a preset")],
)
def test_a_wrong_wish_is_one_readable_line(moot, arguments, code, said):
    done = moot("judge", *arguments)
    assert done.returncode == code
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("names", "model", "endpoint", "said"),
    [
        (["llm-printed"], None, "openai", "--model"),
        (["broken.yaml"], None, "openai", r"broken\.yaml cannot be read"),
        (["odd.yaml"], None, "openai", "no setting 'temprature'"),
        (["list.json"], None, "openai", "mapping of settings"),
        (["large.yaml"], None, "openai", "larger than"),
        (["claim-alone"], "m", "nowhere", "no endpoint 'nowhere'"),
        (["claim-alone"], "m", "http://key@host/v1", "key_variable"),
    ],
)
def test_judges_that_nobody_can_be_are_refused_in_words(tmp_path, monkeypatch, names, model, endpoint, said):
    monkeypatch.chdir(tmp_path)
    Path("broken.yaml").write_text("judges: [", "utf-8")
    Path("odd.yaml").write_text("{kind: llm, model: m, temprature: 1}", "utf-8")
    Path("list.json").write_text('["df-quad"]', "utf-8")
    Path("large.yaml").write_text("#" * 1_000_001, "utf-8")
    with pytest.raises(MootError, match=said):
        chosen_judges(names, model, endpoint)


def test_debates_that_are_not_there_are_named(database):
    DebateRepository(database).add(a_dataset("few"), [a_debate(n) for n in range(DEBATES)])
    assert chosen_debates(database, [], [], 2) == ("debate-0", "debate-1")
    assert chosen_debates(database, ["few"], ["debate-3"]) == ("debate-3",)
    with pytest.raises(MootError, match="no dataset 'other' in this database; there are 'few'"):
        chosen_debates(database, ["other"])
    with pytest.raises(MootError, match="No debate 'zoo'"):
        chosen_debates(database, [], ["zoo"])


def test_a_refused_key_stops_the_run_and_says_where_the_key_belongs(moot, server, tmp_path):
    server.fault = lambda question: Fault.KEY_REFUSED
    done = moot("judge", "--judge", definition(tmp_path, server, concurrency=1), MY_KEY=KEY)
    assert done.returncode == 1
    assert "MY_KEY" in done.stderr
    assert sum(server.attempts.values()) == 1
    assert KEY not in done.stderr + done.stdout


def test_a_database_that_another_command_holds_is_left_alone_and_that_is_said(moot, tmp_path):
    with Database.open(tmp_path / "moot.duckdb", Holder.COMMAND_LINE):
        done = moot("judge", "--judge", "votes")
    assert done.returncode == 1
    assert "a Moot command" in done.stderr


@pytest.mark.parametrize("fault", [Fault.NONE, Fault.KEY_REFUSED])
def test_the_key_is_in_no_output_export_traceback_or_file(moot, server, tmp_path, fault):
    server.fault = lambda question: fault
    wish = ("judge", "--judge", definition(tmp_path, server), "-o", "out.jsonl")
    done = moot(*wish, MY_KEY=KEY, MOOT_DEBUG="1", OPENAI_LOG="debug")
    assert f"Bearer {KEY}" in server.keys
    exported = moot("export", "-o", "debates.jsonl")
    for text in (done.stdout, done.stderr, exported.stdout, exported.stderr):
        assert KEY not in text
    for file in tmp_path.rglob("*"):
        if file.is_file():
            assert KEY.encode() not in file.read_bytes(), file.name


def test_what_the_command_stores_is_what_the_pages_read(moot, tmp_path):
    done = moot("judge", "--judge", "votes", "--limit", 1)
    with Database.open(tmp_path / "moot.duckdb") as database:
        run = RunRepository(database).get(run_id(done))
        assert run.total == 3
        assert len(JudgementRepository(database).for_debate("debate-0")) == 3


def test_an_interrupted_command_ends_at_once_and_says_how_to_go_on(moot, server, tmp_path):
    asked = threading.Event()

    def hang(question: Question) -> Fault:
        asked.set()
        return Fault.HANGING

    server.fault = hang
    environment = {"MOOT_DB": str(tmp_path / "moot.duckdb"), "MY_KEY": KEY}
    code, said = interrupted(["judge", "--judge", str(definition(tmp_path, server))], tmp_path, environment, asked)
    assert code == 1
    assert "is cancelled" in said
    assert "--resume" in said
    assert "Traceback" not in said


def test_the_running_app_carries_a_run_out_with_its_own_key_and_the_command_line_tells(moot, app, server, tmp_path):
    judges = definition(tmp_path, server)
    done = moot("judge", "--judge", judges, "--dataset", "few", "-o", "-", MY_KEY="not this one")
    assert done.returncode == 0, done.stderr
    assert "The app is open; it carries the run out" in done.stderr
    assert "is done" in done.stderr
    assert "8 calls, 800 tokens sent, 80 received, cost unknown" in done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines() if "moot-judgement/1" in line]
    assert len(lines) == 2 * DEBATES
    assert server.keys == {f"Bearer {KEY}"}
    assert KEY not in "".join(file.read_text("utf-8") for file in (tmp_path / "inbox").rglob("*.json"))


def test_a_run_in_the_app_stops_at_its_limit_and_is_resumed_there(moot, app, server, tmp_path):
    first = moot("judge", "--judge", definition(tmp_path, server), "--max-calls", 3)
    assert first.returncode == 1
    assert f"Go on with: python cli.py judge --resume {run_id(first)}" in first.stderr
    second = moot("judge", "--resume", run_id(first), "--max-calls", 100)
    assert second.returncode == 0, second.stderr
    assert sum(server.answered.values()) == len(server.answered) == 2 * DEBATES


def test_what_the_app_cannot_do_is_one_readable_line(moot, app, server, tmp_path):
    nowhere = moot("judge", "--judge", definition(tmp_path, server), "--dataset", "nothing")
    assert nowhere.returncode == 1
    assert "There is no dataset 'nothing' in this database; there are 'few'." in nowhere.stderr
    gone = moot("judge", "--resume", "nobody")
    assert gone.returncode == 1
    assert "Traceback" not in gone.stderr
