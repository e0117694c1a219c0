"""The least change of several base scores: the least sum of changes, or the least sum of their squares.

What is proved: that the goal cannot be reached, where not even the extremes do it; the least sum in flat debates under
a sum or a product with the topic's base score fixed (see ``flat``); the least squares in flat debates under a sum; and
all of it where only one base score may be changed. Otherwise the search begins at many places (each single base score,
the steepest ones step by step, to their ends, all together), makes the best of them smaller by shifts between two base
scores, and its result is the best that was found; another mixture might be smaller.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from core.contestation import contest
from core.least.exchange import cost, exchanged, tightened
from core.least.flat import filled, flat_paths, proved_flat
from core.least.goal import FloatArray, Mask
from core.least.moves import Moves
from core.least.one_score import least_one_score
from core.least.outcome import ChangeKind, Outcome, OutcomeStatus, Question
from core.least.scorer import Scorer
from core.semantics.aggregation import SUM

GREEDY_STEPS = 150
SQUARE_STEPS = 24
TURNS = (1.0, 0.5, 0.2, 0.05)
MOST_SWEEPS = 60
SQUARE_SWEEPS = 6  # squares are smooth, so that slopes have done most of the work
MOST_IMPROVED = 2  # of the places to begin at
ROUGH_SWEEPS = 12
MOST_ROUGH = 4
MOST_SINGLES = 3
RANDOM_STARTS = 8
FEW = 16  # variables up to which all random starts are used
NEARLY = 1e-3  # moves closer than this are one place to begin at

IMPOSSIBLE = "No base scores of the arguments that may be changed reach it, not even their extremes."
NO_START = "The profile has no score to start from."


def least_sum(question: Question) -> Outcome:
    """Return the change of several base scores with the least sum of changes (L1) that reaches the goal."""
    return _least(question, ChangeKind.LEAST_SUM, 1)


def least_squares(question: Question) -> Outcome:
    """Return the change of several base scores with the least sum of squares (L2); its cost is the root of the sum."""
    return _least(question, ChangeKind.LEAST_SQUARES, 2)


def _least(question: Question, kind: ChangeKind, power: int) -> Outcome:
    settled = question.settled(kind)
    if settled is not None:
        return settled
    scorer = Scorer(question.judge, question.profile, question.stop)
    if math.isnan(scorer.score):
        return question.none(kind, OutcomeStatus.NOT_FOUND, NO_START)
    moves = Moves(question, scorer)
    if impossible(moves):
        return question.none(kind, OutcomeStatus.IMPOSSIBLE, IMPOSSIBLE)
    move, proved, stopped = smallest(moves, power)
    if move is None:
        why = "The search was stopped." if stopped else "None was found; some arguments work both ways."
        return question.none(kind, OutcomeStatus.NOT_FOUND, why, stopped)
    if not question.goal.reached(question.judge.judge(contest(question.profile, moves.edits(move)).profile).score):
        # A score that has steps may jump over a goal that has two ends; one base score may still find it.
        one = least_one_score(question)
        if one.found and one.cost is not None:
            return question.answer(kind, one.edits, one.cost, proved=False, proof="Mixtures jump over the goal.")
    size = cost(moves.distances(move), power) ** (1 / power)
    proof = (
        "Proved least for this debate's shape."
        if proved
        else "Stopped early: the best so far."
        if stopped
        else "The best from many places to begin at; that nothing smaller does it is not proved."
    )
    return question.answer(kind, moves.edits(move), size, proved=proved, proof=proof, stopped=stopped)


def impossible(moves: Moves) -> bool:
    """Return whether no base scores of the variables reach the goal; exact where every argument works one way."""
    low, high = (np.repeat(moves.scorer.base[:, None], 1, axis=1) for _ in range(2))
    low[moves.rows], high[moves.rows] = 0.0, 1.0
    return not bool(moves.question.goal.within(*moves.scorer.bounds(low, high))[0])


def smallest(moves: Moves, power: int, thorough: bool = True) -> tuple[FloatArray | None, bool, bool]:
    """Return the smallest move that is found, whether it is proved to be smallest, and whether the search was stopped.

    Args:
        moves: The space.
        power: 1 for the sum of changes, 2 for the sum of squares.
        thorough: Whether to begin at many places.
    """
    scorer = moves.scorer
    if scorer.flat and _certain(moves, power):
        paths = flat_paths(moves) if power == 1 else [(lambda sizes: _evenly(moves, sizes), 1.0)]
        ends = [moves.along(path, most) for path, most in paths]
        found = [tightened(moves, end) for end in ends if end is not None]
        return min(found, key=lambda move: cost(move, power), default=None), bool(found), False
    starts: list[FloatArray] = []
    stopped = False
    for start in _starts(moves, power, thorough):
        starts.append(start)
        if moves.question.stop():
            stopped = True
            break
    small = len(moves) <= FEW and scorer.acyclic
    if (power == 1 or small) and scorer.acyclic and not stopped:
        # Roughly from several places, then finely from the best of them: other places lead to other valleys.
        rough = _apart(starts[:2] + sorted(starts[2:], key=lambda move: cost(move, power)))
        starts += [exchanged(moves, start, power, ROUGH_SWEEPS) for start in rough[: None if small else MOST_ROUGH]]
    starts.sort(key=lambda move: cost(move, power))
    best: FloatArray | None = None
    if not scorer.acyclic:  # where every move needs a search of its own, a few have to do
        move = tightened(moves, starts[0]) if starts else None
        return move, False, stopped or moves.question.stop()
    sweeps = MOST_SWEEPS if power == 1 or small else SQUARE_SWEEPS
    for start in _apart(starts)[:MOST_IMPROVED]:
        stopped = stopped or moves.question.stop()
        better = tightened(moves, start if stopped else exchanged(moves, start, power, sweeps))
        if best is None or cost(better, power) < cost(best, power):
            best = better
    return best, best is not None and len(moves) == 1 and moves.sure, stopped or moves.question.stop()


def _apart(starts: list[FloatArray]) -> list[FloatArray]:
    """Return moves without those that are nearly the same as an earlier one."""
    kept: list[FloatArray] = []
    for start in starts:
        if all(np.abs(start - other).max(initial=0.0) > NEARLY for other in kept):
            kept.append(start)
    return kept


def _certain(moves: Moves, power: int) -> bool:
    if power == 1:
        return proved_flat(moves)
    return moves.scorer.gradual.aggregation == SUM and 0 not in moves.rows


def _evenly(moves: Moves, sizes: FloatArray) -> FloatArray:
    return np.minimum(sizes[None, :], moves.caps[:, None])


def _starts(moves: Moves, power: int, thorough: bool) -> Iterator[FloatArray]:
    """Yield moves that reach the goal, from quick to slow."""
    everything = moves.along(lambda shares: shares[None, :] * moves.caps[:, None], 1.0)
    if everything is not None:
        yield from _found(_filled_by(moves, moves.slopes(everything)))
        yield everything
    if not thorough:
        yield from _found(_to_the_ends(moves))
        return
    singles = sorted(_singles(moves), key=lambda move: cost(move, power))
    yield from singles[:MOST_SINGLES]
    if not moves.scorer.acyclic:
        yield from _found(_to_the_ends(moves))
        return
    if moves.scorer.flat:
        for path, most in flat_paths(moves):
            yield from _found(moves.along(path, most))
    if power == 2:
        yield from _projections(moves)
    yield from _found(_to_the_ends(moves))
    yield from _found(_step_by_step(moves))
    # A generator of its own with a fixed seed: the same question always has the same answer.
    random = np.random.default_rng(0)
    for _ in range(RANDOM_STARTS if len(moves) <= FEW else RANDOM_STARTS // 4):
        yield from _found(_filled_by(moves, random.random(len(moves))))


def _found(move: FloatArray | None) -> tuple[FloatArray, ...]:
    return () if move is None else (move,)


def _filled_by(moves: Moves, weights: FloatArray) -> FloatArray | None:
    """Move one base score after the other to its end, in falling order of weights."""
    order = np.argsort(-weights, kind="stable")
    return moves.along(lambda sums: filled(moves, order, sums), float(moves.caps.sum()))


def _singles(moves: Moves) -> Iterator[FloatArray]:
    """Yield, for every variable that does it alone, its least change."""
    able = np.flatnonzero(moves.passes(np.diag(moves.caps)))
    if not len(able):
        return

    def reached(values: FloatArray) -> Mask:
        lines, count = values.shape
        wide = np.zeros((len(moves), lines * count))
        wide[np.repeat(able, count), np.arange(lines * count)] = values.ravel()
        return moves.passes(wide).reshape(lines, count)

    points = moves.nearest(np.zeros(len(able)), moves.caps[able], reached)
    for place, point in zip(able.tolist(), points.tolist(), strict=True):
        move = np.zeros(len(moves))
        move[place] = point
        yield move


def _to_the_ends(moves: Moves) -> FloatArray | None:
    """Move one base score after the other to its end, always the one that brings most for its length."""
    move = np.zeros(len(moves))
    for _ in range(len(moves)):
        left = np.flatnonzero(move < moves.caps)
        if not len(left) or moves.question.stop():
            return None
        ends = np.repeat(move[:, None], len(left), axis=1)
        ends[left, np.arange(len(left))] = moves.caps[left]
        scores = moves.scores(np.concatenate([ends, move[:, None]], axis=1))
        gains = (scores[:-1] - scores[-1]) / (moves.caps[left] - move[left])
        place = int(left[int(np.argmax(gains))])
        following = move.copy()
        following[place] = moves.caps[place]
        found = _between(moves, move, following)
        if found is not None:
            return found
        move = following
    return None


def _step_by_step(moves: Moves) -> FloatArray | None:
    """Move the steepest base score a step, again and again."""
    move = np.zeros(len(moves))
    step = max(float(moves.caps.sum()) / GREEDY_STEPS, 0.02)
    for _ in range(GREEDY_STEPS + len(moves)):
        if moves.question.stop():
            return None
        slopes = moves.slopes(move)
        place = int(np.argmax(np.where(move < moves.caps, slopes, -np.inf)))
        if not move[place] < moves.caps[place]:
            return None
        following = move.copy()
        following[place] = min(move[place] + step, moves.caps[place])
        found = _between(moves, move, following)
        if found is not None:
            return found
        move = following
    return None


def _projections(moves: Moves) -> Iterator[FloatArray]:
    """Yield the move in whose direction the slopes point where it ends: stationary for the sum of squares.

    The direction is turned towards the slopes as far as that makes the move smaller.
    """
    slopes = _normal(moves.slopes(np.zeros(len(moves))))
    for direction in (slopes, np.ones(len(moves))):
        found = _in_direction(moves, direction)
        for _ in range(SQUARE_STEPS):
            if found is None or moves.question.stop():
                break
            slopes = _normal(moves.slopes(found))
            for turn in TURNS:
                turned = (1 - turn) * direction + turn * slopes
                better = _in_direction(moves, turned)
                if better is not None and cost(better, 2) < cost(found, 2) - 1e-12:
                    direction, found = turned, better
                    break
            else:
                break
        if found is not None:
            yield found
            return


def _normal(slopes: FloatArray) -> FloatArray:
    """Return slopes with 1 as the largest and none quite 0, so that nothing is left out that might be needed."""
    positive = np.maximum(slopes, 0.0)
    largest = float(positive.max(initial=0.0))
    return np.maximum(positive / largest if largest > 0 else positive, 1e-9)


def _in_direction(moves: Moves, direction: FloatArray) -> FloatArray | None:
    return moves.along(
        lambda sizes: np.minimum(np.expm1(sizes)[None, :] * direction[:, None], moves.caps[:, None]),
        math.log1p(1e9),
        9,
    )


def _between(moves: Moves, start: FloatArray, end: FloatArray) -> FloatArray | None:
    return moves.along(lambda shares: start[:, None] + (end - start)[:, None] * shares[None, :], 1.0)


__all__ = ["IMPOSSIBLE", "NO_START", "impossible", "least_squares", "least_sum", "smallest"]
