"""The reader of the JSON that Argdown's own tools export: statements and arguments by title, and their relations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from core.debate import DebateProtocol
from core.import_issue import IssueLog, quoted
from core.opinion import RelationKind
from storage.readers.argument_graph import ArgumentGraph, GraphEdge, GraphNode
from storage.readers.draft import DebateDraft, mapping, objects, text_or_none
from storage.readers.source import LineAndDebate, Recognised, Source

FORMAT = "argdown-json"
_STATEMENT, _ARGUMENT = "equivalence-class", "argument"
_KINDS = {
    "support": RelationKind.SUPPORT,
    "entails": RelationKind.SUPPORT,
    "attack": RelationKind.ATTACK,
    "contrary": RelationKind.ATTACK,
    "contradictory": RelationKind.ATTACK,
}
_UNTITLED = "Untitled"  # how Argdown begins the titles that it makes itself
_WEIGHTS = ("weight", "base_score", "strength")


class ArgdownJsonReader:
    """Knows Argdown's JSON by its dictionaries of statements and arguments, each with its type."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this is Argdown's JSON."""
        for record in source.head[:3]:
            whole = mapping(record.value)
            listed = [*_entries(whole, "statements").values(), *_entries(whole, "arguments").values()]
            if isinstance(whole.get("relations"), list) and any(
                entry.get("type") in (_STATEMENT, _ARGUMENT) for entry in listed[:50]
            ):
                return Recognised(FORMAT, "It has Argdown's statements, arguments and relations, by title.")
        return None

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield one debate for each statement or argument that bears on no other one."""
        for record in source.values(issues):
            issues.locate = record.locate
            try:
                graph = _Document(mapping(record.value), issues, record.line).graph()

                def start(claim: GraphNode, line: int = record.line) -> DebateDraft:
                    draft = DebateDraft(issues, line, claim.id, claim.text)
                    if claim.score is not None:
                        draft.keep("claim_weight", claim.score)
                    return draft

                if graph.nodes and all(node.score is None for node in graph.nodes.values()):
                    issues.info("base_scores_missing", "Argdown gives no scores; base scores are kept as missing.")
                for draft in graph.drafts(issues, start):
                    yield record.line, draft.debate(DebateProtocol.OTHER)
            finally:
                issues.locate = None


class _Document:
    def __init__(self, whole: Mapping[str, Any], issues: IssueLog, line: int) -> None:
        self.issues = issues
        self.line = line
        self.statements = _entries(whole, "statements")
        self.arguments = _entries(whole, "arguments")
        self.relations = objects(whole.get("relations"))
        self.made = ArgumentGraph()
        self.names: dict[tuple[str, str], str] = {}

    def graph(self) -> ArgumentGraph:
        """Return the whole graph."""
        ends = {(str(r.get(f"{end}Type")), text_or_none(r.get(end))) for r in self.relations for end in ("from", "to")}
        for title, statement in self.statements.items():
            if not title.startswith(_UNTITLED) or (_STATEMENT, title) in ends or not _in_structure(statement):
                self._node(_STATEMENT, title, statement, "statements")
        for title, argument in self.arguments.items():
            self._node(_ARGUMENT, title, argument, "arguments")
        for title, argument in self.arguments.items():
            self._structure(title, argument)
        for index, relation in enumerate(self.relations):
            self._relation(relation, f"relations[{index}]")
        return self.made

    def _node(self, kind: str, title: str, entry: Mapping[str, Any], holder: str) -> None:
        name = title
        while name in self.made.nodes:
            name += " (argument)" if kind == _ARGUMENT else "*"
        self.names[kind, title] = name
        said = [member for member in objects(entry.get("members")) if text_or_none(member.get("text")) is not None]
        text = text_or_none(said[-1].get("text")) if said else None
        if text is None and kind == _ARGUMENT:
            steps = enumerate(objects(entry.get("pcs")), 1)
            text = "\n".join(
                f"({place}) {text_or_none(step.get('text')) or text_or_none(step.get('title')) or ''}"
                for place, step in steps
            )
        where = f"{holder}.{title}"
        self.made.nodes[name] = GraphNode(name, text or title, where, None, _weight(entry, said))

    def _structure(self, title: str, argument: Mapping[str, Any]) -> None:
        """Take in premises and conclusion: premises support the argument, which supports its conclusion."""
        name = self.names[_ARGUMENT, title]
        for step in objects(argument.get("pcs")):
            other = self.names.get((_STATEMENT, text_or_none(step.get("title")) or ""))
            if other is None:
                continue
            role = step.get("role")
            edge = (name, other) if role == "main-conclusion" else (other, name)
            if role != "intermediary-conclusion":
                self.made.edges[GraphEdge(*edge, RelationKind.SUPPORT, f"arguments.{title}.pcs")] = None

    def _relation(self, relation: Mapping[str, Any], where: str) -> None:
        word = text_or_none(relation.get("relationType")) or ""
        source, target = (self._end(relation, end) for end in ("from", "to"))
        if source is None or target is None or (word not in _KINDS and word != "undercut"):
            message = f"A relation ({quoted(word)}) needs two titles that are there, and a known type; it is left out."
            self.issues.warning("relation_unreadable", message, self.line, where)
        elif word == "undercut" or relation.get("toType") == "inference":
            self.made.edges[GraphEdge(source, target, None, where, undercut="")] = None
        else:
            self.made.edges[GraphEdge(source, target, _KINDS[word], word)] = None
            if word == "contradictory":
                self.made.edges[GraphEdge(target, source, _KINDS[word], word)] = None

    def _end(self, relation: Mapping[str, Any], end: str) -> str | None:
        title, kind = text_or_none(relation.get(end)) or "", str(relation.get(f"{end}Type"))
        if kind == "inference":
            kind = _ARGUMENT  # an inference goes by the title of its argument
        return (
            self.names.get((kind, title)) or self.names.get((_STATEMENT, title)) or self.names.get((_ARGUMENT, title))
        )


def _entries(whole: Mapping[str, Any], key: str) -> dict[str, Mapping[str, Any]]:
    return {
        title: entry for title, entry in mapping(whole.get(key)).items() if title.strip() and isinstance(entry, dict)
    }


def _in_structure(statement: Mapping[str, Any]) -> bool:
    return any(statement.get(f"isUsedAs{role}") for role in ("Premise", "MainConclusion", "IntermediaryConclusion"))


def _weight(entry: Mapping[str, Any], members: list[Mapping[str, Any]]) -> Any:
    for holder in (entry, *members):
        data = mapping(holder.get("data"))
        for key in _WEIGHTS:
            if isinstance(data.get(key), (int, float, str)) and not isinstance(data[key], bool):
                return data[key]
    return None


__all__ = ["ArgdownJsonReader"]
