from __future__ import annotations

import asyncio
from collections.abc import Sequence
from enum import StrEnum

import pytest

from core.debate import profile
from core.errors import CallFailed, CallFailure, InvalidSetting, UnknownDebate
from core.judgement import Judgement, JudgementStatus
from core.judges.semantics_judge import SemanticsJudge
from core.llm.circumstances import Circumstances
from core.llm.prices import Price, PriceTable
from core.llm.request import ChatReply, ChatRequest
from core.runs.judging import JudgingRun
from core.runs.ledger import MOST_IN_A_ROW, THE_ENDPOINT_S_OWN, Ledger
from core.runs.plan import Budget, RunState, Spending
from core.runs.progress import Progress, cost_ahead, cost_text, duration, effort_line, progress_line
from core.runs.runner import Case, Runner
from tests.llm.judging import a_debate, a_judge, an_endpoint

PRICES = PriceTable((Price("answerer", 1.0, 1.0),))  # 110 tokens cost 0.00011


class Clock:
    """Moves on by itself: a second each time that it is read."""

    def __init__(self, step: float = 0.0) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


class ScriptedClient:
    """Answers with the replies or failures given, in order; the last one again and again."""

    def __init__(self, *answers: str | CallFailed) -> None:
        self.answers = list(answers)
        self.asked: list[ChatRequest] = []

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        await asyncio.sleep(0)
        if isinstance(answer, CallFailed):
            raise answer
        return ChatReply(answer, "answerer", tokens_in=100, tokens_out=10)


class Desk:
    """Keeps everything in memory."""

    def __init__(self) -> None:
        self.replies: dict[str, ChatReply] = {}
        self.judgements: dict[tuple[str, ...], Judgement] = {}
        self.costs: list[float | None] = []

    async def stored(self, key: str) -> ChatReply | None:
        return self.replies.get(key)

    async def keep(self, request: ChatRequest, reply: ChatReply, cost: float | None) -> None:
        assert request.key not in self.replies
        self.replies[request.key] = reply
        self.costs.append(cost)

    async def conclude(self, case: Case, judgement: Judgement, keys: Sequence[str]) -> None:
        assert case.place not in self.judgements
        self.judgements[case.place] = judgement
        assert all(key in self.replies for key in keys)


def cases(count: int, judge=None) -> list[Case]:
    def load(number: int):
        debate = a_debate(number)
        return lambda: (profile(debate), Circumstances.of(debate))

    judge = judge or a_judge(an_endpoint(concurrency=1))
    return [Case(judge, (str(number),), load(number)) for number in range(count)]


def run(client, desk: Desk, listed: list[Case], budget: Budget | None = None, clock=None) -> tuple[str, Ledger]:
    ledger = Ledger(budget or Budget(), Spending(), clock or Clock())
    reason = asyncio.run(Runner(client, desk, ledger, PRICES).run(listed))
    return reason, ledger


GOOD = '{"score": 0.75}'


def test_every_case_is_concluded_and_every_reply_kept_with_its_cost():
    client, desk = ScriptedClient(GOOD), Desk()
    reason, ledger = run(client, desk, cases(5))
    assert reason == ""
    assert [judgement.score for judgement in desk.judgements.values()] == [0.75] * 5
    assert desk.costs == [pytest.approx(0.00011)] * 5
    assert ledger.spent.calls == 5
    assert ledger.spent.cost == pytest.approx(0.00055)


def test_what_is_stored_is_not_asked():
    client, desk = ScriptedClient(GOOD), Desk()
    run(client, desk, cases(3))
    again = Desk()
    again.replies = dict(desk.replies)
    run(client, again, cases(5))
    assert len(client.asked) == 5  # 3, then the 2 new ones
    assert len(again.judgements) == 5


def test_a_case_that_two_judges_ask_alike_is_asked_once():
    judges = [a_judge(an_endpoint(concurrency=4)), a_judge(an_endpoint(concurrency=4))]
    client, desk = ScriptedClient(GOOD), Desk()
    one = cases(1, judges[0])[0]
    run(client, desk, [one, Case(judges[1], ("other",), one.load)])
    assert len(client.asked) == 1
    assert len(desk.judgements) == 2


def test_an_unreadable_reply_is_asked_again_once_and_both_are_kept():
    client, desk = ScriptedClient("Hm.", GOOD), Desk()
    run(client, desk, cases(1))
    assert [judgement.score for judgement in desk.judgements.values()] == [0.75]
    client, hopeless = ScriptedClient("Hm."), Desk()
    run(client, hopeless, cases(1))
    assert [j.status for j in hopeless.judgements.values()] == [JudgementStatus.UNREADABLE]
    assert (len(client.asked), len(desk.replies), len(hopeless.replies)) == (2, 2, 2)


@pytest.mark.parametrize(
    ("budget", "calls", "word"),
    [
        (Budget(calls=3), 3, "3 calls"),
        (Budget(calls=0), 0, "0 calls"),
        (Budget(tokens=250), 3, "250 tokens"),  # 110 each: after two calls 220, so a third may begin
        (Budget(money=0.0003), 3, "cost"),
    ],
)
def test_a_budget_stops_a_run_at_the_next_call(budget, calls, word):
    client, desk = ScriptedClient(GOOD), Desk()
    reason, _ = run(client, desk, cases(9), budget)
    assert len(client.asked) == calls
    assert len(desk.judgements) == calls
    assert word in reason


def test_a_limit_on_calls_holds_however_many_are_under_way():
    client, desk = ScriptedClient(GOOD), Desk()
    run(client, desk, cases(40, a_judge(an_endpoint(concurrency=16))), Budget(calls=5))
    assert len(client.asked) == 5


def test_a_limit_on_time_counts_earlier_starts():
    client, desk = ScriptedClient(GOOD), Desk()
    ledger = Ledger(Budget(seconds=100), Spending(seconds=99.5), Clock(1.0))
    reason = asyncio.run(Runner(client, desk, ledger, PRICES).run(cases(3)))
    assert "100 seconds" in reason
    assert client.asked == []


def test_a_limit_on_cost_stops_where_the_cost_is_unknown():
    client, desk = ScriptedClient(GOOD), Desk()
    ledger = Ledger(Budget(money=5), Spending(), Clock())
    reason = asyncio.run(Runner(client, desk, ledger, PriceTable()).run(cases(3)))
    assert "unknown" in reason
    assert len(client.asked) == 1
    assert ledger.spent.cost is None


def test_a_failed_call_marks_its_case_and_the_run_goes_on():
    failed = CallFailed(CallFailure.SERVER, "fake: broken")
    client, desk = ScriptedClient(failed, GOOD), Desk()
    reason, ledger = run(client, desk, cases(3))
    assert reason == ""
    assert [j.status.value for j in desk.judgements.values()] == ["error", "ok", "ok"]
    assert ledger.spent.calls == 2


def test_a_refused_key_stops_the_run_and_leaves_its_cases_open():
    client, desk = ScriptedClient(CallFailed(CallFailure.KEY_REFUSED, "fake: the key was refused")), Desk()
    reason, _ = run(client, desk, cases(30))
    assert "key was refused" in reason
    assert desk.judgements == {}
    assert len(client.asked) == 1


@pytest.mark.parametrize("kind", sorted(THE_ENDPOINT_S_OWN))
def test_an_endpoint_that_is_of_no_use_stops_the_run_before_all_cases_fail(kind):
    client, desk = ScriptedClient(CallFailed(kind, "fake: no use")), Desk()
    reason, _ = run(client, desk, cases(MOST_IN_A_ROW * 3))
    assert "in a row" in reason
    assert len(desk.judgements) == MOST_IN_A_ROW


def test_an_endpoint_that_fails_now_and_then_does_not_stop_the_run():
    failed = CallFailed(CallFailure.SERVER, "fake: broken")
    client, desk = ScriptedClient(*(answer for _ in range(30) for answer in (failed, GOOD))), Desk()
    reason, _ = run(client, desk, cases(60))
    assert reason == ""
    assert len(desk.judgements) == 60


def test_requests_that_are_turned_down_one_after_the_other_are_their_cases_own_fault():
    client, desk = ScriptedClient(CallFailed(CallFailure.BAD_REQUEST, "fake: too long")), Desk()
    reason, _ = run(client, desk, cases(30))
    assert reason == ""
    assert len(desk.judgements) == 30


def test_a_debate_that_is_gone_is_an_error_of_its_case_alone():
    def gone():
        raise UnknownDebate("zoo")

    client, desk = ScriptedClient(GOOD), Desk()
    run(client, desk, [Case(a_judge(), ("gone",), gone), *cases(1)])
    assert desk.judgements["gone",].status is JudgementStatus.ERROR
    assert "zoo" in desk.judgements["gone",].explanation
    assert desk.judgements["0",].score == 0.75


def test_judges_that_ask_nobody_run_beside_those_that_do():
    client, desk = ScriptedClient(GOOD), Desk()
    quick = [Case(SemanticsJudge(), ("s", *case.place), case.load) for case in cases(4)]
    run(client, desk, [*cases(4), *quick])
    assert len(desk.judgements) == 8
    assert len(client.asked) == 4


def test_cancelling_ends_calls_at_once_and_keeps_what_has_arrived():
    class Hanging(ScriptedClient):
        async def complete(self, request: ChatRequest) -> ChatReply:
            if len(self.asked) < 2:
                return await super().complete(request)
            self.asked.append(request)
            assert task is not None
            task.cancel()
            await asyncio.Event().wait()  # for ever
            raise AssertionError

    client, desk = Hanging(GOOD), Desk()
    ledger = Ledger(Budget(), Spending(), Clock())

    task: asyncio.Task[str] | None = None

    async def cancelled() -> None:
        nonlocal task
        task = asyncio.create_task(Runner(client, desk, ledger, PRICES).run(cases(9)))
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert len(desk.judgements) == 2
    assert ledger.spent.calls == 2


def test_progress_tells_rate_time_left_and_unknown_cost():
    one = JudgingRun("r", "two judges", RunState.RUNNING, "", 100, Budget(), "", judges=("a", "b"))
    statuses: dict[StrEnum, int] = {JudgementStatus.OK: 20, JudgementStatus.ERROR: 5}
    progress = Progress(one, statuses, Spending(25, 2500, 250, 0, 0.5, 0, 60.0), 25.0)
    assert one.debate_count == 50
    assert (progress.total, progress.done, progress.failed, progress.left) == (100, 25, 5, 75)
    assert progress.seconds_left == pytest.approx(180)
    assert progress_line(progress) == (
        "25 of 100 judged · 5 failed · 25.0 a minute · about 3 min 00 s left · 25 calls · 2,750 tokens · USD 0.5"
    )
    assert Progress(one, statuses, Spending()).seconds_left is None
    assert cost_text(Spending()) == "no cost"
    assert cost_text(Spending(calls=2, unpriced=2)) == "cost unknown"
    assert cost_text(Spending(calls=2, unpriced=1, money=0.25)) == "USD 0.2500 and 1 calls of unknown cost"
    assert [duration(seconds) for seconds in (0, 59, 61, 3700)] == ["0 s", "59 s", "1 min 01 s", "1 h 01 min"]


def test_what_something_will_take_is_rough_and_what_is_unknown_is_said():
    assert effort_line(1, 1200, None) == "1 call, about 1,200 tokens, cost unknown, as a price is missing"
    assert effort_line(8, 1, 0.5, "EUR") == "8 calls, about 1 token, about EUR 0.50"
    assert [cost_ahead(cost) for cost in (0.0, 0.0004, 0.005)] == ["no cost", "less than USD 0.01", "about USD 0.01"]


def test_budgets_come_back_and_give_way_to_new_limits():
    budget = Budget(calls=5, money=1.5)
    assert Budget.from_json(budget.to_json()) == budget
    assert Budget(calls=9).or_else(budget) == Budget(calls=9, money=1.5)
    with pytest.raises(InvalidSetting, match="at least 0"):
        Budget(calls=-1)
