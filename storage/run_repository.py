"""Keep runs: what is to be judged by whom, how far it is, and what it used."""

# ruff: noqa: S608 - what is put into SQL here are names from this package; values are parameters

from __future__ import annotations

import json
import secrets
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import duckdb

from core.audit import Action, Change, Kind
from core.errors import MootError
from core.judgement import JudgementStatus
from core.llm.endpoint import ENDPOINTS, Endpoint
from core.roles import MOOT, OPERATOR, Permission, Person, require
from core.runs.plan import Budget, Run, RunState
from core.runs.progress import FAILED, Progress
from core.strict_json import dumps, storable
from storage.database import Database, first_row
from storage.reply_repository import ReplyRepository

_COLUMNS = "id, name, state, reason, judges, debate_count, budget, created_at, started_at, finished_at"
_NOW = "now() AT TIME ZONE 'UTC'"
# A case is a judge and a debate of the run; its outcome is a judgement, whichever run made it.
_OUTCOMES = """
    FROM run_debate AS r JOIN judgement AS j ON j.dataset_id = r.dataset_id AND j.debate_id = r.debate_id
    WHERE r.run_id = ? AND j.judge_id IN (SELECT unnest(?::VARCHAR[]))
"""


class RunRepository:
    """Keep and find runs."""

    def __init__(self, database: Database, person: Person = OPERATOR) -> None:
        """Take a database, and who acts."""
        self._database = database
        self._person = person

    def create(
        self, name: str, judges: Sequence[str], debates: Sequence[str], endpoints: Sequence[Endpoint], budget: Budget
    ) -> Run:
        """Store a run that waits to be started, and return it.

        Args:
            name: For people.
            judges: Ids of stored judges.
            debates: Ids of stored debates; each once.
            endpoints: How the judges' endpoints are to be treated.
            budget: Its limits.

        Raises:
            NotAllowed: If the person may not run judges.
            MootError: If there is no judge, no debate, or one that is not stored.
        """
        require(self._person, Permission.RUN)
        wanted = list(dict.fromkeys(storable(debate) for debate in debates))
        if not judges or not wanted:
            raise MootError("A run needs at least one judge and one debate.")
        run = secrets.token_hex(4)
        with self._database.log() as logged:
            cursor = logged.cursor
            cursor.execute(
                "INSERT INTO run_debate SELECT ?, w.position, d.dataset_id, d.id FROM "
                "(SELECT unnest(?::VARCHAR[]) AS id, unnest(range(?::BIGINT)) AS position) AS w "
                "JOIN debate AS d ON d.id = w.id",
                [run, wanted, len(wanted)],
            )
            (found,) = _one(cursor, "SELECT count(*) FROM run_debate WHERE run_id = ?", [run])
            if found < len(wanted):
                raise MootError(f"{len(wanted) - found} of the run's debates are not in this database.")
            cursor.execute(
                "INSERT INTO run "
                "(id, name, state, reason, judges, endpoints, budget, debate_count, seconds, created_at) "
                f"VALUES (?, ?, ?, '', ?, ?, ?, ?, 0, {_NOW})",
                [
                    run,
                    storable(name),
                    RunState.WAITING.value,
                    dumps(list(judges)),
                    dumps([endpoint.to_json() for endpoint in endpoints]),
                    dumps(budget.to_json()),
                    len(wanted),
                ],
            )
            plan = {"name": storable(name), "judges": list(judges), "debates": len(wanted), "limits": budget.to_json()}
            logged.log(Change(self._person, Action.RUN_CREATED, Kind.RUN, run, after=plan))
        return self.get(run)

    def get(self, run: str) -> Run:
        """Return a run.

        Raises:
            MootError: If none has the id.
        """
        with self._database.read() as cursor:
            row = first_row(cursor.execute(f"SELECT {_COLUMNS} FROM run WHERE id = ?", [storable(run)]))
        if row is None:
            raise MootError(f"No run {run!r} is in this database.")
        return _run(row)

    def all(self) -> tuple[Run, ...]:
        """Return every run, the latest first."""
        with self._database.read() as cursor:
            rows = cursor.execute(f"SELECT {_COLUMNS} FROM run ORDER BY created_at DESC, rowid DESC").fetchall()
        return tuple(_run(row) for row in rows)

    def endpoints(self, run: str) -> dict[str, Endpoint]:
        """Return how a run's endpoints are to be treated, by name."""
        with self._database.read() as cursor:
            (record,) = _one(cursor, "SELECT endpoints FROM run WHERE id = ?", [run])
        return {endpoint.name: endpoint for endpoint in map(Endpoint.from_json, json.loads(record))}

    def known_endpoints(self) -> dict[str, Endpoint]:
        """Return every endpoint by name: the built-in ones, and those of earlier runs as the latest run had them."""
        with self._database.read() as cursor:
            rows = cursor.execute("SELECT endpoints FROM run ORDER BY created_at, rowid").fetchall()
        used = [Endpoint.from_json(record) for (records,) in rows for record in json.loads(records)]
        return {**{endpoint.name: endpoint for endpoint in used}, **ENDPOINTS}

    def debates(self, run: str) -> tuple[str, ...]:
        """Return the ids of a run's debates, in order."""
        with self._database.read() as cursor:
            rows = cursor.execute(
                "SELECT debate_id FROM run_debate WHERE run_id = ? ORDER BY position", [run]
            ).fetchall()
        return tuple(name for (name,) in rows)

    def open_cases(self, run: Run) -> tuple[tuple[str, str, str], ...]:
        """Return the cases without an outcome as (judge id, dataset id, debate id), judge by judge."""
        with self._database.read() as cursor:
            debates = cursor.execute(
                "SELECT dataset_id, debate_id FROM run_debate WHERE run_id = ? ORDER BY position", [run.id]
            ).fetchall()
            done = set(
                cursor.execute(
                    f"SELECT j.judge_id, j.dataset_id, j.debate_id {_OUTCOMES}",
                    [run.id, list(run.judges)],
                ).fetchall()
            )
        return tuple((judge, *debate) for judge in run.judges for debate in debates if (judge, *debate) not in done)

    def progress(self, run: str) -> Progress:
        """Return how far a run is and what it used, as stored.

        Raises:
            MootError: If none has the id.
        """
        found = self.get(run)
        with self._database.read() as cursor:
            counted = cursor.execute(
                f"SELECT j.status, count(*) {_OUTCOMES} GROUP BY 1",
                [found.id, list(found.judges)],
            ).fetchall()
            (seconds,) = _one(cursor, "SELECT seconds FROM run WHERE id = ?", [found.id])
        spending = replace(ReplyRepository(self._database).spending(found.id), seconds=seconds)
        return Progress(found, {JudgementStatus(status): count for status, count in counted}, spending)

    def set_state(self, run: str, state: RunState, reason: str = "") -> None:
        """Store where a run stands, and when it came to that.

        Raises:
            NotAllowed: If the person may not run judges.
        """
        require(self._person, Permission.RUN)
        moment = {RunState.RUNNING: "started_at", RunState.WAITING: ""}.get(state, "finished_at")
        stamp = f", {moment} = {_NOW}" if moment else ""
        with self._database.log() as logged:
            row = first_row(logged.cursor.execute("SELECT state FROM run WHERE id = ?", [run]))
            if row is None:
                return
            logged.cursor.execute(
                f"UPDATE run SET state = ?, reason = ?{stamp} WHERE id = ?",
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
            (before,) = _one(logged.cursor, "SELECT budget FROM run WHERE id = ?", [run])
            logged.cursor.execute("UPDATE run SET budget = ? WHERE id = ?", [dumps(budget.to_json()), run])
            was, now = {"limits": json.loads(before)}, {"limits": budget.to_json()}
            if was != now:
                logged.log(Change(self._person, Action.RUN_LIMITS, Kind.RUN, run, was, now))

    def open_failed(self, run: Run) -> int:
        """Forget the outcomes of cases that got no reply, so that they are tried again; return how many there were.

        Raises:
            NotAllowed: If the person may not run judges.
        """
        require(self._person, Permission.RUN)
        statuses = [status.value for status in FAILED]
        with self._database.log() as logged:
            cursor = logged.cursor
            condition = f"rowid IN (SELECT j.rowid {_OUTCOMES} AND j.status IN (SELECT unnest(?::VARCHAR[])))"
            values = [run.id, list(run.judges), statuses]
            (count,) = _one(cursor, f"SELECT count(*) FROM judgement WHERE {condition}", values)
            cursor.execute(f"DELETE FROM judgement WHERE {condition}", values)
            if count:
                logged.log(
                    Change(self._person, Action.RUN_RETRIED, Kind.RUN, run.id, after={"failed cases": int(count)})
                )
        return int(count)

    def interrupt_running(self) -> int:
        """Mark the runs that a program which is gone left running; return how many. For the database's owner alone."""
        running, interrupted = RunState.RUNNING.value, RunState.INTERRUPTED.value
        reason = "The program ended while this ran; resume it to go on."
        with self._database.log() as logged:
            left = logged.cursor.execute("SELECT id FROM run WHERE state = ? ORDER BY rowid", [running]).fetchall()
            logged.cursor.execute(
                "UPDATE run SET state = ?, reason = ? WHERE state = ?", [interrupted, reason, running]
            )
            for (run,) in left:
                logged.log(Change(MOOT, Action.RUN_ENDED, Kind.RUN, run, running, interrupted, reason))
        return len(left)

    def remove(self, run: str) -> None:
        """Remove a run; its judgements and replies stay.

        Raises:
            NotAllowed: If the person may not remove what is stored.
        """
        require(self._person, Permission.DELETE)
        with self._database.log() as logged:
            row = first_row(logged.cursor.execute("SELECT name, state FROM run WHERE id = ?", [run]))
            if row is None:
                return
            logged.cursor.execute("DELETE FROM run_debate WHERE run_id = ?", [run])
            logged.cursor.execute("DELETE FROM run WHERE id = ?", [run])
            was = {"name": row[0], "state": row[1]}
            logged.log(Change(self._person, Action.RUN_REMOVED, Kind.RUN, run, was))


_ACTIONS = dict.fromkeys(RunState, Action.RUN_ENDED) | {
    RunState.WAITING: Action.RUN_CREATED,
    RunState.RUNNING: Action.RUN_STARTED,
    RunState.CANCELLED: Action.RUN_CANCELLED,
}


def _run(row: Sequence[Any]) -> Run:
    name, label, state, reason, judges, count, budget, created, started, finished = row
    return Run(
        name,
        label,
        RunState(state),
        reason,
        tuple(json.loads(judges)),
        count,
        Budget.from_json(json.loads(budget)),
        *(_utc(moment) for moment in (created, started, finished)),
    )


def _utc(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment.isoformat(timespec='seconds')}+00:00"


def _one(cursor: duckdb.DuckDBPyConnection, query: str, values: Sequence[Any]) -> tuple[Any, ...]:
    row = first_row(cursor.execute(query, values))
    if row is None:
        raise MootError("That run is not in this database.")
    return row


__all__ = ["RunRepository"]
