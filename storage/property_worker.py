"""Carry out experiments in the background."""

from __future__ import annotations

from dataclasses import replace

from core.experiments.experiment import Experiment
from core.roles import Permission, Person, require
from core.runs.plan import Budget, RunState
from core.runs.progress import Progress
from storage.experiment_repository import ExperimentRepository, KeptExperiment
from storage.property_repository import KeptResult
from storage.property_testing import ExperimentRun, Step, tests_of
from storage.run_thread import RunThread
from storage.worker import Worker


class PropertyWorker(Worker[KeptExperiment]):
    """Has judges tested for properties."""

    table = ExperimentRepository
    _runs: ExperimentRepository

    def create(self, experiment: Experiment, budget: Budget | None = None) -> KeptExperiment:
        """Store an experiment; it waits to be started.

        Raises:
            NotAllowed: If the person may not run judges.
            MootError: If a judge or the data set is not here.
        """
        require(self._person, Permission.RUN)
        return self._runs.create(experiment, len(tests_of(self._database, experiment)), budget)

    def step(self, run_id: str) -> Step | None:
        """Return how far an experiment is while it runs, and within its present test; None where it does not run."""
        thread = self._threads.under_way(run_id)
        return thread.work.step if isinstance(thread, _TestingThread) else None

    def _thread(self, run: KeptExperiment) -> _TestingThread:
        work = ExperimentRun(
            self._database,
            run.experiment,
            prices=self._prices,
            budget=run.budget,
            key_for=self._key_for,
            client=self._client,
            person=self._person,
        )
        return _TestingThread(ExperimentRepository(self._database), run, work, self._person)


class _TestingThread(RunThread[KeptExperiment]):
    """One experiment under way."""

    def __init__(
        self, experiments: ExperimentRepository, run: KeptExperiment, work: ExperimentRun, person: Person
    ) -> None:
        super().__init__(experiments, run, person)
        self.work = work
        self._experiments = experiments
        self._results: tuple[KeptResult, ...] = ()

    def carry_out(self) -> str:
        """Test what is to be tested, and return why it stopped early."""
        ended = self.work.carry_out()
        self._results = ended.results
        return ended.reason

    def interrupt(self) -> None:
        """End the present test."""
        self.work.cancel()

    def measured(self, progress: Progress[KeptExperiment]) -> Progress[KeptExperiment]:
        """Return a look at the experiment as it stands."""
        step = self.work.step
        spending = progress.spending.plus(step.spent)
        within = step.judged / step.of if step.of else 0.0
        return replace(progress, outcomes={RunState.DONE: step.done}, spending=spending, within=within)

    def store_end(self, state: RunState, reason: str, person: Person) -> None:
        """Store how the experiment ended, with its results, and on whose account."""
        ids = [one.id for one in self._results]
        self._experiments.acting_for(person).ended(self._run.id, state, reason, self.work.step.spent, ids)


__all__ = ["PropertyWorker"]
