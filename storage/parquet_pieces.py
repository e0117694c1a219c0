"""A Parquet file with one argument a row, cut into pieces of whole debates that several processes can read.

Only files whose debates are plainly told apart come this way; the others are read like every table. Debates in which
everything is in order become rows all at once; every other one goes through the reader of tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from core.debate import Debate
from core.import_issue import IssueLog
from core.score_text import Scale
from storage.dataset_writer import RowBatch, batch_of, joined_tables
from storage.plain_table import PlainTable
from storage.plain_table_rows import PlainTableRows
from storage.readers.long_table import long_debates
from storage.readers.scales import Scales
from storage.readers.source import Recognised, Source
from storage.readers.table_mapping import Layout, TableMapping
from storage.readers.table_reader import note_choices
from storage.readers.table_source import Table, plain_cell, table_of

ROWS = 25_000  # of a piece, more where its last debate is longer
_FIELDS = (
    "debate_id", "claim", "label", "agent", "model", "round", "prior", "posterior", "argument_id", "target", "polarity",
    "text", "base_score",
)  # fmt: skip
_NEEDED = ("debate_id", "claim", "text", "polarity")
_OTHERS = ("claim_id", "title", "protocol", "source")


@dataclass(frozen=True)
class TablePiece:
    """Rows of whole debates.

    Attributes:
        data: The mapped columns, by the names of the mapping's fields, and ``line``: each row's number in the file; as
            an Arrow stream, because a part of a table is sent with all of the table otherwise.
        mapping: Which column means what.
        scales: What bare numbers in them mean.
        origin: What the provenance of each debate says of the file.
        file: The file's base name.
    """

    data: bytes
    mapping: TableMapping
    scales: Mapping[str, Scale | None]
    origin: Mapping[str, Any]
    file: str

    @property
    def is_unit(self) -> bool:
        """Return whether bare numbers are scores from 0 to 1 as they are."""
        columns = (self.mapping.prior, self.mapping.posterior, self.mapping.base_score)
        return all(self.scales.get(column, Scale.UNIT) is Scale.UNIT for column in columns if column is not None)


def table_pieces(
    source: Source, recognised: Recognised, origin: Mapping[str, Any], issues: IssueLog
) -> Iterator[tuple[TablePiece, float]] | None:
    """Return a Parquet file's pieces, each with the share of the file up to it; None for a file read otherwise."""
    mapping = recognised.mapping
    if not source.is_parquet or mapping is None or mapping.layout is not Layout.LONG:
        return None
    if any(getattr(mapping, name) is None for name in _NEEDED) or any(getattr(mapping, name) for name in _OTHERS):
        return None
    named = {column: name for name in _FIELDS if (column := getattr(mapping, name)) is not None}
    try:
        file = pyarrow.parquet.ParquetFile(pa.BufferReader(source.data))
        if sorted(file.schema_arrow.names) != sorted(named):
            return None  # a column that means nothing to Moot, or one that is not there
        order = _order(_plain_column(file.read([mapping.debate_id]).column(0)))
        if order is None:
            return None
        scales = _scales(file, mapping, issues)
    except (pa.ArrowException, OSError, ValueError, OverflowError):
        return None  # the reader of tables says what is wrong
    table = table_of(source)
    if table is not None:
        note_choices(mapping, table, issues)
    permutation, starts = order
    batches = _batches(file, named) if permutation is None else _reordered(file, named, permutation)
    return _pieces(batches, starts, file.metadata.num_rows, TablePiece(b"", mapping, scales, origin, source.name))


def _pieces(
    batches: Iterator[pa.Table], starts: np.ndarray, count: int, like: TablePiece
) -> Iterator[tuple[TablePiece, float]]:
    """Yield pieces that end where a debate does."""
    held: list[pa.Table] = []
    begin = after = 0  # rows that went into pieces, and rows that were taken out of the file
    for batch in batches:
        held.append(batch)
        after += batch.num_rows
        if after < count and after - begin < ROWS:
            continue
        place = int(np.searchsorted(starts, after))
        last = after == count
        end = count if last else int(starts[place - 1])  # the debate that the last row belongs to may go on
        if end > begin:
            rows = pa.concat_tables(held)
            yield replace(like, data=_stream(rows.slice(0, end - begin))), end / count
            held = [rows.slice(end - begin)]
            begin = end


def _batches(file: pyarrow.parquet.ParquetFile, named: Mapping[str, str]) -> Iterator[pa.Table]:
    line = 1
    for batch in file.iter_batches(ROWS, columns=list(named)):
        rows = pa.Table.from_batches([batch])
        yield _named(rows, named, np.arange(line, line + rows.num_rows))
        line += rows.num_rows


def _reordered(
    file: pyarrow.parquet.ParquetFile, named: Mapping[str, str], permutation: np.ndarray
) -> Iterator[pa.Table]:
    whole = file.read(list(named))
    for begin in range(0, len(permutation), ROWS):
        places = permutation[begin : begin + ROWS]
        yield _named(whole.take(places), named, places + 1)


def _named(rows: pa.Table, named: Mapping[str, str], lines: np.ndarray) -> pa.Table:
    columns = {name: _plain_column(rows.column(column)) for column, name in named.items()}
    return pa.table({**columns, "line": pa.array(lines.astype(np.int64))})


def _stream(rows: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, rows.schema) as writer:
        writer.write_table(rows)
    return bytes(sink.getvalue())


def _plain_column(column: pa.ChunkedArray) -> pa.ChunkedArray:
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


def _order(ids: pa.ChunkedArray) -> tuple[np.ndarray | None, np.ndarray] | None:
    """Return how to put the rows of each debate together, None for as they are, and where each debate starts then.

    None instead of both where debates are not plainly told apart.
    """
    if not (pa.types.is_string(ids.type) or pa.types.is_large_string(ids.type)) or ids.null_count or not len(ids):
        return None
    if pc.min(pc.utf8_length(pc.utf8_trim_whitespace(ids))).as_py() == 0:
        return None
    codes = ids.combine_chunks().dictionary_encode().indices.to_numpy()  # numbered in the order in which they begin
    permutation = None
    if (np.diff(codes) < 0).any():
        permutation = np.argsort(codes, kind="stable")
        codes = codes[permutation]
    return permutation, np.concatenate([[0], np.flatnonzero(np.diff(codes)) + 1])


def _scales(file: pyarrow.parquet.ParquetFile, mapping: TableMapping, issues: IssueLog) -> dict[str, Scale | None]:
    scales = Scales(mapping.scales)
    for name in ("prior", "posterior", "base_score"):
        column = getattr(mapping, name)
        if column is not None and column not in mapping.scales:
            for counted in file.read([column]).column(0).value_counts().to_pylist():
                scales.add(column, plain_cell(counted["values"]), counted["counts"])
    return scales.decide(issues)


# -- one piece ---------------------------------------------------------------------------------------------------


def read_table_piece(piece: TablePiece) -> tuple[RowBatch, tuple[int, ...], IssueLog]:
    """Return the rows of a piece's debates, the line of each, and what was noted."""
    issues = IssueLog(piece.file)
    with pa.ipc.open_stream(piece.data) as stream:
        rows = stream.read_all()
    ids = rows.column("debate_id").to_pylist()
    starts = [0, *(place for place, (one, other) in enumerate(pairwise(ids), 1) if one != other)]
    plain = PlainTable(rows, np.array(starts), piece.origin, unit=piece.is_unit)
    odd = _OddDebates(piece, rows)
    firsts = rows.column("line").to_pylist()
    places: list[int] = []
    others: list[tuple[int, Debate]] = []
    lines: list[int] = []
    for good, (begin, end) in zip(plain.good.tolist(), pairwise([*starts, len(ids)]), strict=True):
        if good:
            places.append(len(lines))
            lines.append(firsts[begin])
        else:
            for line, debate in odd.read(begin, end, issues):
                others.append((len(lines), debate))
                lines.append(line)
    rest = batch_of([debate for _, debate in others], [number for number, _ in others])
    tables = joined_tables(PlainTableRows(plain, places).tables(), rest.tables)
    return RowBatch(tables, len(lines), plain.argument_count + rest.arguments, rest.contested), tuple(lines), issues


class _OddDebates:
    """The rows of a piece for the reader of tables."""

    def __init__(self, piece: TablePiece, rows: pa.Table) -> None:
        self._piece = piece
        self._rows = rows

    @cached_property
    def _columns(self) -> dict[str, list[Any]]:
        return {name: self._rows.column(name).to_pylist() for name in self._rows.column_names}

    def read(self, begin: int, end: int, issues: IssueLog) -> Iterator[tuple[int, Debate]]:
        """Yield the debates of some rows as the reader of tables makes them."""
        mapping = self._piece.mapping
        named = {name: column for name in _FIELDS if (column := getattr(mapping, name)) is not None}
        held = [self._columns[name][begin:end] for name in named]
        lines = self._columns["line"][begin:end]
        rows = [
            (line, [plain_cell(value) for value in cells])
            for line, cells in zip(lines, zip(*held, strict=True), strict=True)
        ]
        places = {column: place for place, column in enumerate(named.values())}
        table = Table(places, lambda _: iter(rows), "a Parquet file")
        for line, debate in long_debates(table, mapping, self._piece.scales, issues):
            origin = {"imported_from": {**self._piece.origin, "line": line}}
            yield line, replace(debate, provenance={**origin, **debate.provenance})


__all__ = ["TablePiece", "read_table_piece", "table_pieces"]
