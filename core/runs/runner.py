"""Carry out a run: ask what is not stored yet, conclude every case, stop at the next call when there is reason to.

The runner keeps nothing itself. What it learns goes to a desk, which stores it before the next call of the same worker
begins: so whatever ends the program costs the calls that are under way, and no other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol
from weakref import WeakValueDictionary

from core.errors import CallFailed, CallFailure, MootError
from core.judgement import Judge, Judgement, JudgementStatus
from core.judges.llm_judge import Answer, LlmJudge
from core.llm.circumstances import Circumstances
from core.llm.prices import PriceTable
from core.llm.request import ChatReply, ChatRequest
from core.opinion import OpinionProfile
from core.runs.plan import Budget, Spending

if TYPE_CHECKING:  # the library behind the client takes most of a second to load, and not every run needs it
    from core.llm.client import ChatClient

MOST_IN_A_ROW = 10  # calls that fail for the endpoint's own reasons, after which going on is no use
THE_ENDPOINT_S_OWN = {CallFailure.CONNECTION, CallFailure.TIMEOUT, CallFailure.RATE_LIMIT, CallFailure.SERVER}


@dataclass(frozen=True)
class Case:
    """One debate before one judge.

    Attributes:
        judge: Who judges.
        place: The desk's own name for the case.
        load: Reads what is judged; called when the case's turn comes.
    """

    judge: Judge | LlmJudge
    place: tuple[str, ...]
    load: Callable[[], tuple[OpinionProfile, Circumstances]]


class Desk(Protocol):
    """Where a runner's results go."""

    async def stored(self, key: str) -> ChatReply | None:
        """Return the stored reply to a request; None if there is none."""
        ...

    async def keep(self, request: ChatRequest, reply: ChatReply, cost: float | None) -> None:
        """Store a reply; it is safe when this returns."""
        ...

    async def conclude(self, case: Case, judgement: Judgement, keys: Sequence[str]) -> None:
        """Store a judgement, with the keys of the replies that it rests on."""
        ...


class Ledger:
    """Counts what a run spends and says when to stop."""

    def __init__(self, budget: Budget, spent: Spending, clock: Callable[[], float]) -> None:
        self._budget = budget
        self._spent = spent
        self._clock = clock
        self._started = clock()
        self._under_way = 0
        self._in_a_row = 0
        self.reason = ""

    @property
    def spent(self) -> Spending:
        """Return what the run has spent so far, earlier starts included."""
        return replace(self._spent, seconds=self._spent.seconds + self._clock() - self._started)

    def begin(self) -> None:
        """Note that a call begins.

        Raises:
            Stopped: If the budget leaves no room for it.
        """
        self.check()
        now = self.spent
        excess = replace(now, calls=now.calls + self._under_way).excess(self._budget)
        if excess:
            self.stop(excess)
        self.check()
        self._under_way += 1

    def end(self, reply: ChatReply | None, cost: float | None) -> None:
        """Note that a call ended, with or without a reply."""
        self._under_way -= 1
        if reply is None:
            return
        self._in_a_row = 0
        spent = self._spent
        self._spent = replace(
            spent,
            calls=spent.calls + 1,
            tokens_in=spent.tokens_in + (reply.tokens_in or 0),
            tokens_out=spent.tokens_out + (reply.tokens_out or 0),
            tokens_cached=spent.tokens_cached + (reply.tokens_cached or 0),
            money=spent.money + (cost or 0.0),
            unpriced=spent.unpriced + (cost is None),
        )

    def failed(self, failure: CallFailed) -> None:
        """Note a failure, and stop where all other calls would fail too."""
        if failure.hopeless:
            self.stop(str(failure))
        if failure.kind in THE_ENDPOINT_S_OWN:
            self._in_a_row += 1
            if self._in_a_row >= MOST_IN_A_ROW:
                self.stop(f"{failure}, {self._in_a_row} times in a row")

    def stop(self, reason: str) -> None:
        """Let no further call begin; the first reason is the one that is kept."""
        self.reason = self.reason or reason

    def check(self) -> None:
        """Go on, unless there is a reason to stop.

        Raises:
            Stopped: If there is.
        """
        if self.reason:
            raise Stopped(self.reason)


class Stopped(MootError):
    """A run that goes no further for now."""


class Runner:
    """Judges cases, as many at once as each endpoint allows."""

    def __init__(self, client: ChatClient, desk: Desk, ledger: Ledger, prices: PriceTable) -> None:
        self._client = client
        self._desk = desk
        self._ledger = ledger
        self._prices = prices
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def run(self, cases: Sequence[Case]) -> str:
        """Judge the cases in order and return why it stopped early; an empty text when all are concluded.

        Cancelling the task that runs this ends the calls under way at once.
        """
        queues: dict[object, list[Case]] = {}
        for case in cases:
            queues.setdefault(case.judge.endpoint if isinstance(case.judge, LlmJudge) else None, []).append(case)
        async with asyncio.TaskGroup() as group:
            for endpoint, queue in queues.items():
                waiting = iter(queue)
                for _ in range(getattr(endpoint, "concurrency", 1)):
                    group.create_task(self._work(waiting))
        return self._ledger.reason

    async def _work(self, waiting: Iterator[Case]) -> None:
        for case in waiting:
            if self._ledger.reason:
                return
            try:
                await self._conclude(case)
            except Stopped:
                return  # the case stays open

    async def _conclude(self, case: Case) -> None:
        keys: list[str] = []
        try:
            profile, circumstances = case.load()
            if isinstance(case.judge, LlmJudge):
                answers = [
                    await self._answer(case.judge, request, keys)
                    for request in case.judge.requests(profile, circumstances)
                ]
                judgement = case.judge.judgement(answers)
            else:
                judgement = case.judge.judge(profile)
                await asyncio.sleep(0)  # so that a long list of quick judgements lets calls go on
        except Stopped:
            raise
        except MootError as error:  # the debate is gone, or does not fit the judge
            judgement = Judgement(case.judge.name, None, None, JudgementStatus.ERROR, explanation=str(error))
        await self._desk.conclude(case, judgement, keys)

    async def _answer(self, judge: LlmJudge, request: ChatRequest, keys: list[str]) -> Answer:
        try:
            reply = await self._reply(request, keys)
            again = judge.again(request, reply)
            return reply if again is None else await self._reply(again, keys)
        except CallFailed as failure:
            self._ledger.failed(failure)
            if failure.hopeless:
                self._ledger.check()
            return failure

    async def _reply(self, request: ChatRequest, keys: list[str]) -> ChatReply:
        # Two judges may ask the very same thing at once; then the second waits for the first one's reply.
        async with self._asking.setdefault(request.key, asyncio.Lock()):
            reply = await self._desk.stored(request.key)
            if reply is None:
                reply = await self._call(request)
        keys.append(request.key)
        return reply

    async def _call(self, request: ChatRequest) -> ChatReply:
        self._ledger.begin()
        reply, cost = None, None
        try:
            reply = await self._client.complete(request)
            cost = self._prices.cost(request, reply)
        finally:
            self._ledger.end(reply, cost)
        await self._desk.keep(request, reply, cost)
        return reply


__all__ = ["Case", "Desk", "Ledger", "Runner", "Stopped"]
