"""A key is used and kept nowhere, even where endpoints send it back: the database, files, logs, tracebacks, errors."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import traceback
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from core.contestation import Contestation, Edit, EditKind
from core.debate import profile
from core.errors import CallFailed
from core.judges.llm_judge import LlmJudge
from core.llm.circumstances import Circumstances
from core.llm.client import Clients, OpenAIClient
from core.llm.prices import PriceTable
from core.llm.request import ChatRequest
from core.rejudging import judgement_record
from core.report.items import SavedContestation
from core.report.report import Report
from core.runs.plan import RunState
from core.secret_text import KEY_MARK
from storage.audit_log import AuditLog
from storage.contestation_repository import ContestationRepository
from storage.contested_judging import ContestedJudging
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.judgement_repository import JudgementRepository
from storage.report_repository import ReportRepository
from storage.run_repository import RunRepository
from storage.run_worker import RunWorker
from tests.command import command
from tests.llm.debaters import server_answer
from tests.llm.echoing_server import EchoingServer, spellings
from tests.llm.fault_server import Fault, FaultServer, Question
from tests.llm.judging import a_debate, a_judge, an_endpoint
from tests.storage.debates import a_dataset

ROOT = Path(__file__).resolve().parents[2]
KEY = "my/own+key=0123456789SECRET"  # has no shape by which it could be known for one
REASONED = '{"reasoning": "One side has the better reasons.", "score": 0.75}'


def judging_answer(question: Question) -> str:
    """Return the answer of a judge, or of a debater where one is asked."""
    judging = "reasoning" in json.dumps(question.body.get("response_format", {}))
    return REASONED if judging else server_answer(question)


@pytest.fixture
def server() -> Iterator[EchoingServer]:
    with EchoingServer(reply=judging_answer) as opened:
        yield opened


def ask(server: FaultServer, **fields):
    endpoint = an_endpoint(server.base_url, retries=0)
    request = a_judge(endpoint, reasoning=True, **fields).requests(profile(a_debate()))[0]

    async def once():
        client = OpenAIClient(endpoint, KEY)
        try:
            return await client.complete(request)
        finally:
            await client.close()

    return asyncio.run(once())


def assert_nowhere(text: str, what: object = "") -> None:
    for spelled in spellings(KEY):
        assert spelled not in text, what


def everything_in(database: Database) -> str:
    """Return every value of every table as text."""
    with database.read() as cursor:
        tables = [name for (name,) in cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
        return "\n".join(str(cursor.execute(f'SELECT * FROM "{name}"').fetchall()) for name in tables)


def test_a_reply_that_sends_the_key_back_is_handed_over_without_it(server, caplog):
    caplog.set_level("DEBUG")
    for seed in range(8):  # some of them have it in escapes
        reply = ask(server, seed=seed)
        assert_nowhere(json.dumps(reply.to_json()))
        assert_nowhere(str(json.loads(reply.text)))
        assert json.loads(reply.text)["score"] == 0.75
        assert json.loads(reply.text)["reasoning"].count(KEY_MARK) == 2
        assert (reply.model, reply.finish_reason) == (f"fake-1 for {KEY_MARK}", f"stop {KEY_MARK}")
        assert reply.top == ((f"true {KEY_MARK}", -0.1), (KEY_MARK, -3.0))
    assert server.keys == {f"Bearer {KEY}"}
    assert {int(name[:2], 16) % 2 for name in server.questions} == {0, 1}
    assert_nowhere(caplog.text)


def test_a_refusal_that_sends_the_key_back_is_handed_over_without_it(server):
    server.fault = lambda question: Fault.REFUSAL
    assert ask(server).refusal == f"I help nobody with the key {KEY_MARK}."


@pytest.mark.parametrize("fault", [Fault.KEY_REFUSED, Fault.BAD_REQUEST, Fault.CUT_BODY])
def test_an_error_that_sends_the_key_back_holds_it_in_no_message_and_no_frame(server, caplog, fault):
    caplog.set_level("DEBUG")
    server.fault = lambda question: fault
    with pytest.raises(CallFailed) as caught:
        ask(server)
    told = traceback.TracebackException.from_exception(caught.value, capture_locals=True)
    ours = [frame.locals for frame in told.stack if "/core/" in frame.filename]
    assert server.keys == {f"Bearer {KEY}"}
    assert ours
    assert_nowhere(str(ours))
    assert_nowhere("".join(traceback.format_exception(caught.value)))
    assert_nowhere(caplog.text)
    assert KEY_MARK in str(caught.value)


def test_what_debugs_the_libraries_prints_no_header_that_holds_the_key(server):
    server.reply = lambda question: REASONED
    code = (
        "import asyncio, logging, sys; logging.basicConfig(level=logging.DEBUG)\n"
        "from core.llm.client import Clients, OpenAIClient\n"
        "from core.llm.endpoint import Endpoint\n"
        "from core.llm.request import ChatRequest, Message, Role\n"
        "endpoint = Endpoint('fake', sys.argv[1])\n"
        "request = ChatRequest(endpoint, 'm', (Message(Role.USER, '?'),))\n"
        "print(asyncio.run(OpenAIClient(endpoint, sys.argv[2]).complete(request)).finish_reason)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, server.base_url, KEY],
        cwd=ROOT,
        env={**os.environ, "OPENAI_LOG": "debug"},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == f"stop {KEY_MARK}\n", done.stderr
    assert "asyncio" in done.stderr  # debugging was on
    assert_nowhere(done.stderr)


class Dying:
    """A client that meets an error of Moot's own while it holds a key."""

    def __init__(self, key: str) -> None:
        self._real, self._key = Clients(lambda endpoint: key), key

    async def complete(self, request: ChatRequest):
        await self._real.complete(request)
        raise RuntimeError("Something in Moot broke.")

    async def close(self) -> None:
        await self._real.close()


def test_a_worker_that_dies_leaves_the_key_in_no_log_and_no_table(server, tmp_path, caplog):
    caplog.set_level("DEBUG")
    with Database.open(tmp_path / "moot.duckdb") as database:
        DebateRepository(database).add(a_dataset("few"), [a_debate(0)])
        worker = RunWorker(database, client=lambda: Dying(KEY))
        run = worker.create([a_judge(an_endpoint(server.base_url), reasoning=True)], ["debate-0"])
        worker.start(run.id)
        assert worker.wait(run.id, 60)
        worker.stop()
        ended = RunRepository(database).get(run.id)
        assert ended.state is RunState.STOPPED
        assert "met an error" in caplog.text
        assert "Something in Moot broke." in caplog.text  # with its traceback
        assert_nowhere(caplog.text)
        assert_nowhere(everything_in(database))
    assert server.keys == {f"Bearer {KEY}"}
    assert_no_file_has_it(tmp_path)


def assert_no_file_has_it(folder: Path) -> None:
    for file in folder.rglob("*"):
        if file.is_file():
            held = file.read_bytes()
            for spelled in spellings(KEY):
                assert spelled.encode() not in held, file


@pytest.fixture
def moot(tmp_path):
    """Return a function that runs a command with the key in its environment, and notes whatever it prints."""
    printed: list[str] = []
    settings = {"MY_KEY": KEY, "MOOT_DEBUG": "1", "OPENAI_LOG": "debug"}

    def run(*arguments: object, code: int = 0, **environment: str) -> str:
        done = command(tmp_path, *arguments, **(settings | environment))
        assert done.returncode == code, done.stderr
        printed.append(done.stdout + done.stderr)
        return done.stdout + done.stderr

    yield run
    assert_nowhere("".join(printed))


def test_the_key_is_in_no_table_file_export_or_output_of_the_command_line(server, moot, tmp_path):
    endpoint = {"name": "fake", "base_url": server.base_url, "key_variable": "MY_KEY", "retries": 0}
    judges = {
        "endpoints": [endpoint],
        "judges": [
            {"kind": "llm", "endpoint": "fake", "model": "m", "reasoning": True, "vary": {"naming": ["named", "anonymised"]}},  # noqa: E501
            {"kind": "llm", "endpoint": "fake", "model": "m", "score_mode": "log-probability"},
        ],
    }  # fmt: skip
    (tmp_path / "judges.yaml").write_text(json.dumps(judges), "utf-8")
    agents = [{"name": name, "model": f"model-{name}", "endpoint": "fake"} for name in ("A1", "A2")]
    (tmp_path / "agents.yaml").write_text(json.dumps({"endpoints": [endpoint], "agents": agents}), "utf-8")
    (tmp_path / "claims.txt").write_text("The lake is deep.\n", "utf-8")
    with Database.open(tmp_path / "moot.duckdb") as database:
        DebateRepository(database).add(a_dataset("few"), [a_debate(number) for number in range(3)])

    faults = {"Claim number 1 ": Fault.REFUSAL, "Claim number 2 ": Fault.BAD_REQUEST}
    server.fault = lambda question: next(
        (fault for words, fault in faults.items() if words in question.body["messages"][1]["content"]), Fault.NONE
    )
    moot("judge", "--judge", "judges.yaml", "--dataset", "few", "-o", "judgements.jsonl")
    moot("run", "claims.txt", "--agent", "agents.yaml", "--dataset", "Held", "-o", "held.jsonl")
    server.fault = lambda question: Fault.KEY_REFUSED
    moot("judge", "--judge", "judges.yaml", "--dataset", "Held", "--model", "other", code=1)
    assert KEY_MARK in (tmp_path / "judgements.jsonl").read_text("utf-8")  # it did come back
    assert KEY_MARK in (tmp_path / "held.jsonl").read_text("utf-8")

    server.fault = lambda question: Fault.NONE
    with Database.open(tmp_path / "moot.duckdb") as database:
        debate = DebateRepository(database).get("debate-0")
        kept = JudgementRepository(database)
        known = [kept.judge(one.id) for one in kept.judges()]
        judge = next(one for one in known if isinstance(one, LlmJudge) and one.reasoning)
        asking = ContestedJudging(database, PriceTable(), lambda endpoint: KEY)
        edit = Edit(EditKind.SET_BASE_SCORE, "p", 0.83, 0.1)
        contested = replace(
            profile(debate),
            arguments=tuple(replace(one, base_score=0.1) for one in profile(debate).arguments),
        )
        after = asking.ask(judge, contested, Circumstances.of(debate))
        saved = ContestationRepository(database).save(
            Contestation(
                "", "debate-0", 0, (edit,), f"It said: {after.explanation}", "Ada", after={"m": judgement_record(after)}
            )
        )
        ReportRepository(database).keep("told", Report("Told").with_item(SavedContestation(saved.id)))
        assert KEY_MARK in everything_in(database)
        assert_nowhere(everything_in(database))
        assert AuditLog(database).check().intact

    moot("export", "-o", "debates.jsonl")
    moot("export", "compare", "-o", "compared", "--format", "csv", "--format", "html", "--format", "markdown")
    for kind in ("html", "md", "latex"):
        moot("export", "report", "--name", "told", "--format", kind, "-o", f"told.{kind}")
    moot("audit", "export", "-o", "audit.jsonl")
    moot("audit", "export", "--format", "csv", "-o", "audit.csv")
    assert KEY_MARK in (tmp_path / "told.html").read_text("utf-8")
    assert f"Bearer {KEY}" in server.keys
    assert_no_file_has_it(tmp_path)


def test_a_command_that_breaks_shows_its_traceback_without_the_key(server, moot, tmp_path):
    endpoint = {"name": "fake", "base_url": server.base_url, "key_variable": "MY_KEY", "retries": 0}
    (tmp_path / "judges.yaml").write_text(
        json.dumps({"endpoints": [endpoint], "judges": [{"kind": "llm", "endpoint": "fake", "model": "m"}]}), "utf-8"
    )
    with Database.open(tmp_path / "moot.duckdb") as database:
        DebateRepository(database).add(a_dataset("few"), [a_debate(0)])
    server.reply = lambda question: REASONED
    # Loaded by Python itself before Moot: what writes the judgements breaks after the key was used.
    (tmp_path / "sitecustomize.py").write_text(
        "import os\nfrom storage import judgement_file\n"
        "def broken(*_, **__):\n    key = os.environ['MY_KEY']\n    raise RuntimeError(f'broke with {len(key)}')\n"
        "judgement_file.judgement_lines = broken\n",
        "utf-8",
    )
    said = moot(
        "judge",
        "--judge",
        "judges.yaml",
        "--dataset",
        "few",
        "-o",
        "-",
        code=1,
        PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}",
    )
    assert "Traceback" in said
    assert f"broke with {len(KEY)}" in said
    assert_no_file_has_it(tmp_path)
