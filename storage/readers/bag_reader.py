"""The reader of ``.bag`` files: lines ``arg(name, weight)``, ``att(a, b)`` and ``sup(a, b)``.

Its usual reader takes weights outside [0, 1], repeated names and unknown lines in silence; here each is reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.debate import DebateProtocol
from core.errors import UnreadableRecord
from core.import_issue import IssueLog, quoted
from core.opinion import RelationKind
from storage.readers.argument_graph import ArgumentGraph, GraphEdge, GraphNode
from storage.readers.draft import DebateDraft
from storage.readers.source import LineAndDebate, Recognised, Source
from storage.readers.table_header import has_table_header

FORMAT = "bag"
AGENT = "bag"  # who holds the claim's own weight; the format knows no agents
_LINE = re.compile(r"\s*+(arg|att|sup)\s*+\(\s*+([^,()\n]{1,2000})\s*+,\s*+([^,()\n]{1,2000})\s*+\)\s*+[.;]?\s*+")
_KINDS = {"att": RelationKind.ATTACK, "sup": RelationKind.SUPPORT}


class BagReader:
    """Knows ``.bag`` files by their lines."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this is a bag: most of its first lines are ``arg``, ``att`` or ``sup`` of two things."""
        lines = [line for line in source.first_lines if line.strip() and not line.lstrip().startswith(("#", "%", "//"))]
        fitting = [found for line in lines if (found := _LINE.fullmatch(line))]
        if (
            not any(found[1] == "arg" for found in fitting)
            or len(fitting) * 2 <= len(lines)
            or has_table_header(source)
        ):
            return None
        return Recognised(FORMAT, "Lines declare arguments, attacks and supports: arg(...), att(...), sup(...).")

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield one debate for each argument that bears on no other one."""
        graph = _graph(source, issues)

        def start(claim: GraphNode) -> DebateDraft:
            draft = DebateDraft(issues, claim.line, claim.id, claim.text)
            draft.agent(AGENT)
            draft.stance(0, AGENT, "prior", claim.score, f"arg({claim.id})")
            return draft

        issues.info("claim_is_name", "A .bag file has names and no texts; the names stand for claims and arguments.")
        message = "The claim's own weight is kept as the prior stance of an agent called 'bag'."
        issues.info("claim_weight_as_stance", message)
        for draft in graph.drafts(issues, start):
            yield draft.line or 1, draft.debate(DebateProtocol.OTHER)
        if len(graph.nodes) == 1 and not graph.edges:
            (only,) = graph.nodes.values()
            yield only.line or 1, start(only).debate(DebateProtocol.OTHER)


def _graph(source: Source, issues: IssueLog) -> ArgumentGraph:
    graph = ArgumentGraph()
    for number, line in enumerate(source.text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith(("#", "%", "//")):
            continue
        found = _LINE.fullmatch(line)
        if found is None:
            issues.warning("line_unreadable", f"The line {quoted(line)} is no arg, att or sup; it is left out.", number)
            continue
        word, first, second = found[1], found[2].strip(), found[3].strip()
        name = re.sub(r"\s+", "", first)
        if word == "arg":
            if name in graph.nodes:
                message = f"The argument {quoted(name)} is declared twice; the first weight is kept."
                issues.warning("argument_id_repeated", message, number, "arg")
                continue
            try:
                weight: object = float(second)
            except ValueError:
                weight = second
            graph.nodes[name] = GraphNode(name, first, f"arg({name})", number, weight)
        else:
            edge = GraphEdge(name, re.sub(r"\s+", "", second), _KINDS[word], f"{word}({name}, {second})")
            if edge in graph.edges:
                issues.warning("relation_repeated", f"{quoted(line.strip())} comes twice; it counts once.", number)
            graph.edges[edge] = None
    if not graph.nodes:
        raise UnreadableRecord("The file declares no argument.")
    return graph


__all__ = ["BagReader"]
