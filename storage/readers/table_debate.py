"""One debate while it is gathered from the rows of a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.debate import Agent, Debate, DebateProtocol, Round
from core.import_issue import IssueLog, quoted
from core.label_text import plain_label, read_label
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from core.provider_errors import is_provider_error
from core.record_reading import unused_name
from core.score_text import Scale, read_score
from core.strict_json import strict
from storage.readers.cells import TOPIC_WORDS, is_missing, text_of


@dataclass(frozen=True)
class _Bearing:
    """That an argument bears on a target, which may come in a later row."""

    name: str
    kind: RelationKind
    target: str | None
    line: int
    column: str


@dataclass
class _GatheredRound:
    """One round while it is gathered."""

    scores: dict[str, dict[str, tuple[Any, float | None]]] = field(default_factory=dict)  # by agent, then by kind
    arguments: dict[str, Argument] = field(default_factory=dict)
    bearings: list[_Bearing] = field(default_factory=list)
    numbers: dict[str, int] = field(default_factory=dict)  # the last number given to an id that came again
    shared_ids: dict[str, str] = field(default_factory=dict)  # ids that several agents use, with the first one's


class TableDebate:
    """Takes in cells of one debate; a value that disagrees with one taken in before is noted and the first kept.

    Attributes:
        key: What the rows of the debate have in common.
        first_line: Where the debate begins.
    """

    def __init__(
        self,
        key: str,
        debate_id: str,
        claim: str,
        first_line: int,
        issues: IssueLog,
        scales: Mapping[str, Scale | None],
    ) -> None:
        self.key = key
        self.id = debate_id
        self.claim = claim
        self.first_line = first_line
        self.issues = issues
        self._scales = scales
        self._firsts: dict[str, Any] = {}
        self._label: bool | None = None
        self._agents: dict[str, str | None] = {}
        self._rounds: dict[int, _GatheredRound] = {}
        self._extra: dict[str, Any] = {}
        self._columns: dict[str, list[Any]] = {}

    # -- the whole debate ---------------------------------------------------------------------------------------

    def text(self, what: str, cell: object, line: int, column: str) -> None:
        """Take in a text that must be the same in all rows."""
        given = text_of(cell)
        first = self._firsts.setdefault(what, given) if given is not None else None
        if given is not None and given != first:
            message = f"The {what} is {quoted(given)} here and {quoted(first)} before; the first is kept."
            self.issues.warning(f"{what.replace(' ', '_')}_disagrees", message, line, column)

    def label(self, cell: object, line: int, column: str) -> None:
        """Take in a gold label."""
        if is_missing(cell):
            return
        if "label" not in self._firsts:
            self._firsts["label"] = cell
            self._label, readable = read_label(cell)
            if not plain_label(cell):
                self._extra["label"] = strict(cell)
            if not readable:
                message = f"The label is {quoted(cell)}; it is neither true nor false, so it is unknown."
                self.issues.warning("label_unreadable", message, line, column)
        elif cell != self._firsts["label"] and read_label(cell)[0] != self._label:
            message = f"The label is {quoted(cell)} here and {quoted(self._firsts['label'])} before; the first is kept."
            self.issues.warning("label_disagrees", message, line, column)

    def unused(self, column: str, cell: object) -> None:
        """Keep a cell that means nothing to Moot."""
        self._columns.setdefault(column, []).append(cell)

    # -- agents and arguments -----------------------------------------------------------------------------------

    def agent(self, agent: str, model: object, line: int, column: str | None) -> None:
        """Take in an agent and its model."""
        given = text_of(model)
        known = self._agents.setdefault(agent, given)
        if known is None:
            self._agents[agent] = given
        elif given is not None and given != known and column is not None:
            message = f"{quoted(agent)} is {quoted(given)} here and {quoted(known)} before; the first is kept."
            self.issues.warning("model_disagrees", message, line, column)

    def holds_round(self, number: int) -> None:
        """Take in that a round exists."""
        if number not in self._rounds:
            self._rounds[number] = _GatheredRound()

    def stance(self, number: int, agent: str, kind: str, cell: object, line: int, column: str) -> None:
        """Take in an agent's prior or posterior stance in a round; a missing one says nothing."""
        if is_missing(cell):
            return
        given = self._rounds[number].scores.setdefault(agent, {})
        if kind in given:
            first = given[kind][0]
            if cell != first:
                message = (
                    f"The {kind} stance of {quoted(agent)} is {quoted(cell)} here and {quoted(first)} before; "
                    "the first is kept."
                )
                self.issues.warning(f"{kind}_disagrees", message, line, column)
            return
        value, raw = self._score(f"The {kind} stance", agent, cell, line, column)
        if raw is not None:
            self._extra[f"rounds[{number}].{agent}.{kind}"] = raw
        given[kind] = (cell, value)

    def argument(
        self,
        number: int,
        name: str,
        text: str,
        line: int,
        column: str,
        *,
        author: str | None = None,
        score: object = None,
        score_column: str = "",
        id_column: str | None = None,
        source: str | None = None,
    ) -> str:
        """Take in an argument and return the id it has got: another one where the id is taken.

        A row that repeats an argument of the same agent word for word is that argument, with one more target.

        Args:
            number: The round.
            name: The id wished for.
            text: The argument's text.
            line: Where it stands.
            column: Where the text stands.
            author: The agent who put it forward.
            score: The cell with its base score.
            score_column: Where that stands.
            id_column: Where the id stands; None when it is not from the table.
            source: Where the argument comes from.
        """
        gathered = self._rounds[number]
        given = gathered.arguments.get(name)
        source_id = None
        if given is not None and author != given.author and author is not None:
            gathered.shared_ids[name] = name
            source_id, name = name, f"{author}-{name}"
            given = gathered.arguments.get(name)
        value, raw = self._score("The base score", name, score, line, score_column)
        if given is not None and (given.text, given.author) == (text, author):
            if (given.base_score, given.base_score_raw) != (value, raw):
                message = (
                    f"The base score of {quoted(name)} is {quoted(score)} here and was another; the first is kept."
                )
                self.issues.warning("base_score_disagrees", message, line, score_column)
            return name
        if given is not None or name == TOPIC:
            wished, name = name, unused_name(name, gathered.arguments, gathered.numbers)
            source_id = source_id or wished
            if id_column is not None:
                code = "argument_id_reserved" if wished == TOPIC else "argument_id_repeated"
                why = "stands for the claim" if wished == TOPIC else "is taken in this round"
                message = f"The id {quoted(wished)} {why}; this argument is called {quoted(name)}."
                self.issues.warning(code, message, line, id_column)
        is_error = is_provider_error(text)
        if is_error:
            message = f"The text {quoted(text)} is a provider's failure message, not an argument; judges leave it out."
            self.issues.warning("provider_error", message, line, column)
        gathered.arguments[name] = Argument(
            name, text, author, value, source_id, raw, is_error_text=is_error, source=source
        )
        return name

    def bears_on(self, number: int, name: str, kind: RelationKind, target: str | None, line: int, column: str) -> None:
        """Take in that an argument supports or attacks another one, or the claim when the target is None."""
        self._rounds[number].bearings.append(_Bearing(name, kind, target, line, column))

    def _score(self, what: str, whose: str, cell: object, line: int, column: str) -> tuple[float | None, str | None]:
        if cell is None or cell == "":
            return None, None
        read = read_score(cell, self._scales.get(column, Scale.UNIT))
        if read.problem is not None and read.problem != "score_scale_unknown":  # noted once for the whole column
            message = f"{what} of {quoted(whose)} is {quoted(cell)}: {read.why}; it is kept as missing."
            self.issues.warning(read.problem, message, line, column)
        return read.value, read.raw

    # -- the end ------------------------------------------------------------------------------------------------

    def debate(self, protocol: DebateProtocol | None) -> Debate:
        """Return the debate; without a protocol named, one round is single-turn and several are multi-turn private."""
        by_shape = DebateProtocol.MULTI_TURN_PRIVATE if len(self._rounds) > 1 else DebateProtocol.SINGLE_TURN
        provenance: dict[str, Any] = {}
        columns = {name: _alike(cells) for name, cells in self._columns.items() if not all(map(is_missing, cells))}
        if columns:
            provenance["columns"] = columns
        if self._extra:
            provenance["extra"] = self._extra
        return Debate(
            id=self.id,
            claim=self.claim,
            label=self._label,
            protocol=protocol or by_shape,
            claim_id=self._firsts.get("claim id"),
            title=self._firsts.get("title"),
            agents=tuple(Agent(name, model=model) for name, model in self._agents.items()),
            rounds=tuple(self._round(number) for number in sorted(self._rounds)),
            provenance=provenance,
        )

    def _round(self, number: int) -> Round:
        gathered = self._rounds[number]
        renamed = _renamed(gathered)
        arguments = {argument.id: argument for argument in renamed.values()}
        relations: dict[Relation, None] = {}
        for bearing in gathered.bearings:
            source = renamed[bearing.name]
            target = TOPIC if bearing.target is None else self._target(bearing, source, arguments)
            self._relate(relations, Relation(source.id, target, bearing.kind), bearing)
        stances = tuple(
            Stance(agent, scores.get("prior", (None, None))[1], scores.get("posterior", (None, None))[1])
            for agent, scores in gathered.scores.items()
        )
        return Round(number, stances, tuple(arguments.values()), tuple(relations))

    def _target(self, bearing: _Bearing, source: Argument, arguments: Mapping[str, Argument]) -> str:
        wanted = bearing.target or TOPIC
        for candidate in (wanted, f"{source.author}-{wanted}", wanted.replace("/", "-", 1)):
            if candidate in arguments:
                return candidate
        if wanted.casefold() in TOPIC_WORDS:
            return TOPIC
        message = f"The target {quoted(wanted)} is not in this round; the relation is kept and judges leave it out."
        self.issues.warning("target_unknown", message, bearing.line, bearing.column)
        return wanted

    def _relate(self, relations: dict[Relation, None], relation: Relation, bearing: _Bearing) -> None:
        before = len(relations)
        relations[relation] = None
        if len(relations) == before:
            message = f"{quoted(relation.source)} bears on {quoted(relation.target)} already; it counts once."
            self.issues.warning("relation_repeated", message, bearing.line, bearing.column)
        if relation.source == relation.target:
            message = f"{quoted(relation.source)} bears on itself; the relation is kept."
            self.issues.warning("self_relation", message, bearing.line, bearing.column)
        if Relation(relation.source, relation.target, relation.kind.opposite) in relations:
            message = (
                f"{quoted(relation.source)} both supports and attacks {quoted(relation.target)}, which a QBAF does not "
                "allow; both relations are kept."
            )
            self.issues.warning("supports_and_attacks", message, bearing.line, bearing.column)


def _renamed(gathered: _GatheredRound) -> dict[str, Argument]:
    """Return the arguments by the ids they had; ids that several agents use now name the agent in every case."""
    renamed: dict[str, Argument] = {}
    for name, argument in gathered.arguments.items():
        own = f"{argument.author}-{name}"
        if name in gathered.shared_ids and argument.author is not None and own not in gathered.arguments:
            argument = Argument(
                own,
                argument.text,
                argument.author,
                argument.base_score,
                name,
                argument.base_score_raw,
                is_error_text=argument.is_error_text,
                source=argument.source,
            )
        renamed[name] = argument
    return renamed


def _alike(cells: list[Any]) -> Any:
    """Return the one value of all cells, or the list of them."""
    plain = [strict(cell) for cell in cells]
    return plain[0] if all(cell == plain[0] for cell in plain) else plain
