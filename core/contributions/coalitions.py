"""The topic's strength under many coalitions at once: which arguments are there differs, the graph does not.

An argument that is not there has the strength 0, which changes no product, sum or maximum; so no graph is built anew.
Strengths are arrays over coalitions. They may have one axis of length 2 for each player, absent and present, and length
1 along the axes of players that do not bear on the argument: then NumPy's broadcasting works out every partial result
once, and only the topic's own array has all 2ⁿ entries.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from core.contributions.reach import Bearing
from core.qbaf import QBAF
from core.semantics import GradualSemantics
from core.semantics.fixed_point import DAMPED_STEPS, TOLERANCE

FloatArray = NDArray[np.float64]

LONGEST = 2_000  # steps, for each step size, of a search for the fixed points of all coalitions


def coalition_strengths(
    gradual: GradualSemantics,
    qbaf: QBAF,
    bearings: Sequence[Bearing],
    presence: Mapping[int, FloatArray],
    topic: int = 0,
) -> FloatArray | None:
    """Return the topic's strength under each coalition.

    Args:
        gradual: The semantics.
        qbaf: The graph with everybody there.
        bearings: What bears on the topic, from ``bearing_on``.
        presence: 1 where an argument is there and 0 where it is not, by place; of shapes that broadcast together. In
            a cyclic graph all have the same shape (coalitions,). Arguments that are absent here are always there.
        topic: Whose strength is meant.

    Returns:
        In [0, 1], of the shape that the presences of what bears on it broadcast to. Equal to evaluating each graph by
        itself up to rounding. None where a cyclic graph has a coalition whose fixed point was not found.
    """
    rules = _Rules(gradual, qbaf)
    if not qbaf.acyclic:
        return _fixed_points(rules, qbaf, bearings, presence, topic)
    strengths: dict[int, Any] = {}
    for bearing in bearings:
        strengths[bearing.index] = rules.judged(bearing, strengths, presence)
    return np.asarray(strengths[topic], dtype=np.float64)


class _Rules:
    """How one argument is judged under many coalitions."""

    def __init__(self, gradual: GradualSemantics, qbaf: QBAF) -> None:
        self._aggregation: Any = gradual.aggregation
        self._move: Any = gradual.influence.move
        self._bases: list[float] = qbaf.base_scores.tolist()

    def judged(self, bearing: Bearing, strengths: Mapping[int, Any], presence: Mapping[int, FloatArray]) -> Any:
        strength: Any = self._bases[bearing.index]
        if bearing.sources:
            sides = self._folded(bearing.supporters, strengths), self._folded(bearing.attackers, strengths)
            strength = self._move(strength, self._aggregation.combine(*sides))
        return strength * presence[bearing.index] if bearing.index in presence else strength

    def _folded(self, places: Sequence[int], strengths: Mapping[int, Any]) -> Any:
        result = self._aggregation.fold.neutral
        for number, place in enumerate(places):
            term = self._aggregation.term(strengths[place])
            result = self._aggregation.fold.arrays(result, term) if number else term
        return result


def _fixed_points(
    rules: _Rules,
    qbaf: QBAF,
    bearings: Sequence[Bearing],
    presence: Mapping[int, FloatArray],
    topic: int,
) -> FloatArray | None:
    """Search as ``core.semantics.fixed_point`` does by its damped method, for each coalition by itself."""
    count = max((len(values) for values in presence.values()), default=1)
    start = np.array([qbaf.base_scores[b.index] * presence.get(b.index, np.ones(count)) for b in bearings])
    row_of = {bearing.index: row for row, bearing in enumerate(bearings)}
    found = np.full(count, np.nan)
    waiting = np.arange(count)
    for step in DAMPED_STEPS:
        strengths, before = start[:, waiting], np.full(waiting.size, np.inf)
        there = {index: values[waiting] for index, values in presence.items()}
        for _ in range(LONGEST):
            by_place = {index: strengths[row] for index, row in row_of.items()}
            following = np.array([rules.judged(b, by_place, there) + np.zeros(waiting.size) for b in bearings])
            residual = np.abs(following - strengths).max(axis=0)
            done = (residual == 0.0) | ((residual <= TOLERANCE) & (residual >= before))
            if done.any():
                found[waiting[done]] = strengths[row_of[topic], done].clip(0.0, 1.0)
                left = ~done
                waiting, strengths, following, residual = (
                    waiting[left],
                    strengths[:, left],
                    following[:, left],
                    residual[left],
                )
                there = {index: values[left] for index, values in there.items()}
            if not waiting.size:
                return found
            before = residual
            strengths = strengths + step * (following - strengths)
    return None
