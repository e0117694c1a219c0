"""A Parquet file with one argument a row, cut into pieces of whole debates that several processes can read.

Only files whose debates are plainly told apart come this way; the others are read like every table. A debate in which
everything is in order becomes a native record, and so rows, at once; every other one goes through the reader of tables.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from core.debate import Debate, DebateProtocol
from core.import_issue import IssueLog
from core.label_text import plain_label, read_label
from core.native import FORMAT
from core.opinion import TOPIC, RelationKind
from core.provider_errors import is_provider_error
from core.score_text import Scale
from storage.dataset_writer import RowBatch, batch_of, joined_tables
from storage.plain_rows import PlainRows
from storage.readers.cells import polarity_of
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
_TOPIC_WORDS = frozenset({TOPIC, "claim", "root"})


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
    columns = {name: rows.column(name).to_pylist() for name in rows.column_names}
    reading = _Piece(piece, columns)
    plain = PlainRows("")
    others: list[tuple[int, Debate]] = []
    lines: list[int] = []
    ids = columns["debate_id"]
    begin = 0
    while begin < len(ids):
        end = begin + 1
        while end < len(ids) and ids[end] == ids[begin]:
            end += 1
        number = len(lines)
        record = reading.record(begin, end)
        if record is not None and plain.add(record, number, number):
            lines.append(columns["line"][begin])
        else:
            for line, debate in reading.debates(begin, end, issues):
                others.append((len(lines), debate))
                lines.append(line)
        begin = end
    rest = batch_of([debate for _, debate in others], [number for number, _ in others])
    tables = joined_tables(plain.tables(), rest.tables)
    batch = RowBatch(tables, len(lines), plain.argument_count + rest.arguments, rest.contested)
    return batch, tuple(lines), issues


class _Piece:
    """The rows of a piece as lists, and what its debates look like."""

    def __init__(self, piece: TablePiece, columns: Mapping[str, list[Any]]) -> None:
        self._piece = piece
        self._columns = columns
        nothing: list[Any] = [None] * len(columns["line"])
        self._cells = {name: columns.get(name, nothing) for name in _FIELDS}
        self._sides = {cell: polarity_of(cell) for cell in set(map(_hashable, columns["polarity"]))}
        mapping = piece.mapping
        self._unit = all(
            piece.scales.get(column, Scale.UNIT) is Scale.UNIT
            for column in (mapping.prior, mapping.posterior, mapping.base_score)
            if column is not None
        )
        self._has_stances = mapping.agent is not None and (mapping.prior is not None or mapping.posterior is not None)

    def record(self, begin: int, end: int) -> dict[str, Any] | None:
        """Return the native record of a debate in which everything is in order, else None."""
        cells = self._cells
        claim, label = cells["claim"][begin], cells["label"][begin]
        count = end - begin
        if (
            not self._unit
            or type(claim) is not str
            or not claim.strip()
            or cells["claim"][begin:end].count(claim) != count
            or cells["label"][begin:end].count(label) != count
            or not plain_label(label)
            or not (label is None or type(label) in (bool, str))
        ):
            return None
        value, readable = read_label(label)
        if not readable:
            return None
        rounds: dict[int, tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]] = {}
        models: dict[str, str | None] = {}
        counts: dict[tuple[int, str | None, RelationKind], int] = {}
        for place in range(begin, end):
            if not self._row(place, rounds, models, counts):
                return None
        if not all(_targets_known(arguments) for _, arguments in rounds.values()):
            return None
        protocol = DebateProtocol.MULTI_TURN_PRIVATE if len(rounds) > 1 else DebateProtocol.SINGLE_TURN
        return {
            "format": FORMAT,
            "debate_id": cells["debate_id"][begin],
            "protocol": protocol.value,
            "claim": claim,
            "label": value,
            "agents": [{"agent_id": name} | ({"model": model} if model else {}) for name, model in models.items()],
            "rounds": [_round(number, *rounds[number]) for number in sorted(rounds)],
            "provenance": {"imported_from": {**self._piece.origin, "line": self._columns["line"][begin]}},
        }

    def _row(
        self,
        place: int,
        rounds: dict[int, tuple[dict[str, dict[str, Any]], dict[str, dict[str, Any]]]],
        models: dict[str, str | None],
        counts: dict[tuple[int, str | None, RelationKind], int],
    ) -> bool:
        """Take in one row; False where something in it is not in order."""
        cells = self._cells
        number = cells["round"][place]
        if number is None:
            number = 0
        elif type(number) is not int or not 0 <= number < 10**9:
            return False
        agent, model, text = cells["agent"][place], cells["model"][place], cells["text"][place]
        if type(text) is not str or not text.strip() or is_provider_error(text):
            return False
        if not _is_name(agent) or not _is_name(model):
            return False
        if number not in rounds:
            rounds[number] = ({}, {})
        stances, arguments = rounds[number]
        if agent is not None:
            known = models.setdefault(agent, model)
            if known is None:
                models[agent] = model
            elif model is not None and model != known:
                return False
            if self._has_stances:
                stance = stances.setdefault(agent, {"agent_id": agent})
                for kind in ("prior", "posterior"):
                    score = cells[kind][place]
                    if score is None or score != score:
                        continue
                    if type(score) is not float or not 0.0 <= score <= 1.0 or stance.get(kind, score) != score:
                        return False
                    stance[kind] = score
        elif cells["prior"][place] is not None or cells["posterior"][place] is not None:
            return False
        polarity = cells["polarity"][place]
        side = self._sides.get(polarity) if polarity.__hash__ is not None else None
        if side is None:
            return False
        name, target, score = cells["argument_id"][place], cells["target"][place], cells["base_score"][place]
        if name is None:
            count = counts[number, agent, side] = counts.get((number, agent, side), 0) + 1
            stem = "pro" if side is RelationKind.SUPPORT else "con"
            name = f"{stem}{count}" if agent is None else f"{agent}-{stem}{count}"
        if type(name) is not str or not name.strip() or name in arguments or name == TOPIC:
            return False
        argument: dict[str, Any] = {"id": name}
        if agent is not None:
            argument["author"] = agent
        argument["text"] = text
        if score is not None and score == score:
            if type(score) is not float or not 0.0 <= score <= 1.0:
                return False
            argument["base_score"] = score
        if target is None or (type(target) is str and not target.strip()):
            target = TOPIC
        elif type(target) is not str or target == name:
            return False
        argument["supports" if side is RelationKind.SUPPORT else "attacks"] = [target]
        arguments[name] = argument
        return True

    def debates(self, begin: int, end: int, issues: IssueLog) -> Iterator[tuple[int, Debate]]:
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


def _targets_known(arguments: dict[str, dict[str, Any]]) -> bool:
    """Return whether every target is an argument of the round, or the claim by one of its names, which is put right."""
    for argument in arguments.values():
        listed = argument.get("supports") or argument["attacks"]
        if listed[0] not in arguments and listed[0] != TOPIC:
            if listed[0].casefold() not in _TOPIC_WORDS:
                return False
            listed[0] = TOPIC
    return True


def _round(number: int, stances: dict[str, dict[str, Any]], arguments: dict[str, dict[str, Any]]) -> dict[str, Any]:
    record: dict[str, Any] = {"round": number}
    if stances:
        record["stances"] = [
            {key: stance[key] for key in ("agent_id", "prior", "posterior") if key in stance}
            for stance in stances.values()
        ]
    return record | ({"arguments": list(arguments.values())} if arguments else {})


def _is_name(value: Any) -> bool:
    return value is None or (type(value) is str and bool(value.strip()))


def _hashable(value: Any) -> Any:
    return value if value.__hash__ is not None else None


__all__ = ["TablePiece", "read_table_piece", "table_pieces"]
