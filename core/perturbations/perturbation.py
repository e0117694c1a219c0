"""What a perturbation of a profile is: a frozen value that says which way it points and can be replayed."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, ClassVar

from core.contestation import Edit
from core.errors import InvalidSetting
from core.judges.many import Mask, ProfileArrays
from core.opinion import OpinionProfile, RelationKind
from core.perturbations.direction import Direction


@dataclass(frozen=True, eq=False)
class Perturbed:
    """Many profiles after a perturbation, and which of them it changed, shape (D,)."""

    arrays: ProfileArrays
    changed: Mask


@dataclass(frozen=True)
class Perturbation(ABC):
    """A change of a profile. Where chance plays a part, a seed decides, so that every case can be replayed."""

    kind: ClassVar[str]
    random: ClassVar[bool] = False  # whether the seed matters

    @property
    @abstractmethod
    def direction(self) -> Direction:
        """Return which way it points."""

    @property
    @abstractmethod
    def label(self) -> str:
        """Return what it does, in a few words."""

    @property
    def moves(self) -> frozenset[RelationKind]:
        """Return whether it moves pros or cons that are there: then its direction hangs on their polarity."""
        return frozenset()

    @abstractmethod
    def apply(self, profile: OpinionProfile, seed: int = 0) -> OpinionProfile:
        """Return the changed profile; the very same one where there is nothing to change."""

    def apply_many(self, arrays: ProfileArrays, seeds: Sequence[int]) -> Perturbed | None:
        """Return many changed profiles at once; None where this can only be done profile by profile.

        Args:
            arrays: D profiles.
            seeds: One for each.
        """
        return None

    def edits(self, profile: OpinionProfile, seed: int = 0) -> tuple[Edit, ...] | None:
        """Return the edits of a contestation that do the same; None where there are none."""
        return None

    def renamed(self, profile: OpinionProfile, seed: int = 0) -> Mapping[str, str]:
        """Return the new ids of agents that are called otherwise afterwards."""
        return {}

    def mirror(self) -> Perturbation:
        """Return the like perturbation in the opposite direction.

        Raises:
            InvalidSetting: If it points no way.
        """
        raise InvalidSetting(f"A perturbation that points no way has no mirror: {self.label}.")

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values; ``perturbation_of`` reads them."""
        return {"kind": self.kind} | {field.name: plain(getattr(self, field.name)) for field in fields(self)}


def plain(value: Any) -> Any:
    """Return a field's value as a plain JSON value."""
    if isinstance(value, Perturbation | Edit):
        return value.to_json()
    if isinstance(value, StrEnum):
        return value.value
    if isinstance(value, tuple):
        return [plain(entry) for entry in value]
    return value


def checked_size(what: str, value: object, least: float = -1.0) -> float:
    """Return a size as a float in [least, 1].

    Raises:
        InvalidSetting: If it is none.
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= 1.0:
        raise InvalidSetting(f"{what} is {value!r}; it must be a number in [{least:g}, 1].")
    return float(value) + 0.0


def checked_number(what: str, value: object, least: int = 0, most: int | None = None) -> int:
    """Return a whole number in [least, most].

    Raises:
        InvalidSetting: If it is none.
    """
    if isinstance(value, bool) or not isinstance(value, int) or value < least or value > (most or value):
        top = "" if most is None else f" and at most {most}"
        raise InvalidSetting(f"{what} is {value!r}; it must be a whole number of at least {least}{top}.")
    return value
