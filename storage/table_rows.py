"""Write many rows of one table at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb


def insert(
    cursor: duckdb.DuckDBPyConnection,
    table: str,
    columns: Sequence[str],
    rows: Sequence[Sequence[Any]],
    conflict: str = "",
    now: str = "",
) -> None:
    """Insert rows with one statement.

    Args:
        cursor: Inside a transaction.
        table, columns, conflict: Names and a clause from this package, never from outside.
        rows: Values in the order of the columns; DuckDB casts them to the columns' types.
        now: A column that gets the present time in UTC.
    """
    if not rows:
        return
    one = f"({', '.join('?' for _ in columns)}{', now() AT TIME ZONE ' + repr('UTC') if now else ''})"
    names = ", ".join((*columns, now) if now else columns)
    # Values as parameters of one statement: the rows are few and wide, and executemany would be one statement each.
    cursor.execute(
        f"INSERT INTO {table} ({names}) VALUES {', '.join([one] * len(rows))} {conflict}",  # noqa: S608
        [value for row in rows for value in row],
    )


__all__ = ["insert"]
