"""The reader of networkx's node-link JSON as argument maps (syncIALO) use it: reasons point to what they are for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core.debate import DebateProtocol
from core.import_issue import IssueLog, quoted
from storage.readers.argument_graph import ArgumentGraph, GraphEdge, GraphNode
from storage.readers.cells import polarity_of
from storage.readers.draft import DebateDraft, mapping, objects, text_or_none, texts
from storage.readers.source import LineAndDebate, Recognised, Source

FORMAT = "node-link"
_TEXT = ("claim", "text", "statement", "content", "label", "name")
_POLARITY = ("valence", "polarity", "relation", "kind", "type", "label", "sign")
_SCORE = ("base_score", "initial_weight", "weight", "score")
_AUTHOR = ("author", "agent", "speaker")
_SOURCE = ("source_url", "source", "url")


class NodeLinkReader:
    """Knows node-link data under ``links`` or ``edges``, whichever networkx wrote."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this is a node-link graph: nodes with ids and texts, and links between a source and a target."""
        for record in source.head[:3]:
            whole = mapping(record.value)
            nodes, links = objects(whole.get("nodes")), _links(whole)[1]
            said = any(_first(node, _TEXT) is not None for node in nodes[:50])
            if said and any("id" in node for node in nodes[:50]) and any("source" in link for link in links[:50]):
                return Recognised(FORMAT, "It has nodes with texts, and links from a source to a target.")
        return None

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield one debate for each claim of each graph."""
        for record in source.values(issues):
            whole = mapping(record.value)
            issues.locate = record.locate
            try:
                graph = _graph(whole, issues, record.line)
                about = mapping(whole.get("graph"))
                scored = any(node.score is not None for node in graph.nodes.values())

                def start(claim: GraphNode, line: int = record.line, about: Mapping[str, Any] = about) -> DebateDraft:
                    draft = DebateDraft(issues, line, claim.id, claim.text)
                    draft.title = text_or_none(about.get("topic", about.get("title")))
                    draft.tags = dict.fromkeys(texts(about.get("tags")))
                    if isinstance(about.get("label"), bool) and about.get("claim") == claim.id:
                        draft.label(about["label"], "graph.label")
                    if claim.score is not None:
                        draft.keep("claim_weight", claim.score)
                    return draft

                for draft in graph.drafts(issues, start):
                    if not scored:
                        draft.missing_scores("The graph has no scores")
                    yield record.line, draft.debate(DebateProtocol.OTHER)
            finally:
                issues.locate = None


def _graph(whole: Mapping[str, Any], issues: IssueLog, line: int) -> ArgumentGraph:
    graph = ArgumentGraph()
    for index, node in enumerate(objects(whole.get("nodes"))):
        where = f"nodes[{index}]"
        name = text_or_none(node.get("id"))
        if name is None:
            issues.warning("argument_id_missing", "A node has no id; it is left out.", line, where)
            continue
        if name in graph.nodes:
            message = f"The node {quoted(name)} comes twice; the first is kept."
            issues.warning("argument_id_repeated", message, line, f"{where}.id")
            continue
        text = _first(node, _TEXT)
        author, source = text_or_none(_first(node, _AUTHOR)), text_or_none(_first(node, _SOURCE))
        graph.nodes[name] = GraphNode(name, str(text or name), where, None, _first(node, _SCORE), author, source)
    key, links = _links(whole)
    parallel = 0
    for index, link in enumerate(links):
        where = f"{key}[{index}]"
        source, target = text_or_none(link.get("source")), text_or_none(link.get("target"))
        if source is None or target is None:
            issues.warning("relation_unreadable", "A link needs a source and a target; it is left out.", line, where)
            continue
        said = [link.get(name) for name in _POLARITY if isinstance(link.get(name), (str, int, float))]
        kind = next((found for value in said if (found := polarity_of(value)) is not None), None)
        edge = GraphEdge(source, target, kind, f"{key}.{source}")
        parallel += edge in graph.edges
        graph.edges[edge] = None
    if parallel:
        message = f"{parallel} links repeat another one of the same kind; each pair counts once."
        issues.info("relation_repeated", message, line, key)
    return graph


def _links(whole: Mapping[str, Any]) -> tuple[str, list[Mapping[str, Any]]]:
    return next(((key, found) for key in ("links", "edges") if (found := objects(whole.get(key)))), ("links", []))


def _first(item: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((item[key] for key in keys if isinstance(item.get(key), (str, int, float)) and item[key] != ""), None)


__all__ = ["NodeLinkReader"]
