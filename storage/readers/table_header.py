"""Whether a text begins with the header of a table, whatever its cells, which may span lines, look like."""

from __future__ import annotations

import csv

from storage.readers.guess_mapping import guess_mapping, mapping_problem
from storage.readers.source import Source

DELIMITERS = (",", ";", "\t", "|")
_LONGEST = 20_000  # characters of a header


def has_table_header(source: Source) -> bool:
    """Return whether the first line names columns from which debates can be made, by their names alone."""
    first = source.text[:_LONGEST].lstrip("\ufeff").split("\n", 1)[0].rstrip("\r")
    for delimiter in DELIMITERS:
        if first.count(delimiter) < 2:
            continue
        try:
            columns = [name.strip() for cells in csv.reader([first], delimiter=delimiter) for name in cells]
        except csv.Error:
            continue
        if mapping_problem(guess_mapping(columns, [])) is None:
            return True
    return False


__all__ = ["DELIMITERS", "has_table_header"]
