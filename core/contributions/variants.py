"""One strength in many variants of a graph, such as the graph without each of its arguments in turn.

Each comes out as if its variant were evaluated by itself, to the last bit. Variants with cycles are searched for their
fixed points side by side, as one forest; each stops when it has its own.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from core.qbaf import QBAF
from core.semantics import GradualSemantics, fixed_point

FloatArray = NDArray[np.float64]
Mask = NDArray[np.bool_]


def first_strengths(gradual: GradualSemantics, variants: Sequence[QBAF]) -> list[float | None]:
    """Return the strength of the first argument in each of many graphs of one size; None where it was not found."""
    if not variants:
        return []
    cyclic = _cyclic(variants).tolist()
    found = iter(_fixed_points(gradual, [qbaf for qbaf, is_cyclic in zip(variants, cyclic, strict=True) if is_cyclic]))
    return [
        next(found) if is_cyclic else float(gradual.evaluate(qbaf).strengths[0])
        for qbaf, is_cyclic in zip(variants, cyclic, strict=True)
    ]


def _cyclic(variants: Sequence[QBAF]) -> Mask:
    """Return which graphs have a cycle: a strongly connected component of several arguments, or a self-relation."""
    forest = QBAF.forest(variants)
    structure = forest.structure
    sources = np.concatenate([structure.supports.sources, structure.attacks.sources])
    targets = np.concatenate([structure.supports.targets, structure.attacks.targets])
    relations = coo_array((np.ones(sources.size, dtype=np.int8), (sources, targets)), shape=(len(forest), len(forest)))
    _, component = connected_components(relations, directed=True, connection="strong")
    inside = np.bincount(component)[component] > 1
    inside[sources[sources == targets]] = True
    return np.logical_or.reduceat(inside, forest.offsets[:-1])


def _fixed_points(gradual: GradualSemantics, variants: Sequence[QBAF]) -> list[float | None]:
    """Search as ``fixed_point`` does by its damped method."""
    found: list[float | None] = [None] * len(variants)
    waiting = list(range(len(variants)))
    for step in fixed_point.DAMPED_STEPS:
        waiting = _search(gradual, variants, waiting, step, found)
    return found


def _search(
    gradual: GradualSemantics, variants: Sequence[QBAF], waiting: list[int], step: float, found: list[float | None]
) -> list[int]:
    """Fill in what one step size finds for the variants that wait, and return those that wait on."""
    size = len(variants[0]) if variants else 0
    strengths = np.concatenate([np.zeros(0), *(variants[number].base_scores for number in waiting)])
    before = np.full(len(waiting), np.inf)
    forest = QBAF.forest([variants[number] for number in waiting])
    open_ = np.ones(len(waiting), dtype=np.bool_)
    for taken in range(fixed_point.LONGEST + 1):
        if not open_.any():
            break
        if 2 * np.count_nonzero(open_) < open_.size:  # the others need not be judged again and again
            waiting = [number for number, is_open in zip(waiting, open_.tolist(), strict=True) if is_open]
            strengths, before = strengths.reshape(-1, size)[open_].ravel(), before[open_]
            forest, open_ = QBAF.forest([variants[number] for number in waiting]), np.ones(len(waiting), dtype=np.bool_)
        judged = gradual.judge_round(forest, strengths)
        residual = np.abs(judged - strengths).reshape(-1, size).max(axis=1)
        done = (residual == 0.0) | ((residual <= fixed_point.TOLERANCE) & (residual >= before))
        if taken == fixed_point.LONGEST:
            done |= residual <= fixed_point.TOLERANCE
        for place in np.flatnonzero(done & open_).tolist():
            found[waiting[place]] = float(strengths[place * size].clip(0.0, 1.0))
        open_ &= ~done
        before = residual
        strengths = strengths + step * (judged - strengths)
    return [number for number, is_open in zip(waiting, open_.tolist(), strict=True) if is_open]
