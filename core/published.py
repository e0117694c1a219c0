"""Figures that papers printed, as reference rows in the layout of one's own tables; never mixed into a measurement.

A file holds the figures of one paper as printed, with remarks where they do not fit each other. What follows from them
(counts of right verdicts) is computed here and is no part of the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from core.comparison.metrics import typed
from core.errors import InvalidSetting, UnreadableFile

FORMAT = "moot-published/1"
UNITS = {"percent": 1.0, "share": 100.0, "count": 1.0}  # factor that makes an accuracy a percentage
JUDGES = {"llm": ("LLM", "llm"), "df-quad": ("DF-QuAD", "semantics"), "qe": ("QE", "semantics")}  # name and family
SETTINGS = ("setting", "variant", "temperature", "repeat", "order", "profile", "parameter", "value")
OTHERS = ("system", "run", "dataset", "policy")  # what a row is of where it is of no single judge


@dataclass(frozen=True, eq=False)
class PublishedTable:
    """One table of a paper.

    Attributes:
        paper: The paper's title.
        short_title: What to call it where there is little room.
        identifier: Such as ``arXiv:2603.28488``; empty if unknown.
        number: The table's number in the paper.
        about: What it shows, in our words.
        unit: percent, share or count: that of accuracies and rates.
        claims: Claims behind each row; None where the rows say it.
        class_sizes: Claims labelled True and False; None if the paper does not say.
        rows: The figures as printed.
        remarks: What to know before reading them.
    """

    paper: str
    short_title: str
    identifier: str
    number: int
    about: str
    unit: str
    claims: int | None
    class_sizes: tuple[int, int] | None
    rows: pd.DataFrame
    remarks: tuple[str, ...]

    @property
    def origin(self) -> str:
        """Return where the figures are from, for the column Source."""
        return f"published, table {self.number} of {self.short_title}"

    @property
    def title(self) -> str:
        """Return what to choose the table by."""
        return f"{self.short_title}, table {self.number}: {self.about}"

    @property
    def has_accuracy(self) -> bool:
        """Return whether its rows fit the layout of a summary table."""
        return "accuracy" in self.rows.columns


def published_tables(text: str) -> tuple[PublishedTable, ...]:
    """Return the tables in a file of published figures.

    Raises:
        UnreadableFile: If the text is no such file.
    """
    try:
        record: Any = json.loads(text)
        if record["format"] != FORMAT:
            raise UnreadableFile(f"The format of published figures is {record['format']!r}; it must be {FORMAT!r}.")
        return tuple(_table(record, table) for table in record["tables"])
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise UnreadableFile(f"The published figures cannot be read: {type(error).__name__} {error}.") from error


def published_summary(tables: Iterable[PublishedTable], protocol: str | None = None) -> pd.DataFrame:
    """Return the rows that have an accuracy as a summary table, the columns that the paper does not print missing.

    Args:
        tables: Published tables; those without accuracies give no row.
        protocol: Only rows on this protocol of debates; rows that name none are then left out too.
    """
    rows = [
        _summary_row(table, row)
        for table in tables
        if table.has_accuracy
        for row in table.rows.to_dict("records")
        if protocol is None or row.get("protocol") == protocol
    ]
    return typed(rows)


def right_counts(table: PublishedTable) -> pd.DataFrame:
    """Return how many verdicts were right on True claims, on False claims and in all, by row.

    They are the whole numbers nearest to the printed shares of the classes.

    Raises:
        InvalidSetting: If the table has no accuracies by class, or the sizes of the classes are unknown.
    """
    if table.class_sizes is None or not {"true_accuracy", "false_accuracy"} <= set(table.rows.columns):
        raise InvalidSetting(f"Table {table.number} of {table.short_title} has no accuracies on classes of known size.")
    on_true, on_false = (
        (table.rows[name] / 100 * size).round().astype(int)
        for name, size in zip(("true_accuracy", "false_accuracy"), table.class_sizes, strict=True)
    )
    return pd.DataFrame({"right_true": on_true, "right_false": on_false, "right": on_true + on_false})


def row_name(row: Mapping[Any, Any]) -> str:
    """Return what a published row is of, such as ``LLM, named, prior (single-turn)``."""
    if "judge" not in row:
        name = next((name for name in OTHERS if name in row), None)
        return f"{next(iter(row))} {next(iter(row.values()))}" if name is None else str(row[name])
    parts = [JUDGES[row["judge"]][0], *(_part(name, row[name]) for name in SETTINGS if name in row)]
    return f"{', '.join(parts)} ({row['protocol']})"


def _table(record: Mapping[str, Any], table: Mapping[str, Any]) -> PublishedTable:
    number = table["number"]
    if table["unit"] not in UNITS:
        raise ValueError(f"unit {table['unit']!r} of table {number}")
    sizes = (record["true_claims"], record["false_claims"]) if "true_claims" in record else None
    return PublishedTable(
        record["title"],
        record.get("short_title") or record["title"],
        record.get("identifier") or "",
        number,
        table["about"],
        table["unit"],
        None if "claims" in table["columns"] else table.get("claims", record["claims"]),
        sizes,
        pd.DataFrame(table["rows"], columns=table["columns"]),
        tuple(remark["text"] for remark in record["remarks"] if number in remark["tables"]),
    )


def _summary_row(table: PublishedTable, row: Mapping[Any, Any]) -> dict[str, object]:
    factor = UNITS[table.unit]
    found: dict[str, object] = {
        "Judge": row_name(row),
        "Family": JUDGES[row["judge"]][1] if "judge" in row else "",
        "Debates": row.get("claims", table.claims),
        "Macro-F1": row.get("macro_f1"),
        "Source": table.origin,
    }
    for column, name in (
        ("Accuracy %", "accuracy"),
        ("True accuracy %", "true_accuracy"),
        ("False accuracy %", "false_accuracy"),
    ):
        found[column] = row[name] * factor if name in row else None
    if "thousand_tokens" in row:
        found["Mean tokens"] = 1_000 * row["thousand_tokens"]
    return found


def _part(name: str, value: object) -> str:
    match name:
        case "variant":
            return "no stance" if value == "none" else f"{value} stance"
        case "repeat":
            return f"run {value}"
        case "temperature":
            return f"temperature {value:g}"
        case "order":
            return f"order {value}"
        case "value":
            return f"{value:g}"
        case _:
            return str(value)
