"""Contributions as values: the numbers, the definition they follow, how they were found, and what could not be said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.contributions.definition import Definition


@dataclass(frozen=True)
class Contributions:
    """What each player adds to the score.

    Attributes:
        definition: What "adds" means.
        amounts: Positive for what speaks for the claim, by player: an argument's id, or the name of a group. Empty
            where the profile itself has no score; a player is absent where there is no such number for it.
        method: How they were found, in words.
        notes: What is missing and why, in sentences.
    """

    definition: Definition
    amounts: Mapping[str, float]
    method: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Slope:
    """How fast the score moves with one base score, downwards and upwards from where it is.

    Attributes:
        left: The score's change for each unit of base score when that is lowered a little: positive where a lower
            base score gives a lower score. None where it cannot be lowered, at 0, or where there is no slope.
        right: The same when it is raised a little; None at 1.
    """

    left: float | None
    right: float | None

    @property
    def kinked(self) -> bool:
        """Return whether the two differ: then there is no one number."""
        return self.left is not None and self.right is not None and self.left != self.right

    @property
    def value(self) -> float | None:
        """Return the one number, where both sides agree or there is only one; otherwise None."""
        return None if self.kinked else self.right if self.left is None else self.left


@dataclass(frozen=True)
class GradientContributions(Contributions):
    """Slopes of the score; ``amounts`` holds them where both sides agree or there is only one.

    Attributes:
        slopes: By argument id.
        topic: The slope over the topic's own base score; over all of them at once where each agent's topic has one.
    """

    slopes: Mapping[str, Slope] = field(default_factory=dict)
    topic: Slope | None = None


@dataclass(frozen=True)
class ShapleyContributions(Contributions):
    """Shapley values: ``amounts`` sum up to ``score`` minus ``start``.

    Attributes:
        score: With every player, in [0, 1]; None without a result.
        start: Without any player.
        standard_errors: Of sampled amounts, by player; empty where the amounts are exact.
        orders: How many orders were sampled; 0 where the amounts are exact.
    """

    score: float | None = None
    start: float | None = None
    standard_errors: Mapping[str, float] = field(default_factory=dict)
    orders: int = 0

    @property
    def exact(self) -> bool:
        """Return whether nothing was sampled."""
        return not self.orders
