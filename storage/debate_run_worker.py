"""Carry out runs of debates in the background, and hold them again from what is stored."""

from __future__ import annotations

import copy
import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from core.debating.claim import Claim
from core.debating.estimate import DebateEstimate, estimate
from core.debating.holding import MOST_AT_ONCE, Topic
from core.debating.outcome import Outcome
from core.debating.plan import DebatePlan
from core.debating.run import DebateProgress, DebateRun
from core.errors import MootError
from core.llm.endpoint import Endpoint
from core.llm.prices import PriceTable
from core.native import debate_to_line
from core.roles import MOOT, OPERATOR, Permission, Person, require
from core.runs.plan import Budget, RunState
from storage.database import Database
from storage.debate_run_repository import DebateRunRepository
from storage.debate_run_thread import DebatingThread, held_again, keep_unfinished
from storage.debated_dataset import dataset_of, publish, reopen_lost, stored_record
from storage.endpoint_rights import require_endpoints
from storage.run_thread import RunThreads
from storage.run_worker import key_from_environment, real_client

if TYPE_CHECKING:
    from core.llm.client import ChatClient

_log = logging.getLogger("moot.runs")


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
        self._threads: RunThreads[DebatingThread] = RunThreads()
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
        require_endpoints(self._person, plan.endpoints)
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
            thread = DebatingThread(self._database, run, plan, self._prices, self._client, self._person)
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
            outcome = held_again(self._database, run_id, plan, position, claim)
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
            keep_unfinished(self._database, run_id, plan, [Topic(claim, place) for place, claim in first])
            publish(self._database, self._runs.get(run_id), plan, MOOT)
        except (
            MootError
        ) as error:  # it waits until somebody resumes the run, and must not keep the program from starting
            _log.warning("The debates of run %s could not be brought into view: %s", run_id, error)


__all__ = ["DebateRunWorker", "Replay"]
