"""Where the database lies."""

from __future__ import annotations

import os
from pathlib import Path

VARIABLE = "MOOT_DB"
DEFAULT = Path(__file__).resolve().parents[1] / "data" / "moot.duckdb"


def database_path() -> Path:
    """Return the database file: what MOOT_DB says, else ``data/moot.duckdb`` in Moot's folder."""
    return Path(os.environ.get(VARIABLE) or DEFAULT)
