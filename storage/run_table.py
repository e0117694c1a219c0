"""What is kept of every run, of whatever kind: where it stands, its limits, how far it is, and who did what to it."""

# ruff: noqa: S608 - what is put into SQL here are names from this package; values are parameters

from __future__ import annotations

import json
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Any, ClassVar, Generic, Self, TypeVar

import duckdb

from core.audit import Action, Change, Kind
from core.errors import MootError
from core.roles import MOOT, OPERATOR, Permission, Person, require
from core.runs.plan import Budget, Run, RunState, Spending
from core.runs.progress import Progress
from core.strict_json import dumps, storable
from storage.database import Database, first_row
from storage.reply_repository import ReplyRepository

R = TypeVar("R", bound=Run)
NOW = "now() AT TIME ZONE 'UTC'"
SHARED = "id, name, state, reason, budget, created_at, started_at, finished_at"
LEFT_BEHIND = "The program ended while this ran; resume it to go on."
_ACTIONS = dict.fromkeys(RunState, Action.RUN_ENDED) | {
    RunState.WAITING: Action.RUN_CREATED,
    RunState.RUNNING: Action.RUN_STARTED,
    RunState.CANCELLED: Action.RUN_CANCELLED,
}


class RunTable(ABC, Generic[R]):
    """Keeps and finds runs of one kind, which is a subclass's business.

    Attributes:
        table: Where they are.
        noun: What one is called in messages.
        own: Columns of this kind alone, in the order in which ``_run`` takes them.
        parts: Tables with what a run consists of, by ``run_id``; they go with it.
    """

    table: ClassVar[str]
    noun: ClassVar[str] = "run"
    own: ClassVar[str]
    parts: ClassVar[tuple[str, ...]] = ()

    def __init__(self, database: Database, person: Person = OPERATOR) -> None:
        """Take a database, and who acts."""
        self._database = database
        self._person = person

    def acting_for(self, person: Person) -> Self:
        """Return the same runs for somebody else's hands."""
        return type(self)(self._database, person)

    def get(self, run: str) -> R:
        """Return a run.

        Raises:
            MootError: If none has the id.
        """
        with self._database.read() as cursor:
            query = f"SELECT {SHARED}, {self.own} FROM {self.table} WHERE id = ?"
            row = first_row(cursor.execute(query, [storable(run)]))
        if row is None:
            raise MootError(f"No {self.noun} {run!r} is in this database.")
        return self._read(row)

    def all(self) -> tuple[R, ...]:
        """Return every run, the latest first."""
        with self._database.read() as cursor:
            query = f"SELECT {SHARED}, {self.own} FROM {self.table} ORDER BY created_at DESC, rowid DESC"
            rows = cursor.execute(query).fetchall()
        return tuple(self._read(row) for row in rows)

    def progress(self, run: str) -> Progress[R]:
        """Return how far a run is and what it used, as stored.

        Raises:
            MootError: If none has the id.
        """
        found = self.get(run)
        with self._database.read() as cursor:
            progress = Progress(found, self._outcomes(cursor, found), self._spending(found))
            return replace(progress, trouble=self._trouble(cursor, found)) if progress.failed else progress

    def set_state(self, run: str, state: RunState, reason: str = "") -> None:
        """Store where a run stands, and when it came to that.

        Raises:
            NotAllowed: If the person may not run judges.
        """
        require(self._person, Permission.RUN)
        began, ended = f", started_at = {NOW}, finished_at = NULL", f", finished_at = {NOW}"
        stamp = {RunState.RUNNING: began, RunState.WAITING: ""}.get(state, ended)
        with self._database.log() as logged:
            row = first_row(logged.cursor.execute(f"SELECT state FROM {self.table} WHERE id = ?", [run]))
            if row is None:
                return
            logged.cursor.execute(
                f"UPDATE {self.table} SET state = ?, reason = ?{stamp} WHERE id = ?",
                [state.value, storable(reason), run],
            )
            logged.log(Change(self._person, _ACTIONS[state], Kind.RUN, run, row[0], state.value, storable(reason)))

    def set_budget(self, run: str, budget: Budget) -> None:
        """Change a run's limits.

        Raises:
            NotAllowed: If the person may not run judges.
        """
        require(self._person, Permission.RUN)
        with self._database.log() as logged:
            (before,) = self._one(logged.cursor, f"SELECT budget FROM {self.table} WHERE id = ?", [run])
            logged.cursor.execute(f"UPDATE {self.table} SET budget = ? WHERE id = ?", [dumps(budget.to_json()), run])
            was, now = {"limits": json.loads(before)}, {"limits": budget.to_json()}
            if was != now:
                logged.log(Change(self._person, Action.RUN_LIMITS, Kind.RUN, run, was, now))

    def open_failed(self, run: str) -> int:
        """Open the cases that got no reply, so that they are tried again; return how many there were.

        Raises:
            NotAllowed: If the person may not run judges.
            MootError: If there is no such run.
        """
        require(self._person, Permission.RUN)
        found = self.get(run)
        with self._database.log() as logged:
            count = self._open_failed(logged.cursor, found)
            if count:
                logged.log(Change(self._person, Action.RUN_RETRIED, Kind.RUN, run, after={"failed cases": count}))
        return count

    def interrupt_running(self) -> tuple[str, ...]:
        """Mark the runs that a program which is gone left running; return their ids. For the database's owner alone."""
        running, interrupted = RunState.RUNNING.value, RunState.INTERRUPTED.value
        with self._database.log() as logged:
            query = f"SELECT id FROM {self.table} WHERE state = ? ORDER BY rowid"
            left = [run for (run,) in logged.cursor.execute(query, [running]).fetchall()]
            logged.cursor.execute(
                f"UPDATE {self.table} SET state = ?, reason = ? WHERE state = ?", [interrupted, LEFT_BEHIND, running]
            )
            for run in left:
                logged.log(Change(MOOT, Action.RUN_ENDED, Kind.RUN, run, running, interrupted, LEFT_BEHIND))
        return tuple(left)

    def remove(self, run: str) -> None:
        """Remove a run; what it brought stays.

        Raises:
            NotAllowed: If the person may not remove what is stored.
        """
        require(self._person, Permission.DELETE)
        with self._database.log() as logged:
            query = f"SELECT name, state FROM {self.table} WHERE id = ?"
            row = first_row(logged.cursor.execute(query, [storable(run)]))
            if row is None:
                return
            for part in self.parts:
                logged.cursor.execute(f"DELETE FROM {part} WHERE run_id = ?", [run])
            logged.cursor.execute(f"DELETE FROM {self.table} WHERE id = ?", [run])
            was = {"name": row[0], "state": row[1]}
            logged.log(Change(self._person, Action.RUN_REMOVED, Kind.RUN, run, was))

    @contextmanager
    def _creating(
        self, name: str, budget: Budget, values: Mapping[str, Any], told: Mapping[str, Any], prefix: str = ""
    ) -> Iterator[tuple[duckdb.DuckDBPyConnection, str]]:
        """Store a run that waits to be started; lend the transaction's cursor, for its parts, and its id.

        Args:
            name: For people.
            budget: Its limits.
            values: What the columns of this kind hold.
            told: What the log says of it.
            prefix: What its id begins with.

        Raises:
            NotAllowed: If the person may not run judges.
        """
        require(self._person, Permission.RUN)
        run = f"{prefix}{secrets.token_hex(4)}"
        row = {"id": run, "name": storable(name), "state": RunState.WAITING.value, "reason": ""}
        row |= {"budget": dumps(budget.to_json()), **values}
        with self._database.log() as logged:
            logged.cursor.execute(
                f"INSERT INTO {self.table} ({', '.join(row)}, created_at) VALUES ({', '.join('?' * len(row))}, {NOW})",
                list(row.values()),
            )
            yield logged.cursor, run
            logged.log(Change(self._person, Action.RUN_CREATED, Kind.RUN, run, after=dict(told)))

    def _read(self, row: Sequence[Any]) -> R:
        name, label, state, reason, budget, created, started, finished, *own = row
        shared = {
            "id": name,
            "name": label,
            "state": RunState(state),
            "reason": reason,
            "budget": Budget.from_json(json.loads(budget)),
            "created_at": _utc(created),
            "started_at": _utc(started),
            "finished_at": _utc(finished),
        }
        return self._run(shared, own)

    def _one(self, cursor: duckdb.DuckDBPyConnection, query: str, values: Sequence[Any]) -> tuple[Any, ...]:
        """Return the one row of a query about a run.

        Raises:
            MootError: If there is none.
        """
        row = first_row(cursor.execute(query, values))
        if row is None:
            raise MootError(f"That {self.noun} is not in this database.")
        return row

    def _spending(self, run: R) -> Spending:
        """Return what the replies that a run paid for used, and how long it has run."""
        with self._database.read() as cursor:
            (seconds,) = self._one(cursor, f"SELECT seconds FROM {self.table} WHERE id = ?", [run.id])
        return replace(ReplyRepository(self._database).spending(run.id), seconds=seconds)

    @abstractmethod
    def _run(self, shared: dict[str, Any], own: Sequence[Any]) -> R:
        """Return a run of this kind from what all have, and from its own columns."""

    @abstractmethod
    def _outcomes(self, cursor: duckdb.DuckDBPyConnection, run: R) -> dict[Any, int]:
        """Return how many cases of a run ended how."""

    def _trouble(self, cursor: duckdb.DuckDBPyConnection, run: R) -> str:
        """Return why the first of a run's cases that failed has no reply; empty where that is not kept."""
        return ""

    @abstractmethod
    def _open_failed(self, cursor: duckdb.DuckDBPyConnection, run: R) -> int:
        """Open the cases of a run that got no reply; return how many there were."""


def _utc(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment.isoformat(timespec='seconds')}+00:00"


__all__ = ["NOW", "RunTable"]
