"""Keep runs of judges: what is to be judged by whom, and how far it is."""

# ruff: noqa: S608 - what is put into SQL here are names from this package; values are parameters

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import duckdb

from core.errors import MootError
from core.judgement import JudgementStatus
from core.llm.endpoint import ENDPOINTS, Endpoint
from core.runs.judging import JudgingRun
from core.runs.plan import Budget
from core.strict_json import dumps, storable
from storage.run_table import RunTable

# A case is a judge and a debate of the run; its outcome is a judgement, whichever run made it.
_OUTCOMES = """
    FROM run_debate AS r JOIN judgement AS j ON j.dataset_id = r.dataset_id AND j.debate_id = r.debate_id
    WHERE r.run_id = ? AND j.judge_id IN (SELECT unnest(?::VARCHAR[]))
"""


class RunRepository(RunTable[JudgingRun]):
    """Keep and find runs of judges."""

    table = "run"
    own = "judges, debate_count"
    parts = ("run_debate",)

    def create(
        self, name: str, judges: Sequence[str], debates: Sequence[str], endpoints: Sequence[Endpoint], budget: Budget
    ) -> JudgingRun:
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
        wanted = list(dict.fromkeys(storable(debate) for debate in debates))
        if not judges or not wanted:
            raise MootError("A run needs at least one judge and one debate.")
        values = {
            "judges": dumps(list(judges)),
            "endpoints": dumps([endpoint.to_json() for endpoint in endpoints]),
            "debate_count": len(wanted),
            "seconds": 0,
        }
        told = {"name": storable(name), "judges": list(judges), "debates": len(wanted), "limits": budget.to_json()}
        with self._creating(name, budget, values, told) as (cursor, run):
            cursor.execute(
                "INSERT INTO run_debate SELECT ?, w.position, d.dataset_id, d.id FROM "
                "(SELECT unnest(?::VARCHAR[]) AS id, unnest(range(?::BIGINT)) AS position) AS w "
                "JOIN debate AS d ON d.id = w.id",
                [run, wanted, len(wanted)],
            )
            (found,) = self._one(cursor, "SELECT count(*) FROM run_debate WHERE run_id = ?", [run])
            if found < len(wanted):
                raise MootError(f"{len(wanted) - found} of the run's debates are not in this database.")
        return self.get(run)

    def endpoints(self, run: str) -> dict[str, Endpoint]:
        """Return how a run's endpoints are to be treated, by name."""
        with self._database.read() as cursor:
            (record,) = self._one(cursor, "SELECT endpoints FROM run WHERE id = ?", [run])
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

    def open_cases(self, run: JudgingRun) -> tuple[tuple[str, str, str], ...]:
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

    def _run(self, shared: dict[str, Any], own: Sequence[Any]) -> JudgingRun:
        judges, count = json.loads(own[0]), int(own[1])
        return JudgingRun(**shared, total=len(judges) * count, judges=tuple(judges))

    def _outcomes(self, cursor: duckdb.DuckDBPyConnection, run: JudgingRun) -> dict[Any, int]:
        query = f"SELECT j.status, count(*) {_OUTCOMES} GROUP BY 1"
        counted = cursor.execute(query, [run.id, list(run.judges)]).fetchall()
        return {JudgementStatus(status): int(count) for status, count in counted}

    def _trouble(self, cursor: duckdb.DuckDBPyConnection, run: JudgingRun) -> str:
        query = f"SELECT j.explanation {_OUTCOMES} AND j.status = ? ORDER BY j.created_at, j.debate_id LIMIT 1"
        row = cursor.execute(query, [run.id, list(run.judges), JudgementStatus.ERROR.value]).fetchone()
        return "" if row is None else str(row[0])

    def _open_failed(self, cursor: duckdb.DuckDBPyConnection, run: JudgingRun) -> int:
        condition = f"rowid IN (SELECT j.rowid {_OUTCOMES} AND j.status = ?)"
        values = [run.id, list(run.judges), JudgementStatus.ERROR.value]
        (count,) = self._one(cursor, f"SELECT count(*) FROM judgement WHERE {condition}", values)
        cursor.execute(f"DELETE FROM judgement WHERE {condition}", values)
        return int(count)


__all__ = ["RunRepository"]
