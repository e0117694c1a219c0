"""Tables with one debate a row, in which groups of columns hold each agent's stances and arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from core.import_issue import IssueLog, quoted
from core.opinion import RelationKind
from core.score_text import Scale
from storage.readers.cells import is_missing, text_of
from storage.readers.protocols import protocol_of
from storage.readers.source import LineAndDebate
from storage.readers.table_debate import TableDebate
from storage.readers.table_mapping import AgentColumns, TableMapping
from storage.readers.table_source import Table

_KINDS = {"pro": RelationKind.SUPPORT, "con": RelationKind.ATTACK}


def wide_debates(
    table: Table, mapping: TableMapping, scales: Mapping[str, Scale | None], issues: IssueLog
) -> Iterator[LineAndDebate]:
    """Yield one debate for each row of a table."""
    used = set(mapping.columns)
    for line, cells in table.rows(issues):
        row = _Row(table.places, line, cells)
        debate = _whole(row, mapping, scales, issues)
        if debate is None:
            continue
        debate.holds_round(0)
        for group in mapping.agents:
            _agent(row, group, debate)
        for column in table.places:
            if column not in used:
                debate.unused(column, row.cell(column))
        protocol = protocol_of(row.cell(mapping.protocol), issues, line, mapping.protocol or "")
        yield line, debate.debate(protocol)


class _Row:
    """One row of a table, by columns."""

    def __init__(self, places: Mapping[str, int], line: int, cells: Sequence[Any]) -> None:
        self._places = places
        self._cells = cells
        self.line = line

    def cell(self, column: str | None) -> Any:
        """Return the cell of a column, None when it has none."""
        place = -1 if column is None else self._places.get(column, -1)
        return self._cells[place] if 0 <= place < len(self._cells) else None


def _whole(
    row: _Row, mapping: TableMapping, scales: Mapping[str, Scale | None], issues: IssueLog
) -> TableDebate | None:
    claim, given_id = text_of(row.cell(mapping.claim)), text_of(row.cell(mapping.debate_id))
    if claim is None:
        issues.error("row_without_claim", "The row has no claim; it is left out.", row.line, mapping.claim)
        return None
    if given_id is None and mapping.debate_id is not None:
        message = f"The row has no debate id; the debate is called 'debate-{row.line}'."
        issues.warning("debate_id_missing", message, row.line, mapping.debate_id)
    name = given_id or f"debate-{row.line}"
    debate = TableDebate(name, name, claim, row.line, issues, scales)
    if mapping.label is not None:
        debate.label(row.cell(mapping.label), row.line, mapping.label)
    for what, column in (("claim id", mapping.claim_id), ("title", mapping.title)):
        if column is not None:
            debate.text(what, row.cell(column), row.line, column)
    return debate


def _agent(row: _Row, group: AgentColumns, debate: TableDebate) -> None:
    stances = [("prior", group.prior), ("posterior", group.posterior)]
    columns = [group.model, group.prior, group.posterior]
    columns += [column for a in group.arguments for column in (a.text, a.base_score)]
    if all(is_missing(row.cell(column)) for column in columns):
        return  # this debate went without that agent
    if group.agent:
        debate.agent(group.agent, row.cell(group.model), row.line, group.model)
        for kind, column in stances:
            if column is not None:
                debate.stance(0, group.agent, kind, row.cell(column), row.line, column)
    counts = {"pro": 0, "con": 0}
    for columns_of_argument in group.arguments:
        side = columns_of_argument.polarity
        text = text_of(row.cell(columns_of_argument.text))
        score = row.cell(columns_of_argument.base_score)
        counts[side] += 1
        if text is None:
            if not is_missing(score):
                message = f"There is a base score, {quoted(score)}, but no argument's text."
                debate.issues.warning("argument_text_missing", message, row.line, columns_of_argument.text)
                debate.unused(columns_of_argument.base_score or "", score)
            continue
        name = f"{group.agent}-{side}{counts[side]}" if group.agent else f"{side}{counts[side]}"
        name = debate.argument(
            0,
            name,
            text,
            row.line,
            columns_of_argument.text,
            author=group.agent or None,
            score=score,
            score_column=columns_of_argument.base_score or "",
        )
        debate.bears_on(0, name, _KINDS[side], None, row.line, columns_of_argument.text)
