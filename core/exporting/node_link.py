"""networkx's node-link JSON: reasons point to what they are for or against."""

from __future__ import annotations

from typing import Any

from core.debate import Agent, Debate, Round
from core.exporting.claim_graph import ClaimGraph, Names, argument_names, claim_graph, renamed
from core.exporting.exporter import OneFileEach
from core.exporting.losses import Aspect, Kept
from core.opinion import TOPIC, Argument, RelationKind
from core.provider_errors import is_provider_error
from core.strict_json import dumps

VALENCE = {RelationKind.SUPPORT: "PRO", RelationKind.ATTACK: "CON"}


def _encode(debate: Debate) -> str | None:
    graph = claim_graph(debate, unsigned=True)
    if not graph.bears or not debate.claim.strip():
        return None
    claim, names = _names(debate, graph)
    about: dict[str, Any] = {"claim": claim}
    if debate.title and debate.title.strip():
        about["title"] = debate.title
    if debate.label is not None:
        about["label"] = debate.label
    if debate.tags:
        about["tags"] = list(debate.tags)
    ends = {TOPIC: claim, **names}
    nodes: list[dict[str, Any]] = [{"id": claim, "claim": debate.claim}]
    for argument in graph.arguments:
        node: dict[str, Any] = {"id": names[argument.id], "claim": argument.text}
        if argument.base_score is not None:
            node["base_score"] = argument.base_score
        for key, value in (("author", argument.author), ("source", argument.source)):
            if value and value.strip():
                node[key] = value
        nodes.append(node)
    links = [
        {"source": ends[relation.source], "target": ends[relation.target], "valence": VALENCE[relation.kind]}
        for relation in graph.relations
    ]
    links += [{"source": ends[source], "target": ends[target]} for source, target in graph.unsigned]
    return dumps({"directed": True, "multigraph": True, "graph": about, "nodes": nodes, "links": links}) + "\n"


def _kept(debate: Debate) -> Kept | None:
    graph = claim_graph(debate, unsigned=True)
    if not graph.bears or not debate.claim.strip():
        return None
    claim, names = _names(debate, graph)
    arguments = tuple(
        Argument(
            names[a.id],
            a.text or names[a.id],
            _said(a.author),
            a.base_score,
            is_error_text=is_provider_error(a.text),
            source=_said(a.source),
        )
        for a in graph.arguments
    )
    ends = {TOPIC: TOPIC, **names}
    relations = renamed(graph.relations, names)
    back = Debate(
        claim,
        debate.claim,
        debate.label,
        title=_said(debate.title),
        agents=tuple(Agent(author) for author in dict.fromkeys(a.author for a in arguments) if author),
        rounds=(Round(0, (), arguments, relations),),
        tags=tuple(dict.fromkeys(debate.tags)),
        provenance={"unsigned": [[ends[source], ends[target]] for source, target in graph.unsigned]},
    )
    return Kept(back, names)


def _names(debate: Debate, graph: ClaimGraph) -> tuple[str, dict[str, str]]:
    names = Names(taken={TOPIC})
    held = argument_names(graph, names)
    return Names(taken=held.values()).name(debate.id, "claim"), held


def _said(text: str | None) -> str | None:
    return text if text and text.strip() else None


NODE_LINK = OneFileEach(
    "node-link",
    "networkx node-link JSON",
    "json",
    "application/json",
    _encode,
    _kept,
    {Aspect.TEXTS: "An argument without a text gets its id for one"},
)

__all__ = ["NODE_LINK", "VALENCE"]
