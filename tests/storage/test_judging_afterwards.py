"""Debates of a run are judged once they are complete, or later, and what a changed run asks anew is told."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.debating.afterwards import Afterwards
from core.debating.differences import differences
from core.errors import CallFailed, CallFailure, MootError, NotAllowed
from core.judges.semantics_judge import SemanticsJudge
from core.llm.request import ChatReply
from core.roles import OPERATOR
from core.runs.plan import Budget, RunState
from storage.debate_run_repository import DebateRunRepository
from storage.judgement_repository import JudgementRepository
from storage.judging_afterwards import afterwards
from storage.run_repository import RunRepository
from storage.run_worker import RunWorker
from tests.llm.debaters import PRIVATE, SINGLE, Debaters, a_plan, some_claims
from tests.llm.gate import Gate
from tests.llm.judging import a_judge, an_endpoint
from tests.storage.integrity import problems
from tests.storage.people import VIEWER
from tests.storage.test_debate_runs import PATIENCE, asked_for, finish, worker_of


class Judges:
    """A client that gives every debate the same score."""

    def __init__(self):
        self.asked = 0

    async def complete(self, request):
        self.asked += 1
        return ChatReply('{"score": 0.7}', "judge-2026")


@pytest.fixture
def client():
    return Judges()


@pytest.fixture
def judging(database, client):
    worker = RunWorker(database, key_for=lambda endpoint: "a key", client=lambda: client)
    yield worker
    worker.stop()


def test_the_judges_of_a_run_begin_once_its_debates_are_complete(database, judging, client):
    wanted = afterwards(database, [a_judge(), SemanticsJudge()], Budget(calls=10), OPERATOR)
    worker = worker_of(database, Debaters()).judged_by(lambda: judging)
    run = worker.create(a_plan(SINGLE), some_claims(3), name="held", then=wanted)
    assert DebateRunRepository(database).afterwards(run.id) == wanted
    finish(worker, run)
    (made,) = RunRepository(database).all()
    assert made.name == "Judges of held"
    assert made.budget == Budget(calls=10)
    assert judging.wait(made.id, PATIENCE)
    assert judging.progress(made.id).run.state is RunState.DONE
    assert client.asked == 3
    assert len(JudgementRepository(database).frame(list(wanted.judges), None)) == 6
    assert problems(database) == []


def test_debates_that_stop_are_judged_only_once_they_are_all_there(database, judging):
    wanted = afterwards(database, [SemanticsJudge()], None, OPERATOR)
    worker = worker_of(database, Debaters()).judged_by(lambda: judging)
    run = worker.create(a_plan(SINGLE), some_claims(2), Budget(calls=5), "held", wanted)
    assert finish(worker, run).run.state is RunState.STOPPED
    assert RunRepository(database).all() == ()
    assert finish(worker, run, budget=Budget(calls=1_000)).run.state is RunState.DONE
    assert len(RunRepository(database).all()) == 1


def test_a_run_without_judges_begins_no_judging(database, judging):
    worker = worker_of(database, Debaters()).judged_by(lambda: judging)
    run = worker.create(a_plan(SINGLE), some_claims(1))
    finish(worker, run)
    assert RunRepository(database).all() == ()
    assert DebateRunRepository(database).afterwards(run.id) == Afterwards()
    assert worker._runs.plan(run.id) == a_plan(SINGLE)


def test_a_finished_run_can_be_judged_later(database, judging):
    worker = worker_of(database, Debaters()).judged_by(lambda: judging)
    run = worker.create(a_plan(SINGLE), some_claims(2), name="held")
    wanted = afterwards(database, [SemanticsJudge()], None, OPERATOR)
    with pytest.raises(MootError, match="no debates yet"):
        worker.judge(run.id, wanted)
    finish(worker, run)
    made = worker.judge(run.id, wanted)
    assert judging.wait(made.id, PATIENCE)
    assert len(JudgementRepository(database).frame(list(wanted.judges), None)) == 2
    with pytest.raises(MootError, match="Nobody is there"):
        worker.judge(run.id, Afterwards())


def test_debates_that_are_held_again_are_judged_in_the_run_that_judged_them_before(database, judging, client):
    failing = {"yes": True}
    broken = CallFailed(CallFailure.BAD_REQUEST, "fake: the request was turned down")
    debaters = Debaters(
        lambda request: broken if failing["yes"] and asked_for(request, "number 1 ", "model-A2", "con") else None
    )
    wanted = afterwards(database, [a_judge()], None, OPERATOR)
    worker = worker_of(database, debaters).judged_by(lambda: judging)
    run = worker.create(a_plan(SINGLE), some_claims(3), name="held", then=wanted)
    finish(worker, run)
    (first,) = RunRepository(database).all()
    assert judging.wait(first.id, PATIENCE)
    assert client.asked == 3
    finish(worker, run, retry_failed=True)  # in vain
    failing["yes"] = False
    finish(worker, run, retry_failed=True)
    (only,) = RunRepository(database).all()
    assert only.id == first.id
    assert judging.wait(first.id, PATIENCE)
    assert client.asked == 4  # about the debate that is another one now
    assert judging.progress(first.id).done == 3
    assert problems(database) == []


def test_viewers_neither_choose_judges_nor_begin_them(database, judging):
    worker = worker_of(database, Debaters()).judged_by(lambda: judging)
    run = worker.create(a_plan(SINGLE), some_claims(1))
    finish(worker, run)
    with pytest.raises(NotAllowed):
        afterwards(database, [SemanticsJudge()], None, VIEWER)
    wanted = afterwards(database, [SemanticsJudge()], None, OPERATOR)
    with pytest.raises(NotAllowed):
        worker.acting_for(VIEWER).judge(run.id, wanted)


def test_what_is_to_come_afterwards_survives_being_written_down():
    wanted = Afterwards(("a", "b"), (an_endpoint(),), Budget(money=2.0))
    assert Afterwards.from_json(wanted.to_json()) == wanted
    assert Afterwards.from_json({}) == Afterwards()


def test_a_changed_run_is_told_how_many_calls_are_stored_and_then_asks_no_more_than_the_rest(database):
    plan, claims = a_plan(PRIVATE, rounds=2), some_claims(2)
    worker = worker_of(database, Debaters())
    finish(worker, worker.create(plan, claims))
    assert worker.reusable(plan, claims).asked == 0
    changed = replace(plan, agents=(*plan.agents[:2], replace(plan.agents[2], persona="A sceptic.")))
    told = worker.reusable(changed, claims)
    client = Debaters()
    again = worker_of(database, client)
    before = stored_replies(database)
    finish(again, again.create(changed, claims, name="again"))
    assert told.stored > 0
    assert told.asked > 0
    assert len(client.asked) == stored_replies(database) - before
    # The first round of the two agents that stay is not asked again: prior, arguments and posterior at least.
    assert not [
        one for one in client.asked if one.model != "model-A3" and "before any argument" in one.messages[1].text
    ]


def stored_replies(database):
    with database.read() as cursor:
        return cursor.execute("SELECT count(*) FROM reply").fetchone()[0]


def test_a_replay_says_where_a_stored_debate_differs(database):
    worker = worker_of(database, Debaters())
    run = worker.create(a_plan(SINGLE), some_claims(1))
    finish(worker, run)
    with database.write() as cursor:
        cursor.execute("UPDATE debate SET record = replace(record, 'A pro of model-A1', 'A pawn of model-A1')")
    (one,) = worker.replay(run.id)
    assert one.same is False
    (found,) = differences(str(one.stored), one.record)
    assert found.place.startswith("rounds[0]")
    assert "pawn" in found.first
    assert "pro" in found.second


def test_the_calls_that_ended_last_are_told_while_a_run_is_under_way(database):
    gate = Gate(Debaters(), answered=20)
    worker = worker_of(database, gate)
    run = worker.create(a_plan(PRIVATE, an_endpoint(concurrency=1)), some_claims(2))
    worker.start(run.id)
    assert gate.reached.wait(PATIENCE)
    recent = worker.progress(run.id).recent
    assert {one.case for one in recent} == {"c0"}
    assert {one.ended for one in recent} == {"ok"}
    assert all(one.asked.startswith("round ") for one in recent)
    assert {one.keys[-1] for one in recent} <= {request.key for request in gate.asked[:20]}
    worker.cancel(run.id)
    assert worker.wait(run.id, PATIENCE)
    assert worker.progress(run.id).recent == ()
