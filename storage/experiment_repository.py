"""Keep experiments: what was to be tested, how far it came, and which results belong to it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import duckdb

from core.audit import Action, Change, Kind
from core.experiments.experiment import Experiment
from core.experiments.reading import experiment_of, experiment_text
from core.runs.plan import Budget, Run, RunKind, RunState, Spending
from core.strict_json import dumps, storable
from storage.run_table import NOW, RunTable

TESTING = RunKind("test", "tested", partly=True)  # a budget may end in the midst of a test


@dataclass(frozen=True, kw_only=True)
class KeptExperiment(Run):
    """An experiment as stored; its cases are tests.

    Attributes:
        experiment: What is tested.
        done: How many tests there were when it ended last.
        spending: What its calls used.
        results: Ids of results, in order.
    """

    kind: ClassVar[RunKind] = TESTING
    experiment: Experiment
    done: int
    spending: Spending
    results: tuple[str, ...]


class ExperimentRepository(RunTable[KeptExperiment]):
    """Keep and find experiments."""

    table = "experiment"
    noun = "experiment"
    own = "text, done, total, spending, results"

    def create(self, experiment: Experiment, total: int, budget: Budget | None = None) -> KeptExperiment:
        """Store an experiment; it waits to be started.

        Raises:
            NotAllowed: If the person may not run judges.
        """
        values = {
            "text": storable(experiment_text(experiment)), "done": 0, "total": total, "spending": "{}", "results": "[]",
        }  # fmt: skip
        told = {"experiment": storable(experiment.name), "tests": total}
        with self._creating(experiment.name, budget or Budget(), values, told) as (_, run):
            pass
        return self.get(run)

    def ended(self, run: str, state: RunState, reason: str, spending: Spending, results: Sequence[str]) -> None:
        """Note how an experiment ended; what its calls used is added to what earlier starts used."""
        used = self.get(run).spending.plus(spending)
        with self._database.log() as logged:
            told = {"state": state.value, "tests done": len(results), "calls": spending.calls}
            action = Action.RUN_CANCELLED if state is RunState.CANCELLED else Action.RUN_ENDED
            logged.log(Change(self._person, action, Kind.RUN, run, None, told, storable(reason)))
            logged.cursor.execute(
                "UPDATE experiment SET state = ?, reason = ?, done = ?, spending = ?, results = ?, "  # noqa: S608
                f"finished_at = {NOW} WHERE id = ?",
                [state.value, storable(reason), len(results), dumps(asdict(used)), dumps(list(results)), run],
            )

    def _run(self, shared: dict[str, Any], own: Sequence[Any]) -> KeptExperiment:
        text, done, total, spending, results = own
        return KeptExperiment(
            **shared,
            total=total,
            experiment=experiment_of(text),
            done=done,
            spending=Spending(**json.loads(spending)),
            results=tuple(json.loads(results)),
        )

    def _outcomes(self, cursor: duckdb.DuckDBPyConnection, run: KeptExperiment) -> dict[Any, int]:
        return {RunState.DONE: run.done}

    def _spending(self, run: KeptExperiment) -> Spending:
        return run.spending

    def _open_failed(self, cursor: duckdb.DuckDBPyConnection, run: KeptExperiment) -> int:
        return 0  # a test whose calls failed says so in its result


__all__ = ["ExperimentRepository", "KeptExperiment"]
