"""Tables with one argument a row: rows are gathered into debates by debate id, or by claim where there is none."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.debate import DebateProtocol
from core.import_issue import IssueLog, quoted
from core.opinion import RelationKind
from core.score_text import Scale
from storage.readers.cells import is_missing, polarity_of, round_of, text_of
from storage.readers.protocols import protocol_of
from storage.readers.source import LineAndDebate
from storage.readers.table_debate import TableDebate
from storage.readers.table_mapping import COLUMN_FIELDS, TableMapping
from storage.readers.table_source import Table

_WITHOUT_ID = "debate"


def long_debates(
    table: Table, mapping: TableMapping, scales: Mapping[str, Scale | None], issues: IssueLog
) -> Iterator[LineAndDebate]:
    """Yield the debates of a table in the order in which they begin."""
    reading = _LongTable(table, mapping, scales, issues)
    if not table.large:
        for line, cells in table.rows(issues):
            reading.row(line, cells)
        yield from reading.debates()
        return
    last = reading.last_rows(table)  # the table is gone through once more, so that no debate waits longer than it must
    for number, (line, cells) in enumerate(table.rows(issues)):
        reading.row(line, cells)
        yield from reading.debates(last, number)
    yield from reading.debates()


class _LongTable:
    def __init__(
        self, table: Table, mapping: TableMapping, scales: Mapping[str, Scale | None], issues: IssueLog
    ) -> None:
        self.mapping = mapping
        self.scales = scales
        self.issues = issues
        self.places = {name: table.places[column] for name in COLUMN_FIELDS if (column := getattr(mapping, name))}
        self.columns = {name: getattr(mapping, name) or "" for name in COLUMN_FIELDS}
        used = set(mapping.columns)
        self.unused = [(column, place) for column, place in table.places.items() if column not in used]
        self.gathered: OrderedDict[str, TableDebate] = OrderedDict()
        self.begun = 0
        self.protocols: dict[str, DebateProtocol | None] = {}
        self.numbers: dict[str, dict[tuple[int, str | None, RelationKind | None], int]] = {}

    def row(self, line: int, cells: Sequence[Any]) -> None:
        """Take in one row."""
        width = len(cells)
        row = {name: cells[place] for name, place in self.places.items() if place < width}
        debate = self._debate(row, line)
        if debate is None:
            return
        get = row.get
        if "label" in row:
            debate.label(row["label"], line, self.columns["label"])
        for what in ("claim_id", "title"):
            if what in row:
                debate.text(what.replace("_", " "), row[what], line, self.columns[what])
        if "protocol" in row and self.protocols.get(debate.key) is None:
            self.protocols[debate.key] = protocol_of(row["protocol"], self.issues, line, self.columns["protocol"])
        number = self._round(get("round"), line)
        debate.holds_round(number)
        agent = text_of(get("agent"))
        if agent is not None:
            debate.agent(agent, get("model"), line, self.mapping.model)
            for kind in ("prior", "posterior"):
                if kind in row:
                    debate.stance(number, agent, kind, row[kind], line, self.columns[kind])
        elif not (is_missing(get("prior")) and is_missing(get("posterior"))):
            message = "The row has a stance but no agent; the stance is left out."
            self.issues.warning("agent_missing", message, line, self.columns["agent"] or None)
        self._argument(debate, number, agent, row, line)
        for column, place in self.unused:
            debate.unused(column, cells[place] if place < width else None)

    def last_rows(self, table: Table) -> dict[int, int]:
        """Return the place of the last row of each debate, by the hash of what its rows have in common."""
        last: dict[int, int] = {}
        for number, (_, cells) in enumerate(table.rows(IssueLog())):
            row = {name: cells[place] for name, place in self.places.items() if place < len(cells)}
            last[hash(_key(text_of(row.get("debate_id")), text_of(row.get("claim"))))] = number
        return last

    def debates(self, last: Mapping[int, int] | None = None, seen: int = 0) -> Iterator[LineAndDebate]:
        """Yield the debates gathered, in the order they begin, and forget them.

        Args:
            last: Where each debate's last row is; the first one whose rows are not all seen stops this.
            seen: The row taken in last.
        """
        while self.gathered:
            key = next(iter(self.gathered))
            if last is not None and last.get(hash(key), 0) > seen:
                return
            debate = self.gathered.pop(key)
            protocol = self.protocols.pop(key, None)
            self.numbers.pop(key, None)
            if not debate.claim:
                message = f"No row of debate {quoted(debate.id)} has a claim; the debate is left out."
                self.issues.error("claim_missing", message, debate.first_line, self.columns["claim"])
                continue
            yield debate.first_line, debate.debate(protocol)

    def _debate(self, row: Mapping[str, Any], line: int) -> TableDebate | None:
        given_id, claim = text_of(row.get("debate_id")), text_of(row.get("claim"))
        if given_id is None and claim is None:
            message = "The row has neither a debate id nor a claim; it is left out."
            self.issues.error("row_without_claim", message, line, self.columns["claim"])
            return None
        key = _key(given_id, claim)
        debate = self.gathered.get(key)
        if debate is None:
            if given_id is None and "debate_id" in row:
                message = "The row has no debate id; it belongs to the debate on its claim."
                self.issues.warning("debate_id_missing", message, line, self.columns["debate_id"])
            self.begun += 1
            name = given_id or f"{_WITHOUT_ID}-{self.begun}"
            debate = self.gathered[key] = TableDebate(key, name, claim or "", line, self.issues, self.scales)
        elif claim is not None and claim != debate.claim:
            if debate.claim:
                message = f"The claim is {quoted(claim)} here and {quoted(debate.claim)} before; the first is kept."
                self.issues.warning("claim_disagrees", message, line, self.columns["claim"])
            else:
                debate.claim = claim
        return debate

    def _round(self, cell: object, line: int) -> int:
        if is_missing(cell):
            return 0
        number = round_of(cell)
        if number is None:
            message = f"The round is {quoted(cell)}; it is taken as 0."
            self.issues.warning("round_unreadable", message, line, self.columns["round"])
            return 0
        return number

    def _argument(self, debate: TableDebate, number: int, agent: str | None, row: Mapping[str, Any], line: int) -> None:
        get = row.get
        text, given_id = text_of(get("text")), text_of(get("argument_id"))
        if text is None:
            if given_id is None and is_missing(get("base_score")) and text_of(get("target")) is None:
                if agent is None:
                    message = "The row has neither an argument nor an agent."
                    self.issues.warning("row_without_argument", message, line, self.columns["text"])
                return  # an agent without arguments, or none to speak of
            message = "The argument has no text."
            self.issues.warning("argument_text_missing", message, line, self.columns["text"])
        kind = polarity_of(get("polarity"))
        name = given_id or self._next_id(debate.key, number, agent, kind)
        name = debate.argument(
            number,
            name,
            text or "",
            line,
            self.columns["text"],
            author=agent,
            score=get("base_score"),
            score_column=self.columns["base_score"],
            id_column=self.columns["argument_id"] if given_id is not None else None,
            source=text_of(get("source")),
        )
        target = text_of(get("target"))
        if kind is None:
            found = "there is none" if is_missing(get("polarity")) else f"it is {quoted(get('polarity'))}"
            message = f"The polarity must say pro or con; {found}, so {quoted(name)} bears on nothing."
            self.issues.warning("polarity_unreadable", message, line, self.columns["polarity"] or None)
        else:
            debate.bears_on(number, name, kind, target, line, self.columns["target" if target else "polarity"])

    def _next_id(self, key: str, number: int, agent: str | None, kind: RelationKind | None) -> str:
        numbers = self.numbers.setdefault(key, {})
        count = numbers[number, agent, kind] = numbers.get((number, agent, kind), 0) + 1
        stem = {RelationKind.SUPPORT: "pro", RelationKind.ATTACK: "con", None: "argument"}[kind]
        return f"{stem}{count}" if agent is None else f"{agent}-{stem}{count}"


def _key(debate_id: str | None, claim: str | None) -> str:
    """Return what the rows of a debate have in common."""
    return f"claim {claim}" if debate_id is None else f"id {debate_id}"
