"""The reader of plain tables, long and wide."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from core.import_issue import IssueLog, quoted
from core.score_text import Scale
from storage.readers.guess_mapping import guess_mapping, mapping_problem
from storage.readers.long_table import long_debates
from storage.readers.scales import Scales
from storage.readers.source import LineAndDebate, Recognised, Source
from storage.readers.table_mapping import Layout, TableMapping
from storage.readers.table_source import Table, table_of
from storage.readers.wide_table import wide_debates

_SAMPLE_ROWS = 200
_FORMATS = {Layout.LONG: "table-long", Layout.WIDE: "table-wide"}
_SHAPES = {Layout.LONG: "one argument a row", Layout.WIDE: "one debate a row"}


class TableReader:
    """Knows tables whose columns can be told apart, or for which a person has said which is which."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this is a table of debates."""
        table = table_of(source)
        if table is None:
            return None
        mapping = mapping_for(source, table)
        if mapping_problem(mapping) is not None:
            return None
        manner = "as you said" if _is_given(source.mapping) else "by the columns' names"
        why = f"It is {table.kind} with {_SHAPES[mapping.layout]}, {manner}."
        return Recognised(_FORMATS[mapping.layout], why, mapping, table.columns)

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield the debates. The table is gone through twice: a scale is known from the whole column."""
        table = table_of(source)
        if table is None or recognised.mapping is None:
            return
        mapping = recognised.mapping
        scales = _scales(table, mapping, issues)
        mapping = _without_missing_columns(mapping, table, issues)
        problem = mapping_problem(mapping)
        if problem is not None:
            issues.error("columns_unclear", f"The table cannot be read: {problem}.")
            return
        note_choices(mapping, table, issues)
        debates = long_debates if mapping.layout is Layout.LONG else wide_debates
        yield from debates(table, mapping, scales, issues)


def mapping_for(source: Source, table: Table) -> TableMapping:
    """Return the mapping that a person gave, or a guess with what the person said of scales, delimiter and encoding."""
    given = source.mapping
    if given is not None and _is_given(given):
        return given
    rows = [cells for _, cells in islice(table.rows(IssueLog()), _SAMPLE_ROWS)]
    guess = guess_mapping(table.columns, rows)
    if given is not None:
        return replace(guess, scales=given.scales, delimiter=given.delimiter, encoding=given.encoding)
    return replace(guess, delimiter=table.delimiter)


def _is_given(mapping: TableMapping | None) -> bool:
    return mapping is not None and bool(mapping.columns)


def _scales(table: Table, mapping: TableMapping, issues: IssueLog) -> dict[str, Scale | None]:
    scales = Scales(mapping.scales)
    columns = [column for column in mapping.score_columns if column not in mapping.scales]
    for _, cells in table.rows(IssueLog()):  # what is wrong with the rows is noted the second time
        for column in columns:
            place = table.places.get(column, -1)
            if 0 <= place < len(cells):
                scales.add(column, cells[place])
    return scales.decide(issues)


def _without_missing_columns(mapping: TableMapping, table: Table, issues: IssueLog) -> TableMapping:
    missing = [column for column in mapping.columns if column not in table.places]
    for column in missing:
        message = f"The table has no column {quoted(column)}; its columns are {', '.join(map(quoted, table.columns))}."
        issues.error("column_missing", message, None, column)
    return mapping.without(missing)


def note_choices(mapping: TableMapping, table: Table, issues: IssueLog) -> None:
    """Note what was assumed of a table, and which columns mean nothing."""
    used = set(mapping.columns)
    unused = [column for column in table.columns if column not in used]
    if unused:
        names = ", ".join(map(quoted, unused))
        message = f"These columns mean nothing to Moot and are kept in the provenance: {names}."
        issues.info("columns_unused", message)
    if mapping.layout is Layout.LONG:
        if mapping.debate_id is None:
            message = "No column holds a debate id; rows with the same claim make up a debate."
            issues.info("debate_id_assumed", message)
        if mapping.round is None:
            issues.info("round_assumed", "No column holds a round; all rows are taken as round 0.")
    elif mapping.debate_id is None:
        issues.info("debate_id_assumed", "No column holds a debate id; debates are named by their lines.")
