"""A list of JSON records too large for memory, read a few megabytes at a time without cutting a record."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from core.import_issue import IssueLog
from core.strict_json import REPLACEMENT
from storage.readers.json_outline import list_of_records
from storage.readers.json_pieces import ObjectScanner
from storage.readers.line_chunks import Chunk, LargeLines, beginning_of_large, parts_of, refuse_large_record
from storage.readers.source import WRAPPERS

_LIST_OF_OBJECTS = re.compile(r"\ufeff?\s*+\[\s*+\{")


@dataclass(frozen=True)
class LargeArray(LargeLines):
    """A large file on disk that holds one list of JSON objects; its pieces are read like those of JSON Lines.

    Attributes:
        key: Where the list stands in an object, "" where the file is the list.
        before: What stands before the list.
    """

    key: str = ""
    before: str = ""

    @classmethod
    def find(cls, path: Path) -> LargeArray | None:
        """Return the file when it is large and begins like a list of objects, the first of them whole, else None."""
        try:
            text = codecs.getincrementaldecoder("utf-8-sig")().decode(beginning_of_large(path))
        except UnicodeDecodeError:
            return None
        if _LIST_OF_OBJECTS.match(text):
            cut = _end_of_whole(text)
            return cls(path, text[:cut]) if cut else None
        found = list_of_records(text, WRAPPERS)
        if found is None or "claim" in found[2]:
            return None
        key, start, _ = found
        cut = _end_of_whole(text[start:], to_its_end=True)
        return cls(path, text[start : start + cut], key, text[:start]) if cut else None

    def chunks(self, issues: IssueLog) -> Iterator[Chunk]:
        """Yield the whole file piece by piece, objects only: the list's brackets and commas become blanks.

        Raises:
            UnreadableFile: If an object is larger than memory should hold, or the file unpacks like a zip bomb.
        """
        line, rest, begun = 1 + self.before.count("\n"), "", False
        scanner = ObjectScanner(to_its_end=bool(self.key))
        if self.key:
            message = (
                f"The file is one object; the records under {self.key!r} are read, and nothing that stands beside."
            )
            issues.info("list_unwrapped", message, line, self.key)
        to_skip = len(self.before)
        for text in self._texts(issues):
            rest += text[to_skip:]
            to_skip = max(0, to_skip - len(text))
            found = scanner.objects(rest)
            cut = found[-1][1] if found else 0
            if not cut and scanner.ended is None:
                refuse_large_record(len(rest), line)
                continue
            if cut:
                yield Chunk(_without_sign(rest[:cut], "," if begun else "["), line)
            line += rest.count("\n", 0, cut)
            rest, begun = rest[cut:], True
            if scanner.ended is not None:
                return
        end = rest.rstrip()
        if not end.endswith("]"):
            message = "The list that begins on this line is never closed; was the file cut off?"
            issues.warning("list_not_closed", message, 1)
        rest = _without_sign(end.removesuffix("]"), "," if begun else "[")
        if rest.strip():
            yield Chunk(rest, line)

    def _texts(self, issues: IssueLog) -> Iterator[str]:
        decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        replaced = 0
        for part in chain(parts_of(self.path, issues), [b""]):  # the last one for what is left of a cut character
            text = decoder.decode(part, final=not part).replace("\x00", REPLACEMENT)
            replaced += text.count(REPLACEMENT)
            if text:
                yield text
        if replaced:
            message = f"Characters that are not utf-8, or NUL, became {REPLACEMENT}: about {replaced:,}."
            issues.warning("undecodable", message)


def _end_of_whole(text: str, *, to_its_end: bool = False) -> int:
    """Return the place after the last whole object of the beginning of a list, 0 when there is none."""
    found = ObjectScanner(to_its_end=to_its_end).objects(text)
    return found[-1][1] if found else 0


def _without_sign(text: str, sign: str) -> str:
    """Return a piece with a blank in place of the sign that it begins with, so that lines stay where they are."""
    start = len(text) - len(text.lstrip("\ufeff \t\r\n"))
    return f"{text[:start]} {text[start + 1 :]}" if text.startswith(sign, start) else text


__all__ = ["LargeArray"]
