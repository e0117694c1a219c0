"""Strengths of cyclic graphs: fixed points, looked for from the base scores, with a bound and an honest answer.

A round judges all arguments again at once: it maps strengths s to f(s), each from the argument's base score and from
the strengths of its sources in s. A fixed point is an s with f(s) = s.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Round = Callable[[FloatArray], FloatArray]

TOLERANCE = 1e-12  # largest change in one round at which strengths count as found
LONGEST = 10_000  # rounds (discrete), steps (continuous), or steps for each step size (damped)
DAMPED_STEPS = (0.5, 0.125)
CONTINUOUS_STEP = 0.5


class Method(StrEnum):
    """How a fixed point is looked for.

    DAMPED goes a part of the way each time: s <- s + h (f(s) - s), with h = 1/2, and, if that has found nothing after
    ``LONGEST`` steps, again from the base scores with h = 1/8. DISCRETE goes all the way: s <- f(s). CONTINUOUS
    follows ds/dt = f(s) - s by the classical Runge-Kutta method of fourth order with a step of 1/2.

    All start at s = base scores. Before every step the residual max |f(s) - s| is taken. The search ends with success
    when the residual is 0, or when it is at most ``TOLERANCE`` and did not fall since the step before: so strengths
    are as exact as floats allow. It ends without success after ``LONGEST`` steps (for DAMPED: with the last h).
    """

    DAMPED = "damped"
    DISCRETE = "discrete"
    CONTINUOUS = "continuous"


@dataclass(frozen=True, eq=False)
class FixedPoint:
    """The end of a search.

    Attributes:
        strengths: The last ones, in [0, 1], shape (arguments,); no result unless converged.
        converged: Whether a fixed point was found.
        iterations: Steps taken, over all step sizes.
        residual: Largest change of a strength that another round would make.
    """

    strengths: FloatArray
    converged: bool
    iterations: int
    residual: float


def fixed_point(judge_round: Round, base_scores: FloatArray, method: Method) -> FixedPoint:
    """Return where the search from the base scores ends; see ``Method``.

    Args:
        judge_round: One round; returns a new array.
        base_scores: In [0, 1], shape (arguments,).
        method: How to search.
    """
    match method:
        case Method.DAMPED:
            taken = 0
            for step in DAMPED_STEPS:
                found = _search(judge_round, base_scores, _part_of_the_way(step))
                taken += found.iterations
                if found.converged:
                    break
            return FixedPoint(found.strengths, found.converged, taken, found.residual)
        case Method.DISCRETE:
            return _search(judge_round, base_scores, lambda strengths, judged: judged)
        case Method.CONTINUOUS:
            return _search(judge_round, base_scores, _runge_kutta(judge_round, CONTINUOUS_STEP))


_Move = Callable[[FloatArray, FloatArray], FloatArray]  # from strengths and f(strengths) to the next strengths


def _search(judge_round: Round, base_scores: FloatArray, move: _Move) -> FixedPoint:
    strengths, before = base_scores.copy(), np.inf
    for taken in range(LONGEST + 1):
        judged = judge_round(strengths)
        residual = float(np.abs(judged - strengths).max(initial=0.0))
        if residual == 0.0 or (residual <= TOLERANCE and residual >= before):
            return FixedPoint(strengths.clip(0.0, 1.0), True, taken, residual)
        if taken < LONGEST:
            before = residual
            strengths = move(strengths, judged)
    return FixedPoint(strengths.clip(0.0, 1.0), residual <= TOLERANCE, LONGEST, residual)


def _part_of_the_way(step: float) -> _Move:
    return lambda strengths, judged: strengths + step * (judged - strengths)


def _runge_kutta(judge_round: Round, step: float) -> _Move:
    def slope(strengths: FloatArray) -> FloatArray:
        return judge_round(strengths) - strengths

    def move(strengths: FloatArray, judged: FloatArray) -> FloatArray:
        first = judged - strengths
        second = slope(strengths + step / 2 * first)
        third = slope(strengths + step / 2 * second)
        fourth = slope(strengths + step * third)
        return strengths + step / 6 * (first + 2 * second + 2 * third + fourth)

    return move
