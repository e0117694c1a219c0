"""Making a move that reaches the goal smaller, by shifting change from one base score to another.

Where the least sum of changes lies inside the range, all base scores that are moved have the same slope, so a move that
no shift between two of them makes smaller is a stationary one. Shifts of everything also find the moves at the ends of
the range, where several small changes become one larger one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from core.least.goal import FloatArray, Mask
from core.least.moves import Moves

Places = NDArray[np.int64]

SHARES = ((1.0, 0.5, 0.2), (0.7, 0.35, 0.05), (0.01, 0.002), (4e-4, 1e-4))  # of a change that is shifted
MOST_LINES = 48  # shifts of one sweep that are worked out
MOST_GIVERS = 32
MOST_TAKERS = 64
LEAST_GAIN = 1e-10
LAST_GAIN = 1e-14  # what is less than this is rounding
MOST_TIGHTENED = 16  # base scores up to which each is looked at


def cost(move: FloatArray, power: int) -> float:
    """Return the sum of changes, or of their squares."""
    return float(np.sum(move**power))


def tightened(moves: Moves, move: FloatArray) -> FloatArray:
    """Return a move that is as small as it can be in its own proportions, to the last step.

    Where few base scores are changed, every change is as small as it can be without the others, too, the one that gains
    most first.
    """
    scaled = moves.along(lambda shares: move[:, None] * shares[None, :], 1.0)
    found = move.copy() if scaled is None else scaled
    for _ in range(MOST_TIGHTENED):
        active = np.flatnonzero(found > 0)
        if not 0 < len(active) <= MOST_TIGHTENED or moves.question.stop():
            break
        lines = np.repeat(found[:, None], len(active), axis=1)
        lines[active, np.arange(len(active))] = 0.0
        idle = moves.passes(lines)
        points = np.zeros(len(active))
        needed = np.flatnonzero(~idle)
        if len(needed):
            places = active[needed]

            def reached(values: FloatArray, places: Places = places, move: FloatArray = found) -> Mask:
                return _varied(moves, move, places, values)

            points[needed] = moves.nearest(np.zeros(len(places)), found[places], reached)
        gains = found[active] - points
        best = int(np.argmax(gains))
        if not gains[best] > LAST_GAIN:
            break
        found[active[best]] = points[best]
    return found


def exchanged(moves: Moves, move: FloatArray, power: int, most_sweeps: int) -> FloatArray:
    """Return a move that reaches the goal as well and is as small as shifts make it, or the same where none does.

    Args:
        moves: The space.
        move: One that reaches the goal, shape (variables,).
        power: 1 for the sum of changes, 2 for the sum of squares.
        most_sweeps: After which it is left as it is.
    """
    found, scale = move.copy(), 0
    for _ in range(most_sweeps):
        if scale == len(SHARES) or moves.question.stop():
            break
        better = _shifted(moves, found, power, SHARES[scale])
        if better is not None and cost(better, power) < cost(found, power) - LEAST_GAIN:
            found = better
        else:
            scale += 1
    return found


def _shifted(moves: Moves, move: FloatArray, power: int, shares: tuple[float, ...]) -> FloatArray | None:
    givers = np.flatnonzero(move > 0)
    givers = np.sort(givers[np.argsort(-move[givers], kind="stable")][:MOST_GIVERS])
    takers = np.flatnonzero(move < moves.caps)
    if len(takers) > MOST_TAKERS:
        takers = np.sort(takers[np.argsort(-moves.slopes(move)[takers], kind="stable")][:MOST_TAKERS])
    giver, taker, share = (grid.ravel() for grid in np.meshgrid(givers, takers, np.array(shares), indexing="ij"))
    apart = giver != taker
    giver, taker, share = giver[apart], taker[apart], share[apart]
    if not len(giver):
        return None
    left = move[giver] * (1.0 - share)
    # As far as the taker may go before the move is as large as it was.
    limit = (move[taker] ** power + move[giver] ** power - left**power) ** (1.0 / power)
    limit = np.minimum(limit * (1.0 - 1e-12), moves.caps[taker])
    lines = np.arange(len(giver))
    columns = np.repeat(move[:, None], len(giver), axis=1)
    columns[giver, lines] = left
    columns[taker, lines] = np.maximum(limit, move[taker])
    scores = moves.scores(columns)
    good = np.flatnonzero((scores >= moves.wanted) & (limit > move[taker]))
    if not len(good):
        return None
    good = good[np.argsort(-scores[good], kind="stable")][:MOST_LINES]
    columns = columns[:, good]
    taker, limit = taker[good], limit[good]

    def reached(values: FloatArray) -> Mask:
        count = values.shape[1]
        wide = np.repeat(columns, count, axis=1)
        wide[np.repeat(taker, count), np.arange(wide.shape[1])] = values.ravel()
        return moves.passes(wide).reshape(values.shape)

    points = moves.nearest(move[taker], limit, reached, 5)
    at_once = reached(move[taker][:, None])[:, 0]
    points = np.where(at_once, move[taker], points)
    columns[taker, np.arange(len(taker))] = points
    return np.asarray(columns[:, int(np.argmin(np.sum(columns**power, axis=0)))])


def _varied(moves: Moves, move: FloatArray, places: Places, values: FloatArray) -> Mask:
    """Return whether a move does it with one change replaced: line i replaces that of variable ``places[i]``."""
    lines, count = values.shape
    wide = np.repeat(move[:, None], lines * count, axis=1)
    wide[np.repeat(places, count), np.arange(lines * count)] = values.ravel()
    return moves.passes(wide).reshape(lines, count)


__all__ = ["cost", "exchanged", "tightened"]
