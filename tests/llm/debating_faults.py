"""A run of debates against a server that goes wrong in every way, killed half way, and then to the end."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from core.debate import DebateProtocol
from core.debating.run import DebateRun
from core.runs.plan import RunState
from core.runs.progress import Progress
from storage.database import Database
from storage.debate_run_repository import DebateRunRepository
from storage.debate_run_worker import DebateRunWorker
from tests.llm.debaters import a_plan, server_answer, some_claims
from tests.llm.fault_server import Fault, FaultServer, Question
from tests.llm.judging import an_endpoint
from tests.storage.processes import end, read_line, start

CONCURRENCY = 16
# Of every 1,000 questions. Those that hang are left to the tests of judging, because each waits for a timeout.
SHARES = {
    Fault.FENCED: 60,
    Fault.PROSE: 60,
    Fault.MENDED: 40,
    Fault.RATE_LIMITED: 30,
    Fault.BROKEN_ONCE: 30,
    Fault.CUT_CONNECTION_ONCE: 10,
    Fault.CUT_BODY: 1,
    Fault.BROKEN: 1,
    Fault.BAD_REQUEST: 1,
    Fault.CUT_JSON: 10,
    Fault.WRONG_KEY: 10,
    Fault.EMPTY: 10,
    Fault.REFUSAL: 10,
}
TABLE = [fault for fault, share in SHARES.items() for _ in range(share)]

# A child process that debates until it is killed or done; it tells how much memory it took at most, in kilobytes.
CHILD = """
import resource, sys
from storage.database import Database
from storage.debate_run_worker import DebateRunWorker
with Database.open(sys.argv[1]) as database:
    worker = DebateRunWorker(database)
    worker.start(sys.argv[2])
    print("started")
    worker.wait(sys.argv[2])
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


@dataclass(frozen=True)
class Survived:
    """What a run that was killed came to.

    Attributes:
        path, run: Where it is stored.
        server: What it asked.
        answered_before: Whole answers by question, at the moment of the kill.
        stored: Texts of the questions whose replies were stored then.
        state_before: How the run stood when the database was opened next.
        debates_before: How many debates could be seen then.
        progress: At the end.
        memory: What the second process took at most, in kilobytes.
    """

    path: Path
    run: str
    server: FaultServer
    answered_before: Counter[str]
    stored: set[str]
    state_before: RunState
    debates_before: int
    progress: Progress[DebateRun]
    memory: int


def fault_of(question: Question) -> Fault:
    """Return what happens to a question: the same each time it is asked."""
    place = int(question.first[:12], 16) % 1000
    return TABLE[place] if place < len(TABLE) else Fault.NONE


def survived(path: Path, protocol: DebateProtocol, claims: int, rounds: int, kill_at: int) -> Survived:
    """Hold debates in a child that is killed after so many answers, and then to the end in a second one."""
    killed: list[int] = []
    with FaultServer(fault_of, reply=server_answer) as server:
        endpoint = an_endpoint(server.base_url, concurrency=CONCURRENCY, timeout=120.0, retries=2, key_variable="")
        plan = a_plan(protocol, endpoint, rounds=rounds)
        with Database.open(path) as database:
            run = DebateRunWorker(database).create(plan, some_claims(claims), name="survivors").id
        child = start(CHILD, path, run)

        def kill(count: int) -> None:
            if count == kill_at:
                child.kill()
                killed.append(count)

        server.on_answer = kill
        assert read_line(child) == "started\n"
        assert read_line(child) == ""  # it never ends by itself
        end(child)
        assert killed == [kill_at]
        answered_before = Counter(server.answered)
        with Database.open(path) as database:
            stored = stored_questions(database)
            worker = DebateRunWorker(database)  # takes the run over, and brings what is stored into view
            state = DebateRunRepository(database).get(run).state
            with database.read() as cursor:
                (before,) = cursor.execute("SELECT count(*) FROM debate").fetchall()[0]
        child = start(CHILD, path, run)
        assert read_line(child) == "started\n"
        memory = int(read_line(child))
        end(child)
    with Database.open(path) as database:
        worker = DebateRunWorker(database)
        return Survived(path, run, server, answered_before, stored, state, before, worker.progress(run), memory)


def stored_questions(database: Database) -> set[str]:
    """Return the texts of the questions whose replies are stored."""
    with database.read() as cursor:
        rows = cursor.execute("SELECT model, messages FROM reply").fetchall()
    return {json.dumps([model, *(text for _, text in json.loads(messages))]) for model, messages in rows}


def texts(question: Question) -> str:
    """Return a question's texts, as ``stored_questions`` has them."""
    return json.dumps([question.body["model"], *(message["content"] for message in question.body["messages"])])


def repeated(run: Survived) -> list[str]:
    """Return the questions that got more than one whole answer, by key."""
    return [key for key, count in run.server.answered.items() if count > 1]
