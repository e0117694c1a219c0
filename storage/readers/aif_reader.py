"""The reader of AIF JSON: flat nodesets (AIFdb), xAIF and OVA3 with their wrapper, and OVA2's own layout."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core.debate import DebateProtocol
from core.import_issue import IssueLog
from storage.readers.aif_graph import TYPES, AifReading, Nodeset, node_id, nodeset
from storage.readers.argument_graph import GraphNode
from storage.readers.draft import DebateDraft, mapping, objects
from storage.readers.source import LineAndDebate, Recognised, Source

FORMAT = "aif"


class AifReader:
    """Knows nodesets by the types of their nodes."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this is AIF: nodes have AIF's types, and edges name where they come from and go to."""
        for record in source.head[:3]:
            whole = nodeset(mapping(record.value))
            nodes, edges = objects(whole.get("nodes")), objects(whole.get("edges"))
            typed = sum(str(node.get("type", "")).upper() in TYPES and node_id(node) is not None for node in nodes[:50])
            linked = any(({"fromID", "toID"} <= edge.keys()) or ({"from", "to"} <= edge.keys()) for edge in edges[:50])
            if typed * 2 > len(nodes[:50]) and (linked or not edges):
                wrapped = " in the wrapper of xAIF" if whole is not record.value else ""
                return Recognised(FORMAT, f"It has nodes of AIF's types (I, RA, CA) and edges between them{wrapped}.")
            if not nodes and any({"fromID", "toID"} <= edge.keys() for edge in edges[:50]):
                return Recognised(FORMAT, "It has the edges of an AIF nodeset.")
        return None

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield one debate for each I-node that bears on no other one."""
        for record in source.values(issues):
            issues.locate = record.locate
            try:
                yield from _debates(nodeset(mapping(record.value)), record.line, issues)
            finally:
                issues.locate = None


def _debates(whole: Mapping[str, Any], line: int, issues: IssueLog) -> Iterator[LineAndDebate]:
    if not objects(whole.get("nodes")):
        message = "There are edges and no nodes, so there is nothing that the edges could lead to; was it cut off?"
        issues.error("nodes_missing", message, line, "nodes")
        return
    made = AifReading(whole, issues, line).read()

    def start(claim: GraphNode) -> DebateDraft:
        draft = DebateDraft(issues, line, claim.id, claim.text, claim.where)
        draft.missing_scores("AIF has no scores")
        return draft

    drafts = made.graph.drafts(issues, start)
    for number, draft in enumerate(drafts):
        _beside(draft, made, with_talk=number == 0)
        yield line, draft.debate(DebateProtocol.OTHER)
    if not made.graph.edges:
        message = "No statement bears on another one, so there is no debate in it."
        issues.error("relations_missing", message, line, "edges")


def _beside(draft: DebateDraft, made: Nodeset, *, with_talk: bool) -> None:
    """Put what is no argument beside a debate; the talk goes with the first, as it is about all of them."""
    held = draft.argument_ids(0)
    of = [{"text": text, "of": target} for text, target in made.rephrases if target in held or target == draft.id]
    if of:
        draft.provenance["rephrases"] = of
    for said in made.talk if with_talk else ():
        draft.agent(said.speaker)
        draft.message(said.speaker, said.text)


__all__ = ["AifReader"]
