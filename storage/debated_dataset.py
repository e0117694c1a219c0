"""The data set of a run of debates: it grows as debates come to an end, and each debate that goes on is replaced."""

# ruff: noqa: S608 - what is put into SQL here are names from this package; values are parameters

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from core.audit import Action, Change, Kind
from core.debate import Debate
from core.debating.outcome import DEMONSTRATION, KIND, is_demonstration
from core.debating.plan import DebatePlan
from core.debating.run import DebateRun
from core.import_issue import IssueLog
from core.native import debate_from_json
from core.roles import Permission, Person, require
from storage.bulk import no_collection
from storage.database import Database, first_row
from storage.dataset import Dataset
from storage.dataset_writer import insert_dataset, insert_rows, stored_ids, unique_dataset
from storage.debate_repository import DEBATE_TABLES
from storage.row_hash import Vouched, contents
from storage.rows import DebateRows

AT_ONCE = 500  # debates written at once
FORMAT = "run of debates"


@dataclass(frozen=True)
class _Waiting:
    """A debate that is to go into the data set, with its claim's position in the run."""

    position: int
    record: str

    def debate(self) -> Debate:
        return debate_from_json(json.loads(self.record), IssueLog())


def dataset_of(database: Database, run: DebateRun) -> str | None:
    """Return the id of a run's data set; None if there is none, or none any more."""
    with database.read() as cursor:
        return _dataset_of(cursor, run.id)


def publish(database: Database, run: DebateRun, plan: DebatePlan, person: Person) -> int:
    """Bring the debates of a run that are not there yet into its data set, and return how many those were.

    A debate that was there as far as it had come, and has come further, is replaced: its judgements go, since they
    judged less than there is. If people have contested it, or written on it, it stays beside the new one.

    Raises:
        NotAllowed: If the person may not run debates.
    """
    require(person, Permission.RUN)
    published = 0
    while True:
        with database.read() as cursor:
            rows = cursor.execute(
                "SELECT position, record FROM debate_outcome WHERE run_id = ? AND record <> '' ORDER BY position "
                "LIMIT ?",
                [run.id, AT_ONCE],
            ).fetchall()
        if not rows:
            return published
        waiting = [_Waiting(int(position), record) for position, record in rows]
        with no_collection(), database.log(bulk=True) as logged:
            dataset, added = _store(logged.cursor, run, plan, waiting)
            if added:
                told = {"name": run.name, "run": run.id, "debates": added}
                vouched = contents(logged.cursor, Vouched.DATASET, [dataset])
                change = Change(
                    person, Action.DEBATED, Kind.DATASET, dataset, after=told, contents=tuple(vouched.values())
                )
                logged.log(change)
        # In a second transaction, because the run's writer is at this table too. Were the program killed in between,
        # the next time would find the same records in the data set, and leave them.
        with database.write() as cursor:
            cursor.execute(
                "UPDATE debate_outcome SET record = '' WHERE run_id = ? AND EXISTS (SELECT 1 FROM "
                "(SELECT unnest(?::BIGINT[]) AS position, unnest(?::VARCHAR[]) AS record) AS w "
                "WHERE w.position = debate_outcome.position AND w.record = debate_outcome.record)",
                [run.id, [one.position for one in waiting], [one.record for one in waiting]],
            )
        published += added


def reopen_lost(database: Database, run: DebateRun) -> None:
    """Forget the outcomes of debates that were in the run's data set and are no more: they are held again, unpaid."""
    with database.write() as cursor:
        dataset = _dataset_of(cursor, run.id)
        cursor.execute(
            "DELETE FROM debate_outcome WHERE run_id = ? AND record = '' AND position NOT IN "
            "(SELECT position FROM debate WHERE dataset_id = ?)",
            [run.id, dataset or ""],
        )


def stored_record(database: Database, run: DebateRun, position: int) -> str | None:
    """Return the record of a run's debate, wherever it is; None where there is none yet."""
    with database.read() as cursor:
        row = first_row(
            cursor.execute(
                "SELECT record FROM debate_outcome WHERE run_id = ? AND position = ? AND record <> ''",
                [run.id, position],
            )
        ) or first_row(
            cursor.execute(
                "SELECT record FROM debate WHERE dataset_id = ? AND position = ? ORDER BY number DESC",
                [_dataset_of(cursor, run.id) or "", position],
            )
        )
    return None if row is None else str(row[0])


def _store(
    cursor: duckdb.DuckDBPyConnection, run: DebateRun, plan: DebatePlan, waiting: Sequence[_Waiting]
) -> tuple[str, int]:
    dataset = _dataset_of(cursor, run.id) or _new_dataset(cursor, run, plan)
    there: Mapping[int, tuple[int, str, str]] = {
        position: (number, name, record)
        for position, number, name, record in cursor.execute(
            "SELECT position, number, id, record FROM debate WHERE dataset_id = ? AND position IN "
            "(SELECT unnest(?::BIGINT[])) ORDER BY number",
            [dataset, [one.position for one in waiting]],
        ).fetchall()
    }
    added = [one for one in waiting if there.get(one.position, (0, "", ""))[2] != one.record]
    if not added:
        return dataset, 0
    freed = _replaced(cursor, dataset, [there[one.position][:2] for one in added if one.position in there])
    (first,) = _row(cursor.execute("SELECT coalesce(max(number), 0) + 1 FROM debate"))
    debates = [(one.position, one.debate()) for one in added]
    names = {position: name for position, (number, name, _) in there.items() if number in freed}
    new = [(position, debate.id) for position, debate in debates if position not in names]
    ids = stored_ids(cursor, dataset, [wanted for _, wanted in new], names.values())
    names |= {position: name for (position, _), name in zip(new, ids, strict=True)}
    rows = DebateRows(dataset)
    for number, (position, debate) in enumerate(debates, first):
        rows.add(debate, number, names[position], position)
    for table, values in rows.tables().items():
        insert_rows(cursor, table, values)
    count_again(cursor, dataset)
    return dataset, len(added)


def _new_dataset(cursor: duckdb.DuckDBPyConnection, run: DebateRun, plan: DebatePlan) -> str:
    models = ", ".join(dict.fromkeys(agent.model for agent in plan.agents))
    note = f"{KIND.capitalize()}: {models}." + (f" {DEMONSTRATION.capitalize()}." if is_demonstration(plan) else "")
    made = Dataset("", run.name, f"run {run.id}", _digest(run.id), 0, FORMAT, note=note)
    return insert_dataset(cursor, unique_dataset(cursor, made)).id


def _replaced(cursor: duckdb.DuckDBPyConnection, dataset: str, before: Sequence[tuple[int, str]]) -> set[int]:
    """Remove the debates, given by number and id, that nobody has contested or written on; return their numbers."""
    if not before:
        return set()
    kept = {
        name
        for (name,) in cursor.execute(
            "SELECT debate_id FROM contestation WHERE debate_id IN (SELECT unnest(?::VARCHAR[])) UNION "
            "SELECT debate_id FROM comment WHERE debate_id IN (SELECT unnest(?::VARCHAR[]))",
            [[name for _, name in before]] * 2,
        ).fetchall()
    }
    gone = [(number, name) for number, name in before if name not in kept]
    numbers, names = [number for number, _ in gone], [name for _, name in gone]
    for table in DEBATE_TABLES:
        cursor.execute(f"DELETE FROM {table} WHERE debate IN (SELECT unnest(?::BIGINT[]))", [numbers])
    cursor.execute("DELETE FROM debate WHERE number IN (SELECT unnest(?::BIGINT[]))", [numbers])
    cursor.execute(
        "DELETE FROM judgement WHERE dataset_id = ? AND debate_id IN (SELECT unnest(?::VARCHAR[]))", [dataset, names]
    )
    return set(numbers)


def count_again(cursor: duckdb.DuckDBPyConnection, dataset: str) -> None:
    """Bring the data set's counts up to date."""
    cursor.execute(
        "UPDATE dataset SET debate_count = (SELECT count(*) FROM debate WHERE dataset_id = dataset.id), "
        "size = (SELECT coalesce(sum(strlen(record) + 1), 0) FROM debate WHERE dataset_id = dataset.id), "
        "argument_count = (SELECT count(*) FROM (SELECT DISTINCT a.debate, a.id FROM argument AS a "
        "JOIN debate AS d ON d.number = a.debate WHERE d.dataset_id = ?)) WHERE id = ?",
        [dataset, dataset],
    )


def _dataset_of(cursor: duckdb.DuckDBPyConnection, run: str) -> str | None:
    row = first_row(cursor.execute("SELECT id FROM dataset WHERE sha256 = ?", [_digest(run)]))
    return None if row is None else str(row[0])


def _digest(run: str) -> str:
    """Return what stands for a file's hash in the data set of a run, and is found by."""
    return hashlib.sha256(f"run of debates {run}".encode()).hexdigest()


def _row(cursor: duckdb.DuckDBPyConnection) -> tuple[Any, ...]:
    return first_row(cursor) or (0,)


__all__ = ["count_again", "dataset_of", "publish", "reopen_lost", "stored_record"]
