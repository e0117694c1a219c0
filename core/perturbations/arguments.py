"""Arguments added and removed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import pairwise
from typing import ClassVar

import numpy as np

from core.contestation import LONGEST_TEXT, Edit, EditKind, contest
from core.errors import InvalidSetting
from core.judges.many import NOBODY, TOPIC_PLACE, ProfileArrays
from core.opinion import TOPIC, OpinionProfile, RelationKind
from core.perturbations.direction import Direction
from core.perturbations.perturbation import Perturbation, Perturbed, checked_size
from core.perturbations.profile_arrays import direct, direct_arguments, reindexed, sorted_by_debate

WORDS = {RelationKind.SUPPORT: "pro", RelationKind.ATTACK: "con"}


@dataclass(frozen=True)
class AddArgument(Perturbation):
    """Add a pro or con of the claim that nobody in particular puts forward, so that every agent's opinion has it.

    Attributes:
        relation: A pro (support) or a con (attack).
        base_score: In [0, 1].
        text: What it says; judges that read texts will read this one.
    """

    relation: RelationKind = RelationKind.SUPPORT
    base_score: float = 0.5
    text: str = "There is further evidence."
    kind: ClassVar[str] = "add argument"

    def __post_init__(self) -> None:
        object.__setattr__(self, "relation", RelationKind(self.relation))
        object.__setattr__(self, "base_score", checked_size("The base score", self.base_score, 0.0))
        if not isinstance(self.text, str) or not self.text.strip() or len(self.text) > LONGEST_TEXT:
            raise InvalidSetting(f"An added argument needs a text of at most {LONGEST_TEXT:,} characters.")

    @property
    def direction(self) -> Direction:
        """Return which way it points."""
        pro = self.relation is RelationKind.SUPPORT
        return Direction.MORE_SUPPORTIVE if pro else Direction.LESS_SUPPORTIVE

    @property
    def label(self) -> str:
        """Return what it does."""
        return f"one {WORDS[self.relation]} of base score {self.base_score:g} more"

    def edits(self, profile: OpinionProfile, seed: int = 0) -> tuple[Edit, ...]:
        """Return one edit."""
        number = next(n for n in range(len(profile.arguments) + 1) if f"added-{n}" not in profile.by_id)
        name = f"added-{number}"
        return (Edit(EditKind.ADD_ARGUMENT, name, after=self.base_score, text=self.text, relation=self.relation),)

    def apply(self, profile: OpinionProfile, seed: int = 0) -> OpinionProfile:
        """Return the changed profile."""
        return contest(profile, self.edits(profile)).profile

    def apply_many(self, arrays: ProfileArrays, seeds: Sequence[int]) -> Perturbed:
        """Return many changed profiles at once."""
        count, old = len(arrays.debates), len(arrays.base_scores)
        debates = np.arange(count)
        supports = np.full(count, self.relation is RelationKind.SUPPORT)
        joined = replace(
            arrays,
            argument_debates=np.concatenate([arrays.argument_debates, debates]),
            authors=np.concatenate([arrays.authors, np.full(count, NOBODY)]),
            base_scores=np.concatenate([arrays.base_scores, np.full(count, self.base_score)]),
            failures=np.concatenate([arrays.failures, np.zeros(count, dtype=bool)]),
            relation_debates=np.concatenate([arrays.relation_debates, debates]),
            sources=np.concatenate([arrays.sources, old + debates]),
            targets=np.concatenate([arrays.targets, np.full(count, TOPIC_PLACE)]),
            supports=np.concatenate([arrays.supports, supports]),
        )
        return Perturbed(sorted_by_debate(joined), np.ones(count, dtype=bool))

    def mirror(self) -> Perturbation:
        """Return the like argument for the other side."""
        return replace(self, relation=self.relation.opposite)


class Choice(StrEnum):
    """Which argument of several; the first of equal ones, and one without a base score only where none has one."""

    STRONGEST = "strongest"
    WEAKEST = "weakest"
    RANDOM = "random"


@dataclass(frozen=True)
class RemoveArgument(Perturbation):
    """Remove one pro or con of the claim; failure messages do not count.

    Attributes:
        relation: A pro (support) or a con (attack).
        choice: Which one, by base score, or drawn by the seed.
    """

    relation: RelationKind = RelationKind.ATTACK
    choice: Choice = Choice.STRONGEST
    kind: ClassVar[str] = "remove argument"
    random: ClassVar[bool] = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "relation", RelationKind(self.relation))
        object.__setattr__(self, "choice", Choice(self.choice))

    @property
    def direction(self) -> Direction:
        """Return which way it points."""
        con = self.relation is RelationKind.ATTACK
        return Direction.MORE_SUPPORTIVE if con else Direction.LESS_SUPPORTIVE

    @property
    def label(self) -> str:
        """Return what it does."""
        return f"without the {self.choice.value} {WORDS[self.relation]}".replace("the random", "a random")

    @property
    def moves(self) -> frozenset[RelationKind]:
        """Return what is moved."""
        return frozenset({self.relation})

    def edits(self, profile: OpinionProfile, seed: int = 0) -> tuple[Edit, ...]:
        """Return one edit, or none where there is nothing to remove."""
        names = [n for n in direct_arguments(profile, self.relation) if not profile.by_id[n].is_error_text]
        if not names:
            return ()
        scores = [profile.by_id[name].base_score for name in names]
        name = names[self._chosen([np.nan if s is None else s for s in scores], seed)]
        score = profile.by_id[name].base_score
        return (Edit(EditKind.REMOVE_ARGUMENT, name, before=score, target=TOPIC, relation=self.relation),)

    def apply(self, profile: OpinionProfile, seed: int = 0) -> OpinionProfile:
        """Return the changed profile."""
        edits = self.edits(profile, seed)
        return contest(profile, edits).profile if edits else profile

    def apply_many(self, arrays: ProfileArrays, seeds: Sequence[int]) -> Perturbed:
        """Return many changed profiles at once."""
        candidates = np.flatnonzero(direct(arrays, self.relation) & ~arrays.failures)
        bounds = np.searchsorted(candidates, arrays.argument_starts)
        some = np.diff(bounds) > 0
        keep = np.ones(len(arrays.base_scores), dtype=bool)
        if self.choice is Choice.RANDOM:
            listed = candidates.tolist()
            for seed, (begin, end) in zip(seeds, pairwise(bounds.tolist()), strict=True):
                if end > begin:
                    keep[listed[begin + self._drawn(end - begin, seed)]] = False
        else:
            keys = self._keys(arrays.base_scores[candidates])
            order = np.lexsort((keys, arrays.argument_debates[candidates]))
            keep[candidates[order[bounds[:-1][some]]]] = False
        return Perturbed(reindexed(arrays, arguments=np.flatnonzero(keep)), some)

    def mirror(self) -> Perturbation:
        """Return the removal from the other side."""
        return replace(self, relation=self.relation.opposite)

    def _chosen(self, scores: list[float], seed: int) -> int:
        if self.choice is Choice.RANDOM:
            return self._drawn(len(scores), seed)
        return int(np.argmin(self._keys(np.array(scores))))

    def _keys(self, scores: np.ndarray) -> np.ndarray:
        """Return what is least for the argument to remove."""
        return np.where(np.isnan(scores), 2.0, -scores if self.choice is Choice.STRONGEST else scores)

    def _drawn(self, count: int, seed: int) -> int:
        return int(np.random.default_rng(seed).integers(count))
