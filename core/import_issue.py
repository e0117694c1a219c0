"""What an importer could not take as it stood: always with a code, and where known with file, line and field."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

MOST_OF_A_KIND = 1000  # issues of one code that are listed one by one; the rest are counted
LONGEST_QUOTE = 60  # characters of a source's text in a message


class Severity(StrEnum):
    """How much an issue matters."""

    ERROR = "error"  # something was left out
    WARNING = "warning"  # something was taken otherwise than it stands in the file
    INFO = "info"  # a choice that a person may want to know of


@dataclass(frozen=True)
class ImportIssue:
    """One thing that a person should know about an imported file.

    Attributes:
        severity: How much it matters.
        code: A short name that stays the same between versions, for programs.
        message: What was found and what was done, for people. It may quote untrusted text.
        file: The file's base name; never a path of the machine.
        line: The line in the file, from 1, or the row of a Parquet file; None when it concerns the whole file.
        field: Where in the record, such as ``rounds[0].arguments[3].base_score``, or a column's name.
    """

    severity: Severity
    code: str
    message: str
    file: str = ""
    line: int | None = None
    field: str | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the issue as plain JSON values, without the file, which the report names once."""
        return {
            "severity": self.severity.value,
            "code": self.code,
            "line": self.line,
            "field": self.field,
            "message": self.message,
        }


class IssueLog:
    """Collects issues while a file is read. A flood of one kind is counted rather than kept.

    Attributes:
        locate: Set by a reader while it reads a record that spans lines: finds the line of a field.
    """

    def __init__(self, file: str = "", most_of_a_kind: int = MOST_OF_A_KIND) -> None:
        self.file = file
        self.locate: Callable[[str], int | None] | None = None
        self._most_of_a_kind = most_of_a_kind
        self._kept: list[ImportIssue] = []
        self._counts: Counter[tuple[Severity, str]] = Counter()

    def error(self, code: str, message: str, line: int | None = None, field: str | None = None) -> None:
        """Note that something had to be left out."""
        self.add(Severity.ERROR, code, message, line, field)

    def warning(self, code: str, message: str, line: int | None = None, field: str | None = None) -> None:
        """Note that something was taken otherwise than it stands in the file."""
        self.add(Severity.WARNING, code, message, line, field)

    def info(self, code: str, message: str, line: int | None = None, field: str | None = None) -> None:
        """Note a choice that a person may want to know of."""
        self.add(Severity.INFO, code, message, line, field)

    def add(
        self, severity: Severity, code: str, message: str, line: int | None = None, field: str | None = None
    ) -> None:
        """Note one issue."""
        self._counts[severity, code] += 1
        if self._counts[severity, code] > self._most_of_a_kind:
            return
        if self.locate is not None and field is not None:
            line = self.locate(field) or line
        self._kept.append(ImportIssue(severity, code, message, self.file, line, field))

    def merge(self, other: IssueLog) -> None:
        """Take in what another log noted, those only counted included."""
        for issue in other._kept:
            self.add(issue.severity, issue.code, issue.message, issue.line, issue.field)
        for kind, number in other._counts.items():
            self._counts[kind] += max(0, number - other._most_of_a_kind)

    def count(self, code: str) -> int:
        """Return how many issues of a code were noted, those only counted included."""
        return sum(number for (_, name), number in self._counts.items() if name == code)

    @property
    def issues(self) -> tuple[ImportIssue, ...]:
        """Return the issues in the order noted, then for each flooded kind one that gives its full number."""
        floods = [
            ImportIssue(
                severity,
                code,
                f"{number - self._most_of_a_kind} more issues of the kind {code!r} are not listed; "
                f"there are {number} in all.",
                self.file,
            )
            for (severity, code), number in self._counts.items()
            if number > self._most_of_a_kind
        ]
        return (*self._kept, *floods)


def quoted(value: object) -> str:
    """Return a source's value as it may be quoted in a message: one line, short, control characters escaped."""
    try:
        text = repr(value[: LONGEST_QUOTE + 1] if isinstance(value, str) else value)
    except (RecursionError, ValueError):  # nested too deep, or an integer with too many digits
        return f"a very large {type(value).__name__}"
    return text if len(text) <= LONGEST_QUOTE + 2 else text[:LONGEST_QUOTE] + "…"
