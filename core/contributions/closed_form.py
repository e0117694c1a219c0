"""Shapley values of a flat debate whose score is linear in two products, over its pros and over its cons.

Each product is a game of its own: the value of a coalition C is v(C) = ∏ r_i over i in C, each r_i in [0, 1]. With
players that come at independent uniform times, player i comes at time t when each other one is there with probability
t, so its mean contribution is ∫ (r_i − 1) ∏ (1 − t + t·r_j) dt over j ≠ i, t from 0 to 1 (Owen's multilinear extension,
1972). The integrand is a polynomial, which Gauss's rule integrates exactly: no coalition is ever listed.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import roots_legendre

from core.contributions.game import Game, Shares
from core.judges.semantics_judge import ScoreAggregation
from core.semantics.influence import linear

FloatArray = NDArray[np.float64]

METHOD = "exact, closed form"
MOST_NODES = 200  # exact up to 400 players; beyond, what the rule leaves out is far below rounding


def closed_form(game: Game) -> Shares | None:
    """Return the values where the score is linear in two products, over pros and over cons; otherwise None."""
    graph = game.graphs[0]
    gradual = graph.gradual
    products = gradual.aggregation.fold.arrays is np.multiply and gradual.influence.name == linear().name
    plain = game.combined or game.judge.aggregation is ScoreAggregation.MEAN
    if not (products and plain and graph.flat):
        return None
    supporters, attackers = graph.sides
    base = float(graph.qbaf.base_scores[0])
    rise, fall = gradual.influence.move(base, 1.0) - base, base - gradual.influence.move(base, -1.0)
    if supporters and attackers and not math.isclose(rise, fall, rel_tol=1e-12):
        return None  # the energy's sign decides on the slope, and coalitions differ in it
    slope = rise if supporters else fall
    count = len(game.players)
    amounts = np.zeros(count)
    start = 0.0
    for terms, sign in ((supporters, -slope), (attackers, slope)):
        always = terms.get(None, 1.0)
        factors = np.array([terms.get(player, 1.0) for player in range(count)])
        amounts += sign * always * product_shapley(factors)
        start += sign * (always - 1.0)
    return Shares(game.named(amounts), base + start, METHOD, {})


def product_shapley(factors: FloatArray) -> FloatArray:
    """Return every player's Shapley value, each in [-1, 0].

    Args:
        factors: In [0, 1], shape (players,).

    Returns:
        Shape (players,); their sum is the product of all factors minus 1.
    """
    nodes, weights = _rule(min(len(factors) // 2 + 1, MOST_NODES))
    there = 1.0 - nodes[:, None] * (1.0 - factors)  # never 0: all nodes lie between 0 and 1
    others = np.multiply.reduce(there, axis=1, keepdims=True) / there
    shares: FloatArray = (factors - 1.0) * (weights[:, None] * others).sum(axis=0)
    return shares


@lru_cache(maxsize=256)
def _rule(count: int) -> tuple[FloatArray, FloatArray]:
    nodes, weights = roots_legendre(count)
    return (nodes + 1.0) / 2.0, weights / 2.0
