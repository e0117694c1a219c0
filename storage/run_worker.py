"""Carry out runs of judges in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import duckdb

from core.debate import profile
from core.errors import MootError, UnknownDebate
from core.judgement import Judge, Judgement
from core.judges.llm_judge import LlmJudge
from core.judges.recorded_judge import RecordedJudge
from core.judges.registry import AnyJudge
from core.llm.circumstances import Circumstances
from core.opinion import OpinionProfile
from core.roles import Permission, require
from core.runs.judging import JudgingRun
from core.runs.plan import Budget
from core.runs.runner import Case, Runner
from core.wording import several
from storage.asking_thread import AskingThread
from storage.debate_repository import DebateRepository
from storage.endpoint_rights import require_endpoints
from storage.judgement_repository import JudgementRepository
from storage.judgement_rows import KeptJudgement, insert_judgements
from storage.run_repository import RunRepository
from storage.run_writer import RunWriter
from storage.worker import Worker

if TYPE_CHECKING:
    from core.llm.client import ChatClient

READ_AT_ONCE = 500  # debates
Loaded = tuple[OpinionProfile, Circumstances]


class RunWorker(Worker[JudgingRun]):
    """Has judges judge debates."""

    table = RunRepository
    _runs: RunRepository

    def create(
        self,
        judges: Sequence[AnyJudge],
        debates: Sequence[str],
        budget: Budget | None = None,
        name: str = "",
    ) -> JudgingRun:
        """Store a run of judges over debates; it waits to be started.

        Raises:
            NotAllowed: If the person may not run judges.
            MootError: If there is nothing to judge, or a debate is not stored.
        """
        require(self._person, Permission.RUN)
        endpoints = list(dict.fromkeys(judge.endpoint for judge in judges if isinstance(judge, LlmJudge)))
        require_endpoints(self._person, endpoints)
        repository = JudgementRepository(self._database, self._person)
        for judge in judges:
            _askable(judge)
        ids = tuple(dict.fromkeys(repository.define(judge) for judge in judges))
        label = name or (judges[0].name if len(ids) == 1 else several(len(ids), "judge"))
        return self._runs.create(label, ids, debates, endpoints, budget or Budget())

    def _thread(self, run: JudgingRun) -> _JudgingThread:
        runs = RunRepository(self._database)
        return _JudgingThread(self._database, runs, run, self._prices, self._asking, self._person)


class _JudgingThread(AskingThread[JudgingRun, "_Writer"]):
    """One run under way."""

    def make_writer(self, loop: asyncio.AbstractEventLoop, seconds: Callable[[], float]) -> _Writer:
        """Return what writes replies and judgements."""
        return _Writer(self._database, self._run.id, loop, seconds)

    async def ask(self, client: ChatClient, writer: _Writer) -> str:
        """Judge what is open, and return why it stopped early."""
        return await Runner(client, writer, self._ledger, self._prices).run(self._cases())

    def _cases(self) -> list[Case]:
        repository, debates = JudgementRepository(self._database), DebateRepository(self._database)
        runs = RunRepository(self._database)
        endpoints = runs.endpoints(self._run.id)
        judges = {name: _askable(repository.judge(name, endpoints)) for name in self._run.judges}
        open_cases = runs.open_cases(self._run)
        profiles = _Profiles(debates, list(dict.fromkeys(debate for _, _, debate in open_cases)))
        return [
            Case(
                judges[judge],
                (judge, dataset, debate),
                partial(partial(_loaded, debates) if isinstance(judges[judge], LlmJudge) else profiles.load, debate),
            )
            for judge, dataset, debate in open_cases
        ]


def _loaded(debates: DebateRepository, debate_id: str) -> Loaded:
    debate = debates.get(debate_id)
    return profile(debate), Circumstances.of(debate)


def _askable(judge: AnyJudge) -> Judge | LlmJudge:
    if isinstance(judge, RecordedJudge):
        raise MootError(f"{judge.name} cannot be asked: its judgements come with the debates.")
    return judge


class _Profiles:
    """Reads the profiles for judges that ask nobody, many at once."""

    def __init__(self, debates: DebateRepository, order: Sequence[str]) -> None:
        self._debates = debates
        self._places = {name: place for place, name in enumerate(order)}
        self._order = order
        self._read: dict[str, OpinionProfile] = {}

    def load(self, debate_id: str) -> Loaded:
        if debate_id not in self._read:
            first = self._places[debate_id] // READ_AT_ONCE * READ_AT_ONCE
            self._read = self._debates.profiles(self._order[first : first + READ_AT_ONCE])
        if debate_id not in self._read:
            raise UnknownDebate(debate_id)
        judged = self._read[debate_id]
        return judged, Circumstances.guessed(judged)


class _Writer(RunWriter[KeptJudgement]):
    """Writes replies and judgements: the runner's desk."""

    table = RunRepository.table

    def insert(self, cursor: duckdb.DuckDBPyConnection, rows: Sequence[KeptJudgement]) -> None:
        """Store judgements in a transaction that is open."""
        insert_judgements(cursor, rows)

    async def conclude(self, case: Case, judgement: Judgement, keys: Sequence[str]) -> None:
        """Store a judgement soon; it can be worked out again from the replies."""
        judge, dataset, debate = case.place
        await self.put(KeptJudgement(judge, dataset, debate, judgement, tuple(keys), self.run_id))


__all__ = ["RunWorker"]
