"""Base scores moved at random, by a given distance in all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import ClassVar

import numpy as np

from core.contestation import Edit, EditKind, contest
from core.errors import InvalidSetting
from core.judges.many import Floats, ProfileArrays
from core.opinion import OpinionProfile
from core.perturbations.direction import Direction
from core.perturbations.perturbation import Perturbation, Perturbed
from core.perturbations.profile_arrays import debates_with, differ

LARGEST = 1_000.0  # no debate has base scores that could be moved further


class Distance(StrEnum):
    """How far apart two profiles are, by the differences of their base scores."""

    L1 = "L1"  # their sum
    L2 = "L2"  # the root of the sum of their squares
    LINF = "Linf"  # the largest


@dataclass(frozen=True)
class Noise(Perturbation):
    """Move all base scores at random, so that the profile lands ``size`` away; less where 0 or 1 is in the way.

    The direction of the move is drawn from the surface of the distance's unit ball.

    Attributes:
        size: How far, 0 or more.
        distance: How that is measured.
    """

    size: float
    distance: Distance = Distance.LINF
    kind: ClassVar[str] = "noise"
    random: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "distance", Distance(self.distance))
        if isinstance(self.size, bool) or not isinstance(self.size, (int, float)) or not 0.0 <= self.size <= LARGEST:
            raise InvalidSetting(f"The size of the noise is {self.size!r}; it must be a number in [0, {LARGEST:g}].")
        object.__setattr__(self, "size", float(self.size))

    @property
    def direction(self) -> Direction:
        """Return NEITHER: some scores go up and others down."""
        return Direction.NEITHER

    @property
    def label(self) -> str:
        """Return what it does."""
        return f"noise of size {self.size:g} ({self.distance.value})"

    def moved(self, scores: Floats, seed: int) -> Floats:
        """Return known base scores, shape (n,), after the noise."""
        if not len(scores) or not self.size:
            return scores
        chance = np.random.default_rng(seed)
        match self.distance:
            case Distance.L1:
                way = chance.exponential(size=len(scores)) * chance.choice([-1.0, 1.0], size=len(scores))
                length = np.abs(way).sum()
            case Distance.L2:
                way = chance.standard_normal(len(scores))
                length = np.sqrt((way * way).sum())
            case Distance.LINF:
                way = chance.uniform(-1.0, 1.0, len(scores))
                length = np.abs(way).max()
        return np.clip(scores + way * (self.size / length), 0.0, 1.0) if length > 0 else scores

    def edits(self, profile: OpinionProfile, seed: int = 0) -> tuple[Edit, ...]:
        """Return one edit for each base score that moves."""
        scored = [(a.id, a.base_score) for a in profile.arguments if a.base_score is not None]
        after = self.moved(np.array([score for _, score in scored], dtype=np.float64), seed).tolist()
        return tuple(
            Edit(EditKind.SET_BASE_SCORE, name, before, value)
            for (name, before), value in zip(scored, after, strict=True)
            if value != before
        )

    def apply(self, profile: OpinionProfile, seed: int = 0) -> OpinionProfile:
        """Return the changed profile."""
        edits = self.edits(profile, seed)
        return contest(profile, edits).profile if edits else profile

    def apply_many(self, arrays: ProfileArrays, seeds: Sequence[int]) -> Perturbed:
        """Return many changed profiles at once."""
        scores = arrays.base_scores.copy()
        known = np.flatnonzero(~np.isnan(scores))
        bounds = np.searchsorted(known, arrays.argument_starts).tolist()
        for seed, (begin, end) in zip(seeds, pairwise(bounds), strict=True):
            places = known[begin:end]
            scores[places] = self.moved(scores[places], seed)
        changed = debates_with(arrays.argument_debates, differ(scores, arrays.base_scores), len(arrays.debates))
        return Perturbed(replace(arrays, base_scores=scores), changed)
