"""What an argument map shows, before it is known how it is drawn: discs, lines, places, labels."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from core.board import agent_tags
from core.contestation import Contested, contest
from core.layout import Position, layered_layout
from core.opinion import TOPIC, OpinionProfile, Relation, RelationKind
from core.palette import Palette

SMALLEST, LARGEST = 22.0, 58.0  # diameters of strength 0 and 1
TOPIC_WIDTH = 240.0
LABEL_LETTERS, TOPIC_LETTERS, LABEL_LINES = 20, 27, 3
MOST_EFFECT = 0.25  # a contribution of this size or more gives the widest line
COLUMNS = 6
FONT = "system-ui, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif"

_NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def diameter(strength: float) -> float:
    """Return a disc's diameter in pixels for a strength in [0, 1]: its area grows with the strength."""
    return math.sqrt(SMALLEST**2 + strength * (LARGEST**2 - SMALLEST**2))


@dataclass(frozen=True)
class Node:
    """The topic or an argument, with its place.

    Attributes:
        id: Its id.
        text: All of it, cleaned.
        tag: Its agent's tag; empty where there is none or it is hidden.
        side: 1 for what supports, -1 for what attacks, 0 for both and for neither.
        base, strength: In [0, 1], None where there is none.
        state: Empty, "added", "changed" or "removed".
        colour: Its side's colour.
        x, y: Centre, in pixels.
    """

    id: str
    text: str
    tag: str
    side: int
    base: float | None
    strength: float | None
    state: str
    colour: str
    x: float
    y: float

    @property
    def radius(self) -> float:
        """Return the disc's radius."""
        known = self.strength if self.strength is not None else self.base
        return diameter(0.5 if known is None else known) / 2

    @property
    def lines(self) -> list[str]:
        """Return what is written: at most three lines."""
        letters = TOPIC_LETTERS if self.id == TOPIC else LABEL_LETTERS
        return textwrap.wrap(self.text, letters, max_lines=LABEL_LINES, placeholder="…") or [self.id]

    @property
    def sign(self) -> str:
        """Return + for what supports, − for what attacks."""
        return {1: "+", -1: "−"}.get(self.side, "")


@dataclass(frozen=True)
class Edge:
    """A relation, with the width of its line; a ghost has a removed end."""

    relation: Relation
    width: float
    ghost: bool

    @property
    def attack(self) -> bool:
        """Return whether it is an attack."""
        return self.relation.kind is RelationKind.ATTACK


@dataclass(frozen=True)
class Picture:
    """Everything drawn. The topic is the first node."""

    contested: Contested
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    palette: Palette
    strengths: Mapping[str, float]
    tags: Mapping[str, str]

    @cached_property
    def by_id(self) -> dict[str, Node]:
        """Return the nodes by id."""
        return {node.id: node for node in self.nodes}

    @cached_property
    def anchors(self) -> dict[str, float]:
        """Return where each line meets the topic's box, from its middle, by the id of its source.

        In the order of the lines' directions, so that they do not cross, and lines from lower rows pass beside the
        discs above them.
        """
        sources = {self.by_id[edge.relation.source] for edge in self.edges if edge.relation.target == TOPIC}
        places = {name: place for place, name in enumerate(self.by_id)}
        below = [node for node in sources if node.y > 0]
        ordered = sorted(below, key=lambda node: (node.x / node.y, places[node.id]))
        step = min(40.0, (TOPIC_WIDTH - 32) / max(1, len(ordered) - 1))
        return {node.id: (place - (len(ordered) - 1) / 2) * step for place, node in enumerate(ordered)}


def picture(
    shown: OpinionProfile | Contested,
    strengths: Mapping[str, float],
    anonymised: bool,
    contributions: Mapping[str, float] | None,
    palette: Palette,
    columns: int,
) -> Picture:
    """Return what is to be drawn; arguments as in ``core.graph_map.standalone_html``."""
    contested = shown if isinstance(shown, Contested) else contest(shown, ())
    profile = contested.everything
    known = {TOPIC, *profile.by_id}
    relations = sorted({r for r in profile.relations if r.source in known and r.target in known})
    positions = layered_layout(known, relations, TOPIC, columns=columns)
    tags = {} if anonymised else agent_tags(profile)
    kinds: dict[str, set[RelationKind]] = {}
    for relation in relations:
        kinds.setdefault(relation.source, set()).add(relation.kind)
    nodes = [_topic(profile, strengths, positions[TOPIC], palette)]
    for argument in profile.arguments:
        side = {frozenset({RelationKind.SUPPORT}): 1, frozenset({RelationKind.ATTACK}): -1}.get(
            frozenset(kinds.get(argument.id, ())), 0
        )
        removed = argument.id in contested.removed
        nodes.append(
            Node(
                argument.id,
                clean(argument.text),
                tags.get(argument.author or "", ""),
                side,
                argument.base_score,
                None if removed else strengths.get(argument.id),
                fate(argument.id, contested),
                {1: palette.support, -1: palette.attack, 0: palette.neutral}[side],
                *positions[argument.id],
            )
        )
    edges = tuple(
        Edge(
            relation,
            _width((contributions or {}).get(relation.source)),
            bool({relation.source, relation.target} & contested.removed),
        )
        for relation in relations
    )
    return Picture(contested, tuple(nodes), edges, palette, strengths, tags)


def _topic(profile: OpinionProfile, strengths: Mapping[str, float], position: Position, palette: Palette) -> Node:
    strength = strengths.get(TOPIC)
    claim = clean(profile.claim)
    return Node(TOPIC, claim, "", 0, profile.topic_base_score, strength, "", palette.neutral, *position)


def fate(name: str, contested: Contested) -> str:
    """Return what became of an argument: "added", "changed", "removed" or nothing."""
    if name in contested.removed:
        return "removed"
    if name in contested.added:
        return "added"
    return "changed" if name in contested.changed else ""


def _width(contribution: float | None) -> float:
    return 1.25 if contribution is None else 1 + 4 * min(1.0, abs(contribution) / MOST_EFFECT)


def clean(text: str) -> str:
    """Return the text without characters that XML does not allow, not even escaped."""
    return _NOT_XML.sub("�", text)
