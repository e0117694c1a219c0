"""The reader of Moot's own format."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from core.import_issue import IssueLog
from core.native import FORMAT, debate_from_json
from storage.readers.json_debates import debates_of
from storage.readers.source import LineAndDebate, Recognised, Source


class NativeReader:
    """Knows ``moot-debate/1``."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this is the native format: a record says so, or has claim, rounds and arguments like one."""
        for record in source.sample:
            if not isinstance(record.value, dict):
                continue
            named = record.value.get("format")
            if isinstance(named, str) and named.startswith("moot-debate/"):
                return Recognised(FORMAT, f"A record names the format {named!r}.")
            if "claim" in record.value and any(map(_is_native_round, _list(record.value.get("rounds")))):
                return Recognised(FORMAT, "Records have a claim and rounds with arguments, as the native format has.")
        return None

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield the debates."""
        return debates_of(source, issues, lambda record, line: debate_from_json(record, issues, line))


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _is_native_round(entry: Any) -> bool:
    return isinstance(entry, dict) and isinstance(entry.get("arguments"), list)
