"""JSON Lines too large for memory, read a few megabytes at a time without cutting a record."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from core.errors import UnreadableFile
from core.import_issue import IssueLog
from core.strict_json import REPLACEMENT
from core.wording import several
from storage.readers.decoding import refuse_bomb

STREAMED_FROM = 64 << 20  # bytes of a file; smaller ones are read at once
STREAMED_FROM_PACKED = 8 << 20  # bytes of a gzip file
HEAD = 4 << 20  # bytes that are looked at to tell whether a file is JSON Lines
LARGEST_RECORD = 256 << 20  # bytes
CHUNK = 8 << 20
GZIP = b"\x1f\x8b"
_BREAK = b"\n{"


@dataclass(frozen=True)
class Chunk:
    """A piece of a file: whole records, and the line that the piece begins on."""

    text: str
    first_line: int


@dataclass(frozen=True)
class LargeLines:
    """A large file of JSON Lines on disk, and its beginning as text."""

    path: Path
    head: str

    @classmethod
    def find(cls, path: Path) -> LargeLines | None:
        """Return the file when it is large and every line at its beginning is a JSON object, else None."""
        head = beginning_of_large(path)
        try:
            text = head[: head.rfind(b"\n") + 1].decode("utf-8-sig")
        except UnicodeDecodeError:
            return None  # reading it at once tells what is wrong with it
        lines = [line for line in text.split("\n") if line.strip()][:50]
        return cls(path, text) if lines and all(map(_is_object, lines)) else None

    @property
    def is_packed(self) -> bool:
        """Return whether it is a gzip file."""
        return _is_gzip(self.path)

    def chunks(self, issues: IssueLog) -> Iterator[Chunk]:
        """Yield the whole file piece by piece.

        Raises:
            UnreadableFile: If a record is larger than memory should hold, or the file unpacks like a zip bomb.
        """
        line, rest = 1, b""
        for part in parts_of(self.path, issues):
            data = rest + part
            cut = data.rfind(_BREAK)
            if cut <= 0:
                rest = data
                refuse_large_record(len(rest), line)
                continue
            whole, rest = data[: cut + 1], data[cut + 1 :]
            yield _chunk(whole, line, issues)
            line += whole.count(b"\n")
        if rest.strip():
            yield _chunk(rest, line, issues)


def refuse_large_record(size: int, line: int) -> None:
    """Do nothing as long as the record that begins on a line is not larger than memory should hold.

    Raises:
        UnreadableFile: If it is.
    """
    if size > LARGEST_RECORD:
        raise UnreadableFile(f"The record on line {line} is larger than {LARGEST_RECORD >> 20} MB, as no debate is.")


def beginning_of_large(path: Path) -> bytes:
    """Return the first bytes of a large file, unpacked; none of one that is not large or cannot be unpacked.

    Such a file is read at once, which tells what is wrong with it.
    """
    if path.stat().st_size < (STREAMED_FROM_PACKED if _is_gzip(path) else STREAMED_FROM):
        return b""
    return beginning(path, HEAD)


def parts_of(path: Path, issues: IssueLog) -> Iterator[bytes]:
    """Yield a file's bytes a few megabytes at a time, unpacked where it is a gzip file; damage ends it and is noted.

    Raises:
        UnreadableFile: If the file unpacks like a zip bomb.
    """
    total, line, size = 0, 1, path.stat().st_size
    with opened(path) as file:
        while True:
            try:
                part = file.read(CHUNK)
            except (OSError, EOFError, zlib.error) as error:
                note_damage(error, issues, line)
                return
            if not part:
                return
            total += len(part)
            refuse_bomb(total, size)
            line += part.count(b"\n")
            yield part


def note_damage(error: Exception, issues: IssueLog, line: int) -> None:
    """Note that a file cannot be unpacked to its end."""
    issues.error("gzip_damaged", f"The file is damaged ({error}); what could be unpacked is read.", line)


def _chunk(data: bytes, line: int, issues: IssueLog) -> Chunk:
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("utf-8", "replace")
        count = text.count(REPLACEMENT)
        message = f"About {several(count, 'character')} near here that are not utf-8 became {REPLACEMENT}."
        issues.warning("undecodable", message, line)
    if "\x00" in text:
        message = (
            f"{several(text.count(chr(0)), 'NUL character')} near here became {REPLACEMENT}, as no database holds it."
        )
        issues.warning("nul_replaced", message, line)
        text = text.replace("\x00", REPLACEMENT)
    return Chunk(text.removeprefix("\ufeff") if line == 1 else text, line)


def _is_object(line: str) -> bool:
    if not line.startswith("{"):
        return False
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


@contextmanager
def opened(path: Path) -> Iterator[IO[bytes]]:
    """Open a file, unpacked where it is a gzip file."""
    packed = _is_gzip(path)
    with path.open("rb") as file:
        if packed:
            with gzip.GzipFile(fileobj=file) as unpacked:
                yield unpacked  # type: ignore[misc]  # it reads like any other file
        else:
            yield file


def _is_gzip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(GZIP)) == GZIP


def beginning(source: Path | bytes, most: int) -> bytes:
    """Return the first bytes of a file, unpacked where it is a gzip file; what cannot be unpacked is left out."""
    try:
        if isinstance(source, Path):
            with opened(source) as file:
                return file.read(most)
        if not source.startswith(GZIP):
            return source[:most]
        with gzip.GzipFile(fileobj=io.BytesIO(source)) as unpacked:
            return unpacked.read(most)
    except (OSError, EOFError, zlib.error):
        return b""


__all__ = [
    "Chunk", "LargeLines", "beginning", "beginning_of_large", "note_damage", "opened", "parts_of",
    "refuse_large_record",
]  # fmt: skip
