"""A process that turns pieces of a large file into rows, beside the one that stores them.

It reads messages from its standard input and answers on its standard output until the input ends; it opens no file and
no database. A process of its own and not one of ``multiprocessing``, which would run the page's script to begin with.
"""

from __future__ import annotations

import pickle
import struct
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import jiter

from core.errors import UnreadableRecord
from core.import_issue import IssueLog
from core.native import debate_from_json
from core.strict_json import may_escape_unstorable
from storage.bulk import no_collection
from storage.dataset_writer import RowBatch, batch_of, joined_tables
from storage.parquet_pieces import TablePiece, read_table_piece
from storage.plain_rows import PlainRows
from storage.readers.tolerant_json import json_records

ROOT = Path(__file__).resolve().parents[1]
_LENGTH = struct.Struct("<Q")


@dataclass(frozen=True)
class Piece:
    """Whole lines of a native file, and the line that they begin on."""

    text: str
    first_line: int
    file: str


@dataclass(frozen=True)
class ReadPiece:
    """The rows of a piece, with the line of each debate in the order of their numbers, and what was noted."""

    batch: RowBatch
    lines: tuple[int, ...]
    issues: IssueLog


def read_piece(piece: Piece | TablePiece) -> ReadPiece:
    """Return the rows of a piece; what needs no mending goes the short way."""
    return ReadPiece(*read_table_piece(piece)) if isinstance(piece, TablePiece) else _read_lines(piece)


def _read_lines(piece: Piece) -> ReadPiece:
    issues = IssueLog(piece.file)
    records = _lines_of_objects(piece)
    plain = PlainRows("")
    others = []
    lines: list[int] = []
    if records is None:
        records = [(record.line, record.value) for record in json_records(piece.text, issues, None, piece.first_line)]
    for line, record in records:
        number = len(lines)
        if plain.add(record, number, number):
            lines.append(line)
            continue
        try:
            debate = debate_from_json(record, issues, line)
        except UnreadableRecord as error:
            field = "claim" if isinstance(record, dict) else None
            issues.error("record_unreadable", f"{error} The record is left out.", line, field)
            continue
        others.append((number, debate))
        lines.append(line)
    rest = batch_of([debate for _, debate in others], [number for number, _ in others])
    tables = joined_tables(plain.tables(), rest.tables)
    batch = RowBatch(tables, len(lines), plain.argument_count + rest.arguments, rest.contested)
    return ReadPiece(batch, tuple(lines), issues)


def _lines_of_objects(piece: Piece) -> list[tuple[int, Any]] | None:
    """Return each line's object; None where a line is anything else, or holds what no database does."""
    if may_escape_unstorable(piece.text):
        return None
    found: list[tuple[int, Any]] = []
    try:
        for line, text in enumerate(piece.text.split("\n"), piece.first_line):
            if not text or text.isspace():
                continue
            value = jiter.from_json(text.encode(), allow_inf_nan=True, cache_mode="keys", catch_duplicate_keys=True)
            if type(value) is not dict:
                return None
            found.append((line, value))
    except ValueError:
        return None
    return found


class Worker:
    """One such process, seen from the one that stores."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", "from storage.reading_worker import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=ROOT,
        )

    def read(self, piece: Piece | TablePiece) -> ReadPiece:
        """Return the rows of a piece.

        Raises:
            EOFError, OSError: If the process ended.
        """
        if self._process.stdin is None or self._process.stdout is None:
            raise EOFError("The reading process has no pipes.")
        _send(self._process.stdin, piece)
        answer: ReadPiece = _receive(self._process.stdout)
        return answer

    def close(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:
                    continue
        self._process.wait()


def _send(pipe: IO[bytes], value: object) -> None:
    data = pickle.dumps(value, protocol=pickle.HIGHEST_PROTOCOL)
    pipe.write(_LENGTH.pack(len(data)))
    pipe.write(data)
    pipe.flush()


def _receive(pipe: IO[bytes]) -> Any:
    length = pipe.read(_LENGTH.size)
    if len(length) < _LENGTH.size:
        raise EOFError("The other process ended.")
    (size,) = _LENGTH.unpack(length)
    data = pipe.read(size)
    if len(data) < size:
        raise EOFError("The other process ended in the middle.")
    return pickle.loads(data)  # noqa: S301 - from our own process, through our own pipe


def main() -> None:
    """Answer until there is nothing more to read."""
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever prints must not end up among the answers
    with no_collection():
        while True:
            try:
                piece = _receive(sys.stdin.buffer)
            except EOFError:
                return
            _send(answers, read_piece(piece))


__all__ = ["Piece", "ReadPiece", "Worker", "main", "read_piece"]
