"""An id of its own for each debate of a file."""

from __future__ import annotations

from collections.abc import Sequence

from core.import_issue import IssueLog, quoted
from core.record_reading import unused_name


class DebateIds:
    """Gives each debate an id that no debate before it had, and notes which are changed.

    Args:
        field: The field or column that holds ids, for the notes.
        issues: Are told.
    """

    def __init__(self, field: str, issues: IssueLog) -> None:
        self._field = field
        self._issues = issues
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}

    def take(self, wished: Sequence[str]) -> bool:
        """Take ids as they are if each is free and comes once, and return whether that is so; else take none."""
        if len(set(wished)) < len(wished) or not self._taken.isdisjoint(wished):
            return False
        self._taken.update(wished)
        return True

    def unique(self, wished: str, line: int) -> str:
        """Return the wished id where it is free, else another one, with a note."""
        name = wished
        if wished in self._taken:
            name = unused_name(wished, self._taken, self._numbers)
            message = f"The debate id {quoted(wished)} comes twice in this file; this debate is called {quoted(name)}."
            self._issues.warning("debate_id_repeated", message, line, self._field)
        self._taken.add(name)
        return name


__all__ = ["DebateIds"]
