"""A run of debates under way: holds what is open, stores what arrives, and tells whoever looks."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import duckdb

from core.debating.claim import Claim
from core.debating.holding import Host, Topic, replayed
from core.debating.outcome import DebateState, Outcome
from core.debating.plan import DebatePlan
from core.debating.question import Answer, Question
from core.debating.run import DebateRun
from core.llm.prices import PriceTable
from core.roles import Person
from core.runs.caller import Caller
from core.runs.plan import RunState
from core.runs.progress import EndedCall, LiveCase, Progress
from storage.asking_thread import AskingThread
from storage.database import Database
from storage.debate_run_repository import DebateRunRepository, KeptOutcome, insert_outcomes
from storage.debated_dataset import publish
from storage.reply_repository import ReplyRepository
from storage.run_writer import RunWriter

if TYPE_CHECKING:
    from core.llm.client import ChatClient

PUBLISH_FIRST = 25  # debates that end before the data set is begun
MOST_RECENT = 50  # questions that ended last, for whoever looks
PUBLISH_GROWTH = 1.5  # how much it has grown when it is next brought up to date, so that all of it takes linear time


class DebatingThread(AskingThread[DebateRun, "_Writer"]):
    """One run under way."""

    def __init__(
        self,
        database: Database,
        run: DebateRun,
        plan: DebatePlan,
        prices: PriceTable,
        client: Callable[[], ChatClient],
        person: Person,
        complete: Callable[[str, Person], None] = lambda run, person: None,
    ) -> None:
        """Take what any run takes, how the debates are held, and what is to be done once all have an outcome."""
        self._complete = complete
        self._debate_runs = DebateRunRepository(database)
        super().__init__(database, self._debate_runs, run, prices, client, person)
        self._plan = plan
        self._watch = _Watch()

    def measured(self, progress: Progress[DebateRun]) -> Progress[DebateRun]:
        """Return a look at the run with its rate since it was started, and what is under way."""
        return replace(super().measured(progress), live=self._watch.live(), recent=self._watch.recent())

    def make_writer(self, loop: asyncio.AbstractEventLoop, seconds: Callable[[], float]) -> _Writer:
        """Return what writes replies and outcomes."""
        return _Writer(self._database, self._run.id, loop, seconds)

    def carry_out(self) -> str:
        """Hold the debates that are open, bring them into the data set, and return why it stopped early."""
        reason = super().carry_out()
        keep_unfinished(self._database, self._run.id, self._plan, self._watch.topics())
        publish(self._database, self._run, self._plan, self._person)
        return reason

    def store_end(self, state: RunState, reason: str, person: Person) -> None:
        """Store how the run ended, and do what is to be done once all debates have an outcome."""
        super().store_end(state, reason, person)
        if state is RunState.DONE:
            self._complete(self._run.id, person)

    async def ask(self, client: ChatClient, writer: _Writer) -> str:
        """Hold the debates that are open, and return why it stopped early."""
        desk = _Desk(self._database, self._run, self._plan, writer, self._watch, self._person)
        host = Host(self._plan, Caller(client, writer, self._ledger, self._prices), desk, self._ledger)
        topics = (Topic(claim, place) for place, claim in self._debate_runs.claims(self._run.id, only_open=True))
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
        self._ended: deque[EndedCall] = deque(maxlen=MOST_RECENT)

    def begun(self, topic: Topic, question: Question[Any]) -> None:
        with self._lock:
            self._topics.setdefault(topic.place, topic)
            self._asking.setdefault(topic.place, []).append(_words(question))

    def ended(self, topic: Topic, question: Question[Any], answer: Answer[Any]) -> None:
        told = EndedCall(topic.claim.id, _words(question), answer.status.value, answer.keys)
        with self._lock:
            self._ended.appendleft(told)
            self._calls[topic.place] = self._calls.get(topic.place, 0) + 1
            self._asking[topic.place].remove(_words(question))

    def concluded(self, topic: Topic) -> None:
        with self._lock:
            for held in (self._topics, self._calls, self._asking):
                held.pop(topic.place, None)

    def topics(self) -> tuple[Topic, ...]:
        with self._lock:
            return tuple(self._topics.values())

    def recent(self) -> tuple[EndedCall, ...]:
        with self._lock:
            return tuple(self._ended)

    def live(self) -> tuple[LiveCase, ...]:
        with self._lock:
            return tuple(
                LiveCase(
                    topic.claim.id, topic.claim.text, self._calls.get(place, 0), tuple(self._asking.get(place, ()))
                )
                for place, topic in self._topics.items()
            )


class _Writer(RunWriter[KeptOutcome]):
    """Writes replies and outcomes."""

    table = DebateRunRepository.table

    def insert(self, cursor: duckdb.DuckDBPyConnection, rows: Sequence[KeptOutcome]) -> None:
        insert_outcomes(cursor, rows)


@dataclass
class _Desk:
    """Where the host's results go: through the writer into the database, and now and then into the data set."""

    database: Database
    run: DebateRun
    plan: DebatePlan
    writer: _Writer
    watch: _Watch
    person: Person
    _ended: int = 0
    _publish_at: int = PUBLISH_FIRST
    _publishing: asyncio.Future[int] | None = field(default=None)

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
        self.watch.ended(topic, question, answer)


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
