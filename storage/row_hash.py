"""Hashes of stored rows, so that the audit log can vouch for what they say."""

# ruff: noqa: S608 - what is put into SQL here are names from this module; values are parameters

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from typing import Any

import duckdb

from core.audit import Content

AT_ONCE = 50_000  # hashes of debates that are fetched together


class Vouched(StrEnum):
    """The tables whose rows the audit log vouches for."""

    CONTESTATION = "contestation"
    RULING = "ruling"
    COMMENT = "comment"
    DATASET = "dataset"


# By name, so that a column added one day leaves the hashes of today as they are.
_COLUMNS: Mapping[Vouched, Sequence[str]] = {
    Vouched.CONTESTATION: (
        "id", "debate_id", "round", "reason", "author", "role", "created_at", "parent", "before", "after", "settings",
        "tags",
    ),
    Vouched.RULING: ("id", "contestation_id", "outcome", "reason", "person", "name", "made_at"),
    Vouched.COMMENT: (
        "id", "debate_id", "kind", "object", "text", "person", "name", "made_at", "withdrawn_by", "withdrawn_why",
    ),
}  # fmt: skip


def row_hashes(cursor: duckdb.DuckDBPyConnection, table: Vouched, ids: Iterable[str] | None = None) -> dict[str, str]:
    """Return the SHA-256 of rows of a table by id, of all unless ids are given; ids that are not there are left out.

    A contestation's hash is of its edits too, a dataset's of the records of all its debates.
    """
    wanted = None if ids is None else list(ids)
    if table is Vouched.DATASET:
        return _dataset_hashes(cursor, wanted)
    columns = _COLUMNS[table]
    found = cursor.execute(f"SELECT {', '.join(columns)} FROM {table.value} {_where('id', wanted)}", _values(wanted))
    rows: dict[str, dict[str, Any]] = {row[0]: dict(zip(columns, row, strict=True)) for row in found.fetchall()}
    if table is Vouched.CONTESTATION:
        for row in rows.values():
            row["edits"] = []
        edits = cursor.execute(
            "SELECT contestation_id, position, kind, argument, record FROM edit "
            f"{_where('contestation_id', wanted)} ORDER BY contestation_id, position",
            _values(wanted),
        )
        for name, *edit in edits.fetchall():
            if name in rows:
                rows[name]["edits"].append(edit)
    return {name: _hash(row) for name, row in rows.items()}


def contents(
    cursor: duckdb.DuckDBPyConnection, table: Vouched, ids: Iterable[str], *, removed: bool = False
) -> dict[str, Content]:
    """Return what an entry of the audit log says of rows, by id: called after they are stored, before they go."""
    hashes = row_hashes(cursor, table, ids)
    return {name: Content(table.value, name, digest, removed) for name, digest in hashes.items()}


def _dataset_hashes(cursor: duckdb.DuckDBPyConnection, wanted: list[str] | None) -> dict[str, str]:
    datasets = cursor.execute(f"SELECT id, sha256 FROM dataset {_where('id', wanted)}", _values(wanted)).fetchall()
    return {
        name: _hash({"id": name, "sha256": of_file, "debates": _records_hash(cursor, name)})
        for name, of_file in datasets
    }


def _records_hash(cursor: duckdb.DuckDBPyConnection, dataset: str) -> str | None:
    """Return a hash of the records of a data set's debates; None where there are none.

    The records are hashed in the database and put together here, for to put a million hashes together it would hold
    them all in memory.
    """
    together = hashlib.sha256()
    found = cursor.execute(
        "SELECT sha256(id || ' ' || record) FROM debate WHERE dataset_id = ? ORDER BY position", [dataset]
    )
    count = 0
    while rows := found.fetchmany(AT_ONCE):
        together.update("".join(digest for (digest,) in rows).encode())
        count += len(rows)
    return together.hexdigest() if count else None


def _where(column: str, wanted: list[str] | None) -> str:
    return "" if wanted is None else f"WHERE {column} IN (SELECT unnest(?::VARCHAR[]))"


def _values(wanted: list[str] | None) -> list[Any]:
    return [] if wanted is None else [wanted]


def _hash(row: Mapping[str, Any]) -> str:
    return hashlib.sha256(
        json.dumps(row, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()
    ).hexdigest()


__all__ = ["Vouched", "contents", "row_hashes"]
