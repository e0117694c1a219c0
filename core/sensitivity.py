"""How a score answers to one base score, to two, to the conservativeness and to the semantics.

Scores are those of the judge, to the last bit. How far a verdict is from flipping stands in ``core.flip_distance``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from core.contestation import Edit, EditKind, contest
from core.errors import InvalidEdit
from core.judgement import Judgement
from core.judges.semantics_judge import SemanticsJudge
from core.least.outcome import Stop, never
from core.least.scorer import Scorer
from core.opinion import TOPIC, OpinionProfile
from core.semantics import SEMANTICS

POINTS = 41  # of a curve: steps of 0.025
MAP_POINTS = 21  # along each side of a heat map: steps of 0.05
CONSERVATIVENESS = tuple((20 + step) / 20 for step in range(41))  # 1 to 3

FloatArray = NDArray[np.float64]


@dataclass(frozen=True)
class Curve:
    """A judge's score over one thing that is changed.

    Attributes:
        judge: Who judges.
        over: What is changed: an argument's id, ``TOPIC`` or "conservativeness".
        values: What it is changed to, rising.
        scores: The score at each; None where there is none.
    """

    judge: SemanticsJudge
    over: str
    values: tuple[float, ...]
    scores: tuple[float | None, ...]


@dataclass(frozen=True, eq=False)
class HeatMap:
    """A judge's score over two base scores.

    Attributes:
        judge: Who judges.
        first, second: Ids of the arguments, or ``TOPIC``.
        values: The base scores that both take, rising, shape (points,).
        scores: The scores, NaN where there is none; row i has the second at ``values[i]``, shape (points, points).
    """

    judge: SemanticsJudge
    first: str
    second: str
    values: FloatArray
    scores: FloatArray


def base_score_curve(
    judge: SemanticsJudge, profile: OpinionProfile, argument: str, points: int = POINTS, stop: Stop = never
) -> Curve:
    """Return the score over one argument's base score, or the topic's, from 0 to 1.

    Cyclic debates may take long; where they are stopped, scores are missing. The same goes for all curves here.

    Raises:
        InvalidEdit: If there is no such argument.
    """
    values = _grid(points)
    (row,), scorer = _rows(judge, profile, [argument], stop)
    columns = np.repeat(scorer.base[:, None], points, axis=1)
    if row is not None:
        columns[row] = values
    return Curve(judge, argument, tuple(values.tolist()), _listed(scorer.scores(columns)))


def base_score_curves(
    judges: Iterable[SemanticsJudge], profile: OpinionProfile, argument: str, points: int = POINTS, stop: Stop = never
) -> tuple[Curve, ...]:
    """Return several judges' curves over one base score."""
    return tuple(base_score_curve(judge, profile, argument, points, stop) for judge in judges)


def heat_map(
    judge: SemanticsJudge,
    profile: OpinionProfile,
    first: str,
    second: str,
    points: int = MAP_POINTS,
    stop: Stop = never,
) -> HeatMap:
    """Return the score over two base scores.

    Raises:
        InvalidEdit: If there is no such argument, or both are the same.
    """
    if first == second:
        raise InvalidEdit(f"A heat map needs two arguments; {first!r} was chosen for both sides.")
    values = _grid(points)
    rows, scorer = _rows(judge, profile, [first, second], stop)
    columns = np.repeat(scorer.base[:, None], points * points, axis=1)
    for row, grid in zip(rows, (np.tile(values, points), np.repeat(values, points)), strict=True):
        if row is not None:
            columns[row] = grid
    return HeatMap(judge, first, second, values, scorer.scores(columns).reshape(points, points))


def conservativeness_curve(
    judge: SemanticsJudge, profile: OpinionProfile, values: Sequence[float] = CONSERVATIVENESS, stop: Stop = never
) -> Curve:
    """Return the score over the conservativeness; empty for a semantics that has none."""
    family = SEMANTICS[judge.semantics]
    chosen = tuple(values) if family.has_conservativeness else ()
    scorer = Scorer(judge, profile, stop)
    scores = [scorer.scores(scorer.base[:, None], gradual=family(value)) for value in chosen]
    return Curve(judge, "conservativeness", chosen, tuple(score for found in scores for score in _listed(found)))


def by_semantics(judge: SemanticsJudge, profile: OpinionProfile) -> tuple[tuple[SemanticsJudge, Judgement], ...]:
    """Return what the judge would say under every semantics, all else being equal.

    Where a semantics has no conservativeness, it is judged without.
    """
    found = []
    for key, family in SEMANTICS.items():
        kappa = judge.conservativeness if family.has_conservativeness else 1.0
        other = replace(judge, semantics=key, conservativeness=kappa)
        found.append((other, other.judge(profile)))
    return tuple(found)


def _rows(
    judge: SemanticsJudge, profile: OpinionProfile, names: Sequence[str], stop: Stop
) -> tuple[list[int | None], Scorer]:
    """Return the rows of what is changed, None for what the judge leaves out anyway, with a scorer that has them."""
    for name in names:
        if name != TOPIC and name not in profile.by_id:
            raise InvalidEdit(f"There is no argument {name!r} in this profile any more.")
    # What lacks a base score is judged as soon as it is given one.
    unscored = [name for name in names if name != TOPIC and profile.by_id[name].base_score is None]
    given = contest(profile, [Edit(EditKind.SET_BASE_SCORE, name, after=0.5) for name in unscored]).profile
    scorer = Scorer(judge, given, stop)
    return [scorer.row.get(name) for name in names], scorer


def _grid(points: int) -> FloatArray:
    return np.array([step / (points - 1) for step in range(points)])


def _listed(scores: FloatArray) -> tuple[float | None, ...]:
    return tuple(None if np.isnan(score) else score for score in scores.tolist())


__all__ = [
    "CONSERVATIVENESS",
    "MAP_POINTS",
    "POINTS",
    "Curve",
    "HeatMap",
    "base_score_curve",
    "base_score_curves",
    "by_semantics",
    "conservativeness_curve",
    "heat_map",
]
