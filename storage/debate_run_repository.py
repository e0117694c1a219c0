"""Keep runs of debates: who debates how on which claims, how far each debate came, and what it used."""

# ruff: noqa: S608 - what is put into SQL here are names from this package; values are parameters

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

import duckdb

from core.audit import Action, Change, Kind
from core.debating.claim import Claim
from core.debating.outcome import DebateState, Outcome
from core.debating.plan import DebatePlan, plan_of
from core.debating.prompts import DebatePrompts
from core.debating.run import DebateProgress, DebateRun
from core.errors import CallFailed, CallFailure, InvalidSetting, MootError
from core.llm.endpoint import Endpoint
from core.native import debate_to_line
from core.roles import MOOT, OPERATOR, Permission, Person, require
from core.runs.plan import Budget, RunState
from core.strict_json import dumps, storable
from storage.database import Database, first_row
from storage.reply_repository import ReplyRepository
from storage.table_rows import insert

if TYPE_CHECKING:  # slow to load, and only DuckDB makes tables
    import pandas as pd

CHUNK = 1_000  # claims read at once
_COLUMNS = "id, name, state, reason, claim_count, budget, created_at, started_at, finished_at"
_NOW = "now() AT TIME ZONE 'UTC'"
_OUTCOME = ("run_id", "position", "state", "place", "questions", "failures", "record")
_OPEN = DebateState.OPEN.value
_ACTIONS = dict.fromkeys(RunState, Action.RUN_ENDED) | {
    RunState.WAITING: Action.RUN_CREATED,
    RunState.RUNNING: Action.RUN_STARTED,
    RunState.CANCELLED: Action.RUN_CANCELLED,
}


@dataclass(frozen=True)
class KeptOutcome:
    """An outcome on its way into the database: of which run, and of which of its claims."""

    run_id: str
    position: int
    outcome: Outcome


class DebateRunRepository:
    """Keep and find runs of debates."""

    def __init__(self, database: Database, person: Person = OPERATOR) -> None:
        """Take a database, and who acts."""
        self._database = database
        self._person = person

    def create(self, name: str, plan: DebatePlan, claims: Sequence[Claim], budget: Budget) -> DebateRun:
        """Store a run that waits to be started, and return it.

        Raises:
            NotAllowed: If the person may not run debates.
            MootError: If there is no claim, or two share an id.
        """
        require(self._person, Permission.RUN)
        if not claims:
            raise MootError("A run of debates needs at least one claim.")
        if len({claim.id for claim in claims}) < len(claims):
            raise MootError("Two claims of a run share an id; give each its own.")
        run = f"d{secrets.token_hex(4)}"
        told = {
            "name": storable(name),
            "claims": len(claims),
            "protocol": plan.protocol.value,
            "agents": [f"{agent.name}: {agent.model}" for agent in plan.agents],
            "limits": budget.to_json(),
        }
        with self._database.log() as logged:
            cursor = logged.cursor
            cursor.execute(
                "INSERT INTO prompt_set VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [plan.prompts.hash, storable(plan.prompts.name), dumps(dict(plan.prompts.texts))],
            )
            cursor.execute(
                "INSERT INTO debate_run (id, name, state, reason, plan, endpoints, budget, claim_count, seconds, "
                f"created_at) VALUES (?, ?, ?, '', ?, ?, ?, ?, 0, {_NOW})",
                [
                    run,
                    storable(name),
                    RunState.WAITING.value,
                    dumps(plan.settings()),
                    dumps([endpoint.to_json() for endpoint in plan.endpoints]),
                    dumps(budget.to_json()),
                    len(claims),
                ],
            )
            cursor.execute(
                "INSERT INTO debate_run_claim SELECT ?, unnest(range(?::BIGINT)), unnest(?::VARCHAR[]), "
                "unnest(?::VARCHAR[]), unnest(?::BOOLEAN[])",
                [
                    run,
                    len(claims),
                    [storable(claim.id) for claim in claims],
                    [storable(claim.text) for claim in claims],
                    [claim.label for claim in claims],
                ],
            )
            logged.log(Change(self._person, Action.RUN_CREATED, Kind.RUN, run, after=told))
        return self.get(run)

    def get(self, run: str) -> DebateRun:
        """Return a run.

        Raises:
            MootError: If none has the id.
        """
        with self._database.read() as cursor:
            row = first_row(cursor.execute(f"SELECT {_COLUMNS} FROM debate_run WHERE id = ?", [storable(run)]))
        if row is None:
            raise MootError(f"No run of debates {run!r} is in this database.")
        return _run(row)

    def all(self) -> tuple[DebateRun, ...]:
        """Return every run, the latest first."""
        with self._database.read() as cursor:
            rows = cursor.execute(f"SELECT {_COLUMNS} FROM debate_run ORDER BY created_at DESC, rowid DESC").fetchall()
        return tuple(_run(row) for row in rows)

    def plan(self, run: str) -> DebatePlan:
        """Return how a run's debates are held, with the templates as they were when it was made.

        Raises:
            MootError: If there is no such run, or its templates are gone.
        """
        with self._database.read() as cursor:
            settings, endpoints = _one(cursor, "SELECT plan, endpoints FROM debate_run WHERE id = ?", [run])
            stored = dict(cursor.execute("SELECT hash, texts FROM prompt_set").fetchall())

        def prompts(name: str, digest: str) -> DebatePrompts:
            if digest not in stored:
                raise InvalidSetting(f"The prompt set {name!r} of run {run} is not in the database.")
            return DebatePrompts.from_texts(name, json.loads(stored[digest]))

        known = {endpoint.name: endpoint for endpoint in map(Endpoint.from_json, json.loads(endpoints))}
        return plan_of(json.loads(settings), prompts, known)

    def claims(self, run: str, *, only_open: bool = False) -> Iterator[tuple[int, Claim]]:
        """Yield a run's claims in order, each with its position; only those without an outcome if wanted."""
        condition = f"AND coalesce(o.state, '{_OPEN}') = '{_OPEN}'" if only_open else ""
        after = -1
        while True:
            with self._database.read() as cursor:
                rows = cursor.execute(
                    "SELECT c.position, c.claim_id, c.claim, c.label FROM debate_run_claim AS c LEFT JOIN "
                    "debate_outcome AS o ON o.run_id = c.run_id AND o.position = c.position "
                    f"WHERE c.run_id = ? AND c.position > ? {condition} ORDER BY c.position LIMIT ?",
                    [run, after, CHUNK],
                ).fetchall()
            if not rows:
                return
            for position, name, text, label in rows:
                yield int(position), Claim(name, text, label)
            after = rows[-1][0]

    def progress(self, run: str) -> DebateProgress:
        """Return how far a run is and what it used, as stored.

        Raises:
            MootError: If none has the id.
        """
        found = self.get(run)
        with self._database.read() as cursor:
            counted = dict(
                cursor.execute(
                    "SELECT state, count(*) FROM debate_outcome WHERE run_id = ? GROUP BY 1", [found.id]
                ).fetchall()
            )
            (seconds,) = _one(cursor, "SELECT seconds FROM debate_run WHERE id = ?", [found.id])
        states = {DebateState(state): int(count) for state, count in counted.items() if state != _OPEN}
        states[DebateState.OPEN] = found.claim_count - sum(states.values())
        spending = replace(ReplyRepository(self._database).spending(found.id), seconds=seconds)
        return DebateProgress(found, states, spending)

    def debates(self, run: str, limit: int | None = None, offset: int = 0) -> pd.DataFrame:
        """Return a run's debates, one a row.

        Columns: ``position``, ``claim_id``, ``claim``, ``state``, ``place`` (where it stopped), ``questions`` (asked).
        """
        with self._database.read() as cursor:
            return cursor.execute(
                f"SELECT c.position, c.claim_id, c.claim, coalesce(o.state, '{_OPEN}') AS state, "
                "coalesce(o.place, '') AS place, coalesce(o.questions, 0) AS questions "
                "FROM debate_run_claim AS c LEFT JOIN debate_outcome AS o "
                "ON o.run_id = c.run_id AND o.position = c.position WHERE c.run_id = ? "
                "ORDER BY c.position LIMIT ? OFFSET ?",
                [storable(run), limit, offset],
            ).df()

    def calls(self, run: str, limit: int = 50) -> pd.DataFrame:
        """Return the latest calls that a run paid for.

        Columns: ``key``, ``endpoint``, ``model`` (who answered), ``tokens_in``, ``tokens_out``, ``cost``, ``seconds``,
        ``finish_reason``, ``created_at`` (UTC).
        """
        with self._database.read() as cursor:
            return cursor.execute(
                "SELECT key, endpoint, response_model AS model, tokens_in, tokens_out, cost, seconds, finish_reason, "
                "created_at FROM reply WHERE run_id = ? ORDER BY created_at DESC, rowid DESC LIMIT ?",
                [storable(run), limit],
            ).df()

    def failures(self, run: str, position: int) -> dict[str, CallFailed]:
        """Return why requests of a debate had no reply, by key."""
        with self._database.read() as cursor:
            row = first_row(
                cursor.execute(
                    "SELECT failures FROM debate_outcome WHERE run_id = ? AND position = ?", [storable(run), position]
                )
            )
        listed: Mapping[str, Sequence[str]] = json.loads(row[0]) if row else {}
        return {key: CallFailed(CallFailure(kind), message) for key, (kind, message) in listed.items()}

    def set_state(self, run: str, state: RunState, reason: str = "") -> None:
        """Store where a run stands, and when it came to that.

        Raises:
            NotAllowed: If the person may not run debates.
        """
        require(self._person, Permission.RUN)
        moment = {RunState.RUNNING: "started_at", RunState.WAITING: ""}.get(state, "finished_at")
        stamp = f", {moment} = {_NOW}" if moment else ""
        with self._database.log() as logged:
            row = first_row(logged.cursor.execute("SELECT state FROM debate_run WHERE id = ?", [run]))
            if row is None:
                return
            logged.cursor.execute(
                f"UPDATE debate_run SET state = ?, reason = ?{stamp} WHERE id = ?",
                [state.value, storable(reason), run],
            )
            logged.log(Change(self._person, _ACTIONS[state], Kind.RUN, run, row[0], state.value, storable(reason)))

    def set_budget(self, run: str, budget: Budget) -> None:
        """Change a run's limits.

        Raises:
            NotAllowed: If the person may not run debates.
        """
        require(self._person, Permission.RUN)
        with self._database.log() as logged:
            (before,) = _one(logged.cursor, "SELECT budget FROM debate_run WHERE id = ?", [run])
            logged.cursor.execute("UPDATE debate_run SET budget = ? WHERE id = ?", [dumps(budget.to_json()), run])
            was, now = {"limits": json.loads(before)}, {"limits": budget.to_json()}
            if was != now:
                logged.log(Change(self._person, Action.RUN_LIMITS, Kind.RUN, run, was, now))

    def open_failed(self, run: str) -> int:
        """Open the debates that stopped for want of a reply, so that they go on; return how many there were.

        Raises:
            NotAllowed: If the person may not run debates.
        """
        require(self._person, Permission.RUN)
        stopped = [run, DebateState.STOPPED.value]
        with self._database.log() as logged:
            cursor = logged.cursor
            (count,) = _one(cursor, "SELECT count(*) FROM debate_outcome WHERE run_id = ? AND state = ?", stopped)
            cursor.execute(f"UPDATE debate_outcome SET state = '{_OPEN}' WHERE run_id = ? AND state = ?", stopped)
            if count:
                logged.log(Change(self._person, Action.RUN_RETRIED, Kind.RUN, run, after={"failed cases": int(count)}))
        return int(count)

    def interrupt_running(self) -> tuple[str, ...]:
        """Mark the runs that a program which is gone left running; return their ids. For the database's owner alone."""
        running, interrupted = RunState.RUNNING.value, RunState.INTERRUPTED.value
        reason = "The program ended while this ran; resume it to go on."
        with self._database.log() as logged:
            left = logged.cursor.execute(
                "SELECT id FROM debate_run WHERE state = ? ORDER BY rowid", [running]
            ).fetchall()
            logged.cursor.execute(
                "UPDATE debate_run SET state = ?, reason = ? WHERE state = ?", [interrupted, reason, running]
            )
            for (run,) in left:
                logged.log(Change(MOOT, Action.RUN_ENDED, Kind.RUN, run, running, interrupted, reason))
        return tuple(run for (run,) in left)

    def remove(self, run: str) -> None:
        """Remove a run; its data set and replies stay.

        Raises:
            NotAllowed: If the person may not remove what is stored.
        """
        require(self._person, Permission.DELETE)
        with self._database.log() as logged:
            row = first_row(logged.cursor.execute("SELECT name, state FROM debate_run WHERE id = ?", [run]))
            if row is None:
                return
            for table, column in (("debate_outcome", "run_id"), ("debate_run_claim", "run_id"), ("debate_run", "id")):
                logged.cursor.execute(f"DELETE FROM {table} WHERE {column} = ?", [run])
            was = {"name": row[0], "state": row[1]}
            logged.log(Change(self._person, Action.RUN_REMOVED, Kind.RUN, run, was))


def insert_outcomes(cursor: duckdb.DuckDBPyConnection, outcomes: Sequence[KeptOutcome]) -> None:
    """Store outcomes in a transaction that is open; the later one of a debate counts."""
    rows = {
        (kept.run_id, kept.position): (
            kept.run_id,
            kept.position,
            kept.outcome.state.value,
            storable(kept.outcome.place),
            len(kept.outcome.calls),
            dumps({key: [one.kind.value, str(one)] for key, one in kept.outcome.failures.items()}),
            debate_to_line(kept.outcome.debate),
        )
        for kept in outcomes
    }
    changed = ", ".join(f"{name} = excluded.{name}" for name in _OUTCOME[2:])
    conflict = f"ON CONFLICT (run_id, position) DO UPDATE SET {changed}"
    insert(cursor, "debate_outcome", _OUTCOME, list(rows.values()), conflict)


def _run(row: Sequence[Any]) -> DebateRun:
    name, label, state, reason, count, budget, created, started, finished = row
    return DebateRun(
        name,
        label,
        RunState(state),
        reason,
        int(count),
        Budget.from_json(json.loads(budget)),
        *(_utc(moment) for moment in (created, started, finished)),
    )


def _utc(moment: datetime | None) -> str:
    return "" if moment is None else f"{moment.isoformat(timespec='seconds')}+00:00"


def _one(cursor: duckdb.DuckDBPyConnection, query: str, values: Sequence[Any]) -> tuple[Any, ...]:
    row = first_row(cursor.execute(query, values))
    if row is None:
        raise MootError("That run of debates is not in this database.")
    return row


__all__ = ["DebateRunRepository", "KeptOutcome", "insert_outcomes"]
