"""Keep experiments: what was to be tested, how far it came, and which results belong to it."""

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.audit import Action, Change, Kind
from core.errors import MootError
from core.experiments.experiment import Experiment
from core.experiments.reading import experiment_of, experiment_text
from core.roles import OPERATOR, Permission, Person, require
from core.runs.plan import Budget, RunState, Spending
from core.strict_json import dumps, storable
from storage.database import Database, first_row

_COLUMNS = "id, name, text, state, reason, done, total, budget, spending, results, created_at, started_at, finished_at"
_NOW = "timezone('UTC', now())"


@dataclass(frozen=True)
class KeptExperiment:
    """An experiment as stored.

    Attributes:
        id: Short, for people to type.
        experiment: What is tested.
        state, reason: Where it stands, and why where that needs saying.
        done, total: Tests.
        budget: Limits of its calls.
        spending: What its calls used.
        results: Ids of results, in order.
        created_at, started_at, finished_at: ISO 8601 in UTC; empty where it has not come to that.
    """

    id: str
    experiment: Experiment
    state: RunState
    reason: str
    done: int
    total: int
    budget: Budget
    spending: Spending
    results: tuple[str, ...]
    created_at: str
    started_at: str = ""
    finished_at: str = ""


class ExperimentRepository:
    """Keep and find experiments."""

    def __init__(self, database: Database, person: Person = OPERATOR) -> None:
        """Take a database, and who acts."""
        self._database = database
        self._person = person

    def create(self, experiment: Experiment, total: int, budget: Budget | None = None) -> KeptExperiment:
        """Store an experiment; it waits to be started.

        Raises:
            NotAllowed: If the person may not run judges.
        """
        require(self._person, Permission.RUN)
        name = secrets.token_hex(4)
        with self._database.log() as logged:
            logged.cursor.execute(
                f"INSERT INTO experiment VALUES (?, ?, ?, ?, '', 0, ?, ?, '{{}}', '[]', {_NOW}, NULL, NULL)",  # noqa: S608
                [
                    name,
                    storable(experiment.name),
                    storable(experiment_text(experiment)),
                    RunState.WAITING.value,
                    total,
                    dumps((budget or Budget()).to_json()),
                ],
            )
            told = {"experiment": storable(experiment.name), "tests": total}
            logged.log(Change(self._person, Action.RUN_CREATED, Kind.RUN, name, None, told))
        return self.get(name)

    def get(self, name: str) -> KeptExperiment:
        """Return an experiment.

        Raises:
            MootError: If none has the id.
        """
        with self._database.read() as cursor:
            row = first_row(cursor.execute(f"SELECT {_COLUMNS} FROM experiment WHERE id = ?", [storable(name)]))  # noqa: S608
        if row is None:
            raise MootError(f"No experiment {name!r} is in this database.")
        return _kept(row)

    def all(self) -> tuple[KeptExperiment, ...]:
        """Return every experiment, the latest first."""
        with self._database.read() as cursor:
            rows = cursor.execute(
                f"SELECT {_COLUMNS} FROM experiment ORDER BY created_at DESC, rowid DESC"  # noqa: S608
            ).fetchall()
        return tuple(_kept(row) for row in rows)

    def begun(self, name: str, budget: Budget) -> None:
        """Note that an experiment runs now."""
        with self._database.log() as logged:
            logged.log(Change(self._person, Action.RUN_STARTED, Kind.RUN, name, None, budget.to_json() or None))
            logged.cursor.execute(
                f"UPDATE experiment SET state = ?, reason = '', budget = ?, started_at = {_NOW}, finished_at = NULL "  # noqa: S608
                "WHERE id = ?",
                [RunState.RUNNING.value, dumps(budget.to_json()), name],
            )

    def ended(
        self, name: str, state: RunState, reason: str, done: int, spending: Spending, results: Sequence[str]
    ) -> None:
        """Note how an experiment ended; what its calls used is added to what earlier starts used."""
        before = self.get(name).spending
        used = {
            key: getattr(before, key) + getattr(spending, key)
            for key in ("calls", "tokens_in", "tokens_out", "tokens_cached", "money", "unpriced", "seconds")
        }
        with self._database.log() as logged:
            told = {"state": state.value, "tests done": done, "calls": spending.calls}
            action = Action.RUN_CANCELLED if state is RunState.CANCELLED else Action.RUN_ENDED
            logged.log(Change(self._person, action, Kind.RUN, name, None, told, storable(reason)))
            logged.cursor.execute(
                "UPDATE experiment SET state = ?, reason = ?, done = ?, spending = ?, results = ?, "  # noqa: S608
                f"finished_at = {_NOW} WHERE id = ?",
                [state.value, storable(reason), done, dumps(used), dumps(list(results)), name],
            )

    def interrupt_running(self) -> None:
        """Mark what a program that is gone left running."""
        with self._database.write() as cursor:
            cursor.execute(
                "UPDATE experiment SET state = ? WHERE state = ?",
                [RunState.INTERRUPTED.value, RunState.RUNNING.value],
            )

    def remove(self, name: str) -> None:
        """Take an experiment off the list; its results stay.

        Raises:
            NotAllowed: If the person may not remove what is stored.
        """
        require(self._person, Permission.DELETE)
        with self._database.log() as logged:
            logged.log(Change(self._person, Action.RUN_REMOVED, Kind.RUN, storable(name)))
            logged.cursor.execute("DELETE FROM experiment WHERE id = ?", [storable(name)])


def _kept(row: Sequence[Any]) -> KeptExperiment:
    name, _, text, state, reason, done, total, budget, spending, results, *moments = row
    created, started, finished = (_iso(moment) for moment in moments)
    return KeptExperiment(
        name,
        experiment_of(text),
        RunState(state),
        reason,
        done,
        total,
        Budget.from_json(json.loads(budget)),
        Spending(**json.loads(spending)),
        tuple(json.loads(results)),
        created,
        started,
        finished,
    )


def _iso(moment: datetime | None) -> str:
    return "" if moment is None else moment.isoformat()


__all__ = ["ExperimentRepository", "KeptExperiment"]
