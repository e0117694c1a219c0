"""Delimited text too large for memory, read line by line as often as it is gone through."""

from __future__ import annotations

import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.errors import UnreadableFile
from core.import_issue import IssueLog
from core.strict_json import REPLACEMENT
from core.wording import several
from storage.readers.decoding import PARQUET, refuse_bomb
from storage.readers.line_chunks import beginning_of_large, note_damage, opened

LONGEST_LINE = 64 << 20  # characters; a cell that holds a whole debate is far shorter
_BOM = b"\xef\xbb\xbf"
_NO_TEXT = (PARQUET, b"PK", b"\xff\xfe", b"\xfe\xff")  # archives, and text in UTF-16, which is read at once


@dataclass(frozen=True)
class LargeTable:
    """A large file of delimited text on disk.

    Attributes:
        path: Where it lies.
        head: Its first bytes, whole lines.
        encoding: What it is read as.
    """

    path: Path
    head: bytes
    encoding: str

    @classmethod
    def find(cls, path: Path) -> LargeTable | None:
        """Return the file when it is large and may be delimited text, else None."""
        head = beginning_of_large(path)
        head = head[: head.rfind(b"\n") + 1]
        if not head or head.startswith(_NO_TEXT) or head.removeprefix(_BOM).lstrip()[:1] in (b"{", b"["):
            return None
        try:
            head.decode("utf-8")
            encoding = "utf-8-sig"
        except UnicodeDecodeError:
            encoding = "cp1252"
        return cls(path, head, encoding)

    def lines(self, issues: IssueLog) -> Iterator[str]:
        """Yield the lines with their ends, noting what could not be read as it stands.

        Raises:
            UnreadableFile: If a line is larger than memory should hold, or the file unpacks like a zip bomb.
        """
        size = self.path.stat().st_size
        count = total = replaced = 0
        with opened(self.path) as file:
            text = io.TextIOWrapper(file, self.encoding, "replace", newline="")
            try:
                while line := text.readline(LONGEST_LINE):
                    count += 1
                    total += len(line)
                    refuse_bomb(total, size)
                    if len(line) == LONGEST_LINE:
                        raise UnreadableFile(f"Line {count} is longer than {LONGEST_LINE >> 20} MB, as no row is.")
                    if "\x00" in line:
                        line = line.replace("\x00", REPLACEMENT)
                    if REPLACEMENT in line:
                        replaced += line.count(REPLACEMENT)
                    yield line
            except (OSError, EOFError, zlib.error) as error:
                note_damage(error, issues, count + 1)
            finally:
                text.detach()  # the file is closed by who opened it
        if replaced:
            name = "utf-8" if self.encoding.startswith("utf-8") else self.encoding
            count_of = several(replaced, "character that is", "characters that are")
            issues.warning("undecodable", f"{count_of} not {name}, or NUL, became {REPLACEMENT}.")


__all__ = ["LargeTable"]
