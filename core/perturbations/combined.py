"""Perturbations one after the other, and a person's own edits as a perturbation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.contestation import Edit, contest
from core.errors import InvalidEdit, InvalidSetting
from core.judges.many import ProfileArrays
from core.opinion import OpinionProfile, RelationKind
from core.perturbations.direction import Direction, together
from core.perturbations.perturbation import Perturbation, Perturbed

MOST_PARTS = 100


@dataclass(frozen=True)
class Composition(Perturbation):
    """Several perturbations, one after the other. It points one way where every part does.

    Attributes:
        parts: At least one.
    """

    parts: tuple[Perturbation, ...]
    kind: ClassVar[str] = "composition"
    random: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "parts", tuple(self.parts))
        if not 1 <= len(self.parts) <= MOST_PARTS or not all(isinstance(p, Perturbation) for p in self.parts):
            raise InvalidSetting(f"A composition consists of 1 to {MOST_PARTS} perturbations.")

    @property
    def direction(self) -> Direction:
        """Return which way it points."""
        return together([part.direction for part in self.parts])

    @property
    def label(self) -> str:
        """Return what it does."""
        return ", then ".join(part.label for part in self.parts)

    @property
    def moves(self) -> frozenset[RelationKind]:
        """Return what is moved."""
        return frozenset[RelationKind]().union(*(part.moves for part in self.parts))

    def edits(self, profile: OpinionProfile, seed: int = 0) -> tuple[Edit, ...] | None:
        """Return all parts' edits; None where a part has none."""
        found: list[Edit] = []
        for part in self.parts:
            edits = part.edits(profile, seed)
            if edits is None:
                return None
            found += edits
            profile = part.apply(profile, seed)
        return tuple(found)

    def renamed(self, profile: OpinionProfile, seed: int = 0) -> Mapping[str, str]:
        """Return the new ids of agents after all parts."""
        names = {s.agent_id: s.agent_id for s in profile.stances}
        for part in self.parts:
            new = part.renamed(profile, seed)
            names = {old: new.get(name, name) for old, name in names.items()}
            profile = part.apply(profile, seed)
        return {old: name for old, name in names.items() if old != name}

    def apply(self, profile: OpinionProfile, seed: int = 0) -> OpinionProfile:
        """Return the changed profile."""
        for part in self.parts:
            profile = part.apply(profile, seed)
        return profile

    def apply_many(self, arrays: ProfileArrays, seeds: Sequence[int]) -> Perturbed | None:
        """Return many changed profiles at once; changed means that any part changed them."""
        changed = np.zeros(len(arrays.debates), dtype=bool)
        for part in self.parts:
            done = part.apply_many(arrays, seeds)
            if done is None:
                return None
            arrays, changed = done.arrays, changed | done.changed
        return Perturbed(arrays, changed)

    def mirror(self) -> Perturbation:
        """Return the mirrored parts."""
        return Composition(tuple(part.mirror() for part in self.parts)) if self.direction.directed else super().mirror()


@dataclass(frozen=True)
class GivenEdits(Perturbation):
    """The edits of a contestation: made for one debate, so that others that lack its arguments cannot take them.

    Attributes:
        given: The edits, in order.
        toward: Which way they point, as whoever made them says.
    """

    given: tuple[Edit, ...]
    toward: Direction = Direction.NEITHER
    kind: ClassVar[str] = "edits"

    def __post_init__(self) -> None:
        try:
            edits = tuple(e if isinstance(e, Edit) else Edit.from_json(e) for e in self.given)
        except (InvalidEdit, TypeError) as error:
            raise InvalidSetting(f"These are no edits: {error}") from error
        object.__setattr__(self, "given", edits)
        object.__setattr__(self, "toward", Direction(self.toward))

    @property
    def direction(self) -> Direction:
        """Return which way they point."""
        return self.toward

    @property
    def label(self) -> str:
        """Return what they do."""
        return "1 edit" if len(self.given) == 1 else f"{len(self.given)} edits"

    def edits(self, profile: OpinionProfile, seed: int = 0) -> tuple[Edit, ...]:
        """Return the edits."""
        return self.given

    def apply(self, profile: OpinionProfile, seed: int = 0) -> OpinionProfile:
        """Return the changed profile.

        Raises:
            InvalidEdit: If an edit does not fit the profile.
        """
        return contest(profile, self.given).profile if self.given else profile
