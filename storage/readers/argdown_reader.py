"""The reader of Argdown: statements and arguments by title, and the relations between them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.debate import DebateProtocol
from core.import_issue import IssueLog
from core.opinion import RelationKind
from storage.readers.argdown_text import Block, Element, Meaning, blocks, looks_like_argdown, meaning, without_front
from storage.readers.argument_graph import ArgumentGraph, GraphEdge, GraphNode
from storage.readers.draft import DebateDraft
from storage.readers.source import LineAndDebate, Recognised, Source
from storage.readers.table_header import has_table_header

FORMAT = "argdown"
_TITLE = re.compile(r"\s*+\[[^\[\]{}\"\n]{1,300}\]\s*+(?::|\n)")
_KINDS = {"+": RelationKind.SUPPORT, "-": RelationKind.ATTACK}


class ArgdownReader:
    """Knows Argdown by its titled elements, numbered premises and signs of relations."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this is Argdown: titles in brackets or numbered premises, and indented signs of relations."""
        if not source.text or (source.looks_like_json and not _TITLE.match(source.text)):
            return None
        text, _ = without_front(source.text[:200_000])
        if not looks_like_argdown(text.split("\n")[:2000]) or has_table_header(source):
            return None
        return Recognised(FORMAT, "It has statements or arguments with titles or numbers, and signs of relations.")

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield one debate for each statement or argument that bears on no other one."""
        text, title = without_front(source.text.replace("\r\n", "\n"))
        document = _Document(issues)
        for block in blocks(text):
            document.block(block)
        graph = document.graph()

        def start(claim: GraphNode) -> DebateDraft:
            draft = DebateDraft(issues, claim.line, claim.id, claim.text)
            draft.title = title
            if claim.score is not None:
                draft.keep("claim_weight", claim.score)
            return draft

        if graph.nodes and all(node.score is None for node in graph.nodes.values()):
            message = "Argdown gives no scores; base scores are kept as missing."
            issues.info("base_scores_missing", message)
        for draft in graph.drafts(issues, start):
            yield draft.line or 1, draft.debate(DebateProtocol.OTHER)


class _Document:
    """Nodes and relations gathered block by block; elements with the same title are one node."""

    def __init__(self, issues: IssueLog) -> None:
        self.issues = issues
        self.nodes: dict[str, GraphNode] = {}
        self.edges: dict[GraphEdge, None] = {}
        self.names: dict[tuple[str, bool], str] = {}
        self.described: set[str] = set()
        self.latest_argument: str | None = None
        self.inner: dict[str, list[str]] = {}  # premises and conclusions of an argument, for its text

    def block(self, block: Block) -> None:
        """Take in one block: a tree of relations, or a premise-conclusion structure."""
        if any(element.place is not None for element in block.elements):
            self._structure(block)
            return
        parents: list[tuple[int, str]] = []
        for element in block.elements:
            while parents and element.sign and parents[-1][0] >= element.indent and len(parents) > 1:
                parents.pop()
            name, said = self._node(element)
            if said.is_argument and not element.sign:
                self.latest_argument = name
            if element.sign and parents:
                self._relate(element.sign, parents[-1][1], name)
                parents.append((element.indent, name))
            else:
                parents = [(element.indent, name)]

    def _structure(self, block: Block) -> None:
        """Take in premises and conclusion; the relations of a conclusion are the argument's."""
        argument = self.latest_argument
        last_place = max((e.place for e in block.elements if e.place is not None), default=0)
        parents: list[tuple[int, str]] = []
        for element in block.elements:
            if element.place is None and not element.sign:  # the argument's own title, right before its premises
                name, said = self._node(element)
                argument = name if said.is_argument else argument
                parents = [(element.indent, name)]
                continue
            if element.place is not None:
                if argument is None:
                    argument = self._own(f"argument-{element.line}", element.line)
                said = meaning(element.whole())
                if said.text or said.title:
                    self.inner.setdefault(argument, []).append(f"({element.place}) {said.text or said.title}")
                concluding = element.place == last_place
                parents = [(element.indent, argument)]
                if said.title is not None:
                    name, _ = self._node(element)
                    edge = (argument, name) if concluding else (name, argument)
                    if edge[0] != edge[1]:
                        self.edges[GraphEdge(*edge, RelationKind.SUPPORT, "inference")] = None
                    parents = [(element.indent, name)]
                continue
            while len(parents) > 1 and parents[-1][0] >= element.indent:
                parents.pop()
            name, _ = self._node(element)
            if parents:
                self._relate(element.sign, parents[-1][1], name)
            parents.append((element.indent, name))
        self.latest_argument = None

    def _relate(self, sign: str, parent: str, child: str) -> None:
        source, target = (parent, child) if sign in ("+>", "->", "_>") else (child, parent)
        kind = _KINDS.get(sign.strip("<>"))
        if sign == "><":
            for pair in ((source, target), (target, source)):
                self._edge(GraphEdge(*pair, RelationKind.ATTACK, sign))
        elif kind is None:
            self._edge(GraphEdge(source, target, None, sign, undercut=""))
        else:
            self._edge(GraphEdge(source, target, kind, sign))

    def _edge(self, edge: GraphEdge) -> None:
        same = (GraphEdge(edge.source, edge.target, edge.kind, sign, edge.undercut) for sign in
                ("+", "<+", "+>", "-", "<-", "->", "_", "<_", "_>", "><"))  # fmt: skip
        if not any(other in self.edges for other in same):  # one edge for each pair and kind, however often it is drawn
            self.edges[edge] = None

    def _node(self, element: Element) -> tuple[str, Meaning]:
        said = meaning(element.whole())
        if said.title is None:
            name = self._own(f"statement-{element.line}", element.line, said)
            return name, said
        key = (said.title, said.is_argument)
        name = self.names.get(key) or self._own(said.title, element.line, said, key)
        node = self.nodes[name]
        score = node.score if said.weight is None or node.score is not None else float(said.weight)
        if said.text and name not in self.described:
            self.described.add(name)
            self.nodes[name] = GraphNode(name, said.text, node.where, element.line, score)
        elif score is not node.score:
            self.nodes[name] = GraphNode(name, node.text, node.where, node.line, score)
        return name, said

    def _own(self, wished: str, line: int, said: Meaning | None = None, key: tuple[str, bool] | None = None) -> str:
        name = wished
        while name in self.nodes:
            name += " (argument)" if said is not None and said.is_argument else "*"
        if key is not None:
            self.names[key] = name
        text = said.text if said is not None else ""
        if text:
            self.described.add(name)
        weight = None if said is None or said.weight is None else float(said.weight)
        self.nodes[name] = GraphNode(name, text or wished, name, line, weight)
        return name

    def graph(self) -> ArgumentGraph:
        """Return the whole graph; an argument without a description has its premises and conclusion for a text."""
        for name, lines in self.inner.items():
            if name not in self.described:
                node = self.nodes[name]
                self.nodes[name] = GraphNode(name, "\n".join(lines), node.where, node.line, node.score)
        return ArgumentGraph(self.nodes, self.edges)


__all__ = ["ArgdownReader"]
