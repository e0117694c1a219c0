"""A file as the readers see it: its text, its JSON records or its table, each made when first asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any, Protocol

from core.debate import Debate
from core.import_issue import IssueLog
from core.wording import several
from storage.readers.decoding import PARQUET, decoded
from storage.readers.large_table import LargeTable
from storage.readers.line_chunks import LargeLines
from storage.readers.members import Members
from storage.readers.path_mapping import PathMapping
from storage.readers.table_mapping import TableMapping
from storage.readers.tolerant_json import JsonRecord, json_records

SAMPLE = 50  # records that are looked at to recognise a format
PATIENCE = 2000  # lines of prose before the first record
WRAPPERS = ("debates", "records", "data", "rows", "items", "results", "samples")


@dataclass(frozen=True)
class Recognised:
    """That a reader knows a file.

    Attributes:
        format: The format's name.
        why: In words, what it was recognised by.
        mapping: For tables, which column means what.
        columns: For tables, the names of all columns, for a person to choose from.
    """

    format: str
    why: str
    mapping: TableMapping | None = None
    columns: tuple[str, ...] = ()


LineAndDebate = tuple[int, Debate]


class Reader(Protocol):
    """Knows one format. A new format is one such object in one module, and one line in the list of readers."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this reader knows the file, or None; by its content and never by its name."""
        ...

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield the file's debates in its order, each with the line it begins on, noting what a person should know of.

        Ids may repeat between debates; whoever collects them makes them unique.
        """
        ...


class Source:
    """One file's content.

    Attributes:
        name: The file's base name.
        data: Its bytes, unpacked.
        mapping: What the person said of its columns and scales, if anything.
        paths: Which path of its records means what, if the person said so.
        members: The files in it, when it is a folder or an archive; then it has no content of its own.
        lines: The file, when it holds JSON Lines too large to be read at once; then ``data`` and ``text`` are only its
            beginning, and ``records`` and ``values`` go through the whole.
        large: The file, when it is delimited text too large to be read at once; then ``data`` and ``text`` are only its
            beginning, and a table's rows go through the whole.
    """

    def __init__(
        self,
        name: str,
        data: bytes,
        mapping: TableMapping | PathMapping | None = None,
        members: Members | None = None,
        lines: LargeLines | None = None,
        large: LargeTable | None = None,
    ) -> None:
        self.paths = mapping if isinstance(mapping, PathMapping) else None
        self.members = members
        self.lines = lines
        self.large = large
        self.name = name
        self.data = data
        self.mapping = mapping if isinstance(mapping, TableMapping) else None
        self._decoding_issues = IssueLog(name)

    @property
    def is_parquet(self) -> bool:
        """Return whether the file is a Parquet file."""
        return self.data.startswith(PARQUET)

    @cached_property
    def text(self) -> str:
        """Return the file's text, empty for a Parquet file."""
        if self.is_parquet:
            return ""
        encoding = "" if self.mapping is None else self.mapping.encoding
        return decoded(self.data, self._decoding_issues, encoding).text

    @property
    def decoding_issues(self) -> IssueLog:
        """Return what was noted while the text was decoded."""
        return self._decoding_issues

    @property
    def looks_like_json(self) -> bool:
        """Return whether the text begins like JSON, or a fence with JSON in it."""
        return self.text[:1000].lstrip("\ufeff\x1e \t\r\n").startswith(("{", "[", "```"))

    @cached_property
    def first_lines(self) -> list[str]:
        """Return the first lines of the text, as far as they are needed to recognise a format."""
        return self.text[:20_000].splitlines()[:200]

    @cached_property
    def head(self) -> list[JsonRecord]:
        """Return the first JSON values as they stand in the file."""
        return list(islice(json_records(self.text, IssueLog(self.name), PATIENCE), SAMPLE))

    @cached_property
    def sample(self) -> list[JsonRecord]:
        """Return the first JSON records, those in a list under a single object included."""
        return list(islice(self._wrapped(iter(self.head), IssueLog(self.name)), SAMPLE))

    def values(self, issues: IssueLog) -> Iterator[JsonRecord]:
        """Yield all JSON values as they stand in the file."""
        if self.lines is None:
            yield from json_records(self.text, issues)
            return
        for chunk in self.lines.chunks(issues):
            yield from json_records(chunk.text, issues, first_line=chunk.first_line)

    def records(self, issues: IssueLog) -> Iterator[JsonRecord]:
        """Yield all JSON records, those in a list under a single object included."""
        return self._wrapped(self.values(issues), issues)

    def _wrapped(self, records: Iterator[JsonRecord], issues: IssueLog) -> Iterator[JsonRecord]:
        first = next(records, None)
        if first is None:
            return
        second = next(records, None)
        key = _wrapper(first.value) if second is None else None
        if key is None:
            yield first
            if second is not None:
                yield second
                yield from records
            return
        others = [name for name in first.value if name != key]
        ignored = f" Beside it stand {', '.join(map(repr, others[:10]))}, which are not read." if others else ""
        issues.info(
            "list_unwrapped",
            f"The file is one object; the {several(len(first.value[key]), 'record')} under {key!r} are read.{ignored}",
            first.line,
            key,
        )
        for index, value in enumerate(first.value[key]):
            yield _entry(first, key, index, value)


def _wrapper(value: Any) -> str | None:
    if not isinstance(value, dict) or "claim" in value:
        return None
    keys = [key for key in WRAPPERS if isinstance(value.get(key), list) and value[key]]
    return keys[0] if len(keys) == 1 and all(isinstance(entry, dict) for entry in value[keys[0]]) else None


def _entry(outer: JsonRecord, key: str, index: int, value: Any) -> JsonRecord:
    prefix = f"{key}[{index}]"
    locate = outer.locate
    if locate is None:
        return JsonRecord(value, outer.line)
    return JsonRecord(value, locate(prefix) or outer.line, lambda path: locate(f"{prefix}.{path}"))


__all__ = ["LineAndDebate", "Reader", "Recognised", "Source"]
