"""The same question gives the same answer: asked again, and with the agents in another order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.comparison.population import NONE
from core.perturbations.agents import AgentOrder
from core.perturbations.judge_edit import AnyKind
from core.perturbations.perturbation import checked_number
from core.properties.property import REASONS, Evidence, Examination, LeftOut, Property
from core.properties.trial import Trial

MOST_REPEATS = 100


def alike(evidence: Evidence) -> Examination:
    """Return the debates on which not all judgements are the same.

    Scores are the same if the highest and the lowest differ by no more than the tolerance; verdicts, if all are equal.
    """
    before = evidence.before
    seen = [before.known, *(evidence.compared(place) for place in range(len(evidence.trials)))]
    scores = np.stack(
        [
            np.where(there, outcomes.scores, np.nan)
            for there, outcomes in zip(seen, (before, *(a.outcomes for a in evidence.asked)), strict=True)
        ]
    )
    verdicts = np.stack([before.verdicts, *(asked.outcomes.verdicts for asked in evidence.asked)])
    there = np.stack(seen)
    low = np.where(there, scores, np.inf)
    high = np.where(there, scores, -np.inf)
    tested = there[0] & there[1:].any(axis=0)
    spread = np.where(tested, high.max(axis=0) - np.where(np.isinf(low.min(axis=0)), 0.0, low.min(axis=0)), 0.0)
    other = there & (verdicts != verdicts[0])
    verdict_changed = tested & other.any(axis=0)
    first = np.where(verdict_changed, 0, low.argmin(axis=0))
    away = np.where(other, np.abs(np.nan_to_num(scores - scores[0])), -1.0)
    second = np.where(verdict_changed, away.argmax(axis=0), high.argmax(axis=0))
    reasons = np.where(tested, NONE, REASONS.index(LeftOut.NO_SCORE)).astype(np.int8)
    changed = np.stack([before.known, *(asked.changed for asked in evidence.asked)])[1:].any(axis=0)
    reasons[before.known & ~changed] = REASONS.index(LeftOut.UNCHANGED)
    return Examination(
        tested,
        tested & ((spread > evidence.tolerance) | verdict_changed),
        tested & ((spread > 0) | verdict_changed),
        reasons,
        first - 1,
        second - 1,
    )


@dataclass(frozen=True)
class Determinism(Property):
    """Asked the same again.

    Attributes:
        repeats: How often each debate is judged, 2 or more.
    """

    repeats: int = 3
    key: ClassVar[str] = "determinism"
    label: ClassVar[str] = "Determinism"
    definition: ClassVar[str] = "Asked the very same again, the judge gives the same score and verdict."

    def __post_init__(self) -> None:
        checked_number("The number of repeats", self.repeats, 2, MOST_REPEATS)

    @property
    def method(self) -> str:
        """Return how it is tested here."""
        return f"Every debate is judged {self.repeats} times; a debate on which the judgements differ is a violation."

    def trials(self, judge: AnyKind) -> tuple[Trial, ...]:
        """Return the repeats."""
        return tuple(Trial(repeat=number) for number in range(1, self.repeats))

    def examine(self, evidence: Evidence) -> Examination:
        """Return which debates violate it."""
        return alike(evidence)


@dataclass(frozen=True)
class PermutationIndependence(Property):
    """Asked about the agents in another order.

    Attributes:
        orders: How many orders are tried, the recorded one included, 2 or more: all orders of up to as many, else some
            drawn by the seed.
    """

    orders: int = 6
    key: ClassVar[str] = "permutation independence"
    label: ClassVar[str] = "Permutation independence"
    definition: ClassVar[str] = "The order in which the agents are listed changes neither score nor verdict."

    def __post_init__(self) -> None:
        checked_number("The number of orders", self.orders, 2)
        AgentOrder(1, self.orders)

    @property
    def method(self) -> str:
        """Return how it is tested here."""
        return (
            f"Every debate is judged in {self.orders} orders of its agents, or in all where there are fewer; a debate "
            "on which the judgements differ is a violation."
        )

    def trials(self, judge: AnyKind) -> tuple[Trial, ...]:
        """Return the orders other than the recorded one."""
        return tuple(Trial(AgentOrder(number, self.orders)) for number in range(1, self.orders))

    def examine(self, evidence: Evidence) -> Examination:
        """Return which debates violate it."""
        return alike(evidence)
