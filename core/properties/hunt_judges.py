"""Look for a violation among orders of the agents, settings of the judge, and repeats."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

from core.perturbations.agents import ArrangeAgents
from core.perturbations.judge_edit import JudgeEdit, JudgeEditKind
from core.properties.hunt import Goal, Hunt, Walk
from core.properties.trial import Trial

Order = tuple[int, ...]

SHIFTS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0)
FINEST_SHIFT = 0.001
MOST_LISTED = 6  # agents of whom all orders are tried


def hunt_orders(hunt: Hunt) -> Walk:
    """Try two agents in each other's place, near ones first, then other orders."""
    agents = len(hunt.profile.stances)
    for order in _orders(agents, hunt):
        shown = yield from hunt.tries(Trial(ArrangeAgents(order)), _displaced(order))
        if shown and hunt.goal is Goal.SMALLEST:
            yield from _tidied(hunt, order)
            return


def hunt_repeats(hunt: Hunt) -> Walk:
    """Ask the same again and again."""
    for repeat in itertools.count(1):
        shown = yield from hunt.tries(Trial(repeat=repeat), float(repeat))
        if shown and hunt.goal is Goal.SMALLEST:
            return


def hunt_settings(hunt: Hunt) -> Walk:
    """Try what the property tries anyway, then smaller and larger shifts of the same settings."""
    tried = [trial.judge for trial in hunt.tested.trials(hunt.judge) if trial.judge is not None]
    for edit in tried:
        yield from hunt.tries(Trial(judge=edit), _size(edit))
    shifts = [JudgeEditKind.SHIFT_TEMPERATURE, JudgeEditKind.SHIFT_CONSERVATIVENESS]
    for kind in shifts:
        if not any(edit.kind is kind for edit in tried):
            continue
        for way in (1, -1):
            yield from _along(hunt, kind, way)


def _along(hunt: Hunt, kind: JudgeEditKind, way: int) -> Walk:
    hidden = 0.0
    for size in SHIFTS:
        edit = JudgeEdit(kind, way * size)
        if not edit.fits(hunt.judge):
            return
        if not (yield from hunt.tries(Trial(judge=edit), size)):
            hidden = size
            continue
        shown = size
        while hunt.goal is Goal.SMALLEST and shown - hidden > FINEST_SHIFT:
            middle = round((shown + hidden) / 2, 6)
            if (yield from hunt.tries(Trial(judge=JudgeEdit(kind, way * middle)), middle)):
                shown = middle
            else:
                hidden = middle
        if hunt.goal is Goal.SMALLEST:
            return
        hidden = size


def _orders(agents: int, hunt: Hunt) -> Iterator[Order]:
    own = tuple(range(agents))
    for distance in range(1, agents):
        for first in range(agents - distance):
            yield _swapped(own, first, first + distance)
    if agents <= MOST_LISTED:
        yield from sorted(itertools.permutations(own), key=lambda order: (_displaced(order), order))[1:]
        return
    for _ in range(10 * hunt.budget):
        yield tuple(hunt.chance.permutation(agents).tolist())


def _tidied(hunt: Hunt, order: Order) -> Walk:
    """Put agents back into their places, as long as the order shows a violation."""
    again = True
    while again:
        again = False
        for place in range(len(order)):
            nearer = _swapped(order, place, order.index(place))
            if order[place] == place or nearer == tuple(range(len(order))):
                continue
            if (yield from hunt.tries(Trial(ArrangeAgents(nearer)), _displaced(nearer))):
                order, again = nearer, True
                break


def _swapped(order: Order, one: int, other: int) -> Order:
    found = list(order)
    found[one], found[other] = found[other], found[one]
    return tuple(found)


def _displaced(order: Order) -> float:
    return float(sum(place != where for place, where in enumerate(order)))


def _size(edit: JudgeEdit) -> float:
    return abs(float(edit.value)) if edit.kind.value.startswith("shift") else 1.0
