"""How base scores are best moved in a flat debate, where the topic's energy is all that counts.

One side is strengthened, the other weakened. Every aggregation folds a side by a function that is symmetric and, as one
may check, Schur-convex in the strengths: uneven strengths make a side stronger. So with a given sum of changes a side
becomes strongest when its strongest argument is raised first, up to 1, then the next one, and weakest when its
strongest are lowered first, to one level. Left is how the sum is divided between the sides:

- sum: a change counts the same everywhere, so any division is best.
- product: with the strengthened side's product falling in a straight line and the weakened side's rising in a convex
  curve, the energy is convex in the division, so one of its ends is best: all that one side can take, then the other.

For these two the least sum of changes is proved as long as the topic keeps its base score. For the others both ends
are a place to begin.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.least.goal import FloatArray
from core.least.moves import Moves, Path
from core.semantics.aggregation import PRODUCT, SUM

Places = NDArray[np.int64]


def flat_paths(moves: Moves) -> list[tuple[Path, float]]:
    """Return the two best ways to spend a sum of changes in a flat debate, each with the largest sum it can spend.

    The topic keeps its base score on both.
    """
    pros, cons = (np.flatnonzero(np.isin(moves.rows, side)) for side in moves.scorer.sides)
    raised, lowered = (pros, cons) if moves.rising else (cons, pros)
    if moves.scorer.gradual.aggregation == SUM:
        order = np.concatenate([raised, lowered])  # all the same; few large changes are easier to read
        order = order[np.argsort(-moves.caps[order], kind="stable")]
        return [(lambda sums: filled(moves, order, sums), float(moves.caps[order].sum()))]
    order = raised[np.argsort(-moves.starts[raised], kind="stable")]
    if moves.scorer.gradual.aggregation.saturates:
        order = order[:1]  # at 1 it hides the rest of its side
    first, second = float(moves.caps[order].sum()), float(moves.caps[lowered].sum())

    def raise_first(sums: FloatArray) -> FloatArray:
        return filled(moves, order, np.minimum(sums, first)) + _levelled(moves, lowered, np.maximum(sums - first, 0.0))

    def lower_first(sums: FloatArray) -> FloatArray:
        rest = np.maximum(sums - second, 0.0)
        return filled(moves, order, rest) + _levelled(moves, lowered, np.minimum(sums, second))

    return [(raise_first, first + second), (lower_first, first + second)]


def proved_flat(moves: Moves) -> bool:
    """Return whether one of ``flat_paths`` has the least sum of changes for certain."""
    return moves.scorer.gradual.aggregation in (PRODUCT, SUM) and 0 not in moves.rows


def filled(moves: Moves, order: Places, sums: FloatArray) -> FloatArray:
    """Return moves that spend each sum on one variable after the other, shape (variables, sums)."""
    caps = moves.caps[order]
    spent_before = np.concatenate([[0.0], np.cumsum(caps)[:-1]]) if len(order) else np.zeros(0)
    found = np.zeros((len(moves), len(sums)))
    found[order] = np.clip(sums[None, :] - spent_before[:, None], 0.0, caps[:, None])
    return found


def _levelled(moves: Moves, lowered: Places, sums: FloatArray) -> FloatArray:
    """Return moves that spend each sum on lowering the strongest to one level, shape (variables, sums)."""
    found = np.zeros((len(moves), len(sums)))
    if not len(lowered):
        return found
    heights = np.sort(moves.starts[lowered])[::-1]
    counts = np.arange(1, len(heights) + 1)
    # What it takes to lower the first k to the height of the next one, the last ones to 0.
    following = np.append(heights[1:], 0.0)
    needed = np.cumsum(heights) - counts * following
    k = np.minimum(np.searchsorted(needed, sums), len(heights) - 1)
    levels = np.maximum((np.cumsum(heights)[k] - sums) / counts[k], 0.0)
    found[lowered] = np.maximum(moves.starts[lowered][:, None] - levels[None, :], 0.0)
    return found


__all__ = ["filled", "flat_paths", "proved_flat"]
