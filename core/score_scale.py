"""Which scale a column of scores is on, decided from the whole column and never from one value.

Only bare numbers count: "85%" and "4 of 5" say themselves what they mean.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from core.score_text import Scale

MOSTLY = 0.9  # share of the values above 1 from which a column is not on the scale from 0 to 1
HIGHEST_RATING = 10  # up to here whole scales of ratings exist (1-5, 0-10), so that percent is only one reading


@dataclass(frozen=True)
class ScaleDecision:
    """A column's scale, or None where only a person can tell, and why."""

    scale: Scale | None
    why: str
    certain: bool = True  # False when a person should look at it


@dataclass
class ColumnOfScores:
    """What is worth remembering of a column's bare numbers, filled one by one.

    Attributes:
        count: How many there are.
        ones: How many are 1.
        above_one, above_hundred: How many are greater.
        between: How many lie strictly between 0 and 1.
        highest: The greatest.
    """

    count: int = 0
    ones: int = 0
    above_one: int = 0
    above_hundred: int = 0
    between: int = 0
    highest: float = -math.inf

    def add(self, number: float, times: int = 1) -> None:
        """Take in a bare number that comes so many times."""
        self.count += times
        if number > 1.0:
            self.above_one += times
            self.above_hundred += times if number > 100.0 else 0
        elif number == 1.0:
            self.ones += times
        elif number > 0.0:
            self.between += times
        self.highest = max(self.highest, number)

    def decide(self) -> ScaleDecision:
        """Return the column's scale.

        - Nothing above 1: 0-1. So a lone 1 among fractions, or a column of 0 and 1, is 1.0.
        - Numbers above 1 beside fractions: the fractions are the rule unless nine in ten values are above 1, so the
          numbers above 1 are out of range. (1.4 among 0.5, 0.67 and 0.48 is a slip, not a percentage.)
        - Nothing above 10: ratings from 1 to 5 or 0 to 10, or small percentages. Nothing in the file can tell, so
          the scores stay missing until a person says. The same when most values are 1.
        - Up to 100, with at most one slip in ten beyond: percent.
        - Otherwise nobody knows.
        """
        if self.above_one == 0:
            return ScaleDecision(Scale.UNIT, "no value is above 1")
        seen = f"{self.above_one} of {self.count} values are above 1, the highest is {self.highest:g}"
        if self.between and self.above_one < MOSTLY * self.count:
            return ScaleDecision(
                Scale.UNIT, f"{self.between} of {self.count} values lie between 0 and 1", certain=False
            )
        if self.highest <= HIGHEST_RATING:
            return ScaleDecision(None, f"{seen}: ratings (1-5, 0-10) or percentages (0-100)?", certain=False)
        if self.ones > self.above_one or self.above_hundred > (1 - MOSTLY) * self.count:
            return ScaleDecision(None, seen, certain=False)
        return ScaleDecision(Scale.PERCENT, seen, certain=not self.between and not self.above_hundred)


__all__ = ["ColumnOfScores", "ScaleDecision"]
