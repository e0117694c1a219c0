"""The numbered steps that bring a database file up to this version of Moot.

A step is a file ``0001_name.sql``; it is never changed once released, the next one follows it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import duckdb

from storage import audit_trail

AUDIT = 3  # the step that begins the audit log
_THEN: Mapping[int, Callable[[duckdb.DuckDBPyConnection], None]] = {AUDIT: audit_trail.begin}

FILE_NAME = re.compile(r"(\d{4})_(\w+)\.sql")


@dataclass(frozen=True)
class Migration:
    """One step: its number, a name for people, what it does to the schema, and what it does then to the rows."""

    version: int
    name: str
    sql: str
    then: Callable[[duckdb.DuckDBPyConnection], None] | None = None


def all_migrations() -> tuple[Migration, ...]:
    """Return every step, in order."""
    steps = []
    for path in sorted(Path(__file__).parent.iterdir()):
        match = FILE_NAME.fullmatch(path.name)
        if match:
            number, name = int(match[1]), match[2].replace("_", " ")
            steps.append(Migration(number, name, path.read_text("utf-8"), _THEN.get(number)))
    return tuple(steps)
