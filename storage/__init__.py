"""Moot's database: one DuckDB file, and all SQL that there is.

Nothing in here imports streamlit or ``pages``.
"""
