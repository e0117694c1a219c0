"""The debates that judges are tried on: as arrays for judges that can take many at once, one by one for others."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from core.comparison.population import NONE, Codes
from core.debate import Debate, profile
from core.judges.many import ProfileArrays
from core.llm.circumstances import Circumstances
from core.opinion import OpinionProfile
from core.perturbations.perturbation import Perturbation, Perturbed
from core.perturbations.profile_arrays import arrays_of

REMEMBERED = 8  # perturbations of all debates that are kept for the next judge

Loaded = tuple[OpinionProfile, Circumstances]


@dataclass(frozen=True, eq=False)
class DebateSet:
    """D debates.

    Attributes:
        ids: Theirs, D of them.
        labels: TRUE, FALSE or NONE, shape (D,); judges never see them.
        arrays: Their profiles, in that order.
        load: Returns one of them by its place: the profile, and how the debate was held.
    """

    ids: tuple[str, ...]
    labels: Codes
    arrays: ProfileArrays
    load: Callable[[int], Loaded]
    _perturbed: dict[tuple[Perturbation, int, int], Perturbed] = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, debates: Sequence[Debate], round_number: int | None = None) -> DebateSet:
        """Return debates as they stand in their last round, or in the one given.

        Raises:
            InvalidGraph: If a debate has no such round.
        """
        profiles = [profile(debate, round_number) for debate in debates]
        ids = tuple(debate.id for debate in debates)

        def load(place: int) -> Loaded:
            return profiles[place], Circumstances.of(debates[place], round_number)

        return cls(ids, label_codes(debate.label for debate in debates), arrays_of(ids, profiles), load)

    @classmethod
    def from_arrays(
        cls, arrays: ProfileArrays, labels: Mapping[str, bool | None], read: Callable[[str], Loaded]
    ) -> DebateSet:
        """Return debates whose profiles are there as arrays.

        Args:
            arrays: The profiles.
            labels: By debate id; one that is not named has none.
            read: Returns a debate's profile, and how it was held, by its id.
        """
        ids = tuple(arrays.debates)
        return cls(ids, label_codes(labels.get(name) for name in ids), arrays, lambda place: read(ids[place]))

    def __len__(self) -> int:
        return len(self.ids)

    def only(self, places: Sequence[int]) -> DebateSet:
        """Return some of the debates, by their places."""
        ids = tuple(self.ids[place] for place in places)
        loaded = [self.load(place) for place in places]
        return DebateSet(ids, self.labels[list(places)], arrays_of(ids, [one for one, _ in loaded]), loaded.__getitem__)

    def perturbed(self, perturbation: Perturbation, seed: int, sample: int = 0) -> Perturbed | None:
        """Return all profiles after a perturbation; None where this can only be done one by one."""
        key = (perturbation, seed, sample)
        kept = self._perturbed.get(key)  # several threads may hold the same set, so each step stands by itself
        if kept is not None:
            return kept
        seeds = [seed_of(seed, sample, name) for name in self.ids] if perturbation.random else [0] * len(self.ids)
        done = perturbation.apply_many(self.arrays, seeds)
        if done is not None:
            for oldest in list(self._perturbed)[: 1 - REMEMBERED]:
                self._perturbed.pop(oldest, None)
            self._perturbed[key] = done
        return done


def seed_of(seed: int, sample: int, debate_id: str) -> int:
    """Return the seed of one debate: the same whatever other debates there are."""
    text = f"{seed}\0{sample}\0{debate_id}".encode("utf-8", "replace")
    return int.from_bytes(hashlib.sha256(text).digest()[:4], "big")


def label_codes(labels: Iterable[bool | None]) -> Codes:
    """Return labels as codes."""
    return np.array([NONE if label is None else int(label) for label in labels], dtype=np.int8)


__all__ = ["DebateSet", "Loaded", "label_codes", "seed_of"]
