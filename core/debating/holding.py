"""Hold debates: ask models through a caller that keeps every reply, or hold one again from replies that are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from core.debating.claim import Claim
from core.debating.outcome import Outcome
from core.debating.plan import DebatePlan
from core.debating.protocols import debate_steps
from core.debating.question import NOT_ASKED, Answer, Question, asking
from core.errors import CallFailed
from core.llm.request import ChatReply
from core.runs.caller import Caller
from core.runs.ledger import Ledger, Stopped

MOST_AT_ONCE = 64  # debates under way, however many calls the endpoints allow
T = TypeVar("T")


@dataclass(frozen=True)
class Topic:
    """A claim whose debate is still to be held; ``place`` is the desk's own name for it."""

    claim: Claim
    place: int


class DebateDesk(Protocol):
    """Where outcomes go, and who is told how it goes."""

    async def conclude(self, topic: Topic, outcome: Outcome) -> None:
        """Store what a debate came to."""
        ...

    def begun(self, topic: Topic, question: Question[Any]) -> None:
        """Be told that a question is asked."""
        ...

    def ended(self, topic: Topic, question: Question[Any], answer: Answer[Any]) -> None:
        """Be told what came of it."""
        ...


class Host:
    """Holds debates, several at once. Asking goes through one caller, so that a reply is paid for once."""

    def __init__(self, plan: DebatePlan, caller: Caller, desk: DebateDesk, ledger: Ledger) -> None:
        self._plan = plan
        self._caller = caller
        self._desk = desk
        self._ledger = ledger

    async def run(self, topics: Iterator[Topic]) -> str:
        """Hold the debates in order and return why it stopped early; an empty text when all have an outcome.

        Topics are taken when their turn comes, so that they may be read lazily. Cancelling the task that runs this
        ends the calls under way at once.
        """
        at_once = min(MOST_AT_ONCE, sum(endpoint.concurrency for endpoint in self._plan.endpoints))
        async with asyncio.TaskGroup() as group:
            for _ in range(at_once):
                group.create_task(self._work(topics))
        return self._ledger.reason

    async def _work(self, topics: Iterator[Topic]) -> None:
        for topic in topics:
            if self._ledger.reason:
                return
            try:
                outcome = await self._held(topic)
            except Stopped:
                return  # the debate stays open
            await self._desk.conclude(topic, outcome)

    async def _held(self, topic: Topic) -> Outcome:
        steps = debate_steps(self._plan, topic.claim)
        try:
            batch = next(steps)
            while True:
                # All of them to the end, also where one finds the budget spent: a reply that arrives is kept.
                answers = await asyncio.gather(*(self._answer(topic, one) for one in batch), return_exceptions=True)
                batch = steps.send([_or_raise(answer) for answer in answers])
        except StopIteration as end:
            held: Outcome = end.value
            return held

    async def _answer(self, topic: Topic, question: Question[T]) -> Answer[T]:
        self._desk.begun(topic, question)
        steps = asking(question)
        try:
            request = next(steps)
            while True:
                request = steps.send(await self._caller.answer(request))
        except StopIteration as end:
            answer: Answer[T] = end.value
            self._desk.ended(topic, question, answer)
            return answer


def replayed(plan: DebatePlan, claim: Claim, find: Callable[[str], ChatReply | CallFailed | None]) -> Outcome:
    """Return what a debate comes to when every reply is one that is kept; nobody is asked.

    Args:
        plan, claim: As they were when the debate was held.
        find: Returns the reply to a request by its key, or why it had none; None halts the debate there.
    """

    def answered(question: Question[T]) -> Answer[T]:
        steps = asking(question)
        try:
            request = next(steps)
            while True:
                found = find(request.key)
                request = steps.send(NOT_ASKED if found is None else found)
        except StopIteration as end:
            answer: Answer[T] = end.value
            return answer

    steps = debate_steps(plan, claim)
    try:
        batch: Sequence[Question[Any]] = next(steps)
        while True:
            batch = steps.send([answered(question) for question in batch])
    except StopIteration as end:
        held: Outcome = end.value
        return held


def _or_raise(answer: Answer[Any] | BaseException) -> Answer[Any]:
    if isinstance(answer, BaseException):
        raise answer
    return answer


__all__ = ["MOST_AT_ONCE", "DebateDesk", "Host", "Topic", "replayed"]
