"""What the readers of JSON records share: one broken record must not take the others with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from core.debate import Debate
from core.errors import UnreadableRecord
from core.import_issue import IssueLog
from storage.readers.source import LineAndDebate, Source


def debates_of(source: Source, issues: IssueLog, read: Callable[[Any, int], Debate]) -> Iterator[LineAndDebate]:
    """Yield each record's line and what ``read`` makes of the record; one that holds no debate is an error."""
    for record in source.records(issues):
        issues.locate = record.locate
        try:
            debate = read(record.value, record.line)
        except UnreadableRecord as error:
            field = "claim" if isinstance(record.value, dict) else None
            issues.error("record_unreadable", f"{error} The record is left out.", record.line, field)
            continue
        finally:
            issues.locate = None
        yield record.line, debate
