"""Choosing a row of a table: by its small box, by a click on any of its cells, or by the arrow keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final, Literal

import streamlit as st

MODE: Final[tuple[Literal["single-row"], Literal["single-cell"]]] = ("single-row", "single-cell")


def following(key: str, then: Callable[[], None] | None = None) -> Callable[[], None]:
    """Return what a table is to do when its choice changes: tick the row of the cell, and untick the one before.

    Ask for it where the table is drawn, for it takes note of the row that is chosen at that time.

    Args:
        key: The table's.
        then: What else is to be done when another row is chosen, or none any more.
    """
    return partial(_follow, key, chosen_row(st.session_state.get(key)), then)


def chosen_row(event: object, count: int | None = None) -> int | None:
    """Return which row is chosen; None for none.

    Args:
        event: What the table returned, or what the session keeps under its key.
        count: How many rows the table has now: a choice may be left from a longer one.
    """
    rows = _selection(event).get("rows") or ()
    return int(rows[0]) if rows and (count is None or rows[0] < count) else None


def meant(rows: list[int], cells: list[tuple[int, str]], before: int | None) -> int | None:
    """Return the row that a choice means: the one that is new, be it ticked or clicked; None if it was unticked."""
    new = [row for row in (*rows, *(row for row, _ in cells)) if row != before]
    return new[0] if new else (before if rows else None)


def _follow(key: str, before: int | None, then: Callable[[], None] | None) -> None:
    selection = _selection(st.session_state[key])
    cells = [(int(row), str(column)) for row, column in selection.get("cells") or ()]
    row = meant(list(selection.get("rows") or ()), cells, before)
    # The cell stays chosen, so that the arrow keys go on from it.
    kept = [cell for cell in cells if cell[0] == row]
    st.session_state[key] = {"selection": {"rows": [] if row is None else [row], "columns": [], "cells": kept}}
    if then is not None and row != before:
        then()


def _selection(event: object) -> Mapping[str, Any]:
    found = event.get("selection") if isinstance(event, Mapping) else None
    return found if isinstance(found, Mapping) else {}


__all__ = ["MODE", "chosen_row", "following", "meant"]
