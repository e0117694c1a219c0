"""Debate logs into values. ``read_file`` is the one way in; each format is one module behind one protocol."""

from storage.readers.read_file import ReadFile, read_file
from storage.readers.table_mapping import AgentColumns, ArgumentColumns, Layout, TableMapping

__all__ = ["AgentColumns", "ArgumentColumns", "Layout", "ReadFile", "TableMapping", "read_file"]
