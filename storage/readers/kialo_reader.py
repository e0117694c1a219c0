"""The reader of Kialo's text export: a title, then one claim a line with a dotted number and Pro or Con."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from core.debate import DebateProtocol
from core.import_issue import IssueLog, quoted
from core.opinion import RelationKind
from storage.readers.argument_graph import ArgumentGraph, GraphEdge, GraphNode
from storage.readers.draft import DebateDraft, mapping, text_or_none
from storage.readers.source import LineAndDebate, Recognised, Source

FORMAT = "kialo"
_TITLE = re.compile(r"Discussion Title:\s*+(.*)", re.IGNORECASE)
_CLAIM = re.compile(r"\s*+(\d{1,6}(?:\.\d{1,6}){0,200}+)\.\s++(?:(Pro|Con):\s*+)?(.*)", re.IGNORECASE)
_REFERENCE = re.compile(r"->\s*+See\s++(\d{1,6}(?:\.\d{1,6})*+)\.?\s*+")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+.!~>|-])")
_LINK = re.compile(r"\[([^\[\]\n]{1,500})\]\((https?://[^()\s]{1,2000})\)")
_KINDS = {"pro": RelationKind.SUPPORT, "con": RelationKind.ATTACK}


@dataclass
class _Claim:
    number: str
    side: str | None
    text: str
    line: int
    wrapped: list[str] = field(default_factory=list)  # further lines of the text

    def whole(self) -> str:
        """Return the text with the lines onto which it was wrapped."""
        return "\n".join([self.text, *self.wrapped])


class KialoReader:
    """Knows Kialo's text export by its title and numbered claims."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this is a Kialo export: a discussion title, or numbered claims of which some are Pro or Con."""
        if source.looks_like_json:
            records = [mapping(record.value) for record in source.head]
            if records and all({"Tree", "Stance", "ToneInput"} <= record.keys() for record in records):
                return Recognised(FORMAT, "Records have the keys that a parser of Kialo exports gives.")
            return None
        lines = [line for line in source.first_lines if line.strip()]
        claims = [found for line in lines if (found := _CLAIM.match(line))]
        if lines and _TITLE.match(lines[0]) and claims:
            return Recognised(FORMAT, "It begins with a discussion title, and numbered claims follow.")
        if claims and claims[0][1] == "1" and len(claims) * 2 > len(lines) and any(claim[2] for claim in claims):
            return Recognised(FORMAT, "Its lines are numbered claims marked Pro or Con.")
        return None

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield one debate for each thesis."""
        parsed = source.looks_like_json
        title, claims = (None, _parsed_claims(source, issues)) if parsed else _claims(source, issues)
        graph, question = _graph(claims, issues)

        def start(claim: GraphNode) -> DebateDraft:
            draft = DebateDraft(issues, claim.line, f"thesis-{claim.id}", claim.text)
            draft.title = title or question
            draft.missing_scores("A Kialo export has no votes and no scores")
            return draft

        for draft in graph.drafts(issues, start):
            yield draft.line or 1, draft.debate(DebateProtocol.OTHER)


def _claims(source: Source, issues: IssueLog) -> tuple[str | None, list[_Claim]]:
    title: str | None = None
    claims: list[_Claim] = []
    taken: dict[str, int] = {}
    for number, line in enumerate(source.text.split("\n"), 1):
        line = line.rstrip("\r")
        if not line.strip():
            continue
        found = _CLAIM.fullmatch(line)
        if found is None:
            titled = _TITLE.match(line)
            if titled is not None and not claims:
                title = titled[1].strip() or None
            elif claims:
                claims[-1].wrapped.append(line.strip())
            else:
                message = f"The line {quoted(line)} is no numbered claim; it is left out."
                issues.warning("line_unreadable", message, number)
            continue
        if found[1] in taken:
            message = f"The number {found[1]} comes twice, first on line {taken[found[1]]}; this one is left out."
            issues.warning("argument_id_repeated", message, number)
            continue
        taken[found[1]] = number
        claims.append(_Claim(found[1], (found[2] or "").casefold() or None, found[3], number))
    return title, claims


def _parsed_claims(source: Source, issues: IssueLog) -> list[_Claim]:
    """Return the claims of the JSON that a third-party parser makes of an export."""
    claims = []
    for record in source.values(issues):
        value = mapping(record.value)
        number, side = text_or_none(value.get("Tree")) or "", text_or_none(value.get("Stance")) or ""
        found = _CLAIM.fullmatch(f"{number.strip().rstrip('.')}. ")
        if found is None:
            issues.warning("line_unreadable", f"{quoted(number)} is no number of a claim.", record.line, "Tree")
            continue
        text = (text_or_none(value.get("ToneInput")) or "").rstrip("\r")
        claims.append(_Claim(found[1], side.casefold() if side.casefold() in _KINDS else None, text, record.line))
    return claims


def _graph(claims: list[_Claim], issues: IssueLog) -> tuple[ArgumentGraph, str | None]:
    """Return the tree, a cross reference being one more edge from the claim that it names."""
    graph = ArgumentGraph()
    by_number = {claim.number: claim for claim in claims}
    references: dict[str, str] = {}
    for claim in claims:
        found = _REFERENCE.fullmatch(claim.whole())
        if found is not None:
            references[claim.number] = found[1]
            continue
        text, links = _plain(claim.whole())
        graph.nodes[claim.number] = GraphNode(claim.number, text, "text", claim.line, source=links)
    question: str | None = None
    for claim in claims:
        parent = claim.number.rpartition(".")[0]
        if not parent:
            continue
        if claim.side is None:
            if parent in by_number and by_number[parent].side is None and "." not in parent:
                question = question or _plain(by_number[parent].text)[0]  # of several theses, 1 is the question
            else:
                message = "The claim is marked neither Pro nor Con; it has no polarity until somebody decides."
                issues.warning("polarity_missing", message, claim.line)
                graph.edges[GraphEdge(claim.number, parent, None, "text")] = None
            continue
        source = claim.number
        if source in references:
            source = references[source]
            hops = 0
            while source in references and hops < 100:
                source, hops = references[source], hops + 1
            if source not in graph.nodes:
                message = f"The cross reference names {quoted(source)}, which is not there (any more); it is left out."
                issues.warning("reference_dangling", message, claim.line)
                continue
        if parent not in graph.nodes:
            if parent in references:
                parent = references[parent]
            else:
                message = f"The claim answers {quoted(parent)}, which is not there; it stands alone."
                issues.warning("parent_missing", message, claim.line)
        graph.edges[GraphEdge(source, parent, _KINDS[claim.side], "text")] = None
    return graph, question


def _plain(text: str) -> tuple[str, str | None]:
    """Return a text without Markdown's escapes and links, and the addresses that it linked to."""
    links = ", ".join(dict.fromkeys(found[1] for found in _LINK.findall(text)))
    return _ESCAPE.sub(r"\1", _LINK.sub(r"\1", text)).strip(), links or None


__all__ = ["KialoReader"]
