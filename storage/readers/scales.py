"""The scales of a file's score columns, decided from all their values and told to the person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from core.import_issue import IssueLog
from core.score_scale import ColumnOfScores
from core.score_text import Scale, bare_number
from core.wording import several


class Scales:
    """Takes in the scores of a file, column by column, then says what their bare numbers mean.

    Args:
        chosen: What a person said; it is not questioned.
    """

    def __init__(self, chosen: Mapping[str, Scale]) -> None:
        self._chosen = chosen
        self._values: dict[str, dict[Any, int]] = {}  # how often each value of a column comes: mostly few of them

    def add(self, column: str, value: object, times: int = 1) -> None:
        """Take in one score that comes so many times."""
        kind = type(value)
        if kind is float or kind is str or kind is int:
            values = self._values.get(column)
            if values is None:
                values = self._values[column] = {}
            values[value] = values.get(value, 0) + times

    def decide(self, issues: IssueLog) -> dict[str, Scale | None]:
        """Return each column's scale, None where only a person can tell; what is not obvious is noted."""
        decided: dict[str, Scale | None] = dict(self._chosen)
        for column, values in self._values.items():
            if column in self._chosen:
                continue
            seen = ColumnOfScores()
            for value, times in values.items():
                number = bare_number(value)
                if number is not None:
                    seen.add(number, times)
            decision = seen.decide()
            decided[column] = decision.scale
            choice = f"choose a scale for {column!r} ({', '.join(Scale)})"
            if decision.scale is None:
                issues.warning(
                    "score_scale_unknown",
                    f"The scale of {several(seen.count, 'number')} in {column!r} is unclear ({decision.why}); they are "
                    f"kept as missing until you {choice}.",
                    None,
                    column,
                )
            elif decision.scale is not Scale.UNIT or not decision.certain:
                issues.info(
                    "score_scale_assumed",
                    f"The numbers in {column!r} are read on the scale {decision.scale} ({decision.why}); "
                    f"{choice} if that is wrong.",
                    None,
                    column,
                )
        return decided
