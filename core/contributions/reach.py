"""Which arguments bear on one argument, in an order that depends on names only.

Sums of the same numbers in another order differ in the last bit. So whatever is summed over arguments here is summed
in the order of their names, and the order in which a profile lists them cannot show.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.qbaf import QBAF


@dataclass(frozen=True)
class Bearing:
    """One argument that bears on the topic, with the arguments that bear on it directly, ordered by name.

    Attributes:
        index: Its place in the QBAF.
        supporters, attackers: Places; an argument may be in both.
    """

    index: int
    supporters: tuple[int, ...]
    attackers: tuple[int, ...]

    @property
    def sources(self) -> tuple[int, ...]:
        """Return every argument that bears on it directly, once."""
        return tuple(dict.fromkeys((*self.supporters, *self.attackers)))


def bearing_on(qbaf: QBAF, index: int) -> tuple[Bearing, ...]:
    """Return one argument and all that bear on it, directly or through others, lowest first.

    In an acyclic graph every argument comes after its sources; in a cyclic one the order is by name. Neither depends
    on the order of arguments or relations.
    """
    names, structure = qbaf.names, qbaf.structure
    found: dict[int, Bearing] = {}
    waiting = [index]
    while waiting:
        place = waiting.pop()
        if place not in found:
            _, supporters, attackers = structure.node(place)
            found[place] = Bearing(place, _by_name(supporters, qbaf), _by_name(attackers, qbaf))
            waiting.extend(found[place].sources)
    depth = structure.depth
    return tuple(sorted(found.values(), key=lambda b: (0 if depth is None else int(depth[b.index]), names[b.index])))


def upstream(bearings: Iterable[Bearing], of: Iterable[int]) -> frozenset[int]:
    """Return these arguments and those among the bearings that bear on them, directly or through others."""
    sources = {bearing.index: bearing.sources for bearing in bearings}
    found: set[int] = set()
    waiting = list(of)
    while waiting:
        place = waiting.pop()
        if place not in found:
            found.add(place)
            waiting.extend(sources[place])
    return frozenset(found)


def _by_name(places: Iterable[int], qbaf: QBAF) -> tuple[int, ...]:
    return tuple(sorted(places, key=lambda place: qbaf.names[place]))
