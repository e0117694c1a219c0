"""Keep runs of debates: who debates how on which claims, and how far each debate came."""

# ruff: noqa: S608 - what is put into SQL here are names from this package; values are parameters

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb

from core.debating.afterwards import Afterwards
from core.debating.claim import Claim
from core.debating.outcome import DebateState, Outcome
from core.debating.plan import DebatePlan, plan_of
from core.debating.prompts import DebatePrompts
from core.debating.run import DebateRun
from core.errors import CallFailed, CallFailure, InvalidSetting, MootError
from core.llm.endpoint import Endpoint
from core.native import debate_to_line
from core.runs.plan import Budget
from core.strict_json import dumps, storable
from storage.database import first_row
from storage.run_table import RunTable
from storage.table_rows import insert

if TYPE_CHECKING:  # slow to load, and only DuckDB makes tables
    import pandas as pd

CHUNK = 1_000  # claims read at once
_OUTCOME = ("run_id", "position", "state", "place", "questions", "failures", "record")
_OPEN = DebateState.OPEN.value


@dataclass(frozen=True)
class KeptOutcome:
    """An outcome on its way into the database: of which run, and of which of its claims."""

    run_id: str
    position: int
    outcome: Outcome


class DebateRunRepository(RunTable[DebateRun]):
    """Keep and find runs of debates."""

    table = "debate_run"
    noun = "run of debates"
    own = "claim_count"
    parts = ("debate_outcome", "debate_run_claim")

    def create(
        self,
        name: str,
        plan: DebatePlan,
        claims: Sequence[Claim],
        budget: Budget,
        afterwards: Afterwards | None = None,
    ) -> DebateRun:
        """Store a run that waits to be started, and return it.

        Args:
            name: Of the data set to be.
            plan: How the debates are held.
            claims: About what.
            budget: Limits.
            afterwards: Who judges them once they are complete.

        Raises:
            NotAllowed: If the person may not run debates.
            MootError: If there is no claim, or two share an id.
        """
        if not claims:
            raise MootError("A run of debates needs at least one claim.")
        if len({claim.id for claim in claims}) < len(claims):
            raise MootError("Two claims of a run share an id; give each its own.")
        then = {"afterwards": afterwards.to_json()} if afterwards is not None and afterwards.judges else {}
        values = {
            "plan": dumps({**plan.settings(), **then}),
            "endpoints": dumps([endpoint.to_json() for endpoint in plan.endpoints]),
            "claim_count": len(claims),
            "seconds": 0,
        }
        told = {
            "name": storable(name),
            "claims": len(claims),
            "protocol": plan.protocol.value,
            "agents": [f"{agent.name}: {agent.model}" for agent in plan.agents],
            "limits": budget.to_json(),
        }
        if then and afterwards is not None:
            told["judged afterwards by"] = list(afterwards.judges)
        with self._creating(name, budget, values, told, prefix="d") as (cursor, run):
            cursor.execute(
                "INSERT INTO prompt_set VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
                [plan.prompts.hash, storable(plan.prompts.name), dumps(dict(plan.prompts.texts))],
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
        return self.get(run)

    def plan(self, run: str) -> DebatePlan:
        """Return how a run's debates are held, with the templates as they were when it was made.

        Raises:
            MootError: If there is no such run, or its templates are gone.
        """
        with self._database.read() as cursor:
            settings, endpoints = self._one(cursor, "SELECT plan, endpoints FROM debate_run WHERE id = ?", [run])
            stored = dict(cursor.execute("SELECT hash, texts FROM prompt_set").fetchall())

        def prompts(name: str, digest: str) -> DebatePrompts:
            if digest not in stored:
                raise InvalidSetting(f"The prompt set {name!r} of run {run} is not in the database.")
            return DebatePrompts.from_texts(name, json.loads(stored[digest]))

        known = {endpoint.name: endpoint for endpoint in map(Endpoint.from_json, json.loads(endpoints))}
        return plan_of(json.loads(settings), prompts, known)

    def afterwards(self, run: str) -> Afterwards:
        """Return who is to judge a run's debates once they are complete.

        Raises:
            MootError: If there is no such run.
        """
        with self._database.read() as cursor:
            (settings,) = self._one(cursor, "SELECT plan FROM debate_run WHERE id = ?", [storable(run)])
        return Afterwards.from_json(json.loads(settings).get("afterwards", {}))

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

    def _run(self, shared: dict[str, Any], own: Sequence[Any]) -> DebateRun:
        return DebateRun(**shared, total=int(own[0]))

    def _outcomes(self, cursor: duckdb.DuckDBPyConnection, run: DebateRun) -> dict[Any, int]:
        query = "SELECT state, count(*) FROM debate_outcome WHERE run_id = ? AND state <> ? GROUP BY 1"
        counted = cursor.execute(query, [run.id, _OPEN]).fetchall()
        return {DebateState(state): int(count) for state, count in counted}

    def _trouble(self, cursor: duckdb.DuckDBPyConnection, run: DebateRun) -> str:
        query = "SELECT place FROM debate_outcome WHERE run_id = ? AND state = ? ORDER BY position LIMIT 1"
        row = cursor.execute(query, [run.id, DebateState.STOPPED.value]).fetchone()
        return "" if row is None else str(row[0])

    def _open_failed(self, cursor: duckdb.DuckDBPyConnection, run: DebateRun) -> int:
        stopped = [run.id, DebateState.STOPPED.value]
        (count,) = self._one(cursor, "SELECT count(*) FROM debate_outcome WHERE run_id = ? AND state = ?", stopped)
        cursor.execute(f"UPDATE debate_outcome SET state = '{_OPEN}' WHERE run_id = ? AND state = ?", stopped)
        return int(count)


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


__all__ = ["DebateRunRepository", "KeptOutcome", "insert_outcomes"]
