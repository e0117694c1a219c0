"""Which of two profiles supports the claim more, whoever judges them.

A change points towards the claim where it moves a stance up, adds or strengthens an argument for the claim, or removes
or weakens one against it. An argument is for the claim if every path from it to the topic has an even number of
attacks, against it if every one has an odd number; of one with paths of both kinds nothing can be said.
"""

from __future__ import annotations

from collections import defaultdict

from core.judgement import Judgement
from core.opinion import TOPIC, Argument, OpinionProfile, RelationKind, Stance
from core.perturbations.direction import Direction, together

FOR, AGAINST = 1, -1


def sides(profile: OpinionProfile) -> dict[str, frozenset[int]]:
    """Return on which side of the claim each argument stands: FOR, AGAINST, both, or neither where no path leads."""
    sources: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for relation in profile.relations:
        sources[relation.target].append((relation.source, FOR if relation.kind is RelationKind.SUPPORT else AGAINST))
    found: dict[str, set[int]] = defaultdict(set)
    waiting = [(TOPIC, FOR)]
    while waiting:
        target, side = waiting.pop()
        for source, sign in sources[target]:
            if source != TOPIC and side * sign not in found[source]:
                found[source].add(side * sign)
                waiting.append((source, side * sign))
    return {argument.id: frozenset(found[argument.id]) for argument in profile.arguments}


def direction(before: OpinionProfile, after: OpinionProfile) -> Direction | None:
    """Return which way the second profile differs from the first; None where nothing that bears on the claim differs.

    An argument that bears on something else than before counts as removed and added again. A score that appears or
    disappears says nothing about more or less: NEITHER.
    """
    moves = _moved(before.topic_base_score, after.topic_base_score)
    moves += _stances({one.agent_id: one for one in before.stances}, {one.agent_id: one for one in after.stances})
    stood, stands = sides(before), sides(after)
    kept = {TOPIC, *before.by_id} & {TOPIC, *after.by_id}
    relations = _relations(before, kept), _relations(after, kept)
    for name in sorted({*before.by_id, *after.by_id}):
        was, now = before.by_id.get(name), after.by_id.get(name)
        if was is not None and now is not None and relations[0][name] == relations[1][name]:
            moves += [_sided(move, stood[name] | stands[name]) for move in _moved(was.base_score, now.base_score)]
        else:
            moves += _gone(was, stood) + _come(now, stands)
    pointing = [move for move in moves if move is not None]
    return together(pointing) if pointing else None


def breach(
    before: OpinionProfile, after: OpinionProfile, first: Judgement, second: Judgement, tolerance: float = 0.0
) -> str:
    """Return in a sentence how two judgements of one judge break contestability; an empty text where they do not.

    Args:
        before, after: The profiles.
        first, second: What the judge says of them.
        tolerance: How far the score may move against the change.
    """
    pointed = direction(before, after)
    if pointed not in (Direction.MORE_SUPPORTIVE, Direction.LESS_SUPPORTIVE):
        return ""
    if first.score is None or second.score is None:
        return ""
    gained = second.score - first.score
    if pointed is Direction.MORE_SUPPORTIVE and gained < -tolerance:
        return f"The profile only gained support, and the score fell by {-gained:.3f}: this breaks contestability."
    if pointed is Direction.LESS_SUPPORTIVE and gained > tolerance:
        return f"The profile only lost support, and the score rose by {gained:.3f}: this breaks contestability."
    return ""


def _moved(was: float | None, now: float | None) -> list[Direction | None]:
    if was == now:
        return []
    if was is None or now is None:
        return [Direction.NEITHER]
    return [Direction.MORE_SUPPORTIVE if now > was else Direction.LESS_SUPPORTIVE]


def _stances(was: dict[str, Stance], now: dict[str, Stance]) -> list[Direction | None]:
    if was.keys() != now.keys():
        return [Direction.NEITHER]
    moves: list[Direction | None] = []
    for name, stance in was.items():
        moves += _moved(stance.prior, now[name].prior) + _moved(stance.posterior, now[name].posterior)
    return moves


def _sided(move: Direction | None, stands: frozenset[int]) -> Direction | None:
    """Return what a stronger or weaker argument does to the claim; None where it does not bear on it."""
    if move is None or not stands:
        return None
    if len(stands) > 1:
        return Direction.NEITHER
    return move if FOR in stands else move.mirror


def _gone(argument: Argument | None, stood: dict[str, frozenset[int]]) -> list[Direction | None]:
    return [] if argument is None else [_sided(Direction.LESS_SUPPORTIVE, stood[argument.id])]


def _come(argument: Argument | None, stands: dict[str, frozenset[int]]) -> list[Direction | None]:
    return [] if argument is None else [_sided(Direction.MORE_SUPPORTIVE, stands[argument.id])]


def _relations(profile: OpinionProfile, kept: set[str]) -> dict[str, frozenset[tuple[str, RelationKind]]]:
    """Return what each argument bears on, among what is in both profiles: a relation goes with its target."""
    found: dict[str, set[tuple[str, RelationKind]]] = defaultdict(set)
    for relation in profile.relations:
        if relation.target in kept:
            found[relation.source].add((relation.target, relation.kind))
    return defaultdict(frozenset, {name: frozenset(pairs) for name, pairs in found.items()})
