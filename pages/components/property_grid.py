"""The grid of judges and properties: every cell is a button that says what was found, with n."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

import streamlit as st

from core.property_report import grid_chart, results_table
from core.property_words import LEGEND, cell_lines
from pages.components import drawn_files, state
from pages.components.property_judges import names_of
from pages.components.property_results import Cell
from pages.components.text import plain
from storage.property_bench import Benched

PROPERTY, JUDGE = "property", "of"


def show(cells: Sequence[Cell], dataset: str, *, simulated: bool) -> Cell | None:
    """Draw the grid and return the chosen cell, None before one is chosen.

    Args:
        cells: Judge by judge, the same properties of each.
        dataset: What the debates are, in words.
        simulated: Whether they are simulated.
    """
    names = names_of(list(dict.fromkeys(cell.judge for cell in cells)))
    rows = [(judge, list(row)) for judge, row in groupby(cells, key=lambda cell: cell.judge)]
    grid = st.container()
    chosen = _selected(cells)  # first, because a link says which cell is chosen
    with grid:
        _buttons(rows, names, chosen)
        _files(cells, names, dataset, simulated=simulated)
    return chosen


def _buttons(rows: Sequence[tuple[Benched, Sequence[Cell]]], names: Mapping[str, str], chosen: Cell | None) -> None:
    with st.container(key="bench"):
        with st.container(key="bench-head"):
            columns = st.columns([1.5, *(1 for _ in rows[0][1])], gap="xsmall", vertical_alignment="bottom")
            for column, cell in zip(columns[1:], rows[0][1], strict=True):
                column.markdown(f"**{cell.checked.label}**")
        for number, (judge, row) in enumerate(rows):
            columns = st.columns([1.5, *(1 for _ in row)], gap="xsmall", vertical_alignment="center")
            with columns[0]:
                st.text(names[judge.judge.name], help=plain(judge.name))
            for column, cell in zip(columns[1:], row, strict=True):
                column.button(
                    _label(cell),
                    key=f"cell|{number}|{cell.checked.key}",
                    type="primary" if cell is chosen else "secondary",
                    width="stretch",
                    on_click=_choose,
                    args=(cell.judge.id, cell.checked.key),
                )
    st.caption(f"{LEGEND}. Shares are of the debates that say something about the property; choose a cell for more.")


def _files(cells: Sequence[Cell], names: Mapping[str, str], dataset: str, *, simulated: bool) -> None:
    with st.expander("The grid as a chart and as files", key="bench.files", on_change="rerun") as files:
        if not files.open:
            return
        results = [cell.result for cell in cells]
        drawn_files.chart(
            grid_chart(results, names, dataset, simulated=simulated),
            "bench.chart",
            results_table(results, dataset, labels=not state.labels_hidden(), simulated=simulated),
        )


def _selected(cells: Sequence[Cell]) -> Cell | None:
    """Draw the choice of a cell as ordinary widgets, for whoever has no mouse, and return it."""
    judges = {cell.judge.id: cell.judge.name for cell in cells}
    properties = {cell.checked.key: cell.checked.label for cell in cells}
    for widget, options in ((JUDGE, judges), (PROPERTY, properties)):
        if st.session_state.get(widget) not in options:
            st.session_state.pop(widget, None)
    left, right = st.columns(2)
    key = left.selectbox(
        "Property",
        list(properties),
        index=None,
        format_func=properties.__getitem__,
        key=PROPERTY,
        bind="query-params",
        placeholder="Choose a property",
    )
    judge = right.selectbox(
        "Judge",
        list(judges),
        index=None,
        format_func=judges.__getitem__,
        key=JUDGE,
        bind="query-params",
        placeholder="Choose a judge",
    )
    return next((cell for cell in cells if (cell.judge.id, cell.checked.key) == (judge, key)), None)


def _choose(judge: str, key: str) -> None:
    st.session_state[JUDGE], st.session_state[PROPERTY] = judge, key


def _label(cell: Cell) -> str:
    """Return a cell's text; the property's name is in it for whoever does not see the column it stands in."""
    first, *rest = cell_lines(cell.result, cell.stale)
    lines = [f"**{plain(first)}**", *map(plain, rest)]
    text = "  \n".join(lines)
    return f"*{cell.checked.label}:* {text}"


__all__ = ["show"]
