"""The definitions of a contribution, with the words that are shown beside every number."""

from __future__ import annotations

from enum import StrEnum


class Definition(StrEnum):
    """What "adds to the score" means. No definition has every property one could wish for, so the one in use is named.

    Source: the definitions are those of Kampik, Potyka, Yin, Čyras and Toni (2024).
    """

    REMOVAL = "removal"
    INTRINSIC_REMOVAL = "intrinsic removal"
    GRADIENT = "gradient"
    SHAPLEY = "shapley"

    @property
    def label(self) -> str:
        """Return the name on screen."""
        return "Shapley value" if self is Definition.SHAPLEY else self.value.capitalize()

    @property
    def meaning(self) -> str:
        """Return what the number says, in one sentence."""
        return _MEANINGS[self]


_MEANINGS = {
    Definition.REMOVAL: "By how much the score falls when the argument is taken out.",
    Definition.INTRINSIC_REMOVAL: (
        "By how much the score falls when the argument is taken out, after everything that supports or attacks the "
        "argument itself was taken off it, so that it counts with its own base score."
    ),
    Definition.GRADIENT: (
        "How fast the score moves with the argument's base score: the score's change for each unit of base score, for "
        "a very small change."
    ),
    Definition.SHAPLEY: (
        "The argument's share of the way from the score without any argument to the score: the mean of what it adds "
        "when arguments come in one by one, over all orders; the shares sum up to that way."
    ),
}
