"""Why a semantics judge came to its score: one plain sentence, and a warning where a score hides others."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from core.judges.framing import JudgedPart
from core.opinion import TOPIC
from core.qbaf import QBAF
from core.semantics import Evaluation, GradualSemantics

MOST_AGENTS = 6  # agents that one sentence names
MOST_NOTES = 3  # notes of one kind
LONGEST_ID = 40

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def sentence(semantics: GradualSemantics, part: JudgedPart, evaluation: Evaluation) -> str:
    """Return why the topic of one QBAF has its strength."""
    topic = part.qbaf.index(TOPIC)
    score = float(evaluation.strengths[topic])
    _, supporters, attackers = part.qbaf.structure.node(topic)
    if not supporters and not attackers:
        return f"Score {score:.2f}: nobody argued for or against the claim itself, so it keeps its base score."
    moved = score - part.topic_base_score
    sides = {"pro": supporters, "con": attackers}
    if moved == 0:
        shown = [_counted(len(side), word) for word, side in sides.items() if side]
        many = len(supporters) + len(attackers) > 1
        reason = f"{' and '.join(shown)} leave{'' if many else 's'} the base score as it is"
        return f"Score {score:.2f}: {reason}{_without(semantics, evaluation, supporters + attackers)}."
    winner, loser = ("pro", "con") if moved > 0 else ("con", "pro")
    winning, losing = sides[winner], sides[loser]
    verb = "" if len(winning) > 1 else "s"
    if losing:
        reason = f"{_counted(len(winning), winner)} outweigh{verb} {_counted(len(losing), loser)}"
    else:
        aim, other = ("for", "against") if moved > 0 else ("against", "for")
        reason = f"{_counted(len(winning), winner)} speak{verb} {aim} it and nothing {other} it"
    return f"Score {score:.2f}: {reason}{_without(semantics, evaluation, winning)}."


def mean_sentence(score: float, method: str, agents: Sequence[tuple[str, float]]) -> str:
    """Return how the agents' scores came to one.

    Args:
        score: The final score.
        method: What was done with them, such as "the mean".
        agents: Ids with scores.
    """
    ordered = sorted(agents, key=lambda agent: (-agent[1], agent[0]))
    named = ", ".join(f"{_short(name)} {value:.2f}" for name, value in ordered[:MOST_AGENTS])
    more = f" and {len(ordered) - MOST_AGENTS} more" if len(ordered) > MOST_AGENTS else ""
    return f"Score {score:.2f}, {method} of {_counted(len(ordered), 'agent')}: {named}{more}."


def hidden_notes(semantics: GradualSemantics, evaluation: Evaluation) -> list[str]:
    """Return a warning for each argument whose strength of exactly 1 hides others, under product aggregations."""
    if not semantics.aggregation.saturates:
        return []
    qbaf = evaluation.qbaf
    found = []
    for word, relations in (("pros", qbaf.structure.supports), ("cons", qbaf.structure.attacks)):
        several = np.bincount(relations.targets, minlength=len(qbaf))[relations.targets] > 1
        full = evaluation.strengths[relations.sources] == 1.0
        for place in np.flatnonzero(several & full).tolist():
            target = qbaf.names[int(relations.targets[place])]
            where = "the topic" if target == TOPIC else f"{_short(target)!r}"
            source = _short(qbaf.names[int(relations.sources[place])])
            found.append(f"{source!r} has a strength of exactly 1 and hides the other {word} of {where}.")
    return _first(found, "strengths of exactly 1 hide others")


def overlap_notes(qbaf: QBAF) -> list[str]:
    """Return a note for each argument that both supports and attacks another."""
    found = [
        f"{_short(source)!r} both supports and attacks {'the topic' if target == TOPIC else repr(_short(target))}; "
        "both count."
        for source, target in qbaf.overlaps
    ]
    return _first(found, "arguments both support and attack another")


def _first(notes: Sequence[str], rest: str) -> list[str]:
    """Return the first few notes in alphabetical order, and one that counts the rest."""
    ordered = sorted(notes)
    more = len(ordered) - MOST_NOTES
    return ordered[:MOST_NOTES] + ([f"{more} more {rest}."] if more > 0 else [])


def _without(semantics: GradualSemantics, evaluation: Evaluation, side: Sequence[int]) -> str:
    """Return what the score would be without the strongest argument of one side, if that would show."""
    names, topic = evaluation.qbaf.names, evaluation.qbaf.index(TOPIC)
    strongest = min(side, key=lambda i: (-evaluation.strengths[i], names[i]), default=None)
    if strongest is None or not evaluation.qbaf.acyclic:
        return ""
    score = f"{semantics.without(evaluation, strongest).strengths[topic]:.2f}"
    if score == f"{evaluation.strengths[topic]:.2f}":
        return ""
    return f"; without {_short(names[strongest])!r} it would be {score}"


def _counted(count: int, word: str) -> str:
    number = _NUMBERS[count] if count < len(_NUMBERS) else str(count)
    return f"{number} {word}" if count == 1 else f"{number} {word}s"


def _short(name: str) -> str:
    return name if len(name) <= LONGEST_ID else f"{name[: LONGEST_ID - 1]}…"
