"""Debate logs into values. ``read_file`` is the one way in; each format is one module behind one protocol."""

from storage.readers.files import AnyMapping, ReadFile, read_file
from storage.readers.guess_mapping import guess_mapping, mapping_problem
from storage.readers.path_mapping import PathMapping, StatementPaths
from storage.readers.table_mapping import AgentColumns, ArgumentColumns, Layout, TableMapping

__all__ = [
    "AgentColumns",
    "AnyMapping",
    "ArgumentColumns",
    "Layout",
    "PathMapping",
    "ReadFile",
    "StatementPaths",
    "TableMapping",
    "guess_mapping",
    "mapping_problem",
    "read_file",
]
