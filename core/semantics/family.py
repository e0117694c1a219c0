"""What users choose from: a semantics before its conservativeness is chosen, with what is known about it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from core.errors import InvalidSetting
from core.semantics.aggregation import Aggregation
from core.semantics.gradual import GradualSemantics
from core.semantics.influence import Influence, checked_conservativeness


class Property(StrEnum):
    """What a semantics claims; its tests check every claim on generated graphs.

    Here w is the argument's base score. Strictness and open-mindedness are about 0 < w < 1, open-mindedness about
    conservativeness 1.
    """

    STABILITY = "an argument that nobody supports or attacks keeps its base score"
    NEUTRALITY = "an argument of strength 0 changes nothing"
    BALANCE = "equally strong pros and cons cancel out"
    MONOTONICITY = "a stronger pro or a weaker con never lowers a strength"
    STRICTNESS = "a stronger pro or a weaker con always raises a strength"
    DUALITY = "attack and support are mirror images"
    OPEN_MINDEDNESS = "enough pros or cons move a strength as near to 1 or 0 as you like"


BASIC = frozenset({Property.STABILITY, Property.NEUTRALITY, Property.BALANCE, Property.MONOTONICITY})


@dataclass(frozen=True)
class SemanticsFamily:
    """A semantics to be called with a conservativeness.

    Attributes:
        key: Its name for programs.
        label: Its name for people.
        description: What it does, in one sentence, with its source.
        aggregation: What supporters and attackers come to.
        influence: Makes what moves the base score; takes the conservativeness if there is one.
        has_conservativeness: Whether there is one.
        properties: What it claims.
    """

    key: str
    label: str
    description: str
    aggregation: Aggregation
    influence: Callable[..., Influence] = field(repr=False)
    has_conservativeness: bool
    properties: frozenset[Property]

    def __call__(self, conservativeness: float = 1.0) -> GradualSemantics:
        """Return the semantics with a conservativeness of 1 or more.

        Raises:
            InvalidSetting: If it is below 1, or other than 1 for a semantics that has none.
        """
        k = checked_conservativeness(conservativeness)
        if self.has_conservativeness:
            influence = self.influence(k)
        elif k == 1:
            influence = self.influence()
        else:
            raise InvalidSetting(
                f"{self.label} has no conservativeness, so it must be 1; {conservativeness!r} was asked for."
            )
        return GradualSemantics(self.key, self.label, self.aggregation, influence)

    @property
    def formula(self) -> str:
        """Return the formula as text: the energy E first, then the strength."""
        return f"E = {self.aggregation.formula}; strength = {self.influence().formula}"
