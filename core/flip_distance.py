"""How far a verdict is from flipping: the least change of one argument's base score that gives another verdict."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from core.judges.semantics_judge import SemanticsJudge
from core.least.goal import flip_goals
from core.least.one_score import ScoreFlip, flips_of, free_names, ordered
from core.least.outcome import NO_LOCKS, Locks, OutcomeStatus, Question, Stop, never
from core.least.scorer import Scorer
from core.opinion import TOPIC, OpinionProfile


@dataclass(frozen=True)
class FlipDistance:
    """How far one verdict is from flipping.

    Attributes:
        status: LEAST or BEST with a distance, IMPOSSIBLE or NOT_FOUND without one.
        flip: The argument and what it takes of its base score.
    """

    status: OutcomeStatus
    flip: ScoreFlip | None = None

    @property
    def distance(self) -> float | None:
        """Return the size of the change, in [0, 1]; None where no single base score flips the verdict."""
        return None if self.flip is None or self.flip.change is None else abs(self.flip.change)


def flip_distance(
    judge: SemanticsJudge, profile: OpinionProfile, locks: Locks = NO_LOCKS, stop: Stop = never
) -> FlipDistance:
    """Return the least change of one argument's base score that gives any other verdict than the present one."""
    scorer = Scorer(judge, profile, stop)
    if np.isnan(scorer.score):
        return FlipDistance(OutcomeStatus.NOT_FOUND)
    found: list[ScoreFlip] = []
    for goal in flip_goals(judge.rule, judge.rule.verdict(scorer.score)):
        question = Question(judge, profile, goal, locks, stop)
        found += flips_of(question, scorer, [name for name in free_names(question, scorer) if name != TOPIC])
    unsure = any(flip.status in (OutcomeStatus.BEST, OutcomeStatus.NOT_FOUND) for flip in found)
    best = next((flip for flip in ordered(found) if flip.edit is not None), None)
    if best is None:
        return FlipDistance(OutcomeStatus.NOT_FOUND if unsure else OutcomeStatus.IMPOSSIBLE)
    return FlipDistance(OutcomeStatus.BEST if unsure else OutcomeStatus.LEAST, best)


__all__ = ["FlipDistance", "flip_distance"]
