"""Write a dataset batch by batch in one transaction, so that no file is too large for it."""

# ruff: noqa: S608 - what is put into SQL here are names from this package; values are parameters

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from core.audit import Action, Change, Kind
from core.debate import Debate
from core.errors import MootError
from core.import_issue import ImportIssue, IssueLog
from core.roles import Person
from core.strict_json import storable
from storage.audit_trail import Logged
from storage.contestation_repository import saved_changes, store_recorded
from storage.database import first_row
from storage.dataset import Dataset, dataset_id
from storage.row_hash import Vouched, contents
from storage.rows import COLUMNS, DebateRows, argument_count

DATASET_COLUMNS = (
    "id, name, file_name, sha256, size, format, debate_count, argument_count, is_sample, note, imported_at, job, "
    "mapping, derivations"
)


@dataclass(frozen=True)
class RowBatch:
    """Rows of some debates in the order of the file, numbered from 0.

    Attributes:
        tables: Arrow tables by the name of the database's table.
        debates, arguments: How many; an argument that comes back in later rounds counts once.
        contested: Debates that bring contestations with them, by their number.
    """

    tables: Mapping[str, pa.Table]
    debates: int
    arguments: int
    contested: tuple[tuple[int, Debate], ...] = ()

    def debates_again(self) -> Sequence[str]:
        """Return the debates' records, in the order of their numbers."""
        table = self.tables["debate"].sort_by("number")
        return [str(record) for record in table.column("record").to_pylist()]

    @property
    def names(self) -> list[str]:
        """Return the debates' ids in the order of the rows."""
        return [str(name) for name in self.tables["debate"].column("id").to_pylist()]


def batch_of(debates: Sequence[Debate], numbers: Sequence[int] | None = None) -> RowBatch:
    """Return the rows of debates, numbered in order unless numbers are given."""
    rows = DebateRows("")
    numbered = list(zip(range(len(debates)) if numbers is None else numbers, debates, strict=True))
    for number, debate in numbered:
        rows.add(debate, number, debate.id, number)
    contested = tuple((number, debate) for number, debate in numbered if debate.contestations)
    return RowBatch(rows.tables(), len(debates), sum(map(argument_count, debates)), contested)


def joined_tables(one: Mapping[str, pa.Table], two: Mapping[str, pa.Table]) -> dict[str, pa.Table]:
    """Return the rows of both, table by table."""
    names = dict.fromkeys([*one, *two])
    return {name: pa.concat_tables([tables[name] for tables in (one, two) if name in tables]) for name in names}


class AlreadyStored(MootError):
    """The content of a file is in the database already."""

    def __init__(self, dataset: Dataset) -> None:
        super().__init__(f"This content is already here as {dataset.name!r}; nothing was stored again.")
        self.dataset = dataset


class DatasetWriter:
    """Takes in the rows of one dataset inside a transaction that is open.

    A name or a debate id that is taken already gets a suffix; the source's id of each debate is kept beside.

    Attributes:
        debates, arguments: How many are written.
    """

    def __init__(self, logged: Logged, dataset: Dataset, person: Person, *, once: bool) -> None:
        self._logged = logged
        self._cursor = logged.cursor
        self._person = person
        here = found_dataset(self._cursor, dataset.sha256 if once else "", dataset.job)
        if here is not None:
            raise AlreadyStored(here)
        self._dataset = unique_dataset(self._cursor, dataset)
        (self._first,) = _one(self._cursor.execute("SELECT coalesce(max(number), 0) + 1 FROM debate"))
        self._contested: list[tuple[str, Debate]] = []
        self.debates = 0
        self.arguments = 0

    def write(self, batch: RowBatch) -> None:
        """Store the rows of a batch."""
        if not batch.debates:
            return
        rows = batch.tables["debate"]
        names = batch.names
        stored = stored_ids(self._cursor, self._dataset.id, names)
        numbers = rows.column("number")
        if batch.contested:
            by_number = dict(zip(numbers.to_pylist(), stored, strict=True))
            self._contested += [(by_number[number], debate) for number, debate in batch.contested]
        changed = {
            "number": pc.add(numbers, pa.scalar(self._first + self.debates, pa.int64())),
            "position": pc.add(rows.column("position"), pa.scalar(self.debates, pa.int64())),
            "dataset_id": pa.repeat(pa.scalar(self._dataset.id), rows.num_rows),
        }
        if stored != names:
            changed["id"] = pa.array(stored, pa.string())
        for table, values in batch.tables.items():
            if table == "debate":
                for column, new in changed.items():
                    values = values.set_column(values.schema.get_field_index(column), column, new)
            else:
                key = pc.add(values.column("debate"), pa.scalar(self._first + self.debates, pa.int64()))
                values = values.set_column(values.schema.get_field_index("debate"), "debate", key)
            insert_rows(self._cursor, table, values)
        self.debates += batch.debates
        self.arguments += batch.arguments

    @contextmanager
    def within(self, memory: str) -> Iterator[None]:
        """Let the database use no more memory than that, such as "800MB", while something goes on."""
        with self._cursor.cursor() as beside:  # which works even if the transaction no longer does
            beside.execute(f"SET GLOBAL memory_limit = '{memory}'")
            try:
                yield
            finally:
                with suppress(duckdb.Error):  # a full disk has ended the database: then no limit matters
                    beside.execute("RESET GLOBAL memory_limit")  # to what a value read before would only come near

    def finish(
        self, issues: Iterable[ImportIssue], remarks: IssueLog | None = None, *, format_name: str | None = None
    ) -> Dataset:
        """Store the dataset's own row and its issues, and return it as stored.

        Args:
            issues: What the importer had to say about the file.
            remarks: Is told what storing the contestations brings up; that is kept beside the issues.
            format_name: What the file was taken for, where that was not known when it began.
        """
        stored = insert_dataset(
            self._cursor,
            replace(
                self._dataset,
                debate_count=self.debates,
                argument_count=self.arguments,
                format=format_name or self._dataset.format,
            ),
        )
        remarks = IssueLog(stored.file_name) if remarks is None else remarks
        came = store_recorded(self._cursor, self._contested, remarks)
        _insert_issues(self._cursor, stored.id, (*issues, *remarks.issues))
        told = {"name": stored.name, "file": storable(stored.file_name), "debates": stored.debate_count}
        vouched = contents(self._cursor, Vouched.DATASET, [stored.id])
        self._logged.log(
            Change(
                self._person,
                Action.IMPORTED,
                Kind.DATASET,
                stored.id,
                after=told | {"sha256": stored.sha256},
                contents=tuple(vouched.values()),
            )
        )
        self._logged.log(*saved_changes(self._cursor, self._person, Action.CAME, came))
        return stored


def found_dataset(cursor: duckdb.DuckDBPyConnection, sha256: str, job: str) -> Dataset | None:
    """Return the dataset with a content, or that came by a job; None if there is none."""
    row = first_row(
        cursor.execute(
            f"SELECT {DATASET_COLUMNS} FROM dataset WHERE (sha256 = ? AND sha256 <> '') OR (job = ? AND job <> '') "
            "ORDER BY job = ? DESC, imported_at, rowid",
            [sha256, job, job],
        )
    )
    return Dataset(*row) if row else None


def insert_dataset(cursor: duckdb.DuckDBPyConnection, dataset: Dataset) -> Dataset:
    """Store a dataset's own row, as of now, and return it as stored."""
    (now,) = _one(cursor.execute("SELECT timezone('UTC', now())"))
    stored = replace(dataset, imported_at=now)
    values = _row(stored)
    marks = ", ".join("?" for _ in values)
    cursor.execute(f"INSERT INTO dataset ({DATASET_COLUMNS}) VALUES ({marks})", values)
    return stored


def unique_dataset(cursor: duckdb.DuckDBPyConnection, dataset: Dataset) -> Dataset:
    """Return the dataset under a name, and so an id, that no other has."""
    names = {name for (name,) in cursor.execute("SELECT name FROM dataset").fetchall()}
    ids = {name for (name,) in cursor.execute("SELECT id FROM dataset").fetchall()}
    name, number = storable(dataset.name), 1
    while name in names or dataset_id(dataset.sha256, name) in ids:
        number += 1
        name = f"{storable(dataset.name)} ({number})"
    return replace(dataset, name=name, id=dataset_id(dataset.sha256, name))


def stored_ids(
    cursor: duckdb.DuckDBPyConnection, dataset: str, wanted: Sequence[str], also_taken: Iterable[str] = ()
) -> list[str]:
    """Return an id for each debate that no other debate has: its own where that is free.

    Args:
        cursor: Of the database in which ids must be free.
        dataset: The id of the debates' dataset.
        wanted: The debates' own ids.
        also_taken: Ids that will be stored too.
    """
    cleaned = [storable(name) or "debate" for name in wanted]
    own = set(cleaned)
    taken = _stored_among(cursor, own) | set(also_taken)
    counts = Counter(cleaned)
    others = {_variant(name, dataset, 1) for name, count in counts.items() if count > 1 or name in taken}
    if others:
        taken |= _stored_among(cursor, others)

    def is_free(candidate: str, number: int) -> bool:
        if candidate in taken or (number > 0 and candidate in own):
            return False
        return number < 2 or not _stored_among(cursor, [candidate])  # the first two were looked up all at once

    next_variant: dict[str, int] = {}
    ids = []
    for name in cleaned:
        number = next_variant.get(name, 0)
        while not is_free(candidate := _variant(name, dataset, number), number):
            number += 1
        next_variant[name] = number + 1
        taken.add(candidate)
        ids.append(candidate)
    return ids


def _variant(name: str, dataset: str, number: int) -> str:
    if number == 0:
        return name
    return f"{name}@{dataset}" if number == 1 else f"{name}@{dataset}-{number}"


def _stored_among(cursor: duckdb.DuckDBPyConnection, names: Iterable[str]) -> set[str]:
    query = "SELECT id FROM debate WHERE id IN (SELECT unnest(?::VARCHAR[]))"
    return {name for (name,) in cursor.execute(query, [list(names)]).fetchall()}


def insert_rows(cursor: duckdb.DuckDBPyConnection, table: str, values: pa.Table) -> None:
    """Store rows that ``DebateRows`` made for a table."""
    # Not by a registered view: what is registered in a transaction is kept in memory until its end.
    columns = [name for name, _ in COLUMNS[table]]  # in the order of the database's table
    cursor.from_arrow(values.select(columns)).insert_into(table)


def _insert_issues(cursor: duckdb.DuckDBPyConnection, dataset: str, issues: Iterable[ImportIssue]) -> None:
    rows = [
        (str(i.severity), str(i.code), i.line, None if i.field is None else storable(i.field), storable(i.message))
        for i in issues
    ]
    if rows:
        severity, code, line, field, message = (list(column) for column in zip(*rows, strict=True))
        cursor.execute(
            "INSERT INTO import_issue SELECT ?, unnest(range(?::BIGINT)), unnest(?::VARCHAR[]), unnest(?::VARCHAR[]), "
            "unnest(?::BIGINT[]), unnest(?::VARCHAR[]), unnest(?::VARCHAR[])",
            [dataset, len(rows), severity, code, line, field, message],
        )


def _row(dataset: Dataset) -> list[Any]:
    values = (
        dataset.id,
        dataset.name,
        dataset.file_name,
        dataset.sha256,
        dataset.size,
        dataset.format,
        dataset.debate_count,
        dataset.argument_count,
        dataset.is_sample,
        dataset.note,
        dataset.imported_at,
        dataset.job,
        dataset.mapping,
        dataset.derivations,
    )
    return [storable(value) if isinstance(value, str) else value for value in values]


def _one(cursor: duckdb.DuckDBPyConnection) -> tuple[Any, ...]:
    row = first_row(cursor)
    if row is None:
        raise MootError("The database gave no answer where one row was due; it may be damaged.")
    return row


__all__ = [
    "DATASET_COLUMNS",
    "AlreadyStored",
    "DatasetWriter",
    "RowBatch",
    "batch_of",
    "found_dataset",
    "insert_dataset",
    "insert_rows",
    "joined_tables",
    "stored_ids",
    "unique_dataset",
]
