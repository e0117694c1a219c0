"""A run of debates under way: holds what is open, stores what arrives, and tells whoever looks."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import duckdb

from core.debating.claim import Claim
from core.debating.holding import Host, Topic, replayed
from core.debating.outcome import DebateState, Outcome
from core.debating.plan import DebatePlan
from core.debating.question import Answer, Question
from core.debating.run import DebateProgress, DebateRun, LiveDebate
from core.llm.prices import PriceTable
from core.llm.request import ChatReply, ChatRequest
from core.roles import Person
from core.runs.caller import Caller
from core.runs.ledger import Ledger
from core.runs.plan import RunState
from storage.batch_writer import BatchWriter
from storage.database import Database
from storage.debate_run_repository import DebateRunRepository, KeptOutcome, insert_outcomes
from storage.debated_dataset import publish
from storage.reply_lookup import ReplyLookup
from storage.reply_repository import KeptReply, ReplyRepository, insert_replies
from storage.run_thread import RunThread

if TYPE_CHECKING:
    from core.llm.client import ChatClient

PUBLISH_FIRST = 25  # debates that end before the data set is begun
PUBLISH_GROWTH = 1.5  # how much it has grown when it is next brought up to date, so that all of it takes linear time


class DebatingThread(RunThread):
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
        keep_unfinished(self._database, self._run.id, self._plan, self._watch.topics())
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


def keep_unfinished(database: Database, run_id: str, plan: DebatePlan, topics: Sequence[Topic]) -> None:
    """Store debates that were under way as far as they came, so that they can be looked at before they go on."""
    kept = []
    for topic in topics:
        outcome = held_again(database, run_id, plan, topic.place, topic.claim)
        if outcome.calls and outcome.state is DebateState.OPEN:
            kept.append(KeptOutcome(run_id, topic.place, outcome))
    with database.write() as cursor:
        insert_outcomes(cursor, kept)


def held_again(database: Database, run_id: str, plan: DebatePlan, position: int, claim: Claim) -> Outcome:
    """Return what a debate of a run comes to from stored replies alone; nobody is asked."""
    replies = ReplyRepository(database)
    failures = DebateRunRepository(database).failures(run_id, position)
    # A reply counts for more than a failure: it may have come when the debate was tried again.
    return replayed(plan, claim, lambda key: replies.find(key) or failures.get(key))


def _words(question: Question[Any]) -> str:
    what = f" of {question.argument}" if question.argument else ""
    return f"round {question.round}, {question.agent}, {question.stage.value}{what}"


__all__ = ["DebatingThread", "held_again", "keep_unfinished"]
