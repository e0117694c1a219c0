"""What each argument adds to the score, under four definitions, for any semantics judge."""

from __future__ import annotations

from core.contributions.definition import Definition
from core.contributions.gradient import gradient
from core.contributions.players import NO_AUTHOR, Players, by_agent, by_round
from core.contributions.removal import intrinsic_removal, removal
from core.contributions.results import Contributions, GradientContributions, ShapleyContributions, Slope
from core.contributions.shapley import shapley

__all__ = [
    "NO_AUTHOR",
    "Contributions",
    "Definition",
    "GradientContributions",
    "Players",
    "ShapleyContributions",
    "Slope",
    "by_agent",
    "by_round",
    "gradient",
    "intrinsic_removal",
    "removal",
    "shapley",
]
