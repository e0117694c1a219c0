"""What a contestation is meant to bring about: a score in an interval, so that a verdict and a strength are alike."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.judgement import DecisionRule, Verdict

FloatArray = NDArray[np.float64]
Mask = NDArray[np.bool_]

_RANK = {Verdict.FALSE: 0, Verdict.UNCERTAIN: 1, Verdict.TRUE: 2}


@dataclass(frozen=True)
class Goal:
    """The scores that are wanted, both ends included; none at all where low is above high.

    Attributes:
        low, high: Scores; exact to the last bit, the rounding to 12 decimals of ``DecisionRule`` included.
        words: The goal for a person, such as "the verdict True".
    """

    low: float = 0.0
    high: float = 1.0
    words: str = ""

    @property
    def empty(self) -> bool:
        """Return whether no score is wanted."""
        return self.low > self.high

    def reached(self, scores: FloatArray | float | None) -> Mask:
        """Return which scores are wanted; a missing one (None or NaN) never is."""
        values = np.asarray(np.nan if scores is None else scores, dtype=np.float64)
        return np.asarray((values >= self.low) & (values <= self.high))

    def within(self, low: FloatArray, high: FloatArray) -> Mask:
        """Return which intervals of scores hold a wanted one."""
        return np.asarray((high >= self.low) & (low <= self.high))


def verdict_goal(rule: DecisionRule, verdict: Verdict) -> Goal:
    """Return the scores that a rule turns into a verdict; empty where there are none."""
    names = {Verdict.TRUE: "True", Verdict.FALSE: "False", Verdict.UNCERTAIN: "Uncertain"}
    return _ranks(rule, _RANK[verdict], _RANK[verdict], f"the verdict {names[verdict]}")


def flip_goals(rule: DecisionRule, verdict: Verdict) -> tuple[Goal, ...]:
    """Return the scores that a rule turns into any other verdict: those below, those above, as far as there are any."""
    rank = _RANK[verdict]
    sides = _ranks(rule, 0, rank - 1, "another verdict"), _ranks(rule, rank + 1, 2, "another verdict")
    return tuple(goal for goal in sides if not goal.empty)


def at_least(strength: float) -> Goal:
    """Return the scores of at least a strength in [0, 1], compared after rounding to 12 decimals."""
    return _ranks(DecisionRule(strength), 2, 2, f"a score of at least {strength:g}")


def at_most(strength: float) -> Goal:
    """Return the scores of at most a strength in [0, 1], compared after rounding to 12 decimals."""
    return _ranks(DecisionRule(strength, strict=True), 0, 0, f"a score of at most {strength:g}")


def strength_goal(strength: float, score: float | None) -> Goal:
    """Return the scores from a wanted strength on, seen from the present score, so that nothing overshoots."""
    return at_most(strength) if score is not None and score > strength else at_least(strength)


def _ranks(rule: DecisionRule, lowest: int, highest: int, words: str) -> Goal:
    """Return the scores whose verdict has a rank between two ranks; verdicts rise with the score."""
    if lowest > highest:
        return Goal(1.0, 0.0, words)
    low = _first(lambda score: _RANK[rule.verdict(score)] >= lowest)
    beyond = _first(lambda score: _RANK[rule.verdict(score)] > highest)
    return Goal(low, 1.0 if beyond == math.inf else math.nextafter(beyond, -math.inf), words)


def _first(accepts: Callable[[float], bool]) -> float:
    """Return the least score in [0, 1] that a condition accepts, one that holds from some score on; or infinity."""
    if accepts(0.0):
        return 0.0
    if not accepts(1.0):
        return math.inf
    low, high = 0.0, 1.0
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (low, middle) if accepts(middle) else (middle, high)
    return high


__all__ = ["FloatArray", "Goal", "Mask", "at_least", "at_most", "flip_goals", "strength_goal", "verdict_goal"]
