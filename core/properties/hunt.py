"""The state of a search for a violation: what was asked, what was found, what is the best of it."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from core.comparison.population import NONE
from core.errors import MootError
from core.judgement import DecisionRule
from core.opinion import OpinionProfile
from core.overview import Scored
from core.perturbations.judge_edit import AnyKind
from core.perturbations.profile_arrays import arrays_of
from core.properties.debate_set import DebateSet, Loaded, seed_of
from core.properties.judging import Asked
from core.properties.outcomes import Outcomes
from core.properties.property import Evidence, Property
from core.properties.trial import BASELINE, Trial

Asking = Generator[Trial, Scored | None, Scored | None]
Walk = Generator[Trial, Scored | None, None]


class Goal(StrEnum):
    """Which violation is wanted."""

    SMALLEST = "smallest"  # the one that needs the least change
    STRIKING = "most striking"  # the one that turns the verdict, or else moves the score furthest


class Spent(MootError):
    """A search that may ask no more."""


@dataclass(frozen=True)
class Find:
    """A violation.

    Attributes:
        trial: What shows it.
        before, after: What the judge said; the same for a property of single judgements.
        size: How much was changed: of base scores, the sum of the moves; of orders, how many agents are elsewhere; of a
            judge's settings, the shift; of repeats, their number.
    """

    trial: Trial
    before: Scored
    after: Scored
    size: float

    def rank(self, goal: Goal) -> tuple[float, ...]:
        """Return a key by which the better one of two comes first."""
        moved = abs((self.after.score or 0.0) - (self.before.score or 0.0))
        if goal is Goal.SMALLEST:
            return (round(self.size, 12), -moved)
        return (self.after.verdict is self.before.verdict, -round(moved, 12), self.size)


@dataclass
class Hunt:
    """A search for a violation of a property by one judge on one debate.

    Attributes:
        tested, judge: Of whom what is to be violated.
        debate: Id of the debate.
        loaded: Its profile, and how it was held.
        rule, tolerance: Of the judge.
        goal: Which violation is wanted.
        budget: How many different questions may be asked.
        step: The finest move of a base score that is tried.
        seed: Of everything that is drawn.
        asked: Answers by question.
        best: What was found so far.
    """

    tested: Property
    judge: AnyKind
    debate: str
    loaded: Loaded
    rule: DecisionRule
    tolerance: float
    goal: Goal
    budget: int
    step: float
    seed: int
    asked: dict[Trial, Scored | None] = field(default_factory=dict)
    best: Find | None = None

    def __post_init__(self) -> None:
        arrays = arrays_of([self.debate], [self.profile])
        self.chance = np.random.default_rng(seed_of(self.seed, 0, self.debate))
        self._alone = DebateSet((self.debate,), np.array([NONE], dtype=np.int8), arrays, lambda _: self.loaded)

    @property
    def profile(self) -> OpinionProfile:
        """Return the debate's own profile."""
        return self.loaded[0]

    def ask(self, trial: Trial) -> Asking:
        """Return the judge's answer; yields the question if it is a new one.

        Raises:
            Spent: If the budget leaves no room for it.
        """
        if trial not in self.asked:
            if len(self.asked) >= self.budget:
                raise Spent(f"All {self.budget} questions are asked.")
            self.asked[trial] = yield trial
        return self.asked[trial]

    def tries(self, trial: Trial, size: float) -> Generator[Trial, Scored | None, bool]:
        """Return whether a trial shows a violation; the best one is kept."""
        before = yield from self.ask(BASELINE)
        after = yield from self.ask(trial)
        if before is None or after is None or not self.violates(trial, before, after):
            return False
        single = not self.tested.needs_trials
        found = Find(trial, after if single else before, after, size)
        if self.best is None or found.rank(self.goal) < self.best.rank(self.goal):
            self.best = found
        return True

    def violates(self, trial: Trial, before: Scored, after: Scored) -> bool:
        """Return whether two answers violate the property, by the same definition as in a test of many debates."""
        if not self.tested.needs_trials:
            evidence = Evidence(self._alone, self.rule, self.tolerance, Outcomes.of([after]))
        else:
            asked = Asked(Outcomes.of([after]), np.ones(1, dtype=bool))
            evidence = Evidence(self._alone, self.rule, self.tolerance, Outcomes.of([before]), (trial,), (asked,))
        return bool(self.tested.examine(evidence).violated[0])
