"""Where the arguments of a graph are drawn: the topic on top, and each argument below what it bears on.

The positions depend on nothing but names and relations, not even on their order, so that a debate always looks the
same and an edit of a score moves nothing.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict, deque
from collections.abc import Iterable, Mapping

import networkx as nx

from core.opinion import Relation, RelationKind

LEVEL_SPACING = 130.0  # pixels at zoom 1, between the centres of two rows
NODE_SPACING = 150.0  # between the centres of two neighbours in a row
SIDE_GAP = 40.0  # extra room between the supporters and the attackers of the topic
COLUMNS = 8  # a level with more arguments than this is wrapped into rows
TALLEST = 16  # a wrapped level never has more than about this many times as many rows as columns

Position = tuple[float, float]


def layered_layout(
    names: Iterable[str], relations: Iterable[Relation], topic: str, *, columns: int = COLUMNS
) -> dict[str, Position]:
    """Return a position for the topic and every name, in pixels, with y growing downwards and the topic at (0, 0).

    An argument's level is the longest path from it to the topic; inside a cycle only relations that lead nearer to
    the topic count. On level 1 supporters stand on the left and attackers on the right; deeper arguments stand under
    what they bear on, ordered by barycentre in a sweep down, one up and one down. Arguments without a path to the
    topic come last, below the others. Two positions are never nearer than the spacing in a row or between rows.

    Args:
        names: The arguments, with or without the topic.
        relations: Relations with an unknown end or from an argument to itself are ignored.
        topic: The name of the topic.
        columns: How many arguments a level may have before it is wrapped into rows.
    """
    graph = _Graph(names, relations, topic)
    levels = _ordered_levels(graph, _levels(graph))
    return _placed(graph, levels, columns)


def depths(names: Iterable[str], relations: Iterable[Relation], topic: str) -> dict[str, int]:
    """Return each argument's level, as ``layered_layout`` draws it: 0 for the topic."""
    return _levels(_Graph(names, relations, topic))


class _Graph:
    """Names in one fixed order, and who bears on whom."""

    def __init__(self, names: Iterable[str], relations: Iterable[Relation], topic: str) -> None:
        self.topic = topic
        self.names = sorted({*names, topic}, key=_natural)
        rank = {name: index for index, name in enumerate(self.names)}
        kept = {r for r in relations if r.source in rank and r.target in rank and r.source != r.target}
        self.targets: dict[str, list[str]] = defaultdict(list)
        self.sources: dict[str, list[str]] = defaultdict(list)
        kinds: dict[str, set[RelationKind]] = defaultdict(set)
        for source, target in sorted(
            {(r.source, r.target) for r in kept}, key=lambda pair: (rank[pair[0]], rank[pair[1]])
        ):
            self.targets[source].append(target)
            self.sources[target].append(source)
        for relation in kept:
            kinds[relation.source].add(relation.kind)
        self.side = {name: _side(kinds[name]) for name in self.names}
        to_topic: dict[str, set[RelationKind]] = defaultdict(set)
        for relation in kept:
            if relation.target == topic:
                to_topic[relation.source].add(relation.kind)
        self.side.update({name: _side(found) for name, found in to_topic.items()})
        self.rank = rank


def _side(kinds: set[RelationKind]) -> int:
    """Return 0 for supporters, 2 for attackers, 1 for both and for neither."""
    return {(True, False): 0, (False, True): 2}.get((RelationKind.SUPPORT in kinds, RelationKind.ATTACK in kinds), 1)


def _natural(name: str) -> tuple[list[tuple[int, str]], str]:
    """Return a sort key that puts A2 before A10."""
    parts = re.split(r"([0-9]+)", name)
    # A run of digits is ordered by its length without leading zeros, then by the digits themselves.
    return [(len(p.lstrip("0")), p.lstrip("0")) if i % 2 else (0, p) for i, p in enumerate(parts)], name


def _levels(graph: _Graph) -> dict[str, int]:
    near = _distances(graph, [graph.topic], set(graph.names))
    levels = _longest_paths(graph, near)
    rest = {name for name in graph.names if name not in near}
    if rest:
        below = max(levels.values()) + 1
        far = _longest_paths(graph, _distances(graph, _ends(graph, rest), rest))
        levels |= {name: below + level for name, level in far.items()}
    return levels


def _distances(graph: _Graph, roots: list[str], within: set[str]) -> dict[str, int]:
    """Return the length of the shortest path to a root, for the names that have one."""
    found = dict.fromkeys(roots, 0)
    queue = deque(roots)
    while queue:
        target = queue.popleft()
        for source in graph.sources[target]:
            if source in within and source not in found:
                found[source] = found[target] + 1
                queue.append(source)
    return found


def _ends(graph: _Graph, rest: set[str]) -> list[str]:
    """Return one name of each group that everything else leads to, among names with no path to the topic."""
    inner = _digraph(graph, rest)
    groups = list(nx.strongly_connected_components(inner))
    ends = [group for group in groups if all(t in group for name in group for t in inner.successors(name))]
    return sorted((min(group, key=graph.rank.__getitem__) for group in ends), key=graph.rank.__getitem__)


def _longest_paths(graph: _Graph, distances: Mapping[str, int]) -> dict[str, int]:
    group: dict[str, int] = {}
    for number, members in enumerate(nx.strongly_connected_components(_digraph(graph, distances))):
        group.update(dict.fromkeys(members, number))
    # Along the relations kept, either the group changes or the distance falls: so there is no cycle left.
    kept = {
        source: [
            target
            for target in graph.targets[source]
            if target in distances and (group[source] != group[target] or distances[source] > distances[target])
        ]
        for source, distance in distances.items()
        if distance > 0
    }
    waiting = {name: len(kept.get(name, ())) for name in distances}
    pointing: dict[str, list[str]] = defaultdict(list)
    for source, targets in kept.items():
        for target in targets:
            pointing[target].append(source)
    levels = dict.fromkeys(distances, 0)
    ready = deque(name for name, count in waiting.items() if count == 0)
    while ready:
        target = ready.popleft()
        for source in pointing[target]:
            levels[source] = max(levels[source], levels[target] + 1)
            waiting[source] -= 1
            if waiting[source] == 0:
                ready.append(source)
    return levels


def _digraph(graph: _Graph, within: Iterable[str]) -> nx.DiGraph:
    members = set(within)
    digraph = nx.DiGraph()
    digraph.add_nodes_from(name for name in graph.names if name in members)
    digraph.add_edges_from((s, t) for s in members for t in graph.targets[s] if t in members)
    return digraph


def _ordered_levels(graph: _Graph, level_of: Mapping[str, int]) -> list[list[str]]:
    levels: list[list[str]] = [[] for _ in range(max(level_of.values()) + 1)]
    for name in graph.names:
        levels[level_of[name]].append(name)
    place: dict[str, float] = {}  # where a name stands in its level, in (0, 1)

    def sort(number: int, neighbours: Mapping[str, list[str]], side_first: bool) -> None:
        centre = {}
        for name in levels[number]:
            beside = [place[n] for n in neighbours[name] if n in place and level_of[n] != number]
            centre[name] = math.fsum(beside) / len(beside) if beside else place.get(name, 0.5)
        levels[number].sort(
            key=lambda name: (
                graph.side[name] if side_first else 0,
                round(centre[name], 9),
                graph.side[name],
                graph.rank[name],
            )
        )
        place.update({name: (index + 0.5) / len(levels[number]) for index, name in enumerate(levels[number])})

    above = {name: [t for t in graph.targets[name] if level_of[t] < level_of[name]] for name in graph.names}
    below = {name: [s for s in graph.sources[name] if level_of[s] > level_of[name]] for name in graph.names}
    for number in range(len(levels)):
        sort(number, above, number == 1)
    for number in range(len(levels) - 2, 0, -1):
        sort(number, below, number == 1)
    for number in range(2, len(levels)):
        sort(number, above, False)
    return levels


def _placed(graph: _Graph, levels: list[list[str]], columns: int) -> dict[str, Position]:
    positions: dict[str, Position] = {graph.topic: (0.0, 0.0)}
    row = 1
    # Names without a path to the topic share level 0 with it when there is nothing in between.
    for number, level in enumerate(levels[1:], start=1):
        if number == 1:
            blocks = [[n for n in level if graph.side[n] < 2], [n for n in level if graph.side[n] == 2]]
            offsets = _two_blocks(len(blocks[0]), len(blocks[1]), columns)
            ordered = blocks[0] + blocks[1]
        elif len(level) <= columns:
            offsets = _beneath(graph, level, positions)
            ordered = level
        else:
            offsets = _block(len(level), columns)
            ordered = level
        for name, (x, below) in zip(ordered, offsets, strict=True):
            positions[name] = (round(x, 1), (row + below) * LEVEL_SPACING)
        row += 1 + max(below for _, below in offsets)
    return positions


def _shape(count: int, columns: int) -> tuple[int, int]:
    """Return (columns, rows) for that many arguments."""
    if count <= columns:
        return count, 1
    rows = math.ceil(count / max(columns, math.ceil(math.sqrt(count / TALLEST))))
    return math.ceil(count / rows), rows


def _two_blocks(pros: int, cons: int, columns: int) -> list[tuple[float, int]]:
    """Return (x, row) for the supporters on the left, row by row, then for the attackers on the right."""
    if not pros or not cons:
        return _row_by_row(pros or cons, _shape(pros or cons, columns)[0], 0.0)
    room = max(2, columns, math.ceil(math.sqrt((pros + cons) / TALLEST)))
    rows = math.ceil((pros + cons) / room)
    while math.ceil(pros / rows) + math.ceil(cons / rows) > room:
        rows += 1
    left, right = math.ceil(pros / rows), math.ceil(cons / rows)
    width = (left + right - 1) * NODE_SPACING + SIDE_GAP
    start = -width / 2
    middle = start + left * NODE_SPACING + SIDE_GAP
    return [
        *_row_by_row(pros, left, start + (left - 1) * NODE_SPACING / 2),
        *_row_by_row(cons, right, middle + (right - 1) * NODE_SPACING / 2),
    ]


def _row_by_row(count: int, columns: int, centre: float) -> list[tuple[float, int]]:
    start = centre - (columns - 1) * NODE_SPACING / 2
    return [(start + (index % columns) * NODE_SPACING, index // columns) for index in range(count)]


def _block(count: int, columns: int) -> list[tuple[float, int]]:
    """Return (x, row) column by column, so that neighbours in the order stay near the same x."""
    wide, rows = _shape(count, columns)
    start = -(wide - 1) * NODE_SPACING / 2
    return [(start + (index // rows) * NODE_SPACING, index % rows) for index in range(count)]


def _beneath(graph: _Graph, level: list[str], positions: Mapping[str, Position]) -> list[tuple[float, int]]:
    """Return (x, 0) as near as possible under what each name bears on, in the given order."""
    wanted = []
    for name in level:
        over = [positions[t][0] for t in graph.targets[name] if t in positions]
        wanted.append(math.fsum(over) / len(over) if over else 0.0)
    # Least squares with a minimum distance: pool neighbours that would stand too close, around their common mean.
    pools: list[tuple[float, int]] = []
    for index, x in enumerate(wanted):
        total, size = x - index * NODE_SPACING, 1
        while pools and pools[-1][0] / pools[-1][1] >= total / size:
            before = pools.pop()
            total, size = total + before[0], size + before[1]
        pools.append((total, size))
    starts = [total / size for total, size in pools for _ in range(size)]
    return [(start + index * NODE_SPACING, 0) for index, start in enumerate(starts)]
