"""What each argument adds to the score."""

from __future__ import annotations

from collections.abc import Sequence

from core.judges.semantics_judge import SemanticsJudge
from core.opinion import TOPIC, OpinionProfile


def removal(judge: SemanticsJudge, profile: OpinionProfile) -> dict[str, float]:
    """Return by how much the score would fall if one argument were not there, for each argument that is judged.

    Positive for what speaks for the claim, in [-1, 1]; equal to judging the profile without the argument. Empty where
    the profile itself has no score; an argument is absent where there would be no score without it.
    """
    gradual = judge.gradual
    parts = judge.qbafs(profile)
    evaluations = [gradual.evaluate(part.qbaf) for part in parts]
    if not all(evaluation.converged for evaluation in evaluations):
        return {}

    def joined(scores: Sequence[float]) -> float:
        return scores[0] if parts[0].agent is None else judge.final_score(scores)

    scores = [float(evaluation.strengths[0]) for evaluation in evaluations]  # the topic comes first in every part
    final = joined(scores)
    places: dict[str, list[tuple[int, int]]] = {}
    for number, part in enumerate(parts):
        for place, name in enumerate(part.qbaf.names):
            if name != TOPIC:
                places.setdefault(name, []).append((number, place))
    contributions: dict[str, float] = {}
    for name, found in places.items():
        without = [(number, gradual.without(evaluations[number], place)) for number, place in found]
        if all(evaluation.converged for _, evaluation in without):
            changed = dict(enumerate(scores))
            changed.update((number, float(evaluation.strengths[0])) for number, evaluation in without)
            contributions[name] = final - joined([*changed.values()])
    return contributions


__all__ = ["removal"]
