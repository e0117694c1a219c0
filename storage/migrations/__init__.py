"""The numbered steps that bring a database file up to this version of Moot.

A step is a file ``0001_name.sql``; it is never changed once released, the next one follows it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FILE_NAME = re.compile(r"(\d{4})_(\w+)\.sql")


@dataclass(frozen=True)
class Migration:
    """One step: its number, a name for people, and what it does to the schema."""

    version: int
    name: str
    sql: str


def all_migrations() -> tuple[Migration, ...]:
    """Return every step, in order."""
    steps = []
    for path in sorted(Path(__file__).parent.iterdir()):
        match = FILE_NAME.fullmatch(path.name)
        if match:
            steps.append(Migration(int(match[1]), match[2].replace("_", " "), path.read_text("utf-8")))
    return tuple(steps)
