"""Pros, cons and stances moved by a fixed size."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import ClassVar

import numpy as np

from core.contestation import Edit, EditKind, contest
from core.judges.many import ProfileArrays
from core.opinion import OpinionProfile, RelationKind, Stance
from core.perturbations.direction import Direction, of_shift, together
from core.perturbations.perturbation import Perturbation, Perturbed, checked_size
from core.perturbations.profile_arrays import debates_with, differ, direct, shifted, shifted_where


@dataclass(frozen=True)
class ShiftScores(Perturbation):
    """Move the base scores of all pros and of all cons of the claim, each within [0, 1]; missing ones stay missing.

    Attributes:
        pros, cons: By how much, in [-1, 1]; up where positive.
    """

    pros: float = 0.0
    cons: float = 0.0
    kind: ClassVar[str] = "shift base scores"

    def __post_init__(self) -> None:
        object.__setattr__(self, "pros", checked_size("The shift of the pros", self.pros))
        object.__setattr__(self, "cons", checked_size("The shift of the cons", self.cons))

    @property
    def direction(self) -> Direction:
        """Return which way it points; NEITHER where pros and cons move alike."""
        parts = (of_shift(self.pros), of_shift(self.cons, for_the_claim=False))
        return together([part for part in parts if part is not None])

    @property
    def label(self) -> str:
        """Return what it does."""
        parts = [f"{name} {size:+g}" for name, size in (("pros", self.pros), ("cons", self.cons)) if size]
        return f"{' and '.join(parts) or 'no shift'}, within 0 and 1"

    @property
    def moves(self) -> frozenset[RelationKind]:
        """Return what is moved."""
        sizes = ((RelationKind.SUPPORT, self.pros), (RelationKind.ATTACK, self.cons))
        return frozenset(kind for kind, size in sizes if size)

    def edits(self, profile: OpinionProfile, seed: int = 0) -> tuple[Edit, ...]:
        """Return at most two edits."""
        sizes = ((EditKind.SHIFT_PROS, self.pros), (EditKind.SHIFT_CONS, self.cons))
        return tuple(Edit(kind, after=size) for kind, size in sizes if size)

    def apply(self, profile: OpinionProfile, seed: int = 0) -> OpinionProfile:
        """Return the changed profile."""
        changed = contest(profile, self.edits(profile)).profile
        return profile if changed.arguments == profile.arguments else changed

    def apply_many(self, arrays: ProfileArrays, seeds: Sequence[int]) -> Perturbed:
        """Return many changed profiles at once."""
        scores = arrays.base_scores
        for kind, size in ((RelationKind.SUPPORT, self.pros), (RelationKind.ATTACK, self.cons)):
            if size:
                scores = shifted_where(scores, direct(arrays, kind), size)
        changed = debates_with(arrays.argument_debates, differ(scores, arrays.base_scores), len(arrays.debates))
        return Perturbed(replace(arrays, base_scores=scores), changed)

    def mirror(self) -> Perturbation:
        """Return the shift the other way."""
        return ShiftScores(-self.pros, -self.cons) if self.direction.directed else super().mirror()


class StanceKind(StrEnum):
    """Which of the agents' stances."""

    PRIOR = "prior"
    POSTERIOR = "posterior"
    BOTH = "both"


@dataclass(frozen=True)
class ShiftStances(Perturbation):
    """Move all agents' stances, within [0, 1]; missing ones stay missing.

    Attributes:
        size: By how much, in [-1, 1]; up where positive.
        which: Which stances.
    """

    size: float
    which: StanceKind = StanceKind.BOTH
    kind: ClassVar[str] = "shift stances"

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", checked_size("The shift of the stances", self.size))
        object.__setattr__(self, "which", StanceKind(self.which))

    @property
    def direction(self) -> Direction:
        """Return which way it points."""
        return of_shift(self.size) or Direction.NEITHER

    @property
    def label(self) -> str:
        """Return what it does."""
        which = "" if self.which is StanceKind.BOTH else f"{self.which.value} "
        return f"{which}stances {self.size:+g}, within 0 and 1"

    def apply(self, profile: OpinionProfile, seed: int = 0) -> OpinionProfile:
        """Return the changed profile."""
        moved = tuple(
            Stance(s.agent_id, self._moved(s.prior, StanceKind.PRIOR), self._moved(s.posterior, StanceKind.POSTERIOR))
            for s in profile.stances
        )
        return profile if moved == profile.stances else replace(profile, stances=moved)

    def apply_many(self, arrays: ProfileArrays, seeds: Sequence[int]) -> Perturbed:
        """Return many changed profiles at once."""
        everywhere = np.ones(len(arrays.priors), dtype=bool)
        priors, posteriors = arrays.priors, arrays.posteriors
        if self.which is not StanceKind.POSTERIOR:
            priors = shifted_where(priors, everywhere, self.size)
        if self.which is not StanceKind.PRIOR:
            posteriors = shifted_where(posteriors, everywhere, self.size)
        moved = differ(priors, arrays.priors) | differ(posteriors, arrays.posteriors)
        changed = debates_with(arrays.stance_debates, moved, len(arrays.debates))
        return Perturbed(replace(arrays, priors=priors, posteriors=posteriors), changed)

    def mirror(self) -> Perturbation:
        """Return the shift the other way."""
        return ShiftStances(-self.size, self.which) if self.direction.directed else super().mirror()

    def _moved(self, value: float | None, kind: StanceKind) -> float | None:
        if value is None or self.which not in (kind, StanceKind.BOTH):
            return value
        return shifted(value, self.size)
