"""Shapley values from sampled orders, each with its reverse, and a standard error for what is left to chance."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.contributions.game import Game, Graph, Shares

FloatArray = NDArray[np.float64]
Orders = NDArray[np.int64]

METHOD = "{orders:,} sampled orders"
MOST_ORDERS = 2_000
FEWEST_ORDERS = 20
MOST_CELLS = 2**23  # strengths that sampling may take, unless even the fewest orders take more
CHUNK_CELLS = 2**20  # strengths that are held at once
LARGEST_ORDER = 2**21  # strengths that one order may take; beyond, nothing is sampled
CYCLIC_COST = 100  # how many strengths of an acyclic graph cost as much as one of a cyclic one


def feasible(game: Game) -> bool:
    """Return whether the fewest orders can be judged in a few seconds."""
    return _cost_of_an_order(game) <= LARGEST_ORDER


def sampled(game: Game, seed: int, orders: int | None) -> Shares | None:
    """Return estimates of a game's Shapley values; None where a coalition has no value.

    Args:
        game: What is played.
        seed: Of the orders.
        orders: How many, rounded up to pairs, at least 4; None for as many as are affordable.
    """
    count = len(game.players)
    pairs = max(2, -(-(_affordable_orders(game) if orders is None else orders) // 2))
    random = np.random.default_rng(seed)
    forward = random.permuted(np.tile(np.arange(count), (pairs, 1)), axis=1)
    at_once = max(1, CHUNK_CELLS // (2 * _cost_of_an_order(game)))
    means = np.empty((pairs, count))
    start = 0.0
    for first in range(0, pairs, at_once):
        some = forward[first : first + at_once]
        both = np.concatenate([some, some[:, ::-1]])
        values = _prefix_values(game, both)
        if values is None:
            return None
        start = float(values[0, 0])
        added = np.empty((len(both), count))
        np.put_along_axis(added, both, np.diff(values, axis=1), axis=1)
        means[first : first + at_once] = (added[: len(some)] + added[len(some) :]) / 2.0
    amounts = means.mean(axis=0)
    variances = means.var(axis=0, ddof=1) / pairs
    return Shares(game.named(amounts), start, METHOD.format(orders=2 * pairs), game.named(variances), orders=2 * pairs)


def _affordable_orders(game: Game) -> int:
    return max(FEWEST_ORDERS, min(MOST_ORDERS, MOST_CELLS // _cost_of_an_order(game)))


def _cost_of_an_order(game: Game) -> int:
    """Return how many strengths one order takes, in those of an acyclic graph."""
    prefixes = len(game.players) + 1
    return sum(
        prefixes if graph.flat else prefixes * len(graph.bearings) * (1 if graph.qbaf.acyclic else CYCLIC_COST)
        for graph in game.graphs
    )


def _prefix_values(game: Game, orders: Orders) -> FloatArray | None:
    """Return the score with the first 0, 1, ..., all players of each order, shape (orders, players + 1)."""
    count = orders.shape[1]
    presence: list[FloatArray] = []
    if not all(graph.flat for graph in game.graphs):
        positions = np.argsort(orders, axis=1)
        prefixes = np.arange(count + 1)
        presence = [(positions[:, [p]] < prefixes).astype(np.float64).ravel() for p in range(count)]
    strengths: list[FloatArray] = []
    for graph in game.graphs:
        if graph.flat:
            strengths.append(_flat_prefixes(graph, orders))
            continue
        judged = graph.strengths(presence)
        if judged is None:
            return None
        strengths.append(np.broadcast_to(judged, len(orders) * (count + 1)).reshape(len(orders), count + 1))
    return game.value(strengths)


def _flat_prefixes(graph: Graph, orders: Orders) -> FloatArray:
    """Return a flat graph's strengths: one running product, sum or maximum for each side of each order."""
    aggregation = graph.gradual.aggregation
    sides: list[FloatArray] = []
    for terms in graph.sides:
        factors = np.array([terms.get(player, aggregation.fold.neutral) for player in range(orders.shape[1])])
        first = np.full((len(orders), 1), terms.get(None, aggregation.fold.neutral))
        sides.append(aggregation.fold.arrays.accumulate(np.concatenate([first, factors[orders]], axis=1), axis=1))
    base = np.full_like(sides[0], graph.qbaf.base_scores[0])
    return graph.gradual.influence.move(base, aggregation.combine(sides[0], sides[1]))
