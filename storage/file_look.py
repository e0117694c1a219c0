"""A first look at a file of any size: what it is, and the debates as they would be, without reading all of it."""

from __future__ import annotations

import hashlib
import io
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet

from core.debate import Debate
from core.errors import MootError
from core.import_issue import IssueLog
from storage.readers import AnyMapping, PathMapping, ReadFile, read_file
from storage.readers.decoding import PARQUET
from storage.readers.guess_paths import guess_paths
from storage.readers.line_chunks import beginning
from storage.readers.path_choices import PathChoice, list_paths, path_choices
from storage.readers.path_records import records_below, sampled_values
from storage.readers.record_path import record_path
from storage.readers.source import Recognised, Source

WHOLE = 16 << 20  # bytes of a file that is read whole at once
HEAD = 2 << 20  # bytes of a larger one
HEAD_ROWS = 3000
SOME = 60  # debates that are looked at where a beginning cannot be cut off
_ARCHIVE = b"PK\x03\x04"


@dataclass(frozen=True)
class Look:
    """What a look at a file found.

    Attributes:
        read: The file, or its beginning, as read.
        whole: All of it was read, so that the counts and the issues are those of the file.
        size: In bytes.
    """

    read: ReadFile
    whole: bool
    size: int


@dataclass(frozen=True)
class Paths:
    """What a person can choose from to say which path means what.

    Attributes:
        guess: A mapping to begin with; None where nothing speaks for any.
        records: The paths at which records may be.
        choices: The paths below the records of the mapping that is asked about.
    """

    guess: PathMapping | None
    records: tuple[str, ...]
    choices: tuple[PathChoice, ...]


class _Enough(MootError):
    """As many debates as were wanted are there."""


class _Some:
    """Takes the first debates, then stops the reader."""

    def __init__(self) -> None:
        self.debates: list[Debate] = []

    def begin(self, sha256: str, size: int, file: str) -> None:
        return None

    def append(self, debate: Debate) -> None:
        self.debates.append(debate)
        if len(self.debates) >= SOME:
            raise _Enough("That is enough for a look.")

    def take(self, source: Source, recognised: Recognised, issues: IssueLog) -> bool:
        return False

    def __len__(self) -> int:
        return len(self.debates)


def look(source: Path | bytes, name: str, mapping: AnyMapping | None = None) -> Look:
    """Return what a file holds; of a large one, what its beginning does.

    Args:
        source: The file, or its bytes.
        name: What to call it.
        mapping: Which column or path means what, where a person said so.
    """
    size = _size(source)
    folder = isinstance(source, Path) and source.is_dir()
    if size <= WHOLE and not folder:
        return Look(read_file(source, name, mapping), True, size)
    head = None if folder else _head(source)
    if head is not None:
        return Look(read_file(head, name, mapping), False, size)
    some = _Some()
    try:
        read = read_file(source, name, mapping, into=some)
        return Look(replace(read, debates=some.debates), True, size)
    except _Enough:
        named = some.debates[0].provenance.get("imported_from", {})
        why = "Its first debates were read; the rest is looked at when it is imported."
        kind = named.get("format") if isinstance(named, dict) else None
        partly = ReadFile(name, "", size, kind or "several", why, some.debates, (), refused=False)
        return Look(partly, False, size)


def digest(source: Path | bytes) -> str:
    """Return the SHA-256 of all of a file, by which a data set is known."""
    if isinstance(source, bytes):
        return hashlib.sha256(source).hexdigest()
    with source.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def paths_in(source: Path | bytes, name: str, record: str | None = None) -> Paths:
    """Return the paths that occur in a file, and a guess.

    Args:
        source: The file, or its bytes.
        name: What to call it.
        record: Where the records are; the guess's place unless given.
    """
    data: Path | bytes = source
    if isinstance(source, Path):
        data = b"" if source.is_dir() else source.read_bytes() if _size(source) <= WHOLE else source
    if isinstance(data, Path) or len(data) > WHOLE:
        data = _head(data) or b""
    try:
        values: list[Any] = sampled_values(Source(name, data))
    except MootError:
        values = []
    guess = guess_paths(values)
    where = record if record is not None else (guess.record if guess is not None else "")
    try:
        below = records_below(values, record_path(where))
    except MootError:
        below = []
    return Paths(guess, tuple(map(str, list_paths(values))), path_choices(below))


def _size(source: Path | bytes) -> int:
    if isinstance(source, bytes):
        return len(source)
    return source.stat().st_size if source.is_file() else 0


def _head(source: Path | bytes) -> bytes | None:
    """Return the beginning of a file as a file of its own; None where that cannot be cut off."""
    if isinstance(source, bytes) and source.startswith(PARQUET):
        return _head_rows(io.BytesIO(source))
    if isinstance(source, Path):
        with source.open("rb") as file:
            if file.read(len(PARQUET)) == PARQUET:
                return _head_rows(source)
    data = beginning(source, HEAD)
    if data.startswith(_ARCHIVE):
        return None
    cut = data.rfind(b"\n")
    return data[: cut + 1] if cut > 0 else None


def _head_rows(source: Path | io.BytesIO) -> bytes | None:
    try:
        file = pyarrow.parquet.ParquetFile(source)
        batch = next(file.iter_batches(batch_size=HEAD_ROWS), None)
        if batch is None:
            return None
        written = io.BytesIO()
        pyarrow.parquet.write_table(pyarrow.Table.from_batches([batch]), written)
    except (pyarrow.ArrowException, OSError, ValueError):
        return None
    return written.getvalue()


__all__ = ["Look", "Paths", "look", "paths_in"]
