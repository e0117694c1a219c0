"""More support never lowers the score."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.comparison.population import Mask
from core.errors import InvalidSetting
from core.opinion import RelationKind
from core.perturbations.combined import GivenEdits
from core.perturbations.direction import Direction
from core.perturbations.judge_edit import AnyKind
from core.perturbations.perturbation import Perturbation
from core.perturbations.profile_arrays import unclear
from core.properties.property import Evidence, Examination, Property, examined
from core.properties.robustness import STRONGER_PROS, perturbations
from core.properties.trial import Trial
from core.supportiveness import direction


@dataclass(frozen=True)
class Contestability(Property):
    """Asked about a profile that is more supportive, or less.

    Attributes:
        perturbations: What is changed, each by itself; each points one way.
        mirrored: Whether the mirror of each is tried too.
    """

    perturbations: tuple[Perturbation, ...] = (STRONGER_PROS,)
    mirrored: bool = False
    key: ClassVar[str] = "contestability"
    label: ClassVar[str] = "Contestability"
    definition: ClassVar[str] = "A profile that supports the claim more never gets a lower score."

    def __post_init__(self) -> None:
        object.__setattr__(self, "perturbations", perturbations(self.perturbations))
        for one in self.perturbations:
            if not one.direction.directed:
                raise InvalidSetting(
                    f"Contestability needs changes that point one way; this one does not: {one.label}."
                )
        if not isinstance(self.mirrored, bool):
            raise InvalidSetting(f"Whether mirrors are tried is {self.mirrored!r}; it must be true or false.")

    @property
    def method(self) -> str:
        """Return how it is tested here."""
        listed = "; ".join(one.label for one in self._all)
        return f"Every debate is judged again with: {listed}. A score that moves against the change is a violation."

    @property
    def _all(self) -> tuple[Perturbation, ...]:
        return (*self.perturbations, *(one.mirror() for one in self.perturbations if self.mirrored))

    def trials(self, judge: AnyKind) -> tuple[Trial, ...]:
        """Return each perturbation."""
        return tuple(Trial(one) for one in self._all)

    def examine(self, evidence: Evidence) -> Examination:
        """Return which debates violate it."""
        against = [
            _sign(trial.profile) * (evidence.before.scores - asked.outcomes.scores)
            for trial, asked in zip(evidence.trials, evidence.asked, strict=True)
        ]
        moved = frozenset[RelationKind]().union(*(t.profile.moves for t in evidence.trials if t.profile is not None))
        barred = unclear(evidence.debates.arrays, moved)
        for place, trial in enumerate(evidence.trials):
            if isinstance(trial.profile, GivenEdits):
                barred |= _elsewhere(trial.profile, evidence, place)
        return examined(
            evidence,
            [np.asarray(lost > evidence.tolerance) for lost in against],
            [np.asarray(lost > 0) for lost in against],
            [np.nan_to_num(lost) for lost in against],
            barred,
        )


def _elsewhere(edits: GivenEdits, evidence: Evidence, place: int) -> Mask:
    """Return the debates in which a person's edits do not point the way that they are said to, shape (D,)."""
    found = np.zeros(len(evidence.debates), dtype=bool)
    for debate in np.flatnonzero(evidence.compared(place)).tolist():
        profile = evidence.debates.load(debate)[0]
        found[debate] = direction(profile, edits.apply(profile)) not in (edits.toward, None)
    return found


def _sign(perturbation: Perturbation | None) -> float:
    return -1.0 if perturbation is not None and perturbation.direction is Direction.LESS_SUPPORTIVE else 1.0
