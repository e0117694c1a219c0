"""A run of debates that meets every fault and is killed half way: nothing is lost, nothing is paid for twice."""

from __future__ import annotations

import pytest

from core.debating.outcome import DebateState
from core.runs.plan import RunState
from storage.audit_log import AuditLog
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.debate_run_worker import DebateRunWorker
from tests.llm.debaters import PRIVATE
from tests.llm.debating_faults import CONCURRENCY, fault_of, repeated, survived, texts
from tests.llm.fault_server import Fault
from tests.storage.integrity import problems

CLAIMS, ROUNDS, KILL_AT = 12, 2, 200


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return survived(tmp_path_factory.mktemp("debating") / "moot.duckdb", PRIVATE, CLAIMS, ROUNDS, KILL_AT)


def test_every_debate_ends_complete_or_says_where_it_stopped(run):
    assert run.progress.run.state is RunState.DONE
    assert run.progress.done == CLAIMS
    assert set(run.progress.outcomes) <= {DebateState.COMPLETE, DebateState.GAPS, DebateState.STOPPED}
    with Database.open(run.path) as database:
        repository = DebateRepository(database)
        held = [repository.get(name) for name in repository.ids()]
        assert problems(database) == []
        assert AuditLog(database).check().intact
    assert len(held) == CLAIMS
    for debate in held:
        unwell = [call for call in debate.provenance["calls"] if "status" in call]
        assert (debate.tags == ()) == (not unwell)
        assert bool(debate.note) == bool(unwell)
    assert {fault_of(question) for question in run.server.questions.values()} > {Fault.FENCED, Fault.BROKEN_ONCE}


def test_killing_the_program_loses_at_most_the_calls_under_way(run):
    assert run.state_before is RunState.INTERRUPTED
    lost = [key for key in run.answered_before if texts(run.server.questions[key]) not in run.stored]
    assert len(lost) <= CONCURRENCY
    assert run.debates_before > 0  # what was under way can be seen before it goes on


def test_no_call_that_had_succeeded_and_was_stored_is_repeated(run):
    again = repeated(run)
    assert all(texts(run.server.questions[key]) not in run.stored for key in again)
    assert len(again) <= CONCURRENCY


def test_what_is_paid_for_is_what_was_stored(run):
    answered = sum(run.server.answered.values()) - len(repeated(run))
    assert run.progress.spending.calls == answered  # each whole answer was stored, once


def test_the_debates_are_those_that_their_replies_make(run):
    with Database.open(run.path) as database:
        replays = list(DebateRunWorker(database).replay(run.run))
    assert len(replays) == CLAIMS
    assert all(one.same for one in replays)
