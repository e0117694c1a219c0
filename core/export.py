"""Files to take away: tables as CSV, JSON Lines and Parquet, debates in the native format.

One function makes each file and what the screen shows comes from the same values, so that the numbers are equal.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Iterable
from typing import Any

import pandas as pd

from core.debate import Debate
from core.errors import InvalidSetting
from core.native import debate_to_line

TABLE_KINDS = ("csv", "jsonl", "parquet")
LONGEST_NAME = 80  # characters of a file's name without its ending

# A cell that begins like this is run as a formula by spreadsheet programs; tab and carriage return can hide it.
_FORMULA_START = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NOT_IN_A_NAME = re.compile(r"[^\w.-]+")
_RESERVED = re.compile(r"^(con|prn|aux|nul|com\d|lpt\d)(\.|$)", re.IGNORECASE)


def table_bytes(frame: pd.DataFrame, kind: str) -> bytes:
    """Return a table as the bytes of a file.

    CSV is UTF-8 with a byte order mark, which spreadsheet programs need to see that it is UTF-8. Texts in it that such
    a program would run as a formula get an apostrophe in front; numbers are untouched. JSON Lines and Parquet carry
    texts as they are.

    Args:
        frame: The table; its index is left out.
        kind: ``csv``, ``jsonl`` or ``parquet``.

    Raises:
        InvalidSetting: If there is no such kind.
    """
    match kind:
        case "csv":
            safe = frame.map(_harmless)
            safe.columns = pd.Index([_harmless(str(column)) for column in frame.columns])
            return safe.to_csv(index=False, lineterminator="\r\n").encode("utf-8-sig", "replace")
        case "jsonl":
            text = frame.map(_storable).to_json(orient="records", lines=True, force_ascii=False, double_precision=15)
            return text.encode("utf-8", "replace")
        case "parquet":
            buffer = io.BytesIO()
            frame.map(_storable).to_parquet(buffer, index=False)
            return buffer.getvalue()
        case _:
            raise InvalidSetting(f"There is no table format {kind!r}; there are {', '.join(TABLE_KINDS)}.")


def debates_to_native(debates: Iterable[Debate]) -> bytes:
    """Return debates in the native format, one a line."""
    return "".join(f"{debate_to_line(debate)}\n" for debate in debates).encode("utf-8")


def safe_file_name(name: str) -> str:
    """Return a name that every system takes for a file: letters, digits, points and hyphens, no folder, not empty."""
    plain = unicodedata.normalize("NFKC", name)
    short = _NOT_IN_A_NAME.sub("-", plain).strip("-._")[:LONGEST_NAME].strip("-._")
    if not short or _RESERVED.match(short):
        short = f"moot-{short}".strip("-")
    return short


def _harmless(value: Any) -> Any:
    if isinstance(value, str) and value.startswith(_FORMULA_START):
        return f"'{value}"
    return value


def _storable(value: Any) -> Any:
    # Halves of surrogate pairs, which UTF-8 cannot hold.
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


__all__ = ["TABLE_KINDS", "debates_to_native", "safe_file_name", "table_bytes"]
