"""The fewest base scores to change, and of equally many the least sum of changes.

Whether some base scores can do it at all is decided by their extremes, so sets are tried by size, all of one before
any of the next; the first size at which bounds leave a set over is proved to be the least one, unless arguments that
work both ways make those bounds too wide. For one base score the least change is proved as well; for several the sum is
the best found.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from core.least.exchange import cost
from core.least.goal import FloatArray
from core.least.moves import Moves
from core.least.one_score import flips_of, ordered
from core.least.outcome import ChangeKind, Outcome, OutcomeStatus, Question
from core.least.removal import batches
from core.least.scorer import Scorer
from core.least.several import IMPOSSIBLE, NO_START, impossible, smallest

MOST_SETS = 25_000  # that are tried: all triples of 50 before the search settles for what several base scores come to
MOST_WORKED_OUT = 6  # sets of one size whose least sum is looked for
MOST_MEASURED = 256

Places = NDArray[np.int64]


def fewest_scores(question: Question) -> Outcome:
    """Return the change of the fewest base scores that reaches the goal, with as small a sum as was found."""
    kind = ChangeKind.FEWEST_SCORES
    settled = question.settled(kind)
    if settled is not None:
        return settled
    scorer = Scorer(question.judge, question.profile, question.stop)
    if math.isnan(scorer.score):
        return question.none(kind, OutcomeStatus.NOT_FOUND, NO_START)
    moves = Moves(question, scorer)
    if impossible(moves):
        return question.none(kind, OutcomeStatus.IMPOSSIBLE, IMPOSSIBLE)
    flips = ordered(flips_of(question, scorer, [scorer.names[row] for row in moves.rows.tolist()]))
    if flips and flips[0].edit is not None:
        exact = all(flip.status in (OutcomeStatus.LEAST, OutcomeStatus.IMPOSSIBLE) for flip in flips)
        proof = "One is the fewest" + (", and no smaller change of one does it." if exact else ".")
        return question.answer(kind, [flips[0].edit], 1.0, proved=True, proof=proof)
    sure, tried = all(flip.status is OutcomeStatus.IMPOSSIBLE for flip in flips), 0
    for size in range(2, len(moves) + 1):
        able: list[Places] = []
        for sets in batches(combinations(range(len(moves)), size)):
            tried += len(sets)
            stopped = question.stop()
            if stopped or tried > MOST_SETS:
                if able:
                    break
                return _fallback(question, moves, size - 1 if sure else 0, stopped)
            table = np.array(sets, dtype=np.int64)
            able += list(table[_possible(moves, table)])
        if not able:
            continue
        found = _smallest_of(moves, able)
        if found is not None:
            return _answer(question, moves, found, sure, size)
        sure = False  # bounds left sets over for which no move was found
    status = OutcomeStatus.IMPOSSIBLE if sure else OutcomeStatus.NOT_FOUND
    return question.none(kind, status, "All sets of base scores were tried.")


def _possible(moves: Moves, sets: Places) -> NDArray[np.bool_]:
    """Return which sets, shape (sets, size), can reach the goal as far as bounds tell."""
    low = np.repeat(moves.scorer.base[:, None], len(sets), axis=1)
    high = low.copy()
    columns = np.arange(len(sets))[:, None]
    low[moves.rows[sets], columns], high[moves.rows[sets], columns] = 0.0, 1.0
    if moves.scorer.acyclic:
        return moves.question.goal.within(*moves.scorer.bounds(low, high))
    extremes = np.zeros((len(moves), len(sets)))
    extremes[sets, columns] = moves.caps[sets]
    return moves.passes(extremes)


def _smallest_of(moves: Moves, able: list[Places]) -> FloatArray | None:
    """Return the move with the least sum that is found among sets of variables."""
    chosen = able
    if len(able) > MOST_WORKED_OUT:
        chosen = [able[place] for place in np.argsort(_measured(moves, able), kind="stable")[:MOST_WORKED_OUT]]
    best: FloatArray | None = None
    for kept in chosen:
        if best is not None and moves.question.stop():
            break
        move, _, _ = smallest(moves.among(kept), 1, thorough=False)
        if move is not None and (best is None or cost(move, 1) < cost(best, 1)):
            best = np.zeros(len(moves))
            best[kept] = move
    return best


def _measured(moves: Moves, able: list[Places]) -> FloatArray:
    """Return for sets the sum that it takes to move all of a set by the same share of the way; else infinity."""
    sums = np.full(len(able), np.inf)
    ends = np.zeros((len(moves), len(able)))
    for place, kept in enumerate(able):
        ends[kept, place] = moves.caps[kept]
    scores = moves.scores(ends)
    # Those that go farthest beyond what is wanted need the smallest share, more or less.
    order = np.argsort(-scores, kind="stable")[:MOST_MEASURED]
    order = order[scores[order] >= moves.wanted]
    if len(order):
        wide = ends[:, order]
        shares = moves.nearest(
            np.zeros(len(order)),
            np.ones(len(order)),
            lambda values: moves.passes(np.repeat(wide, values.shape[1], axis=1) * values.ravel()[None, :]).reshape(
                values.shape
            ),
            3,
        )
        sums[order] = shares * wide.sum(axis=0)
    return sums


def _fallback(question: Question, moves: Moves, excluded: int, stopped: bool) -> Outcome:
    kind = ChangeKind.FEWEST_SCORES
    move, _, _ = smallest(moves, 1)
    proof = f"No {excluded} or fewer can reach it; larger sets were not all tried." if excluded else ""
    if move is None:
        return question.none(kind, OutcomeStatus.NOT_FOUND, proof or "The search ended early.", stopped)
    edits = moves.edits(move)
    proved = len(edits) == excluded + 1
    return question.answer(kind, edits, float(len(edits)), proved=proved, proof=proof, stopped=stopped)


def _answer(question: Question, moves: Moves, move: FloatArray, sure: bool, size: int) -> Outcome:
    edits = moves.edits(move)
    proof = (
        f"No {size - 1} can reach it; that no other {size} do it with a smaller sum of changes is not proved."
        if sure
        else "That fewer cannot reach it is not proved."
    )
    return question.answer(ChangeKind.FEWEST_SCORES, edits, float(len(edits)), proved=sure, proof=proof)


__all__ = ["fewest_scores"]
