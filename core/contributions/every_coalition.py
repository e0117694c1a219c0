"""Shapley values from every coalition: each value is worked out once and shared by all players."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from core.contributions.game import Game, Graph, Shares

FloatArray = NDArray[np.float64]

METHOD = "exact, from every coalition"
NO_PLAYERS = "exact, nobody bears on the topic"
MOST_PLAYERS = 20
MOST_CELLS = 2**22  # strengths, over all arguments and coalitions, that this may take
MOST_CYCLIC_PLAYERS = 10  # where each coalition is a search for a fixed point


def affordable(game: Game) -> bool:
    """Return whether every coalition can be judged in about a tenth of a second."""
    if not game.acyclic:
        return len(game.players) <= MOST_CYCLIC_PLAYERS
    return len(game.players) <= MOST_PLAYERS and sum(map(_cells, game.graphs)) <= MOST_CELLS


def from_every_coalition(game: Game) -> Shares | None:
    """Return a game's Shapley values; None where a coalition has no value."""
    count = len(game.players)
    presence = [_axis(player, count) for player in range(count)]
    if not game.acyclic:
        presence = [np.ascontiguousarray(np.broadcast_to(axis, (2,) * count)).ravel() for axis in presence]
    strengths = [graph.strengths(presence) for graph in game.graphs]
    found = [one for one in strengths if one is not None]
    if len(found) < len(strengths):
        return None
    values = np.broadcast_to(game.value(found), (2,) * count if game.acyclic else (2**count,)).ravel()
    amounts = np.zeros(count)
    if count:
        sizes = np.zeros(1, dtype=np.int64)
        for _ in range(count - 1):
            sizes = np.concatenate([sizes, sizes + 1])
        weights = np.array([1.0 / (count * math.comb(count - 1, size)) for size in range(count)])[sizes]
        for player in range(count):
            pairs = values.reshape(2**player, 2, -1)
            amounts[player] = ((pairs[:, 1] - pairs[:, 0]).ravel() * weights).sum()
    return Shares(game.named(amounts), float(values[0]), METHOD if count else NO_PLAYERS, {})


def _axis(player: int, count: int) -> FloatArray:
    return np.array([0.0, 1.0]).reshape((1,) * player + (2,) + (1,) * (count - player - 1))


def _cells(graph: Graph) -> int:
    """Return how many strengths it takes to judge every coalition: 2 to the players that bear on each argument."""
    on: dict[int, frozenset[int]] = {}
    for bearing in graph.bearings:
        own = frozenset([graph.player_of[bearing.index]] if bearing.index in graph.player_of else [])
        on[bearing.index] = own.union(*(on[source] for source in bearing.sources))
    return sum(2 ** len(players) for players in on.values())
