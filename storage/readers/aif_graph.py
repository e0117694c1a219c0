"""An AIF nodeset as an argument graph: inferences support, conflicts attack, what a QBAF lacks is set aside."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.import_issue import IssueLog, quoted
from core.opinion import RelationKind
from storage.readers.argument_graph import ArgumentGraph, GraphEdge, GraphNode
from storage.readers.draft import mapping, objects, text_or_none

TYPES = frozenset({"I", "L", "RA", "CA", "MA", "PA", "TA", "YA"})
MOST_EDGES = 500_000
_KINDS = {"RA": RelationKind.SUPPORT, "CA": RelationKind.ATTACK}
_SPEAKER = re.compile(r"\s*+([^:\n<>]{1,60}?)\s*+:\s++(?=\S)")


@dataclass(frozen=True)
class Locution:
    """What somebody said, in the order of the dialogue."""

    speaker: str
    text: str


@dataclass
class Nodeset:
    """A nodeset taken apart.

    Attributes:
        graph: I-nodes and what bears on what.
        talk: The locutions.
        rephrases: Texts that say an I-node over again, each with that node's id.
    """

    graph: ArgumentGraph = field(default_factory=ArgumentGraph)
    talk: list[Locution] = field(default_factory=list)
    rephrases: list[tuple[str, str]] = field(default_factory=list)


def nodeset(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the object with the nodes: the value itself, or what xAIF wraps under ``AIF``."""
    inner = mapping(value.get("AIF"))
    return inner if objects(inner.get("nodes")) or ("nodes" not in value and "edges" in inner) else value


def node_id(node: Mapping[str, Any]) -> str | None:
    """Return a node's id, as AIFdb and OVA3 write it or as OVA2 did."""
    return text_or_none(node.get("nodeID", node.get("id")))


class AifReading:
    """Takes a nodeset apart, noting what an argument graph has no place for."""

    def __init__(self, whole: Mapping[str, Any], issues: IssueLog, line: int) -> None:
        self.whole = whole
        self.issues = issues
        self.line = line
        self.nodes: dict[str, Mapping[str, Any]] = {}
        self.before: dict[str, list[str]] = {}
        self.after: dict[str, list[str]] = {}

    def read(self) -> Nodeset:
        """Return the nodeset."""
        self._collect()
        made = Nodeset()
        authors = self._locutions(made)
        for name, node in self.nodes.items():
            if self._type(name) == "I":
                place = f"nodes.{name}.text"
                text = text_or_none(node.get("text")) or ""
                made.graph.nodes[name] = GraphNode(name, text, place, None, None, authors.get(name))
        self._relations(made)
        return made

    def _type(self, name: str) -> str:
        return str(self.nodes[name].get("type", "")).strip().upper() if name in self.nodes else ""

    def _collect(self) -> None:
        for index, node in enumerate(objects(self.whole.get("nodes"))):
            name = node_id(node)
            if name is None:
                self.issues.warning(
                    "argument_id_missing", "A node has no id; it is left out.", self.line, f"nodes[{index}]"
                )
            elif name in self.nodes:
                message = f"The node {quoted(name)} comes twice; the first is kept."
                self.issues.warning("argument_id_repeated", message, self.line, f"nodes[{index}].nodeID")
            else:
                self.nodes[name] = node
                if str(node.get("type", "")).strip().upper() not in TYPES:
                    message = f"The type {quoted(node.get('type'))} is none of AIF's; the node is left out."
                    self.issues.warning("node_type_unknown", message, self.line, f"nodes[{index}].type")
        for index, edge in enumerate(objects(self.whole.get("edges"))):
            source = text_or_none(edge.get("fromID", _end(edge.get("from"))))
            target = text_or_none(edge.get("toID", _end(edge.get("to"))))
            if source not in self.nodes or target not in self.nodes or source is None or target is None:
                message = f"The edge from {quoted(source)} to {quoted(target)} names a node that is not there."
                self.issues.warning("relation_dangling", message, self.line, f"edges[{index}]")
                continue
            self.after.setdefault(source, []).append(target)
            self.before.setdefault(target, []).append(source)

    def _ends(self, near: Mapping[str, list[str]], name: str, kind: str = "I") -> list[str]:
        return list(dict.fromkeys(other for other in near.get(name, ()) if self._type(other) == kind))

    # -- relations ------------------------------------------------------------------------------------------------

    def _relations(self, made: Nodeset) -> None:
        edges = made.graph.edges
        linked = preferences = 0
        for name in self.nodes:
            kind = self._type(name)
            premises, conclusions = self._ends(self.before, name), self._ends(self.after, name)
            if len(edges) + len(premises) * max(1, len(conclusions)) > MOST_EDGES:
                message = f"The nodeset has more than {MOST_EDGES:,} relations; the rest is left out."
                self.issues.error("relations_too_many", message, self.line, "edges")
                return
            if kind == "I":
                for target in self._ends(self.after, name):
                    edges[GraphEdge(name, target, None, f"edges.{name}")] = None
            elif kind in _KINDS:
                linked += kind == "RA" and len(premises) > 1
                for premise in premises:
                    for conclusion in conclusions:
                        edges[GraphEdge(premise, conclusion, _KINDS[kind], f"nodes.{name}")] = None
                for scheme in ("RA", "CA"):
                    for attacked in self._ends(self.after, name, scheme):
                        if kind == "CA":
                            self._undercut(made, premises, attacked, name)
            elif kind == "MA":
                made.rephrases += [(self._text(p), conclusion) for p in premises for conclusion in conclusions[:1]]
            elif kind == "PA":
                preferences += 1
        if linked:
            message = (
                f"Inferences from several premises together: {linked}. Each premise is kept as a supporter of its own."
            )
            self.issues.info("linked_premises", message, self.line, "nodes")
        if preferences:
            message = (
                f"Preferences between arguments (PA): {preferences}. There is no place for them; they are left out."
            )
            self.issues.warning("preference_left_out", message, self.line, "nodes")
        if made.rephrases:
            message = f"Rephrasings (MA): {len(made.rephrases)}. They are kept aside, neither as support nor as attack."
            self.issues.info("rephrase_kept_aside", message, self.line, "nodes")

    def _undercut(self, made: Nodeset, sources: list[str], attacked: str, name: str) -> None:
        premises, conclusions = self._ends(self.before, attacked), self._ends(self.after, attacked)
        for source in sources:
            for premise in premises[:100]:
                of = conclusions[0] if conclusions else ""
                made.graph.edges[GraphEdge(source, premise, None, f"nodes.{name}", undercut=of)] = None

    # -- who said what --------------------------------------------------------------------------------------------

    def _locutions(self, made: Nodeset) -> dict[str, str]:
        """Note the talk, and return who asserted which I-node."""
        people = {
            text_or_none(person.get("participantID")): _name(person)
            for person in objects(self.whole.get("participants"))
        }
        persons: dict[str, str] = {}
        absent = 0
        order: dict[str, tuple[str, int]] = {}
        for place, locution in enumerate(objects(self.whole.get("locutions"))):
            name = text_or_none(locution.get("nodeID"))
            if name is None or name not in self.nodes:
                absent += 1
                continue
            order.setdefault(name, (text_or_none(locution.get("timestamp")) or "", place))
            person = text_or_none(locution.get("personID"))
            persons[name] = people.get(person) or (f"person {person}" if person is not None else "unknown")
        if absent:
            message = f"Locutions that name nodes which are not in the file: {absent}. They are left out."
            self.issues.info("locution_dangling", message, self.line, "locutions")
        authors: dict[str, str] = {}
        spoken = [name for name in self.nodes if self._type(name) == "L"]
        for name in sorted(spoken, key=lambda name: order.get(name, ("~", 0))):
            text = self._text(name)
            found = _SPEAKER.match(text)
            speaker = persons.get(name) or (found[1] if found is not None else "unknown")
            plain = text[found.end() :] if found is not None else text
            made.talk.append(Locution(speaker, plain))
            for act in self._ends(self.after, name, "YA"):
                for said in self._ends(self.after, act):
                    if speaker != "unknown":
                        authors.setdefault(said, speaker)
        return authors

    def _text(self, name: str) -> str:
        return text_or_none(self.nodes[name].get("text")) or ""


def _end(value: object) -> object:
    """Return the id at one end of an edge of OVA2, which repeats the whole node there."""
    return value.get("id", value.get("nodeID")) if isinstance(value, dict) else value


def _name(person: Mapping[str, Any]) -> str:
    names = [text_or_none(person.get(key)) for key in ("firstname", "surname")]
    return " ".join(name for name in names if name) or "unknown"


__all__ = ["TYPES", "AifReading", "Locution", "Nodeset", "node_id", "nodeset"]
