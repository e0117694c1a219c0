"""The weakest argument that, added to the debate, reaches a goal.

An argument of base score 0 changes nothing, so adding one is raising the base score of one that is there with 0. All
targets are tried at once, for and against where either may help.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from core.contestation import Edit, EditKind, contest
from core.judgement import Verdict
from core.least.one_score import ScoreFlip, flips_of, free_names, ordered
from core.least.outcome import ChangeKind, Outcome, OutcomeStatus, Question
from core.least.scorer import Scorer
from core.opinion import TOPIC, RelationKind

DEFAULT_TEXT = "A further argument, yet to be written"


@dataclass(frozen=True)
class Addition:
    """What an added argument needs.

    Attributes:
        target: What it bears on, an argument's id or ``TOPIC``.
        relation: Whether it supports or attacks the target.
        status: LEAST or BEST with a base score, IMPOSSIBLE or NOT_FOUND without one.
        base_score: The least that reaches the goal.
        after, verdict: The judge's score and verdict then.
        edit: The edit that adds it.
    """

    target: str
    relation: RelationKind
    status: OutcomeStatus
    base_score: float | None = None
    after: float | None = None
    verdict: Verdict | None = None
    edit: Edit | None = None


def additions(
    question: Question, text: str = DEFAULT_TEXT, taken: frozenset[str] = frozenset()
) -> tuple[Addition, ...]:
    """Return for every target that is not locked what an argument added there needs, the weakest first.

    Only the relations that may help are listed. Empty where the goal is reached already.

    Args:
        question: What is asked; the topic counts as a target whether it is locked or not.
        text: The added argument's text.
        taken: Ids that the added argument must not have, besides those of the profile.
    """
    scorer = Scorer(question.judge, question.profile, question.stop)
    if question.goal.reached(scorer.score):
        return ()
    used = {TOPIC, *question.profile.by_id, *taken}
    number = next(n for n in range(1, len(used) + 2) if f"new{n}" not in used)
    targets = dict.fromkeys([TOPIC, *free_names(question, scorer)])
    wanted = 1 if scorer.score < question.goal.low else -1
    tries: dict[str, Edit] = {}
    for target in targets:
        signs = scorer.signs[target]
        for kind, sign in ((RelationKind.SUPPORT, 1), (RelationKind.ATTACK, -1)):
            if signs and (np.isnan(scorer.score) or wanted * sign in signs):
                name = f"{len(tries)} {max(used, key=len)}"  # longer than every id, so it is nobody's
                tries[name] = Edit(EditKind.ADD_ARGUMENT, name, after=0.0, text=text, target=target, relation=kind)
    extended = replace(question, profile=contest(question.profile, tries.values()).profile)
    flips = flips_of(extended, Scorer(question.judge, extended.profile, question.stop), list(tries))
    by_name = {flip.argument: flip for flip in flips}
    return tuple(_addition(by_name[flip.argument], tries[flip.argument], f"new{number}") for flip in ordered(flips))


def least_addition(question: Question, text: str = DEFAULT_TEXT, taken: frozenset[str] = frozenset()) -> Outcome:
    """Return the weakest single argument whose addition reaches the goal; see ``additions``."""
    kind = ChangeKind.ADDITION
    settled = question.settled(kind)
    if settled is not None:
        return settled
    found = additions(question, text, taken)
    unsure = [a for a in found if a.status in (OutcomeStatus.BEST, OutcomeStatus.NOT_FOUND)]
    doubt = f"For {len(unsure)} of {len(found)} targets the search could not be brought to an end." if unsure else ""
    stopped = bool(unsure) and question.stop()
    best = next((a for a in found if a.edit is not None and a.base_score is not None), None)
    if best is not None and best.edit is not None and best.base_score is not None:
        proof = doubt or "No weaker one reaches it, whatever it supports or attacks."
        return question.answer(kind, [best.edit], best.base_score, proved=not unsure, proof=proof, stopped=stopped)
    if unsure:
        return question.none(kind, OutcomeStatus.NOT_FOUND, f"None was found. {doubt}", stopped)
    return question.none(kind, OutcomeStatus.IMPOSSIBLE, "Wherever it is added, not even one of base score 1 does.")


def _addition(flip: ScoreFlip, tried: Edit, name: str) -> Addition:
    edit = None if flip.needed is None else replace(tried, argument=name, after=flip.needed)
    return Addition(tried.target, tried.relation, flip.status, flip.needed, flip.after, flip.verdict, edit)


__all__ = ["DEFAULT_TEXT", "Addition", "additions", "least_addition"]
