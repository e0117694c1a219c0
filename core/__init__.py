"""Moot's reasoning on plain values: debates, QBAFs, semantics, judges, contestations.

Nothing in here reads a file, a clock or an environment variable, and nothing imports streamlit, duckdb,
``pages`` or ``storage``.
"""
