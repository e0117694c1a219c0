"""How fast the score moves with each base score."""

from __future__ import annotations

import math
from collections.abc import Sequence

from core.contributions.definition import Definition
from core.contributions.differentiation import Differentiation, Directions, directions
from core.contributions.removal import NO_SCORE
from core.contributions.results import GradientContributions, Slope
from core.judges.semantics_judge import ScoreAggregation, SemanticsJudge
from core.opinion import TOPIC, OpinionProfile

TIE = 14  # decimals to which scores of different agents are compared; rounding cannot tell them apart beyond
JUMP = 2e-12  # a score this near to a threshold can pass it by a very small change; verdicts round to 12 decimals
JUMPS = "The score jumps where an agent's score is at the verdict's threshold, so it has no slope there by {names}."
UNKNOWN = "The fixed point does not depend on base scores in a way that has a slope, so some or all slopes are missing."


def gradient(judge: SemanticsJudge, profile: OpinionProfile) -> GradientContributions:
    """Return the slopes of the score over every judged argument's base score, and over the topic's.

    Exact derivatives, whatever the semantics and its conservativeness: no small step is taken. Both one-sided slopes
    are given; they differ at a kink, and one is missing at base scores 0 and 1. A base score that stands in for a
    missing one counts like any other. An argument that does not bear on the topic has the slope 0.
    """
    parts = judge.qbafs(profile)
    evaluations = [judge.gradual.evaluate(part.qbaf) for part in parts]
    if not all(evaluation.converged for evaluation in evaluations):
        return GradientContributions(Definition.GRADIENT, {}, "", (NO_SCORE,))
    scores = [float(evaluation.strengths[0]) for evaluation in evaluations]
    found = [directions(judge.gradual, evaluation) for evaluation in evaluations]
    slopes: dict[str, Slope] = {}
    jumping: list[str] = []
    places = [{name: place for place, name in enumerate(part.qbaf.names)} for part in parts]
    for name in dict.fromkeys(name for part in parts for name in part.qbaf.names):
        where = [known.get(name) for known in places]
        sides = [
            _change(judge, parts[0].agent is None, scores, _along(found, where, upwards)) for upwards in (True, False)
        ]
        if any(side is not None and math.isinf(side) for side in sides):
            jumping.append(name)
        up, down = (side if side is not None and math.isfinite(side) else None for side in sides)
        bases = {float(part.qbaf.base_scores[i]) for part, i in zip(parts, where, strict=True) if i is not None}
        slopes[name] = Slope(
            None if 0.0 in bases or down is None else 0.0 - down,
            None if 1.0 in bases or up is None else up,
        )
    topic = slopes.pop(TOPIC)
    notes = [] if all(part.complete for part in found) else [UNKNOWN]
    if jumping:
        notes.append(JUMPS.format(names=", ".join(repr(name) for name in sorted(jumping))))
    return GradientContributions(
        Definition.GRADIENT,
        {name: slope.value for name, slope in slopes.items() if slope.value is not None},
        _method(found),
        tuple(notes),
        slopes,
        topic,
    )


def _along(found: Sequence[Directions], where: Sequence[int | None], upwards: bool) -> list[float] | None:
    """Return how each part's score changes as one base score moves, 0 where it has no say; None where unknown."""
    changes: list[float] = []
    for slopes, place in zip(found, where, strict=True):
        side = slopes.up if upwards else slopes.down
        if place is None:
            changes.append(0.0)
        elif place in side or slopes.complete:
            changes.append(side.get(place, 0.0))
        else:
            return None
    return changes


def _change(judge: SemanticsJudge, combined: bool, scores: Sequence[float], along: list[float] | None) -> float | None:
    """Return how the final score changes as the parts' scores do; infinite where it jumps, None where unknown."""
    if along is None:
        return None
    if combined:
        return along[0]
    if judge.aggregation is ScoreAggregation.MEAN:
        return math.fsum(along) / len(along)
    if judge.aggregation is ScoreAggregation.MAJORITY:
        moved = [
            score + math.copysign(JUMP, slope) if slope else score for score, slope in zip(scores, along, strict=True)
        ]
        return 0.0 if judge.final_score(moved) == judge.final_score(scores) else math.inf
    # Of agents with equal scores, the one whose score moves lower is the lower one from there on.
    ordered = [slope for _, slope in sorted(zip((round(score, TIE) for score in scores), along, strict=True))]
    match judge.aggregation:
        case ScoreAggregation.MIN:
            return ordered[0]
        case ScoreAggregation.MAX:
            return ordered[-1]
        case _:
            return (ordered[(len(ordered) - 1) // 2] + ordered[len(ordered) // 2]) / 2


def _method(found: Sequence[Directions]) -> str:
    ways = [way for way in Differentiation if any(part.method is way for part in found)]
    return "; ".join(way.value for way in ways)
