"""Carry out runs in the background, of whatever kind: begin, watch, end, and go on."""

from __future__ import annotations

import copy
from abc import abstractmethod
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar

from core.errors import MootError
from core.llm.endpoint import Endpoint
from core.llm.prices import PriceTable
from core.roles import OPERATOR, Permission, Person, require
from core.runs.plan import Budget, Run, RunState
from core.runs.progress import Progress
from storage.database import Database
from storage.model_client import ModelClient, key_from_environment
from storage.run_table import RunTable
from storage.run_thread import RunThread, RunThreads

if TYPE_CHECKING:
    from core.llm.client import ChatClient

R = TypeVar("R", bound=Run)


class Worker(Generic[R]):
    """Starts, watches and ends the runs of one kind. A program has one of each kind for its database.

    Attributes:
        table: Where runs of the kind are kept.
    """

    table: ClassVar[type[RunTable[Any]]]
    _runs: RunTable[R]

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
        self._prices = prices or PriceTable()
        self._key_for = key_for
        self._client = client
        self._person = person
        self._runs = self.table(database, person)
        self._threads: RunThreads[R] = RunThreads()
        for run in self._runs.interrupt_running():
            self._left_behind(run)

    def acting_for(self, person: Person) -> Self:
        """Return the same worker, with the same runs, for somebody else's hands."""
        view = copy.copy(self)
        view._person = person
        view._runs = self._runs.acting_for(person)
        return view

    def start(self, run_id: str, budget: Budget | None = None, retry_failed: bool = False) -> R:
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
                raise MootError(f"{self._runs.noun.capitalize()} {run_id} is running already.")
            if budget is not None:
                self._runs.set_budget(run_id, budget.or_else(run.budget))
            if retry_failed:
                self._runs.open_failed(run_id)
            thread = self._thread(self._runs.get(run_id))
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

    def progress(self, run_id: str) -> Progress[R]:
        """Return how far a run is; while it runs also its rate and the cases under way, where it tells them.

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

    @abstractmethod
    def _thread(self, run: R) -> RunThread[R]:
        """Return what carries a run out."""

    def _left_behind(self, run_id: str) -> None:
        """Do what is to be done about a run that a program which is gone left running."""

    def _asking(self) -> ChatClient:
        """Return what answers the requests of a run."""
        return ModelClient(self._key_for) if self._client is None else self._client()


__all__ = ["Worker"]
