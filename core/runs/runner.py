"""Carry out a run: ask what is not stored yet, conclude every case, stop at the next call when there is reason to.

The runner keeps nothing itself. What it learns goes to a desk, which stores it before the next call of the same worker
begins: so whatever ends the program costs the calls that are under way, and no other.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from core.errors import CallFailed, MootError
from core.judgement import Judge, Judgement, JudgementStatus
from core.judges.llm_judge import Answer, LlmJudge
from core.llm.circumstances import Circumstances
from core.llm.prices import PriceTable
from core.llm.request import ChatRequest
from core.opinion import OpinionProfile
from core.runs.caller import Caller, Replies
from core.runs.ledger import Ledger, Stopped

if TYPE_CHECKING:  # the library behind the client takes most of a second to load, and not every run needs it
    from core.llm.client import ChatClient


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


class Desk(Replies, Protocol):
    """Where a runner's results go."""

    async def conclude(self, case: Case, judgement: Judgement, keys: Sequence[str]) -> None:
        """Store a judgement, with the keys of the replies that it rests on."""
        ...


class Runner:
    """Judges cases, as many at once as each endpoint allows."""

    def __init__(self, client: ChatClient, desk: Desk, ledger: Ledger, prices: PriceTable) -> None:
        self._caller = Caller(client, desk, ledger, prices)
        self._desk = desk
        self._ledger = ledger

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
        said = await self._asked(request, keys)
        again = None if isinstance(said, CallFailed) else judge.again(request, said)
        return said if again is None else await self._asked(again, keys)

    async def _asked(self, request: ChatRequest, keys: list[str]) -> Answer:
        said = await self._caller.answer(request)
        if not isinstance(said, CallFailed):
            keys.append(request.key)
        return said


__all__ = ["Case", "Desk", "Ledger", "Runner", "Stopped"]
