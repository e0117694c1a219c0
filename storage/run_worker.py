"""Carry out runs in the background: a thread of the program that holds the database, with an event loop of its own."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from core.debate import profile
from core.errors import CallFailed, CallFailure, MootError, UnknownDebate
from core.judgement import Judge, Judgement
from core.judges.llm_judge import LlmJudge
from core.judges.recorded_judge import RecordedJudge
from core.judges.registry import AnyJudge
from core.llm.circumstances import Circumstances
from core.llm.endpoint import Endpoint
from core.llm.prices import PriceTable
from core.llm.request import ChatReply, ChatRequest
from core.opinion import OpinionProfile
from core.roles import OPERATOR, Permission, Person, require
from core.runs.plan import Budget, Run, RunState
from core.runs.progress import Progress
from core.runs.runner import Case, Ledger, Runner
from core.wording import several
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.endpoint_rights import require_endpoints
from storage.judgement_repository import JudgementRepository
from storage.judgement_rows import KeptJudgement
from storage.model_client import ModelClient, key_from_environment
from storage.reply_repository import KeptReply, ReplyRepository
from storage.run_repository import RunRepository
from storage.run_thread import RunThread, RunThreads
from storage.run_writer import RunWriter

if TYPE_CHECKING:
    from core.llm.client import ChatClient

READ_AT_ONCE = 500  # debates
Loaded = tuple[OpinionProfile, Circumstances]


def real_client(key_for: Callable[[Endpoint], str | None]) -> ChatClient:
    """Return what asks language models, with the keys that a function hands out."""
    return ModelClient(key_for)


class RunWorker:
    """Starts, watches and ends the runs of one database. One program has one of these for its database."""

    def __init__(
        self,
        database: Database,
        prices: PriceTable | None = None,
        key_for: Callable[[Endpoint], str | None] = key_from_environment,
        client: Callable[[], ChatClient] | None = None,
        person: Person = OPERATOR,
    ) -> None:
        """Take over the database's runs; those that a program which is gone left running are marked as interrupted.

        Args:
            database: Where everything is.
            prices: What calls cost.
            key_for: Hands out the key of an endpoint; it is kept nowhere.
            client: Makes what answers requests; the real client unless given.
            person: Who acts.
        """
        self._database = database
        self._person = person
        self._prices = prices or PriceTable()
        self._client = client or (lambda: real_client(key_for))
        self._runs = RunRepository(database, person)
        self._threads: RunThreads[_JudgingThread] = RunThreads()
        self._runs.interrupt_running()

    def acting_for(self, person: Person) -> RunWorker:
        """Return the same worker, with the same runs, for somebody else's hands."""
        view = copy.copy(self)
        view._person = person
        view._runs = RunRepository(self._database, person)
        return view

    def create(
        self,
        judges: Sequence[AnyJudge],
        debates: Sequence[str],
        budget: Budget | None = None,
        name: str = "",
    ) -> Run:
        """Store a run of judges over debates; it waits to be started.

        Raises:
            NotAllowed: If the person may not run judges.
            MootError: If there is nothing to judge, or a debate is not stored.
        """
        require(self._person, Permission.RUN)
        require_endpoints(self._person, (judge.endpoint for judge in judges if isinstance(judge, LlmJudge)))
        repository = JudgementRepository(self._database, self._person)
        unfit = [judge.name for judge in judges if isinstance(judge, RecordedJudge)]
        if unfit:
            raise MootError(f"{unfit[0]} cannot be asked: its judgements come with the debates.")
        ids = tuple(dict.fromkeys(repository.define(judge) for judge in judges))
        endpoints = list(dict.fromkeys(judge.endpoint for judge in judges if isinstance(judge, LlmJudge)))
        label = name or (judges[0].name if len(ids) == 1 else several(len(ids), "judge"))
        return self._runs.create(label, ids, debates, endpoints, budget or Budget())

    def start(self, run_id: str, budget: Budget | None = None, retry_failed: bool = False) -> Run:
        """Begin a run, or go on with one that stopped; nothing that is stored is asked again.

        Args:
            run_id: Which.
            budget: New limits; those that it leaves open stay as they are.
            retry_failed: Also try the cases again that got no reply.

        Raises:
            NotAllowed: If the person may not run judges.
            MootError: If there is no such run, or it runs already.
        """
        require(self._person, Permission.RUN)
        with self._threads.lock:
            run = self._runs.get(run_id)
            if self._threads.under_way(run_id) is not None:
                raise MootError(f"Run {run_id} is running already.")
            if budget is not None:
                self._runs.set_budget(run_id, budget.or_else(run.budget))
            if retry_failed:
                self._runs.open_failed(run)
            thread = _JudgingThread(self._database, self._runs.get(run_id), self._prices, self._client, self._person)
            self._runs.set_state(run_id, RunState.RUNNING)
            self._threads.start(run_id, thread)
        return self._runs.get(run_id)

    def cancel(self, run_id: str) -> None:
        """End a run at once; what has arrived stays stored.

        Raises:
            NotAllowed: If the person may not run judges.
        """
        require(self._person, Permission.RUN)
        thread = self._threads.under_way(run_id)
        if thread is not None:
            thread.cancel(RunState.CANCELLED, self._person)
        elif self._runs.get(run_id).state.resumable:
            self._runs.set_state(run_id, RunState.CANCELLED)

    def wait(self, run_id: str, seconds: float | None = None) -> bool:
        """Wait until a run ends, no longer than a time; return whether it has ended."""
        return self._threads.wait(run_id, seconds)

    def progress(self, run_id: str) -> Progress:
        """Return how far a run is, with its rate while it runs.

        Raises:
            MootError: If there is no such run.
        """
        progress = self._runs.progress(run_id)
        thread = self._threads.under_way(run_id)
        return progress if thread is None else thread.measured(progress)

    def running(self) -> tuple[str, ...]:
        """Return the ids of the runs that are under way."""
        return self._threads.running()

    def stop(self) -> None:
        """End every run and wait for that, before the database is closed; they can be resumed."""
        self._threads.stop()


class _JudgingThread(RunThread):
    """One run under way."""

    def __init__(
        self, database: Database, run: Run, prices: PriceTable, client: Callable[[], ChatClient], person: Person
    ) -> None:
        runs = RunRepository(database)
        before = runs.progress(run.id)
        super().__init__(run.id, Ledger(run.budget, before.spending, time.monotonic), person)
        self._database = database
        self._run = run
        self._prices = prices
        self._make_client = client
        self._runs = runs
        self._debates = DebateRepository(database)
        self._began = time.monotonic()
        self._done_before = before.done

    def measured(self, progress: Progress) -> Progress:
        """Return a look at the run with its rate since it was started."""
        minutes = (time.monotonic() - self._began) / 60.0
        done = progress.done - self._done_before
        spending = replace(progress.spending, seconds=self._ledger.spent.seconds)
        return replace(progress, spending=spending, rate=done / minutes if done and minutes > 0 else None)

    def store_end(self, state: RunState, reason: str, person: Person) -> None:
        """Store how the run ended, and on whose account."""
        RunRepository(self._database, person).set_state(self._run.id, state, reason)

    def carry_out(self) -> str:
        """Judge what is open, and return why it stopped early."""
        cases = self._cases()
        asks = any(isinstance(case.judge, LlmJudge) for case in cases)
        client = self._make_client() if asks else _Nobody()
        writer = RunWriter(self._database, self._run.id, lambda: self._ledger.spent.seconds, self._loop)
        desk = _Desk(self._database, self._run.id, writer)
        runner = Runner(client, desk, self._ledger, self._prices)
        writer.start()
        try:
            reason = self.in_loop(runner.run(cases))
        finally:
            writer.finish()
            close = getattr(client, "close", None)
            if close is not None:
                self._loop.run_until_complete(close())
        writer.raise_trouble()
        return reason

    def _cases(self) -> list[Case]:
        repository = JudgementRepository(self._database)
        endpoints = self._runs.endpoints(self._run.id)
        judges = {name: _askable(repository.judge(name, endpoints)) for name in self._run.judges}
        open_cases = self._runs.open_cases(self._run)
        profiles = _Profiles(self._debates, list(dict.fromkeys(debate for _, _, debate in open_cases)))
        return [
            Case(
                judges[judge],
                (judge, dataset, debate),
                partial(self._load if isinstance(judges[judge], LlmJudge) else profiles.load, debate),
            )
            for judge, dataset, debate in open_cases
        ]

    def _load(self, debate_id: str) -> Loaded:
        debate = self._debates.get(debate_id)
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


class _Nobody:
    """The client of a run that asks no model."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        raise CallFailed(CallFailure.CONNECTION, f"{request.endpoint.name}: nobody was to be asked")


@dataclass(frozen=True)
class _Desk:
    """Where the runner's results go: through the writer into the database."""

    database: Database
    run_id: str
    writer: RunWriter

    async def stored(self, key: str) -> ChatReply | None:
        return ReplyRepository(self.database).find(key)

    async def keep(self, request: ChatRequest, reply: ChatReply, cost: float | None) -> None:
        await self.writer.write(KeptReply(request, reply, self.run_id, cost))

    async def conclude(self, case: Case, judgement: Judgement, keys: Sequence[str]) -> None:
        judge, dataset, debate = case.place
        kept = KeptJudgement(judge, dataset, debate, judgement, tuple(keys), self.run_id)
        await self.writer.put(kept)


__all__ = ["RunWorker", "key_from_environment", "real_client"]
