"""What a table on screen or a debate becomes in a file. The screen shows the very frame that is exported.

Texts come from debates and are hostile. In CSV, which spreadsheets open, a text that a spreadsheet would take for a
formula gets an apostrophe in front; numbers are left alone. JSON Lines and Parquet carry every text as it is.
"""

from __future__ import annotations

import io
import re
import unicodedata
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from core.native import debates_to_native
from core.strict_json import dumps, storable

FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # OWASP, "CSV Injection"
LONGEST_STEM = 80  # characters; some file systems end a name at 255 bytes

_RESERVED = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)  # devices of Windows, whatever the ending


class TableKind(StrEnum):
    """The files a table can become."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


MIME_TYPES: Mapping[TableKind, str] = {
    TableKind.CSV: "text/csv",
    TableKind.JSONL: "application/x-ndjson",
    TableKind.PARQUET: "application/vnd.apache.parquet",
}


def table_bytes(frame: pd.DataFrame, kind: str) -> bytes:
    """Return a table as a file; the frame's index is not part of it.

    Args:
        frame: The table as the screen shows it.
        kind: ``csv`` (UTF-8 with the mark that Excel needs to know it), ``jsonl`` or ``parquet``.

    Raises:
        ValueError: If the kind is none of these.
    """
    match TableKind(kind):
        case TableKind.CSV:
            return _csv(frame)
        case TableKind.JSONL:
            return _jsonl(frame)
        case TableKind.PARQUET:
            return _parquet(frame)


def harmless(cell: Any) -> Any:
    """Return a cell as CSV may hold it: a text that begins like a formula gets an apostrophe in front."""
    if isinstance(cell, (dict, list, tuple, np.ndarray)):
        cell = dumps(_json_value(cell))
    if not isinstance(cell, str):
        return cell
    text = storable(cell)
    return f"'{text}" if text.startswith(FORMULA_SIGNS) else text


def file_name(stem: str, ending: str) -> str:
    """Return a file name that every system takes, whatever the stem holds.

    Args:
        stem: What the file is about; may be a debate's id or title, so anything.
        ending: Without the dot.
    """
    return f"{file_stem(stem)}.{ending}"


def file_stem(text: str) -> str:
    """Return a text as a file name without its ending, or as a part of one."""
    ascii_only = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", ascii_only).strip("-._")[:LONGEST_STEM].rstrip("-._")
    if not plain or _RESERVED.fullmatch(plain.split(".")[0]):
        plain = f"moot-{plain}".rstrip("-")
    return plain


def _csv(frame: pd.DataFrame) -> bytes:
    columns = [frame.iloc[:, place] for place in range(frame.shape[1])]
    safe = pd.DataFrame(
        {
            place: column.array if _is_number(column) else pd.Series([harmless(cell) for cell in column], dtype=object)
            for place, column in enumerate(columns)
        }
    )
    safe.columns = pd.Index([harmless(str(name)) for name in frame.columns], dtype=object)
    return safe.to_csv(index=False, lineterminator="\r\n").encode("utf-8-sig")


def _jsonl(frame: pd.DataFrame) -> bytes:
    names = [str(column) for column in frame.columns]
    columns = [[_json_value(cell) for cell in frame.iloc[:, place]] for place in range(len(names))]
    rows = zip(*columns, strict=True)
    return "".join(dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows).encode()


def _parquet(frame: pd.DataFrame) -> bytes:
    arrays = [_arrow(frame.iloc[:, place]) for place in range(frame.shape[1])]
    table = pa.Table.from_arrays(arrays, names=[storable(str(column)) for column in frame.columns])
    written = io.BytesIO()
    pq.write_table(table, written)
    return written.getvalue()


def _arrow(column: pd.Series) -> pa.Array:
    """Return a column as an Arrow array; one of mixed types becomes text, since Parquet knows one type a column."""
    if _is_number(column) or pd.api.types.is_datetime64_any_dtype(column):
        return pa.Array.from_pandas(column)
    cells = [_json_value(cell) for cell in column]
    cells = [storable(cell) if isinstance(cell, str) else cell for cell in cells]
    kinds = {type(cell) for cell in cells if cell is not None}
    if kinds <= {str} or (len(kinds) == 1 and kinds <= {bool, int, float}):
        return pa.array(cells)
    return pa.array([cell if cell is None or isinstance(cell, str) else dumps(cell) for cell in cells])


def _is_number(column: pd.Series) -> bool:
    return bool(pd.api.types.is_bool_dtype(column) or pd.api.types.is_numeric_dtype(column))


def _json_value(cell: Any) -> Any:
    if isinstance(cell, (str, dict, list, tuple)):
        return cell
    if isinstance(cell, np.ndarray):
        return cell.tolist()
    if pd.isna(cell):
        return None
    if isinstance(cell, pd.Timestamp):
        return cell.isoformat()
    return cell.item() if hasattr(cell, "item") else cell


__all__ = [
    "FORMULA_SIGNS",
    "MIME_TYPES",
    "TableKind",
    "debates_to_native",
    "file_name",
    "file_stem",
    "harmless",
    "table_bytes",
]
