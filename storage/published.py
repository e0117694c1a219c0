"""The published figures that come with Moot."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from core.published import PublishedTable, published_tables

FOLDER = Path(__file__).resolve().parents[1] / "assets" / "published"


@cache
def published(folder: Path = FOLDER) -> tuple[PublishedTable, ...]:
    """Return the tables of every paper in the folder, paper by paper."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.json"))]
    return tuple(table for text in texts for table in published_tables(text))
