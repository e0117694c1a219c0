"""Debate logs into values. ``read_file`` is the one way in; each format is one module behind one protocol."""

from storage.readers.files import ReadFile, read_file
from storage.readers.guess_mapping import guess_mapping, mapping_problem
from storage.readers.table_mapping import AgentColumns, ArgumentColumns, Layout, TableMapping

__all__ = [
    "AgentColumns",
    "ArgumentColumns",
    "Layout",
    "ReadFile",
    "TableMapping",
    "guess_mapping",
    "mapping_problem",
    "read_file",
]
