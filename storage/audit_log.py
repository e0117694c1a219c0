"""Read, check and export the audit log. Nothing in here writes it: see ``Database.log``."""

# ruff: noqa: S608 - what is put into SQL here are names and conditions from this module; values are parameters

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb

from core.audit import Action, AuditEntry, Check, Content, Head, broken_link, missing_tail
from core.errors import MootError, UnreadableFile
from core.strict_json import dumps, storable
from storage.audit_trail import COLUMNS, head_of
from storage.database import Database, first_row
from storage.row_hash import Vouched, row_hashes

if TYPE_CHECKING:  # slow to load, and only DuckDB makes tables
    import pandas as pd

CHUNK = 5_000
MOST_NAMED = 20  # rows that one check complains of

_COLUMNS = ", ".join(COLUMNS)


@dataclass(frozen=True)
class AuditFilter:
    """Which entries are wanted; what is empty lets all through.

    Attributes:
        actions: What was done.
        people: Ids of who did it.
        text: What the object's id, the reason or a name must hold, in any case.
    """

    actions: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    text: str = ""

    def sql(self) -> tuple[str, list[Any]]:
        """Return a condition on the table ``audit``, and its values."""
        parts: list[str] = []
        values: list[Any] = []
        for column, wanted in (("action", self.actions), ("person", self.people)):
            if wanted:
                parts.append(f"{column} IN (SELECT unnest(?::VARCHAR[]))")
                values.append([storable(name) for name in wanted])
        if self.text.strip():
            parts.append("contains(lower(concat_ws(' ', kind, object, reason, name)), lower(?))")
            values.append(storable(self.text.strip()))
        return " AND ".join(parts) or "true", values


EVERYTHING = AuditFilter()


class AuditLog:
    """The audit log of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def head(self) -> Head:
        """Return how many entries there are, and the last hash: worth noting elsewhere."""
        with self._database.read() as cursor:
            return head_of(cursor)

    def count(self, chosen: AuditFilter = EVERYTHING) -> int:
        """Return how many entries a filter lets through."""
        condition, values = chosen.sql()
        with self._database.read() as cursor:
            row = first_row(cursor.execute(f"SELECT count(*) FROM audit WHERE {condition}", values))
        return int(row[0]) if row else 0

    def entries(
        self, chosen: AuditFilter = EVERYTHING, limit: int | None = None, offset: int = 0
    ) -> tuple[AuditEntry, ...]:
        """Return entries, the latest first."""
        condition, values = chosen.sql()
        with self._database.read() as cursor:
            rows = cursor.execute(
                f"SELECT {_COLUMNS} FROM audit WHERE {condition} ORDER BY sequence DESC LIMIT ? OFFSET ?",
                [*values, limit, offset],
            ).fetchall()
        return tuple(AuditEntry(*row) for row in rows)

    def about(self, kind: str, name: str) -> tuple[AuditEntry, ...]:
        """Return what happened to one thing, oldest first."""
        with self._database.read() as cursor:
            rows = cursor.execute(
                f"SELECT {_COLUMNS} FROM audit WHERE kind = ? AND object = ? ORDER BY sequence",
                [kind, storable(name)],
            ).fetchall()
        return tuple(AuditEntry(*row) for row in rows)

    def actions(self) -> tuple[str, ...]:
        """Return the actions that occur."""
        with self._database.read() as cursor:
            rows = cursor.execute("SELECT DISTINCT action FROM audit ORDER BY 1").fetchall()
        return tuple(name for (name,) in rows)

    def people(self) -> dict[str, str]:
        """Return who occurs: the latest name by id."""
        with self._database.read() as cursor:
            rows = cursor.execute(
                "SELECT person, arg_max(name, sequence) FROM audit GROUP BY person ORDER BY 2, 1"
            ).fetchall()
        return dict(rows)

    def export(self, chosen: AuditFilter = EVERYTHING) -> Iterator[str]:
        """Return entries as lines of JSON without line ends, oldest first; the whole log can be checked from them."""
        condition, values = chosen.sql()
        with self._database.read() as cursor:
            cursor.execute(f"SELECT {_COLUMNS} FROM audit WHERE {condition} ORDER BY sequence", values)
            while rows := cursor.fetchmany(CHUNK):
                yield from (dumps(AuditEntry(*row).to_json()) for row in rows)

    def frame(self, chosen: AuditFilter = EVERYTHING) -> pd.DataFrame:
        """Return entries as a table, oldest first, one column for each field."""
        condition, values = chosen.sql()
        with self._database.read() as cursor:
            return cursor.execute(f"SELECT {_COLUMNS} FROM audit WHERE {condition} ORDER BY sequence", values).df()

    def check(self, noted: Head | None = None) -> Check:
        """Check the whole log, and every row that it vouches for.

        Args:
            noted: A head that a person noted, to be found in the log again.
        """
        # Read in this order, so that the note never tells of an entry that came after the entries were read.
        trail = self._database.trail
        note = trail.read_note()
        with self._database.read() as cursor:
            rows = cursor.execute(f"SELECT {_COLUMNS} FROM audit ORDER BY sequence, rowid").fetchall()
            entries = [AuditEntry(*row) for row in rows]
            altered = list(_altered_rows(cursor, entries))
        problems = [broken_link(entries)]
        remarks = []
        if note is not None:
            problems.append(missing_tail(entries, note))
        elif trail.note is not None:
            remarks.append(
                f"The head's note beside the database ({trail.note.name}) is missing or cannot be read, so entries "
                "removed from the end would not show. Compare with a head that you noted."
            )
        if noted is not None:
            problems.append(missing_tail(entries, noted))
        for entry in entries:
            if entry.action == Action.GAP:
                (problems if entry.before != "null" else remarks).append(_gap(entry))
        found = dict.fromkeys(problem for problem in (*problems, *altered) if problem)
        return Check(head_of_entries(entries), tuple(found), tuple(remarks))


def check_exported(lines: Iterable[str], noted: Head | None = None) -> Check:
    """Check a whole log that was exported, without its database: the chain, and a head that a person noted.

    Raises:
        UnreadableFile: If a line is no entry.
    """
    entries = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            entries.append(AuditEntry.from_json(json.loads(line)))
        except (ValueError, TypeError, RecursionError, MootError) as error:
            raise UnreadableFile(f"Line {number} is no entry of an audit log: {error}") from error
    problems = [broken_link(entries), None if noted is None else missing_tail(entries, noted)]
    found = tuple(dict.fromkeys(problem for problem in problems if problem))
    return Check(head_of_entries(entries), found)


def head_of_entries(entries: Sequence[AuditEntry]) -> Head:
    """Return the head of a log as its entries stand."""
    return Head(len(entries), entries[-1].hash if entries else "")


def _gap(entry: AuditEntry) -> str:
    noted, found = json.loads(entry.before), json.loads(entry.after)
    if noted is None:
        return (
            f"Before entry {entry.sequence}, the head's note beside the database was missing: the database was moved "
            "without it, or entries may have been removed from the end."
        )
    return (
        f"Entry {entry.sequence} tells that the log was altered before it: noted was {_short(noted)}, and there was "
        f"{_short(found)}."
    )


def _short(head: str) -> str:
    count, _, digest = str(head).partition(":")
    return f"{count} entries with head {digest[:12]}…"


def _altered_rows(cursor: duckdb.DuckDBPyConnection, entries: Sequence[AuditEntry]) -> Iterator[str]:
    """Yield what rows no longer say what the log vouches for, some of them by name."""
    due: dict[tuple[str, str], tuple[Content, AuditEntry]] = {}
    for entry in entries:
        for content in _vouched(entry):
            due[content.table, content.id] = (content, entry)
    named = 0
    for table in Vouched:
        here = row_hashes(cursor, table)
        of_table = {name: value for (kind, name), value in due.items() if kind == table}
        for name in sorted({*here, *of_table}):
            wrong = _altered(table, name, here.get(name), of_table.get(name))
            if wrong is None:
                continue
            named += 1
            if named > MOST_NAMED:
                yield f"Further rows differ from what the log vouches for; these are the first {MOST_NAMED}."
                return
            yield wrong


def _vouched(entry: AuditEntry) -> tuple[Content, ...]:
    try:
        return entry.vouches_for
    except (ValueError, TypeError):  # a changed entry, which the chain tells of
        return ()


def _altered(table: Vouched, name: str, here: str | None, due: tuple[Content, AuditEntry] | None) -> str | None:
    what = f"{'Data set' if table is Vouched.DATASET else table.value.capitalize()} {name!r}"
    if due is None:
        return f"{what} is in the database, and no entry of the log tells how it came there."
    content, entry = due
    if content.removed:
        return None if here is None else f"{what} is in the database, though entry {entry.sequence} removed it."
    if here is None:
        return f"{what}, of entry {entry.sequence}, is gone from the database, and no entry tells of that."
    if here != content.sha256:
        rows = " or its debates" if table is Vouched.DATASET else ""
        return f"{what}{rows} was changed after entry {entry.sequence} ({entry.action}) vouched for it."
    return None


__all__ = ["AuditFilter", "AuditLog", "check_exported", "head_of_entries"]
