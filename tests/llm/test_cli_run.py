"""Debates held from the command line."""

from __future__ import annotations

import json
import re
import threading
from functools import partial
from pathlib import Path

import pytest

from storage.database import Database
from storage.debate_repository import DebateRepository
from tests.command import command
from tests.llm.debaters import server_answer
from tests.llm.fault_server import Fault, FaultServer, Question
from tests.llm.interrupting import interrupted
from tests.llm.judging import KEY
from tests.storage.debates import a_dataset, a_debate

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def moot(tmp_path):
    """Return a function that runs a command in a folder with a file of claims, and returns what it printed."""
    (tmp_path / "claims.csv").write_text(
        "id,claim,label\nzoo,The zoo is near.,true\nlake,The lake is deep.,false\npark,The park is shut.,\n", "utf-8"
    )

    return partial(command, tmp_path)


@pytest.fixture
def server():
    with FaultServer(reply=server_answer) as opened:
        yield opened


def agents(tmp_path: Path, server: FaultServer, count: int = 2) -> Path:
    file = tmp_path / "agents.yaml"
    endpoint = {"name": "fake", "base_url": server.base_url, "key_variable": "MY_KEY", "retries": 0}
    listed = [{"name": f"A{n}", "model": f"model-A{n}", "endpoint": "fake"} for n in range(1, count + 1)]
    file.write_text(json.dumps({"endpoints": [endpoint], "agents": listed}), "utf-8")
    return file


def run_id(done) -> str:
    found = re.search(r"^Run (\w+)", done.stderr, re.MULTILINE)
    assert found, done.stderr
    return found[1]


@pytest.mark.parametrize("protocol", ["single-turn", "multi-turn-private", "multi-turn-shared"])
def test_claims_of_a_file_are_debated_stored_as_a_data_set_and_replayed_offline(moot, server, tmp_path, protocol):
    done = moot(
        "run", "claims.csv", "--protocol", protocol, "--rounds", 2, "--agent", agents(tmp_path, server),
        "--dataset", "My debates", "-o", "out.jsonl", MY_KEY=KEY,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "3 debates: about " in done.stderr  # what it would take, said before it begins
    assert "is done" in done.stderr
    assert "3 of 3 debates: 3 complete" in done.stderr
    written = (tmp_path / "out.jsonl").read_text("utf-8").splitlines()
    assert {record["debate_id"]: record["label"] for record in map(json.loads, written)} == {
        "zoo": True, "lake": False, "park": None,
    }  # fmt: skip
    assert server.keys == {f"Bearer {KEY}"}
    answered = sum(server.answered.values())
    replayed = moot("run", "--resume", run_id(done), "--replay", "-o", "again.jsonl")
    assert replayed.returncode == 0, replayed.stderr
    assert "3 debates held again from stored replies: 3 the same to the last byte, 0 different" in replayed.stderr
    assert sorted((tmp_path / "again.jsonl").read_text("utf-8").splitlines()) == sorted(written)
    assert sum(server.answered.values()) == answered
    with Database.open(tmp_path / "moot.duckdb") as database:
        assert [one.name for one in DebateRepository(database).datasets()] == ["My debates"]
    assert all(KEY.encode() not in file.read_bytes() for file in tmp_path.rglob("*") if file.is_file())


def test_an_agent_written_on_the_line_debates_pasted_claims(moot, server):
    done = moot(
        "run", "-", "--agent", f"name=A1,model=m,endpoint={server.base_url},seed=3,persona=A cook, and a sceptic.",
        stdin="One holds.\n\nTwo holds.\n",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    bodies = [question.body for question in server.questions.values()]
    assert len(bodies) == 2 * 6
    assert {body["seed"] for body in bodies} == {3}
    assert all("A cook, and a sceptic." in body["messages"][0]["content"] for body in bodies)


def test_the_claims_of_a_data_set_are_debated_anew(moot, server, tmp_path):
    with Database.open(tmp_path / "moot.duckdb") as database:
        DebateRepository(database).add(a_dataset("old"), [a_debate("x", claim="The lake is deep.", label=False)])
    done = moot("run", "--claims-of", "old", "--agent", agents(tmp_path, server, 1), "-o", "-")
    assert done.returncode == 0, done.stderr
    (debate,) = map(json.loads, done.stdout.splitlines())
    assert (debate["claim"], debate["label"], debate["claim_id"]) == ("The lake is deep.", False, "x")


def test_a_limit_stops_a_run_and_resume_goes_on_without_repeating_a_call(moot, server, tmp_path):
    first = moot("run", "claims.csv", "--agent", agents(tmp_path, server), "--budget-calls", 10)
    assert first.returncode == 1
    assert f"Go on with: python cli.py run --resume {run_id(first)}" in first.stderr
    second = moot("run", "--resume", run_id(first), "--max-calls", 100)
    assert second.returncode == 0, second.stderr
    assert sum(server.answered.values()) == len(server.answered) == 3 * 2 * 6


def test_debates_that_stopped_go_on_on_demand(moot, server, tmp_path):
    server.fault = lambda question: (
        Fault.BAD_REQUEST if "The lake" in question.body["messages"][1]["content"] else Fault.NONE
    )
    first = moot("run", "claims.csv", "--agent", agents(tmp_path, server))
    assert first.returncode == 0, first.stderr
    assert "2 complete, 1 stopped" in first.stderr
    assert f"--resume {run_id(first)} --retry-failed" in first.stderr
    server.fault = lambda question: Fault.NONE
    second = moot("run", "--resume", run_id(first), "--retry-failed")
    assert "3 of 3 debates: 3 complete" in second.stderr


def test_an_estimate_asks_nobody_and_stores_nothing(moot, server, tmp_path):
    done = moot("run", "claims.csv", "--agent", agents(tmp_path, server), "--estimate")
    assert done.returncode == 0
    assert "3 debates: about 36 calls" in done.stderr
    assert server.attempts == {}
    assert "No run" in moot("run", "--resume", "d0").stderr


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("claims.csv",), 2, "--agent"),
        (("--agent", "name=A1,model=m"), 2, "--claims-of"),
        (("claims.csv", "--agent", "name=A1,model=m", "--protocol", "courtroom"), 2, "There is no protocol"),
        (("claims.csv", "--agent", "name=A1,model=m", "--order", "random"), 2, "There is no order"),
        (("claims.csv", "--agent", "name=A1"), 1, "needs a model"),
        (("claims.csv", "--agent", "name=A1,model=m", "--agent", "name=A1,model=n"), 1, "Two agents are called"),
        (("gone.csv", "--agent", "name=A1,model=m"), 1, "gone.csv cannot be read"),
        (("--replay",), 2, "--resume"),
        (("--resume", "nope"), 1, "No run of debates 'nope'"),
    ],
)
def test_a_wrong_wish_is_one_readable_line(moot, arguments, code, said):
    done = moot("run", *arguments)
    assert done.returncode == code
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_an_interrupted_command_ends_at_once_and_says_how_to_go_on(server, tmp_path):
    asked = threading.Event()

    def hang(question: Question) -> Fault:
        asked.set()
        return Fault.HANGING

    server.fault = hang
    (tmp_path / "claims.txt").write_text("One holds.\n", "utf-8")
    environment = {"MOOT_DB": str(tmp_path / "moot.duckdb"), "MY_KEY": KEY}
    code, said = interrupted(
        ["run", "claims.txt", "--agent", str(agents(tmp_path, server))], tmp_path, environment, asked
    )
    assert code == 1
    assert "is cancelled" in said
    assert "--resume" in said
    assert "Traceback" not in said
