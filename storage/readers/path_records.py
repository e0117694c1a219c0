"""The records that paths start from, whatever a file is: JSON of any kind, a table's rows, or YAML."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from core.import_issue import IssueLog
from storage.readers.record_path import RecordPath, find
from storage.readers.source import Source
from storage.readers.table_source import table_of
from storage.readers.tolerant_json import JsonRecord
from storage.readers.yaml_records import looks_like_yaml, yaml_records

SAMPLE = 50  # values that are looked at
MOST_RECORDS = 5000  # records below a sampled value that are looked at


def path_values(source: Source, issues: IssueLog) -> Iterator[JsonRecord]:
    """Yield a file's values: JSON values, rows as objects of their cells by column, or YAML documents."""
    if source.is_parquet:
        yield from _rows(source, issues)
    elif source.looks_like_json or source.lines is not None:
        yield from source.values(issues)
    elif looks_like_yaml(source.text):
        yield from yaml_records(source.text, issues)
    elif _is_table(source):
        yield from _rows(source, issues)
    else:
        yield from source.values(issues)


def sampled_values(source: Source) -> list[Any]:
    """Return the first values, to choose paths from."""
    if source.looks_like_json and not source.is_parquet:
        return [record.value for record in source.head]
    return [record.value for record in islice(path_values(source, IssueLog()), SAMPLE)]


def records_below(values: list[Any], path: RecordPath) -> list[Any]:
    """Return the records that a path leads to in sampled values."""
    return [found.value for value in values for found in islice(find(value, path), MOST_RECORDS)][:MOST_RECORDS]


def _is_table(source: Source) -> bool:
    table = table_of(source)
    return table is not None and table.is_regular()


def _rows(source: Source, issues: IssueLog) -> Iterator[JsonRecord]:
    table = table_of(source)
    if table is None:
        return
    for line, cells in table.rows(issues):
        yield JsonRecord(dict(zip(table.columns, cells, strict=False)), line)


__all__ = ["path_values", "records_below", "sampled_values"]
