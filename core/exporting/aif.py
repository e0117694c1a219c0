"""AIF JSON, a nodeset as AIFdb keeps it: I-nodes, an RA-node for each support, a CA-node for each attack.

An attack on a relation is a CA-node that leads to the relation's own node; a relation without a sign has no node.

Who put an argument forward is written as AIF does: a locution (L) that asserts (YA) the argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from core.debate import Agent, Debate, Message, Round
from core.exporting.claim_graph import ClaimGraph, Names, argument_names, claim_graph, renamed
from core.exporting.exporter import OneFileEach
from core.exporting.losses import Aspect, Kept
from core.opinion import TOPIC, Argument, RelationKind
from core.provider_errors import is_provider_error
from core.strict_json import dumps, storable

_SCHEME = {RelationKind.SUPPORT: ("RA", "Default Inference"), RelationKind.ATTACK: ("CA", "Default Conflict")}
_NOBODY = "unknown"  # what readers make of a locution without a speaker


class _Nodeset:
    """A nodeset while it grows; nodes that stand for nothing of a debate get ids that no argument has."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self.nodes: list[dict[str, str]] = []
        self.edges: list[dict[str, str]] = []
        self.locutions: list[dict[str, str]] = []
        self.participants: dict[str, dict[str, str]] = {}

    def add(self, kind: str, text: str, name: str = "") -> str:
        name = name or self._names.name(f"{kind}{len(self.nodes) + 1}", kind)
        self.nodes.append({"nodeID": name, "text": text, "type": kind})
        return name

    def connect(self, *names: str) -> None:
        for source, target in pairwise(names):
            self.edges.append({"edgeID": f"e{len(self.edges) + 1}", "fromID": source, "toID": target})

    def said(self, author: str, text: str, name: str) -> None:
        person = self.participants.setdefault(
            author, {"participantID": f"p{len(self.participants) + 1}", "firstname": author, "surname": ""}
        )
        locution = self.add("L", f"{author}: {text}")
        self.locutions.append({"nodeID": locution, "personID": person["participantID"]})
        self.connect(locution, self.add("YA", "Asserting"), name)


def _encode(debate: Debate) -> str | None:
    graph = claim_graph(debate, unsigned=True, undercuts=True)
    if not graph.bears or not debate.claim.strip():
        return None
    claim, names, taken = _names(debate, graph)
    made = _Nodeset(taken)
    made.add("I", debate.claim, claim)
    for argument in graph.arguments:
        made.add("I", argument.text, names[argument.id])
    ends = {TOPIC: claim, **names}
    schemes: dict[tuple[str, str], str] = {}
    for relation in graph.relations:
        kind, scheme = _SCHEME[relation.kind]
        node = schemes[relation.source, relation.target] = made.add(kind, scheme)
        made.connect(ends[relation.source], node, ends[relation.target])
    for undercut in graph.undercuts:
        attacked = schemes[undercut.target, undercut.of]
        made.connect(ends[undercut.source], made.add(*_SCHEME[RelationKind.ATTACK]), attacked)
    for source, target in graph.unsigned:
        made.connect(ends[source], ends[target])
    for text, of in _rephrases(debate, names):
        made.connect(made.add("I", text), made.add("MA", "Default Rephrase"), claim if of == debate.id else names[of])
    for argument in graph.arguments:
        if author := _author(argument):
            made.said(author, argument.text, names[argument.id])
    whole: dict[str, Any] = {"nodes": made.nodes, "edges": made.edges, "locutions": made.locutions}
    if made.participants:
        whole["participants"] = list(made.participants.values())
    return dumps(whole) + "\n"


def _kept(debate: Debate) -> Kept | None:
    graph = claim_graph(debate, unsigned=True, undercuts=True)
    if not graph.bears or not debate.claim.strip():
        return None
    claim, names, _ = _names(debate, graph)
    arguments = tuple(
        Argument(
            names[a.id],
            a.text if a.text.strip() else "",
            _author(a),
            is_error_text=is_provider_error(a.text),
        )
        for a in graph.arguments
    )
    ends = {TOPIC: TOPIC, **names}
    back = Debate(
        claim,
        debate.claim,
        agents=tuple(Agent(author) for author in dict.fromkeys(a.author for a in arguments) if author),
        rounds=(Round(0, (), arguments, renamed(graph.relations, names)),),
        transcript=tuple(_talk(arguments)),
        provenance={
            "undercuts": [
                {"source": ends[each.source], "target": ends[each.target], "of": ends[each.of]}
                for each in graph.undercuts
            ],
            "unsigned": [[ends[source], ends[target]] for source, target in graph.unsigned],
            "rephrases": [
                {"text": text, "of": claim if of == debate.id else names[of]} for text, of in _rephrases(debate, names)
            ],
        },
    )
    return Kept(back, names)


def _rephrases(debate: Debate, names: Mapping[str, str]) -> list[tuple[str, str]]:
    """Return the texts that say the claim or an argument over again, as importers keep them aside, with its id."""
    listed = debate.provenance.get("rephrases")
    found = []
    for entry in listed if isinstance(listed, (list, tuple)) else ():
        text, of = (entry.get("text"), entry.get("of")) if isinstance(entry, Mapping) else (None, None)
        if isinstance(text, str) and text.strip() and isinstance(of, str) and (of == debate.id or of in names):
            found.append((text, of))
    return found


def _talk(arguments: tuple[Argument, ...]) -> Iterator[Message]:
    return (Message(a.author, a.text) for a in arguments if a.author)


def _names(debate: Debate, graph: ClaimGraph) -> tuple[str, dict[str, str], Names]:
    names = Names(taken={TOPIC})
    held = argument_names(graph, names)
    others = Names(taken=(TOPIC, *held.values())) if debate.id != TOPIC else Names(taken=held.values())
    claim = others.name(debate.id, "claim")
    return claim, held, others


def _author(argument: Argument) -> str | None:
    author = storable(argument.author or "")
    return author if author.strip() and author != _NOBODY else None


AIF = OneFileEach(
    "aif",
    "AIF JSON",
    "json",
    "application/json",
    _encode,
    _kept,
    {Aspect.TRANSCRIPT: "In place of the transcript stand the arguments whose authors are known"},
)

__all__ = ["AIF"]
