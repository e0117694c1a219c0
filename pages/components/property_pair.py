"""Two judges' profiles of properties side by side."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.property_report import pair_chart, results_table
from pages.components import drawn_files, state
from pages.components.property_judges import names_of
from pages.components.property_results import Cell


def show(cells: Sequence[Cell], dataset: str, *, simulated: bool) -> None:
    """Draw the choice of two judges and how often each satisfies each property."""
    judges = {cell.judge.id: cell.judge for cell in cells}
    if len(judges) < 2:
        st.info("Pick a second judge to put two side by side.")
        return
    names = {one.id: names_of(list(judges.values()))[one.judge.name] for one in judges.values()}
    ids = list(judges)
    left, right = st.columns(2)
    first = left.selectbox("First judge", ids, 0, format_func=names.__getitem__, key=f"pair.first|{ids}")
    second = right.selectbox("Second judge", ids, 1, format_func=names.__getitem__, key=f"pair.second|{ids}")
    sides = [[cell.result for cell in cells if cell.judge.id == one] for one in (first, second)]
    chosen = (names[str(first)], names[str(second)])
    both = [*sides[0], *sides[1]]
    if not any(one.rate is not None for one in both):
        st.info("Neither of the two was tested.")
        return
    drawn_files.chart(
        pair_chart(sides[0], sides[1], chosen, dataset, simulated=simulated),
        "pair",
        results_table(both, dataset, labels=not state.labels_hidden(), simulated=simulated),
    )


__all__ = ["show"]
