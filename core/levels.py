"""The order in which arguments are judged: levels, each after everything its arguments depend on.

A plan is a sequence of steps. A wide level is judged with a few array operations; narrow levels that follow each other
are judged one argument at a time, because there an array operation costs more than it saves. Both give the same bits.
"""

from __future__ import annotations

from collections.abc import Iterator, MutableSequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

IndexArray = NDArray[np.int64]
Index = slice | IndexArray
Node = tuple[int, tuple[int, ...], tuple[int, ...]]  # an argument, its supporters, its attackers

NARROW_WIDTH = 24  # arguments in a level up to which single steps are faster than array operations; measured
NARROW_RELATIONS = 400  # the same for the relations that end in the level
BLOCK = 8192  # debates of a flat forest in one step, so that its intermediate results stay in the processor's cache


@dataclass(frozen=True, eq=False)
class Relations:
    """Relations of one kind, without repeats, ordered by target.

    Attributes:
        size: How many arguments there are.
        sources, targets: Argument indices, shape (relations,).
    """

    size: int
    sources: IndexArray
    targets: IndexArray

    @classmethod
    def of(cls, size: int, sources: IndexArray, targets: IndexArray) -> Relations:
        """Return the relations ordered and with repeats counted once."""
        codes = np.unique(targets * size + sources)
        return cls(size, codes % size, codes // size) if size else cls(size, codes, codes)

    @cached_property
    def starts(self) -> IndexArray:
        """Return where each target's relations start, shape (size + 1,)."""
        return np.searchsorted(self.targets, np.arange(self.size + 1))

    def sources_of(self, target: int) -> tuple[int, ...]:
        """Return the sources of one target."""
        return tuple(self.sources[self.starts[target] : self.starts[target + 1]].tolist())

    def without(self, index: int) -> Relations:
        """Return the relations that neither start nor end at one argument."""
        keep = (self.sources != index) & (self.targets != index)
        return Relations(self.size, self.sources[keep], self.targets[keep])

    def without_target(self, index: int) -> Relations:
        """Return the relations that do not end at one argument."""
        keep = self.targets != index
        return Relations(self.size, self.sources[keep], self.targets[keep])


@dataclass(frozen=True, eq=False, slots=True)
class Group:
    """The members of a level that have equally many sources of one kind.

    Attributes:
        members: Their places within the level.
        sources: Row j holds each member's j-th source: a matrix of indices, shape (sources, members), or one slice
            for each row where the sources lie side by side.
    """

    members: Index
    sources: IndexArray | tuple[slice, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Level:
    """Arguments that are judged at once.

    Attributes:
        targets: Their indices.
        width: How many they are.
        supporters, attackers: Their sources, grouped; members of no group have none.
    """

    targets: Index
    width: int
    supporters: tuple[Group, ...]
    attackers: tuple[Group, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Run:
    """Arguments that are judged one after the other."""

    nodes: tuple[Node, ...]


Step = Level | Run


def items(array: NDArray[Any]) -> MutableSequence[Any]:
    """Return a view of the array's memory whose single items are quick to read and write as Python numbers."""
    view: Any = array.data
    return view  # type: ignore[no-any-return]


class Dependants:
    """Which arguments depend directly on which: the relations the other way round."""

    def __init__(self, supports: Relations, attacks: Relations) -> None:
        sources = np.concatenate([supports.sources, attacks.sources])
        order = np.argsort(sources, kind="stable")
        self.targets: IndexArray = np.concatenate([supports.targets, attacks.targets])[order]
        self.starts: IndexArray = np.searchsorted(sources[order], np.arange(supports.size + 1))

    def of(self, index: int) -> list[int]:
        """Return the arguments that one argument supports or attacks; one that it does both to comes twice."""
        found: list[int] = self.targets[self.starts[index] : self.starts[index + 1]].tolist()
        return found

    def of_all(self, indices: IndexArray) -> IndexArray:
        """Return the arguments that any of these support or attack, with repeats."""
        return self.targets[_ranges(self.starts[indices], self.starts[indices + 1])]


def depths(supports: Relations, attacks: Relations, dependants: Dependants) -> IndexArray | None:
    """Return each argument's longest distance from an argument without sources, or None for a cyclic graph.

    Peels off, again and again, the arguments whose sources are all peeled off; no recursion.
    """
    size = supports.size
    waiting = np.diff(supports.starts) + np.diff(attacks.starts)
    depth = np.zeros(size, dtype=np.int64)
    waiting_items, depth_items = items(waiting), items(depth)
    target_items, start_items = items(dependants.targets), items(dependants.starts)
    frontier = np.flatnonzero(waiting == 0)
    level = peeled = 0
    while frontier.size:
        if frontier.size > NARROW_WIDTH:
            depth[frontier] = level
            peeled += frontier.size
            reached, times = np.unique(dependants.of_all(frontier), return_counts=True)
            waiting[reached] -= times
            frontier = reached[waiting[reached] == 0]
            level += 1
            continue
        narrow: list[int] = frontier.tolist()
        while 0 < len(narrow) <= NARROW_WIDTH:
            peeled += len(narrow)
            following = []
            for index in narrow:
                depth_items[index] = level
                for place in range(start_items[index], start_items[index + 1]):
                    target = target_items[place]
                    waiting_items[target] -= 1
                    if not waiting_items[target]:
                        following.append(target)
            narrow = following
            level += 1
        frontier = np.array(narrow, dtype=np.int64)
    return depth if peeled == size else None


def plan(supports: Relations, attacks: Relations, depth: IndexArray) -> tuple[Step, ...]:
    """Return the steps that judge every argument with sources, those of lower depth first."""
    degrees = np.diff(supports.starts) + np.diff(attacks.starts)
    targets = np.flatnonzero(degrees)
    targets = targets[np.argsort(depth[targets], kind="stable")]
    if not targets.size:
        return ()
    bounds = np.flatnonzero(np.diff(depth[targets], prepend=-1, append=-1))
    widths = np.diff(bounds)
    loads = np.add.reduceat(degrees[targets], bounds[:-1])
    narrow = (widths <= NARROW_WIDTH) & (loads <= NARROW_RELATIONS)
    # Neighbouring narrow levels become one run; a wide level stays by itself.
    first = np.flatnonzero(~(narrow & np.concatenate([[False], narrow[:-1]])))
    steps: list[Step] = []
    for begin, end in zip(first.tolist(), [*first[1:].tolist(), len(narrow)], strict=True):
        members = targets[bounds[begin] : bounds[end]]
        if narrow[begin]:
            steps.append(Run(tuple(_nodes(members, supports, attacks))))
        else:
            groups = _groups(members, supports), _groups(members, attacks)
            steps.append(Level(_as_slice(members), members.size, *groups))
    return tuple(steps)


def flat_plan(debates: int, pros: int, cons: int) -> tuple[Step, ...]:
    """Return the steps for flat debates laid out in columns: topics, then first pros, second pros, ..., cons."""
    if not pros + cons:
        return ()

    def side(first: int, count: int, begin: int, end: int) -> tuple[Group, ...]:
        columns = tuple(slice(j * debates + begin, j * debates + end) for j in range(first, first + count))
        return (Group(slice(None), columns),) if columns else ()

    return tuple(
        Level(slice(begin, end), end - begin, side(1, pros, begin, end), side(1 + pros, cons, begin, end))
        for begin, end in ((b, min(b + BLOCK, debates)) for b in range(0, debates, BLOCK))
    )


def _nodes(members: IndexArray, supports: Relations, attacks: Relations) -> Iterator[Node]:
    def lists(relations: Relations) -> Iterator[tuple[int, ...]]:
        begins, ends = relations.starts[members], relations.starts[members + 1]
        sources = relations.sources[_ranges(begins, ends)].tolist()
        begin = 0
        for count in (ends - begins).tolist():
            yield tuple(sources[begin : begin + count])
            begin += count

    return zip(members.tolist(), lists(supports), lists(attacks), strict=True)


def _groups(members: IndexArray, relations: Relations) -> tuple[Group, ...]:
    begins_of = relations.starts[members]
    counts = relations.starts[members + 1] - begins_of
    order = np.argsort(counts, kind="stable")
    sizes, begins = np.unique(counts[order], return_index=True)
    groups = []
    for size, begin, end in zip(sizes.tolist(), begins.tolist(), [*begins[1:].tolist(), members.size], strict=True):
        if size:
            places = order[begin:end]
            sources = relations.sources[begins_of[places] + np.arange(size)[:, None]]
            groups.append(Group(_as_slice(places), sources))
    return tuple(groups)


def _ranges(begins: IndexArray, ends: IndexArray) -> IndexArray:
    """Return the numbers of several ranges, one range after the other."""
    counts = ends - begins
    shifts = np.repeat(begins - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts) if counts.size else counts
    return shifts + np.arange(shifts.size)


def _as_slice(indices: IndexArray) -> Index:
    if indices.size and (np.diff(indices) == 1).all():
        return slice(int(indices[0]), int(indices[-1]) + 1)
    return indices
