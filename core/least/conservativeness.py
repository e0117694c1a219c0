"""The nearest conservativeness at which the judge comes to what is wanted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from core.least.goal import FloatArray, Mask
from core.least.outcome import ChangeKind, Outcome, OutcomeStatus, Question
from core.least.scorer import Scorer
from core.least.search import Lines, nearest
from core.semantics import SEMANTICS

LEAST_VALUE = 1.0
MOST_VALUE = 10.0  # beyond it hardly anything moves a base score; searched up to here


def least_conservativeness(question: Question, most: float = MOST_VALUE) -> Outcome:
    """Return the nearest conservativeness in [1, most] that reaches the goal, as a judge that has it.

    The debate stays as it is, so there are no edits. Strengths move towards base scores as it rises, but deeper down
    that can push the topic either way, so the way is searched with bounds.
    """
    kind = ChangeKind.CONSERVATIVENESS
    family = SEMANTICS[question.judge.semantics]
    settled = question.settled(kind)
    if settled is not None:
        return settled
    if not family.has_conservativeness:
        return question.none(kind, OutcomeStatus.IMPOSSIBLE, f"{family.label} has no conservativeness.")
    scorer = Scorer(question.judge, question.profile, question.stop)
    column = scorer.base[:, None]

    def look(_: Lines, stretches: FloatArray) -> tuple[Mask, Mask | None]:
        scores = [scorer.scores(column, gradual=family(far))[0] for far in stretches[:, 1].tolist()]
        hits = question.goal.reached(np.array(scores))
        if not scorer.acyclic:
            return hits, None
        bounds = [
            scorer.bounds(column, column, semantics=(family(near), family(far))) for near, far in stretches.tolist()
        ]
        return hits, question.goal.within(np.array([b[0][0] for b in bounds]), np.array([b[1][0] for b in bounds]))

    start = question.judge.conservativeness
    (down,) = nearest([(start, LEAST_VALUE)], look, scorer.acyclic, question.stop)
    reach = most if down.point is None else min(most, start + (start - down.point))
    (up,) = nearest([(start, max(reach, start))], look, scorer.acyclic, question.stop)
    value = down.point if up.point is None else up.point
    proved, stopped = down.proved and up.proved, down.stopped or up.stopped
    if value is None:
        status = OutcomeStatus.IMPOSSIBLE if proved else OutcomeStatus.NOT_FOUND
        return question.none(kind, status, f"Looked for between {LEAST_VALUE:g} and {most:g}.", stopped)
    judge = replace(question.judge, conservativeness=value)
    proof = "Bounds exclude every nearer one." if proved else "Nearer ones could not be excluded."
    return question.answer(kind, [], abs(value - start), proved=proved, proof=proof, stopped=stopped, judge=judge)


__all__ = ["LEAST_VALUE", "MOST_VALUE", "least_conservativeness"]
