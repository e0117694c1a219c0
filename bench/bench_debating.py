"""Debates of three agents in three rounds against a server that goes wrong in every way, killed half way and resumed.

``python -m bench.bench_debating 500`` does so for 500 claims, and fails where a call is lost or repeated, or a debate
is not what its stored replies make.
"""

from __future__ import annotations

import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from core.debating.outcome import DebateState
from core.debating.plan import PROTOCOLS
from core.runs.plan import RunState
from storage.database import Database
from storage.debate_run_worker import DebateRunWorker
from tests.llm.debaters import PRIVATE, Debaters, a_plan, some_claims
from tests.llm.debating_faults import CONCURRENCY, repeated, survived, texts
from tests.llm.judging import an_endpoint
from tests.storage.integrity import problems

CLAIMS = 50
ROUNDS = 3
CALLS_EACH = 38  # roughly, of one such debate with scripted debaters


def figures(claims: int = CLAIMS) -> dict[str, float]:
    """Return how fast it went, what was lost and repeated, and the memory taken."""
    found: dict[str, float] = {}
    for protocol in PROTOCOLS:
        with Database.open(":memory:") as database:
            client = Debaters()
            worker = DebateRunWorker(database, client=partial(_same, client))
            run = worker.create(a_plan(protocol, an_endpoint(concurrency=CONCURRENCY)), some_claims(20))
            began = time.perf_counter()
            worker.start(run.id)
            worker.wait(run.id)
            rate = len(client.asked) / (time.perf_counter() - began)
            found[f"{protocol.value}, calls a second of a model that answers at once"] = rate
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        held = survived(Path(folder) / "moot.duckdb", PRIVATE, claims, ROUNDS, claims * CALLS_EACH // 2)
        seconds = time.perf_counter() - began
        again = repeated(held)
        lost = [key for key in held.answered_before if texts(held.server.questions[key]) not in held.stored]
        with Database.open(held.path) as database:
            replays = [one.same for one in DebateRunWorker(database).replay(held.run)]
            whole = problems(database)
        progress = held.progress
    assert progress.run.state is RunState.DONE
    assert progress.done == claims == replays.count(True)
    assert whole == []
    assert all(texts(held.server.questions[key]) not in held.stored for key in again)
    assert len(again) <= CONCURRENCY
    calls = sum(held.server.answered.values())
    return found | {
        "claims": claims,
        "whole answers": calls,
        "seconds, with the kill": seconds,
        "answers a second": calls / seconds,
        "answers under way at the kill, asked again": len(lost),
        "stored answers asked again": len([key for key in again if texts(held.server.questions[key]) in held.stored]),
        "debates in view after the kill": held.debates_before,
        "debates complete": progress.outcomes.get(DebateState.COMPLETE, 0),
        "debates with gaps": progress.outcomes.get(DebateState.GAPS, 0),
        "debates stopped": progress.failed,
        "memory of the resumed process, MB": held.memory / 1024,
    }


def _same(client: Debaters) -> Debaters:
    return client


if __name__ == "__main__":
    for name, value in figures(int(sys.argv[1]) if len(sys.argv) > 1 else CLAIMS).items():
        print(f"{name}: {value:.6g}", flush=True)
