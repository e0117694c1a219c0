"""Carry out experiments in the background: one thread for each, in the program that holds the database."""

from __future__ import annotations

import copy
import logging
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from core.errors import MootError
from core.experiments.experiment import Experiment
from core.llm.endpoint import Endpoint
from core.llm.prices import PriceTable
from core.roles import MOOT, OPERATOR, Permission, Person, require
from core.runs.plan import Budget, RunState
from storage.database import Database
from storage.experiment_repository import ExperimentRepository, KeptExperiment
from storage.property_testing import Ended, ExperimentRun, Step, tests_of
from storage.run_worker import key_from_environment

if TYPE_CHECKING:
    from core.llm.client import ChatClient

_log = logging.getLogger("moot.properties")


class PropertyWorker:
    """Starts, watches and ends the experiments of one database. One program has one of these for its database."""

    def __init__(
        self,
        database: Database,
        prices: PriceTable | None = None,
        key_for: Callable[[Endpoint], str | None] = key_from_environment,
        client: Callable[[], ChatClient] | None = None,
        person: Person = OPERATOR,
    ) -> None:
        """Take over the database's experiments; those that a program which is gone left running are interrupted.

        Args:
            database: Where everything is.
            prices: What calls cost.
            key_for: Hands out the key of an endpoint; it is kept nowhere.
            client: Makes what answers requests; the real client unless given.
            person: Who acts.
        """
        self._database = database
        self._prices = prices
        self._key_for = key_for
        self._client = client
        self._person = person
        self._lock = threading.Lock()
        self._threads: dict[str, _Thread] = {}
        ExperimentRepository(database, MOOT).interrupt_running()

    def acting_for(self, person: Person) -> PropertyWorker:
        """Return the same worker, with the same experiments, for somebody else's hands."""
        view = copy.copy(self)
        view._person = person
        return view

    def start(self, experiment: Experiment, budget: Budget | None = None) -> KeptExperiment:
        """Store an experiment and begin it.

        Raises:
            NotAllowed: If the person may not run judges.
            MootError: If a judge or the data set is not here.
        """
        require(self._person, Permission.RUN)
        total = len(tests_of(self._database, experiment))
        kept = ExperimentRepository(self._database, self._person).create(experiment, total, budget)
        return self.resume(kept.id)

    def resume(self, name: str, budget: Budget | None = None) -> KeptExperiment:
        """Begin a stored experiment, or go on with it; nothing that is stored is tested or asked again.

        Args:
            name: Its id.
            budget: New limits; those that it leaves open stay as they are.

        Raises:
            NotAllowed: If the person may not run judges.
            MootError: If there is no such experiment, or it runs already.
        """
        require(self._person, Permission.RUN)
        repository = ExperimentRepository(self._database, self._person)
        with self._lock:
            if name in self.running():
                raise MootError(f"Experiment {name} is running already.")
            kept = repository.get(name)
            limits = (budget or Budget()).or_else(kept.budget)
            run = ExperimentRun(
                self._database,
                kept.experiment,
                prices=self._prices,
                budget=limits,
                key_for=self._key_for,
                client=self._client,
                person=self._person,
            )
            repository.begun(name, limits)
            thread = _Thread(name, run, repository)
            self._threads[name] = thread
            thread.start()
        return repository.get(name)

    def cancel(self, name: str) -> None:
        """End an experiment at once; what it found stays.

        Raises:
            NotAllowed: If the person may not run judges.
        """
        require(self._person, Permission.RUN)
        thread = self._threads.get(name)
        if thread is not None and not thread.ended.is_set():
            thread.work.cancel()

    def wait(self, name: str, seconds: float | None = None) -> bool:
        """Wait until an experiment ends, no longer than a time; return whether it has ended."""
        thread = self._threads.get(name)
        return True if thread is None else thread.ended.wait(seconds)

    def step(self, name: str) -> Step | None:
        """Return how far an experiment is while it runs; None where it does not."""
        thread = self._threads.get(name)
        return None if thread is None or thread.ended.is_set() else thread.work.step

    def running(self) -> tuple[str, ...]:
        """Return the ids of the experiments that are under way."""
        return tuple(name for name, thread in self._threads.items() if not thread.ended.is_set())

    def stop(self) -> None:
        """End every experiment and wait for that, before the database is closed; they can be resumed."""
        for thread in self._threads.values():
            thread.stopped = True
            thread.work.cancel()
        for thread in self._threads.values():
            thread.ended.wait()


class _Thread(threading.Thread):
    def __init__(self, name: str, work: ExperimentRun, repository: ExperimentRepository) -> None:
        super().__init__(name=f"moot-experiment-{name}", daemon=True)
        self._id = name
        self.work = work
        self._repository = repository
        self.stopped = False  # by the program and not by a person
        self.ended = threading.Event()

    def run(self) -> None:
        """Carry it out, and store how it ended."""
        try:
            self._end(self._carried_out())
        except MootError as error:
            _log.warning("The end of experiment %s could not be stored: %s", self._id, error)
        finally:
            self.ended.set()

    def _carried_out(self) -> Ended:
        try:
            return self.work.carry_out()
        except MootError as error:
            return Ended(RunState.STOPPED, str(error), ())
        except Exception as error:  # whatever it is, the experiment must not look as if it went on
            _log.exception("Experiment %s met an error", self._id)
            return Ended(RunState.STOPPED, f"Moot met an error of its own: {type(error).__name__}.", ())

    def _end(self, ended: Ended) -> None:
        state = RunState.INTERRUPTED if self.stopped and ended.state is RunState.CANCELLED else ended.state
        ids = [one.id for one in ended.results]
        self._repository.ended(self._id, state, ended.reason, len(ids), self.work.step.spent, ids)


__all__ = ["PropertyWorker"]
