"""Carry out runs of debates in the background, and hold them again from what is stored."""

from __future__ import annotations

import asyncio
import copy
import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any

import duckdb

from core.debating.claim import Claim
from core.debating.estimate import DebateEstimate, estimate
from core.debating.holding import MOST_AT_ONCE, Host, Topic, replayed
from core.debating.outcome import DebateState, Outcome
from core.debating.plan import DebatePlan
from core.debating.question import Answer, Question
from core.debating.run import DebateProgress, DebateRun, LiveDebate
from core.errors import MootError
from core.llm.endpoint import Endpoint
from core.llm.prices import PriceTable
from core.llm.request import ChatReply, ChatRequest
from core.native import debate_to_line
from core.roles import MOOT, OPERATOR, Permission, Person, require
from core.runs.caller import Caller
from core.runs.ledger import Ledger
from core.runs.plan import Budget, RunState
from storage.batch_writer import BatchWriter
from storage.database import Database
from storage.debate_run_repository import DebateRunRepository, KeptOutcome, insert_outcomes
from storage.debated_dataset import dataset_of, publish, reopen_lost, stored_record
from storage.reply_lookup import ReplyLookup
from storage.reply_repository import KeptReply, ReplyRepository, insert_replies
from storage.run_thread import RunThread, RunThreads
from storage.run_worker import key_from_environment, real_client

if TYPE_CHECKING:
    from core.llm.client import ChatClient

_log = logging.getLogger("moot.runs")

PUBLISH_FIRST = 25  # debates that end before the data set is begun
PUBLISH_GROWTH = 1.5  # how much it has grown when it is next brought up to date, so that all of it takes linear time


@dataclass(frozen=True)
class Replay:
    """A debate held again from what is stored.

    Attributes:
        position, outcome: Which, and what it came to.
        record: Its line in the native format.
        same: Whether that is byte for byte what is stored; None where nothing is stored of it.
    """

    position: int
    outcome: Outcome
    record: str
    same: bool | None


class DebateRunWorker:
    """Starts, watches and ends the runs of debates of one database. One program has one of these for its database."""

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
        self._runs = DebateRunRepository(database, person)
        self._threads: RunThreads[_DebatingThread] = RunThreads()
        for run in self._runs.interrupt_running():
            self._bring_into_view(run)

    def acting_for(self, person: Person) -> DebateRunWorker:
        """Return the same worker, with the same runs, for somebody else's hands."""
        view = copy.copy(self)
        view._person = person
        view._runs = DebateRunRepository(self._database, person)
        return view

    def estimate(self, plan: DebatePlan, claims: Sequence[Claim]) -> DebateEstimate:
        """Return what debating claims would take, before anything is asked."""
        return estimate(plan, claims, self._prices)

    def create(
        self, plan: DebatePlan, claims: Sequence[Claim], budget: Budget | None = None, name: str = ""
    ) -> DebateRun:
        """Store a run of debates, one for each claim; it waits to be started.

        Args:
            plan: How they are held.
            claims: With different ids.
            budget: Limits.
            name: Of the data set to be.

        Raises:
            NotAllowed: If the person may not run debates.
            MootError: If there is no claim, or two share an id.
        """
        models = ", ".join(dict.fromkeys(agent.model for agent in plan.agents))
        label = name.strip() or f"Debated by {models}, {plan.protocol.value}"
        return self._runs.create(label, plan, claims, budget or Budget())

    def start(self, run_id: str, budget: Budget | None = None, retry_failed: bool = False) -> DebateRun:
        """Begin a run, or go on with one that stopped; nothing that is stored is asked again.

        Args:
            run_id: Which.
            budget: New limits; those that it leaves open stay as they are.
            retry_failed: Also go on with debates that stopped for want of a reply.

        Raises:
            NotAllowed: If the person may not run debates.
            MootError: If there is no such run, or it runs already.
        """
        require(self._person, Permission.RUN)
        with self._threads.lock:
            run, plan = self._runs.get(run_id), self._runs.plan(run_id)
            if self._threads.under_way(run_id) is not None:
                raise MootError(f"Run {run_id} is running already.")
            if budget is not None:
                self._runs.set_budget(run_id, budget.or_else(run.budget))
            if retry_failed:
                self._runs.open_failed(run_id)
            reopen_lost(self._database, run)
            run = self._runs.get(run_id)
            thread = _DebatingThread(self._database, run, plan, self._prices, self._client, self._person)
            self._runs.set_state(run_id, RunState.RUNNING)
            self._threads.start(run_id, thread)
        return self._runs.get(run_id)

    def cancel(self, run_id: str) -> None:
        """End a run at once; what has arrived stays stored, and the debates under way as far as they came.

        Raises:
            NotAllowed: If the person may not run debates.
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

    def progress(self, run_id: str) -> DebateProgress:
        """Return how far a run is; while it runs also its rate and the debates under way.

        Raises:
            MootError: If there is no such run.
        """
        progress = self._runs.progress(run_id)
        thread = self._threads.under_way(run_id)
        return progress if thread is None else thread.measured(progress)

    def running(self) -> tuple[str, ...]:
        """Return the ids of the runs that are under way."""
        return self._threads.running()

    def dataset(self, run_id: str) -> str | None:
        """Return the id of the data set with a run's debates; None if there is none yet."""
        return dataset_of(self._database, self._runs.get(run_id))

    def replay(self, run_id: str) -> Iterator[Replay]:
        """Hold a run's debates again from stored replies, in order, and compare with what is stored.

        Nobody is asked, and nothing is stored. A debate of which something was never asked comes as far as it goes;
        one of which nothing was asked is left out.
        """
        run, plan = self._runs.get(run_id), self._runs.plan(run_id)
        for position, claim in self._runs.claims(run_id):
            outcome = _replayed(self._database, run_id, plan, position, claim)
            if outcome.calls:
                record = debate_to_line(outcome.debate)
                stored = stored_record(self._database, run, position)
                yield Replay(position, outcome, record, None if stored is None else stored == record)

    def stop(self) -> None:
        """End every run and wait for that, before the database is closed; they can be resumed."""
        self._threads.stop()

    def _bring_into_view(self, run_id: str) -> None:
        """Bring what a run that nobody ended has stored into its data set, debates under way as far as they came."""
        try:
            plan = self._runs.plan(run_id)
            # Claims are taken in order, so those under way are among the first that are open.
            first = islice(self._runs.claims(run_id, only_open=True), 2 * MOST_AT_ONCE)
            _keep_unfinished(self._database, run_id, plan, [Topic(claim, place) for place, claim in first])
            publish(self._database, self._runs.get(run_id), plan, MOOT)
        except (
            MootError
        ) as error:  # it waits until somebody resumes the run, and must not keep the program from starting
            _log.warning("The debates of run %s could not be brought into view: %s", run_id, error)


class _DebatingThread(RunThread):
    """One run under way."""

    def __init__(
        self,
        database: Database,
        run: DebateRun,
        plan: DebatePlan,
        prices: PriceTable,
        client: Callable[[], ChatClient],
        person: Person,
    ) -> None:
        self._runs = DebateRunRepository(database)
        before = self._runs.progress(run.id)
        super().__init__(run.id, Ledger(run.budget, before.spending, time.monotonic), person)
        self._database = database
        self._run = run
        self._plan = plan
        self._prices = prices
        self._make_client = client
        self._began = time.monotonic()
        self._done_before = before.done
        self._watch = _Watch()

    def measured(self, progress: DebateProgress) -> DebateProgress:
        """Return a look at the run with its rate since it was started, and what is under way."""
        minutes = (time.monotonic() - self._began) / 60.0
        done = progress.done - self._done_before
        return replace(
            progress,
            spending=replace(progress.spending, seconds=self._ledger.spent.seconds),
            rate=done / minutes if done > 0 and minutes > 0 else None,
            live=self._watch.live(),
        )

    def store_end(self, state: RunState, reason: str, person: Person) -> None:
        """Store how the run ended, and on whose account."""
        DebateRunRepository(self._database, person).set_state(self._run.id, state, reason)

    def carry_out(self) -> str:
        """Hold the debates that are open, and return why it stopped early."""
        writer = _Writer(self._database, self._run.id, lambda: self._ledger.spent.seconds, self._loop)
        desk = _Desk(
            self._database, self._run, self._plan, writer, self._watch, self._person, ReplyLookup(self._database)
        )
        client = self._make_client()
        host = Host(self._plan, Caller(client, desk, self._ledger, self._prices), desk, self._ledger)
        writer.start()
        try:
            reason = self.in_loop(self._held(host, desk))
        finally:
            writer.finish()
            close = getattr(client, "close", None)
            if close is not None:
                self._loop.run_until_complete(close())
        writer.raise_trouble()
        _keep_unfinished(self._database, self._run.id, self._plan, self._watch.topics())
        publish(self._database, self._run, self._plan, self._person)
        return reason

    async def _held(self, host: Host, desk: _Desk) -> str:
        topics = (Topic(claim, place) for place, claim in self._runs.claims(self._run.id, only_open=True))
        try:
            return await host.run(topics)
        finally:
            await desk.finish()


class _Watch:
    """What is under way, for whoever looks from another thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._topics: dict[int, Topic] = {}
        self._calls: dict[int, int] = {}
        self._asking: dict[int, list[str]] = {}

    def begun(self, topic: Topic, question: Question[Any]) -> None:
        with self._lock:
            self._topics.setdefault(topic.place, topic)
            self._asking.setdefault(topic.place, []).append(_words(question))

    def ended(self, topic: Topic, question: Question[Any]) -> None:
        with self._lock:
            self._calls[topic.place] = self._calls.get(topic.place, 0) + 1
            self._asking[topic.place].remove(_words(question))

    def concluded(self, topic: Topic) -> None:
        with self._lock:
            for held in (self._topics, self._calls, self._asking):
                held.pop(topic.place, None)

    def topics(self) -> tuple[Topic, ...]:
        with self._lock:
            return tuple(self._topics.values())

    def live(self) -> tuple[LiveDebate, ...]:
        with self._lock:
            return tuple(
                LiveDebate(
                    topic.claim.id, topic.claim.text, self._calls.get(place, 0), tuple(self._asking.get(place, ()))
                )
                for place, topic in self._topics.items()
            )


class _Writer(BatchWriter[KeptReply | KeptOutcome]):
    """Writes replies, outcomes and how long the run has taken."""

    def __init__(
        self, database: Database, run_id: str, seconds: Callable[[], float], loop: asyncio.AbstractEventLoop
    ) -> None:
        super().__init__(database, f"moot-writer-{run_id}", loop)
        self._run_id = run_id
        self._seconds = seconds

    def store(self, cursor: duckdb.DuckDBPyConnection, rows: Sequence[KeptReply | KeptOutcome]) -> None:
        insert_replies(cursor, [row for row in rows if isinstance(row, KeptReply)])
        insert_outcomes(cursor, [row for row in rows if isinstance(row, KeptOutcome)])
        cursor.execute("UPDATE debate_run SET seconds = ? WHERE id = ?", [self._seconds(), self._run_id])


@dataclass
class _Desk:
    """Where the host's results go: through the writer into the database, and now and then into the data set."""

    database: Database
    run: DebateRun
    plan: DebatePlan
    writer: _Writer
    watch: _Watch
    person: Person
    lookup: ReplyLookup
    _ended: int = 0
    _publish_at: int = PUBLISH_FIRST
    _publishing: asyncio.Future[int] | None = field(default=None)

    async def stored(self, key: str) -> ChatReply | None:
        return await self.lookup.find(key)

    async def keep(self, request: ChatRequest, reply: ChatReply, cost: float | None) -> None:
        await self.writer.write(KeptReply(request, reply, self.run.id, cost))

    async def conclude(self, topic: Topic, outcome: Outcome) -> None:
        await self.writer.write(KeptOutcome(self.run.id, topic.place, outcome))
        self.watch.concluded(topic)
        self._ended += 1
        if self._ended >= self._publish_at and (self._publishing is None or self._publishing.done()):
            await self.finish()  # so that what went wrong the last time is told
            self._publish_at = int(self._ended * PUBLISH_GROWTH)
            loop = asyncio.get_running_loop()
            self._publishing = loop.run_in_executor(None, publish, self.database, self.run, self.plan, self.person)

    async def finish(self) -> None:
        """Wait until the data set is no longer being written to."""
        if self._publishing is not None:
            await self._publishing

    def begun(self, topic: Topic, question: Question[Any]) -> None:
        self.watch.begun(topic, question)

    def ended(self, topic: Topic, question: Question[Any], answer: Answer[Any]) -> None:
        self.watch.ended(topic, question)


def _keep_unfinished(database: Database, run_id: str, plan: DebatePlan, topics: Sequence[Topic]) -> None:
    """Store debates that were under way as far as they came, so that they can be looked at before they go on."""
    kept = []
    for topic in topics:
        outcome = _replayed(database, run_id, plan, topic.place, topic.claim)
        if outcome.calls and outcome.state is DebateState.OPEN:
            kept.append(KeptOutcome(run_id, topic.place, outcome))
    with database.write() as cursor:
        insert_outcomes(cursor, kept)


def _replayed(database: Database, run_id: str, plan: DebatePlan, position: int, claim: Claim) -> Outcome:
    replies = ReplyRepository(database)
    failures = DebateRunRepository(database).failures(run_id, position)
    # A reply counts for more than a failure: it may have come when the debate was tried again.
    return replayed(plan, claim, lambda key: replies.find(key) or failures.get(key))


def _words(question: Question[Any]) -> str:
    what = f" of {question.argument}" if question.argument else ""
    return f"round {question.round}, {question.agent}, {question.stage.value}{what}"


__all__ = ["DebateRunWorker", "Replay"]
