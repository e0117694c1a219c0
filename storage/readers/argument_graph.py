"""Nodes and signed edges of any argument format, and the debates in them: one for each claim that others bear on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from core.errors import UnreadableRecord
from core.import_issue import IssueLog, quoted
from core.opinion import TOPIC, RelationKind
from storage.readers.draft import DebateDraft

MOST_COPIES = 200_000  # arguments that all debates of one graph hold together, or ten times as many as it has nodes


@dataclass(frozen=True)
class GraphNode:
    """One statement. ``score`` is its base score as written, None when there is none."""

    id: str
    text: str
    where: str = ""
    line: int | None = None
    score: Any = None
    author: str | None = None
    source: str | None = None


@dataclass(frozen=True)
class GraphEdge:
    """``source`` bears on ``target``; ``kind`` None means that the format does not say how.

    Where ``undercut`` is given, it attacks that ``target`` counts for or against the node of that name: an attack on a
    relation, for which a QBAF has no place.
    """

    source: str
    target: str
    kind: RelationKind | None
    where: str = ""
    undercut: str | None = None


@dataclass
class ArgumentGraph:
    """A whole graph as a file gives it; edges may name nodes that are not there."""

    nodes: dict[str, GraphNode] = field(default_factory=dict)
    edges: dict[GraphEdge, None] = field(default_factory=dict)

    def incoming(self) -> dict[str, list[GraphEdge]]:
        """Return the edges that end at each node, those from nowhere included."""
        ending: dict[str, list[GraphEdge]] = {}
        for edge in self.edges:
            ending.setdefault(edge.target, []).append(edge)
        return ending

    def claims(self, ending: dict[str, list[GraphEdge]], issues: IssueLog) -> list[str]:
        """Return the nodes that debates are about, in order.

        Those are the nodes that others bear on and that bear on none; where a cycle has none, its first node.
        """
        bearing = {edge.source for edge in self.edges if edge.target in self.nodes}
        found = [name for name in self.nodes if name not in bearing and name in ending]
        covered = self._reached_by_any(found, ending, set())
        for name, node in self.nodes.items():
            if name not in covered and name in ending:
                message = f"Every statement around {quoted(name)} bears on another one; it is taken for the claim."
                issues.warning("claim_assumed", message, node.line, node.where or None)
                found.append(name)
                covered |= self._reached_by_any([name], ending, covered)
        return found

    def reached(self, claim: str, ending: dict[str, list[GraphEdge]]) -> set[str]:
        """Return the nodes from which a claim is reached, itself included."""
        return self._reached_by_any([claim], ending, set())

    def _reached_by_any(self, claims: list[str], ending: dict[str, list[GraphEdge]], known: set[str]) -> set[str]:
        """Return the nodes from which any of the claims is reached without passing through known ones."""
        seen = set(claims)
        waiting = list(claims)
        while waiting:
            for edge in ending.get(waiting.pop(), ()):
                if edge.source in self.nodes and edge.source not in seen and edge.source not in known:
                    seen.add(edge.source)
                    waiting.append(edge.source)
        return seen

    def drafts(self, issues: IssueLog, start: Callable[[GraphNode], DebateDraft]) -> Iterator[DebateDraft]:
        """Yield one draft for each claim, with all arguments that bear on it, however far away.

        Args:
            issues: Told of what fits into no debate.
            start: Makes the draft for a claim.
        """
        ending = self.incoming()
        claims = self.claims(ending, issues)
        order = {name: place for place, name in enumerate(self.nodes)}
        missing = sorted({e.source for e in self.edges if e.source not in self.nodes})
        missing += sorted({e.target for e in self.edges if e.target not in self.nodes})
        for name in missing[:1000]:
            message = f"A relation names {quoted(name)}, which the file does not have; it is left out."
            issues.warning("relation_dangling", message)
        copies, most = 0, max(MOST_COPIES, 10 * len(self.nodes))
        used: set[str] = set()
        for position, claim in enumerate(claims):
            reached = self.reached(claim, ending)
            copies += len(reached)
            if copies > most:
                message = (
                    f"{len(claims) - position} of {len(claims)} claims are left out, because so many share so many "
                    "arguments that they would not fit; split the file."
                )
                issues.error("claims_too_many", message)
                break
            used |= reached
            try:
                draft = start(self.nodes[claim])
            except UnreadableRecord as error:
                issues.error("record_unreadable", f"{error} It is left out.", self.nodes[claim].line)
                continue
            self.fill(draft, claim, sorted(reached, key=order.__getitem__), ending)
            yield draft
        alone = [name for name in self.nodes if name not in used]
        if alone and claims and copies <= most:
            message = (
                f"Statements that nothing bears on and that bear on nothing are in no debate: {len(alone)}, the first "
                f"is {quoted(self.nodes[alone[0]].text)}."
            )
            issues.info("statements_alone", message, self.nodes[alone[0]].line)

    def fill(self, draft: DebateDraft, claim: str, names: list[str], ending: dict[str, list[GraphEdge]]) -> None:
        """Put the arguments of one claim and their relations into a draft."""
        draft.holds_round(0)
        ids = {claim: TOPIC}
        for name in names:
            if name == claim:
                continue
            node = self.nodes[name]
            if node.author is not None:
                draft.agent(node.author)
            ids[name] = draft.argument(
                0,
                name,
                node.text,
                node.where,
                author=node.author,
                score=node.score,
                score_field=node.where,
                source=node.source,
                line=node.line,
            )
        unsigned = 0
        for name in names:
            for edge in ending.get(name, ()):
                source = ids.get(edge.source)
                if source is None:
                    continue
                if source == TOPIC:
                    message = f"The claim bears on {quoted(edge.target)}; a claim cannot, so that is left out."
                    draft.issues.warning("relation_from_claim", message, draft.line, edge.where or None)
                elif edge.undercut is not None:
                    draft.provenance.setdefault("undercuts", []).append(
                        {"source": source, "target": ids[name], "of": ids.get(edge.undercut, edge.undercut)}
                    )
                elif edge.kind is None:
                    unsigned += 1
                    draft.provenance.setdefault("unsigned", []).append([source, ids[name]])
                else:
                    draft.relation(0, source, ids[name], edge.kind, edge.where)
        if undercuts := draft.provenance.get("undercuts"):
            message = (
                f"Attacks on relations (undercuts): {len(undercuts)}. A QBAF has no place for them; they are kept "
                "aside until somebody decides what they attack."
            )
            draft.issues.warning("undercut_kept_aside", message, draft.line)
        if unsigned:
            message = (
                f"{unsigned} relations do not say whether they support or attack; they are kept aside until somebody "
                "decides."
            )
            draft.issues.warning("polarity_missing", message, draft.line)


__all__ = ["ArgumentGraph", "GraphEdge", "GraphNode"]
