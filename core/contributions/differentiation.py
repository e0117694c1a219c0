"""Exact derivatives of one argument's strength by every base score, through any semantics and any graph.

Backwards where there is a gradient: one pass from the topic down multiplies the slopes along every path, so all
arguments cost about as much as one. In a cyclic graph the same is a system of linear equations: at a fixed point
s = f(s, w) the strengths move by ds = (I - J)⁻¹ (∂f/∂w) dw, where J holds the slopes of f by the strengths.

Forwards where an argument on the way sits on a kink: there the change upwards and the change downwards are not
opposite, so both are carried along every path from the base score to the topic.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.contributions.dual import Dual
from core.contributions.reach import Bearing, bearing_on, upstream
from core.semantics import Evaluation, GradualSemantics

FloatArray = NDArray[np.float64]

CHUNK = 256  # numbers whose changes are carried along at once, so that memory stays bounded
WORST_CONDITION = 1e12  # of I - J; beyond it a fixed point hardly depends on base scores in any smooth way
LONGEST = 5_000  # rounds that look for the changes at a fixed point with a kink
STEP = 0.5
STILL = 1e-13  # change of a round, for each unit, at which they count as found


class Differentiation(StrEnum):
    """How derivatives were found."""

    BACKWARDS = "exact derivative, one pass back from the topic"
    FORWARDS = "exact derivative, both directions carried forwards past a kink"
    IMPLICIT = "implicit differentiation at the fixed point"
    ITERATED = "one-sided changes of the fixed point, found by iteration"


@dataclass(frozen=True)
class Directions:
    """How fast a strength changes as one base score moves, by argument index; what does not bear on it is absent.

    Attributes:
        up: The change for each unit by which the base score is raised a little.
        down: The change for each unit by which it is lowered; where there is a gradient, the opposite of ``up``.
        method: The least direct way that was needed.
        complete: False where a fixed point's dependence on base scores could not be found; the rest is still right.
    """

    up: Mapping[int, float]
    down: Mapping[int, float]
    method: Differentiation
    complete: bool = True


def directions(gradual: GradualSemantics, evaluation: Evaluation, topic: int = 0) -> Directions:
    """Return the one-sided derivatives of one argument's strength by every base score.

    Derivatives are formal ones: at base scores 0 and 1 only one direction can be taken, but both are returned.

    Args:
        gradual: The semantics.
        evaluation: Its result, converged.
        topic: The place of the argument whose strength is meant.
    """
    bearings = bearing_on(evaluation.qbaf, topic)
    local = [_Local(gradual, evaluation, bearing) for bearing in bearings]
    kinked = [slopes.bearing.index for slopes in local if slopes.kinked]
    past_kinks = upstream(bearings, kinked)
    # No path from the others to the topic leads past a kink, so that they can be looked at by themselves.
    smooth = [slopes for slopes in local if slopes.bearing.index not in past_kinks]
    acyclic = evaluation.qbaf.acyclic
    method = Differentiation.BACKWARDS if acyclic else Differentiation.IMPLICIT
    gradient: Mapping[int, float] | None = {}
    if smooth:
        gradient = _backwards(smooth, topic) if acyclic else _implicit(smooth, topic)
    complete = gradient is not None
    up = dict(gradient or {})
    down = {index: -slope for index, slope in up.items()}
    if past_kinks:
        method = Differentiation.FORWARDS if acyclic else Differentiation.ITERATED
        moving = [bearing.index for bearing in bearings if bearing.index in past_kinks]
        for first in range(0, len(moving), CHUNK):
            some = moving[first : first + CHUNK]
            changes = _forwards(gradual, evaluation, bearings, some, topic)
            complete &= changes is not None
            if changes is not None:
                up.update(zip(some, changes[: len(some)].tolist(), strict=True))
                down.update(zip(some, changes[len(some) :].tolist(), strict=True))
    return Directions(up, down, method, complete)


class _Local:
    """How one argument's strength changes with its base score and with each of its sources' strengths."""

    def __init__(self, gradual: GradualSemantics, evaluation: Evaluation, bearing: Bearing) -> None:
        self.bearing = bearing
        self.sources = bearing.sources
        base = float(evaluation.qbaf.base_scores[bearing.index])
        strengths = evaluation.strengths[list(self.sources)].tolist()
        up: list[float] = []
        down: list[float] = []
        for first in range(0, 1 + len(self.sources), CHUNK):  # place 0 is the base score, the others are sources
            some = range(first, min(first + CHUNK, 1 + len(self.sources)))
            along = _units(some, 1 + len(self.sources))
            duals = {s: Dual(strengths[row], along[1 + row]) for row, s in enumerate(self.sources)}
            changes = _judged(gradual, bearing, Dual(base, along[0]), duals).along
            up += changes[: len(some)].tolist()
            down += changes[len(some) :].tolist()
        self.base_slope, *self.slopes = up
        self.kinked = any(one != -other for one, other in zip(up, down, strict=True))


def _units(moving: range, count: int) -> list[FloatArray]:
    """Return, for each of some numbers, its derivatives along those that move: first upwards, then downwards."""
    still = np.zeros(2 * len(moving))
    along = [still] * count
    for place, number in enumerate(moving):
        along[number] = still.copy()
        along[number][place], along[number][len(moving) + place] = 1.0, -1.0
    return along


def _judged(gradual: GradualSemantics, bearing: Bearing, base: Dual, strengths: Mapping[int, Dual]) -> Dual:
    """Return an argument's strength by the semantics' own formulas, on dual numbers."""
    if not bearing.sources:
        return base
    aggregation: Any = gradual.aggregation  # the formulas are for numbers and arrays; dual numbers behave like those

    def folded(places: Sequence[int]) -> Any:
        result = aggregation.fold.neutral
        for number, place in enumerate(places):
            term = aggregation.term(strengths[place])
            result = aggregation.fold.arrays(result, term) if number else term
        return result

    move: Callable[[Any, Any], Any] = gradual.influence.move
    judged: Dual = move(base, aggregation.combine(folded(bearing.supporters), folded(bearing.attackers)))
    return judged


def _backwards(local: Sequence[_Local], topic: int) -> dict[int, float]:
    weights = {slopes.bearing.index: 0.0 for slopes in local}
    weights[topic] = 1.0
    gradient: dict[int, float] = {}
    for slopes in reversed(local):
        weight = weights[slopes.bearing.index]
        gradient[slopes.bearing.index] = weight * slopes.base_slope
        for source, slope in zip(slopes.sources, slopes.slopes, strict=True):
            if source in weights:
                weights[source] += weight * slope
    return gradient


def _implicit(local: Sequence[_Local], topic: int) -> dict[int, float] | None:
    row = {slopes.bearing.index: number for number, slopes in enumerate(local)}
    system = np.eye(len(local))
    for number, slopes in enumerate(local):
        for source, slope in zip(slopes.sources, slopes.slopes, strict=True):
            if source in row:
                system[number, row[source]] -= slope
    if not np.linalg.cond(system, 1) < WORST_CONDITION:
        return None
    wanted = np.zeros(len(local))
    wanted[row[topic]] = 1.0
    weights = np.linalg.solve(system.T, wanted)
    return {s.bearing.index: float(weights[number]) * s.base_slope for number, s in enumerate(local)}


def _forwards(
    gradual: GradualSemantics,
    evaluation: Evaluation,
    bearings: Sequence[Bearing],
    moving: Sequence[int],
    topic: int,
) -> FloatArray | None:
    """Return how the topic's strength changes as each of some base scores is raised, then as each is lowered.

    Shape (2 moving,). None where no fixed point of the changes was found.
    """
    still = np.zeros(2 * len(moving))
    units = dict(zip(moving, _units(range(len(moving)), len(moving)), strict=True))
    bases = {b.index: Dual(float(evaluation.qbaf.base_scores[b.index]), units.get(b.index, still)) for b in bearings}
    strengths = {b.index: Dual(float(evaluation.strengths[b.index]), still) for b in bearings}
    if evaluation.qbaf.acyclic:
        for bearing in bearings:
            along = _judged(gradual, bearing, bases[bearing.index], strengths).along
            strengths[bearing.index] = Dual(strengths[bearing.index].value, along)
        return strengths[topic].along
    for _ in range(LONGEST):
        judged = {b.index: _judged(gradual, b, bases[b.index], strengths).along for b in bearings}
        moved = max(float(np.abs(judged[i] - strengths[i].along).max()) for i in judged)
        size = max(float(np.abs(along).max()) for along in judged.values())
        if moved <= STILL * max(1.0, size):
            return judged[topic]
        strengths = {i: Dual(s.value, s.along + STEP * (judged[i] - s.along)) for i, s in strengths.items()}
    return None
