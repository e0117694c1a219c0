"""A table out of delimited text, flat JSON records or Parquet: column names, and rows with their lines."""

from __future__ import annotations

import csv
import io
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import pyarrow
import pyarrow.parquet

from core.errors import UnreadableFile
from core.import_issue import IssueLog, quoted
from core.strict_json import dumps
from core.wording import several
from storage.readers.large_table import LargeTable
from storage.readers.source import Source
from storage.readers.table_header import DELIMITERS

_SAMPLE_ROWS = 30
_PARQUET_ROWS = 10_000  # that are made into values at once

MOST_COLUMNS = 100_000  # of a text table; a line with more commas is something else
LONGEST_NAME = 10_000  # characters of a column's name; a longer one is something else
csv.field_size_limit(min(sys.maxsize, 2**31 - 1))  # a transcript in one cell is longer than the default of 128 KB


Row = tuple[int, Sequence[Any]]


@dataclass(frozen=True)
class Table:
    """A table that is read anew for each pass, so that a large one need not be held in memory.

    Attributes:
        places: The columns' names, each once, with their places in a row. A table of JSON records may grow more of
            them while it is read.
        rows: Yields the rows, each with the line or row number that a person finds it under, and its cells, of which
            missing ones may be left out at the end. Notes what is wrong with them.
        kind: What it is, in words.
        delimiter: Of delimited text, else "".
        large: There may be more rows than memory should hold at once.
    """

    places: dict[str, int]
    rows: Callable[[IssueLog], Iterator[Row]]
    kind: str
    delimiter: str = ""
    large: bool = False

    @property
    def columns(self) -> tuple[str, ...]:
        """Return the columns' names in order."""
        return tuple(self.places)

    def is_regular(self) -> bool:
        """Return whether most of the first rows have a cell for each of several columns, unlike lines of prose."""
        widths = [len(cells) for _, cells in islice(self.rows(IssueLog()), _SAMPLE_ROWS)]
        whole = sum(width >= len(self.places) for width in widths)
        return len(self.places) > 1 and whole * 2 > len(widths)


def table_of(source: Source) -> Table | None:
    """Return the table that a file holds, or None when it holds none.

    Raises:
        UnreadableFile: If it is a Parquet file that cannot be read.
    """
    if source.is_parquet:
        return _parquet(source.data)
    if source.sample and all(_is_flat(record.value) for record in source.sample):
        return _json_rows(source)
    if source.looks_like_json or not source.text.strip():
        return None
    return _delimited(source)


# -- Parquet -----------------------------------------------------------------------------------------------------


def _parquet(data: bytes) -> Table:
    with _readable_parquet():
        file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(data))
        names = _unique(file.schema_arrow.names)

    def rows(issues: IssueLog) -> Iterator[Row]:
        number = 0
        with _readable_parquet():
            for batch in file.iter_batches(_PARQUET_ROWS):
                columns = [[plain_cell(value) for value in column.to_pylist()] for column in batch.columns]
                for cells in zip(*columns, strict=True):
                    number += 1
                    yield number, cells

    return Table(names, rows, "a Parquet file")


@contextmanager
def _readable_parquet() -> Iterator[None]:
    try:
        yield
    except (pyarrow.ArrowException, OSError, ValueError, OverflowError) as error:
        raise UnreadableFile("The Parquet file is damaged or of a kind that cannot be read.") from error


def plain_cell(value: Any) -> Any:
    """Return a cell of a Parquet file as a single value; numpy's and pandas' NaN means that there is nothing."""
    return None if value != value else _plain(value)


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (str, bool, int, float)):
        return value
    return dumps(value) if isinstance(value, (list, dict)) else str(value)


# -- JSON --------------------------------------------------------------------------------------------------------


def _is_flat(value: Any) -> bool:
    if not isinstance(value, dict) or not value:
        return False
    nested = sum(isinstance(entry, (dict, list)) for entry in value.values())
    return nested * 4 < len(value)


def _json_rows(source: Source) -> Table:
    places: dict[str, int] = {}
    for record in source.sample:
        for name in record.value:
            places.setdefault(name, len(places))

    def rows(issues: IssueLog) -> Iterator[Row]:
        for record in source.records(issues):
            if not isinstance(record.value, dict):
                message = f"A row must be a JSON object, but this is {quoted(record.value)}. It is left out."
                issues.error("record_unreadable", message, record.line)
                continue
            for name in record.value:
                if name not in places:
                    places[name] = len(places)
            cells: list[Any] = [None] * len(places)
            for name, value in record.value.items():
                cells[places[name]] = _plain(value)
            yield record.line, cells

    return Table(places, rows, "flat JSON records", large=source.lines is not None)


# -- delimited text ----------------------------------------------------------------------------------------------


def _delimited(source: Source) -> Table | None:
    text, first_line, skipped = source.text, 1, 0
    chosen = "" if source.mapping is None else source.mapping.delimiter
    if text[:4].casefold() == "sep=" and text[5:6] in ("\n", "\r"):  # what Excel writes and reads
        chosen = chosen or text[4]
        text, first_line, skipped = text[text.find("\n") + 1 :], 2, 1
    delimiter = chosen if len(chosen) == 1 and chosen not in '"\r\n' else _delimiter(text)
    large = source.large
    lines = _in_memory(text) if large is None else _on_disk(large, source, skipped)
    delimited = _DelimitedText(lines, first_line, delimiter)
    header = next(delimited.raw_rows(IssueLog()), None)
    if header is None or len(header[1]) > MOST_COLUMNS or any(len(name) > LONGEST_NAME for name in header[1]):
        return None
    kind = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}.get(delimiter, repr(delimiter))
    names = _unique(name.strip() for name in header[1])
    return Table(names, delimited.rows, f"a text table separated by {kind}", delimiter, large=large is not None)


def _in_memory(text: str) -> Callable[[IssueLog], Iterator[str]]:
    return lambda issues: iter(io.StringIO(text, newline=""))


def _on_disk(large: LargeTable, source: Source, skipped: int) -> Callable[[IssueLog], Iterator[str]]:
    chosen = "" if source.mapping is None else source.mapping.encoding
    file = replace(large, encoding=chosen) if chosen else large
    return lambda issues: islice(file.lines(issues), skipped, None)


class _DelimitedText:
    """Rows out of delimited text, with the line on which each begins."""

    def __init__(self, lines: Callable[[IssueLog], Iterator[str]], first_line: int, delimiter: str) -> None:
        self._lines = lines
        self._first_line = first_line
        self._delimiter = delimiter

    def rows(self, issues: IssueLog) -> Iterator[Row]:
        """Yield the rows after the header, noting those of a wrong width."""
        raw_rows = self.raw_rows(issues)
        line, header = next(raw_rows)
        _note_repeated([name.strip() for name in header], line, issues)
        for line, cells in raw_rows:
            if len(cells) != len(header):
                _note_width(cells, len(header), line, self._delimiter, issues)
            yield line, cells

    def raw_rows(self, issues: IssueLog) -> Iterator[tuple[int, list[str]]]:
        """Yield the header and the rows, without comments and empty rows."""
        lines = _Lines(self._lines(issues))
        reader = csv.reader(lines, delimiter=self._delimiter)
        comments = blanks = 0
        following = start = self._first_line
        try:
            for cells in reader:
                start, following = following, self._first_line + reader.line_num
                lines.row_is_read()
                first = cells[0].lstrip() if cells else ""
                if not first and not any(cell.strip() for cell in cells):
                    blanks += bool(cells)
                elif first[:1] == "#" and not any(cells[1:]):
                    comments += 1
                else:
                    yield start, cells
        except csv.Error as error:
            issues.error("table_invalid", f"The table cannot be read from this line on ({error}).", following)
        if lines.quote_is_open(self._delimiter):
            message = (
                "A quotation mark that opens in this row is never closed; all lines after it were read as one row."
            )
            issues.error("quote_unclosed", message, start)
        if comments or blanks:
            message = f"{several(comments, 'comment line')} and {several(blanks, 'empty row')} left out."
            issues.info("rows_without_data", message)


class _Lines:
    """The lines of a text, remembering those of the row that is being read."""

    def __init__(self, lines: Iterator[str]) -> None:
        self._lines = lines
        self._row: list[str] = []
        self._last_row: list[str] = []

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self._row.append(line)
            yield line

    def row_is_read(self) -> None:
        self._last_row, self._row = self._row, []

    def quote_is_open(self, delimiter: str) -> bool:
        """Return whether the last row ended only because the text did."""
        try:
            list(csv.reader(self._last_row, delimiter=delimiter, strict=True))
        except csv.Error as error:
            return "unexpected end of data" in str(error)
        return False


def _delimiter(text: str) -> str:
    """Return the delimiter that cuts the first rows into most cells of one and the same number."""
    best, best_score = ",", 0.0
    for delimiter in DELIMITERS:
        widths: list[int] = []
        try:
            for cells in csv.reader(io.StringIO(text[: 1 << 20], newline=""), delimiter=delimiter):
                if any(cells) and not cells[0].startswith("#"):
                    widths.append(len(cells))
                if len(widths) == _SAMPLE_ROWS:
                    break
        except csv.Error:
            continue
        if not widths or widths[0] < 2:
            continue
        alike = sum(width == widths[0] for width in widths) / len(widths)
        score = alike * (1 + widths[0] / 1000)  # agreement first, then the number of cells
        if score > best_score:
            best, best_score = delimiter, score
    return best


def _unique(names: Iterable[str]) -> dict[str, int]:
    unique: dict[str, int] = {}
    repeats: Counter[str] = Counter()  # so that a name that comes a hundred thousand times is no trouble
    for number, name in enumerate(names, start=1):
        own, stem = name or f"column {number}", name or "column"
        while own in unique:
            repeats[stem] += 1
            own = f"{stem} ({repeats[stem] + 1})"
        unique[own] = number - 1
    return unique


def _note_repeated(header: list[str], line: int, issues: IssueLog) -> None:
    for given, name in zip(header, _unique(header), strict=True):
        if given and given != name:
            message = f"The column name {quoted(given)} comes twice; the second is called {quoted(name)}."
            issues.warning("column_repeated", message, line, given)


def _note_width(cells: list[str], width: int, line: int, delimiter: str, issues: IssueLog) -> None:
    if len(cells) < width:
        message = f"The row has {several(len(cells), 'cell')}, the header {width}; the others are taken as empty."
        issues.warning("row_too_short", message, line)
    elif any(cell.strip() for cell in cells[width:]):
        rest = delimiter.join(cells[width:])
        message = f"The row has {several(len(cells), 'cell')}, the header {width}; {quoted(rest)} belongs to no column."
        issues.warning("row_too_long", message, line)


__all__ = ["DELIMITERS", "Row", "Table", "table_of"]
