"""Profiles as arrays, and what changes of many profiles at once have in common."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from core.judges.many import NOBODY, TOPIC_PLACE, Floats, Mask, Places, ProfileArrays
from core.opinion import TOPIC, OpinionProfile, RelationKind

_GONE = -2  # the new place of an argument that is left out


def arrays_of(ids: Sequence[str], profiles: Sequence[OpinionProfile]) -> ProfileArrays:
    """Return profiles as arrays, as the storage reads them; a topic base score set by a contestation is not in them."""
    stances: list[tuple[int, str, float | None, float | None]] = []
    arguments: list[tuple[int, int, float | None, bool]] = []
    relations: list[tuple[int, int, int, bool]] = []
    for debate, held in enumerate(profiles):
        agents = {s.agent_id: len(stances) + place for place, s in enumerate(held.stances)}
        names = {TOPIC: TOPIC_PLACE} | {a.id: len(arguments) + place for place, a in enumerate(held.arguments)}
        stances += [(debate, s.agent_id, s.prior, s.posterior) for s in held.stances]
        arguments += [
            (debate, agents.get(a.author or "", NOBODY), a.base_score, a.is_error_text) for a in held.arguments
        ]
        relations += [
            (debate, names[r.source], names[r.target], r.kind is RelationKind.SUPPORT)
            for r in held.relations
            if r.source in names and r.target in names
        ]
    return ProfileArrays(
        debates=tuple(ids),
        shared=np.array([held.shared for held in profiles], dtype=bool),
        agents=[name for _, name, _, _ in stances],
        stance_debates=_whole(row[0] for row in stances),
        priors=_scores(row[2] for row in stances),
        posteriors=_scores(row[3] for row in stances),
        argument_debates=_whole(row[0] for row in arguments),
        authors=_whole(row[1] for row in arguments),
        base_scores=_scores(row[2] for row in arguments),
        failures=np.array([row[3] for row in arguments], dtype=bool),
        relation_debates=_whole(row[0] for row in relations),
        sources=_whole(row[1] for row in relations),
        targets=_whole(row[2] for row in relations),
        supports=np.array([row[3] for row in relations], dtype=bool),
    )


def direct(arrays: ProfileArrays, kind: RelationKind) -> Mask:
    """Return which arguments are pros (or cons) of the claim itself, shape (A,)."""
    found = np.zeros(len(arrays.base_scores), dtype=bool)
    chosen = (arrays.targets == TOPIC_PLACE) & (arrays.sources != TOPIC_PLACE)
    found[arrays.sources[chosen & (arrays.supports == (kind is RelationKind.SUPPORT))]] = True
    return found


def direct_arguments(profile: OpinionProfile, kind: RelationKind) -> tuple[str, ...]:
    """Return the ids of a profile's pros (or cons) of the claim itself, in the order of the arguments."""
    sources = {r.source for r in profile.relations if r.target == TOPIC and r.kind is kind}
    return tuple(a.id for a in profile.arguments if a.id in sources)


def polarity(arrays: ProfileArrays) -> tuple[Mask, Mask]:
    """Return which arguments speak for the claim along some path, and which against it, each of shape (A,).

    An argument speaks for the claim along a path with an even number of attacks. One that does both has no clear
    polarity.
    """
    positive, negative = direct(arrays, RelationKind.SUPPORT), direct(arrays, RelationKind.ATTACK)
    inner = (arrays.targets != TOPIC_PLACE) & (arrays.sources != TOPIC_PLACE)
    sources, targets, supports = arrays.sources[inner], arrays.targets[inner], arrays.supports[inner]
    if not len(sources):
        return positive, negative
    known = -1
    while known != (known := int(positive.sum() + negative.sum())):
        for kind, same, other in ((supports, positive, negative), (~supports, negative, positive)):
            same[sources[kind & positive[targets]]] = True
            other[sources[kind & negative[targets]]] = True
    return positive, negative


def unclear(arrays: ProfileArrays, moved: frozenset[RelationKind]) -> Mask:
    """Return the debates in which moving the pros (or cons) has no clear direction, shape (D,).

    That is so where one of them also bears on the claim the other way round, by itself or through other arguments.
    """
    positive, negative = polarity(arrays)
    found = np.zeros(len(arrays.debates), dtype=bool)
    for kind in moved:
        found[arrays.argument_debates[direct(arrays, kind) & positive & negative]] = True
    return found


def reindexed(arrays: ProfileArrays, stances: Places | None = None, arguments: Places | None = None) -> ProfileArrays:
    """Return the arrays with stances and arguments in another order inside each debate; arguments may be left out."""
    if stances is not None:
        place = np.empty(len(stances), dtype=np.int64)
        place[stances] = np.arange(len(stances))
        authors = arrays.authors
        arrays = replace(
            arrays,
            agents=[arrays.agents[number] for number in stances.tolist()],
            priors=arrays.priors[stances],
            posteriors=arrays.posteriors[stances],
            authors=np.where(authors == NOBODY, NOBODY, place[authors]) if len(place) else authors,
        )
    if arguments is None:
        return arrays
    place = np.full(len(arrays.base_scores) + 1, _GONE)
    place[-1] = TOPIC_PLACE  # TOPIC_PLACE is -1, so it finds itself
    place[arguments] = np.arange(len(arguments))
    sources, targets = place[arrays.sources], place[arrays.targets]
    left = (sources != _GONE) & (targets != _GONE)
    return replace(
        arrays,
        argument_debates=arrays.argument_debates[arguments],
        authors=arrays.authors[arguments],
        base_scores=arrays.base_scores[arguments],
        failures=arrays.failures[arguments],
        relation_debates=arrays.relation_debates[left],
        sources=sources[left],
        targets=targets[left],
        supports=arrays.supports[left],
    )


def sorted_by_debate(arrays: ProfileArrays) -> ProfileArrays:
    """Return arrays, to whose end rows were added, with each debate's rows side by side again; added ones come last."""
    stances = np.argsort(arrays.stance_debates, kind="stable")
    arguments = np.argsort(arrays.argument_debates, kind="stable")
    relations = np.argsort(arrays.relation_debates, kind="stable")
    by_argument = reindexed(replace(arrays, stance_debates=arrays.stance_debates[stances]), stances, arguments)
    return replace(
        by_argument,
        relation_debates=by_argument.relation_debates[relations],
        sources=by_argument.sources[relations],
        targets=by_argument.targets[relations],
        supports=by_argument.supports[relations],
    )


def shifted(value: float, size: float) -> float:
    """Return a score moved by a size, within [0, 1], rounded as an edit of a contestation rounds it."""
    return min(1.0, max(0.0, round(value + size, 12)))


def shifted_where(values: Floats, mask: Mask, size: float) -> Floats:
    """Return the values with the known ones under the mask moved by a size, within [0, 1]."""
    found = values.copy()
    places = np.flatnonzero(mask & ~np.isnan(values))
    found[places] = [shifted(value, size) for value in values[places].tolist()]
    return found


def debates_with(owners: Places, marked: Mask, count: int) -> Mask:
    """Return which of ``count`` debates own a marked row, shape (count,)."""
    found = np.zeros(count, dtype=bool)
    found[owners[marked]] = True
    return found


def differ(one: Floats, other: Floats) -> Mask:
    """Return where two arrays differ; a missing value equals a missing one."""
    return np.asarray((one != other) & ~(np.isnan(one) & np.isnan(other)), dtype=bool)


def _whole(values: Iterable[int]) -> Places:
    return np.array(list(values), dtype=np.int64)


def _scores(values: Iterable[float | None]) -> Floats:
    return np.array([math.nan if value is None else value for value in values], dtype=np.float64)
