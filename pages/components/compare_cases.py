"""The debates behind a figure: those of a tile, of a bar, of a box drawn in a chart, or all on which judges differ."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum

import pandas as pd
import streamlit as st

from core.comparison.names import fitted_names
from core.comparison_report import ALL_DIFFERING, Comparison, by_gap, cases_of, differing
from core.judgement import Verdict
from core.wording import VERDICT_WORD, score_text
from pages.components import compare_debate_link, compare_files, pages, row_choice, state
from pages.components.text import plain

SELECTION = "cases"
MARKED = "compare.marked"
PAGE = "compare.page"
PAGE_SIZE = 50
ROW_HEIGHT = 35
HEADING = 22  # characters of a judge's name over its column


class Selection(StrEnum):
    """Which debates the case table shows."""

    DIFFERING = "differing"  # not all judges come to one verdict
    ALL = "all"
    PAIR = "pair"  # the two judges differ
    OUTCOME = "outcome"  # one pair of verdicts of the two
    RIGHT = "right"  # one of the two is right and the other not
    MARKED = "marked"  # in the box drawn in the chart of scores


@dataclass(frozen=True)
class Cases:
    """Debates, those with the widest gap of scores first, and what they are."""

    debates: list[str]
    what: str


def select(selection: Selection, *details: str) -> None:
    """Show these debates from now on; the URL follows."""
    st.query_params[SELECTION] = "-".join([selection.value, *details])
    st.session_state[PAGE] = 1


def select_marked(debates: list[str]) -> None:
    """Show the debates marked in a chart; none goes back to what was shown before."""
    st.session_state[MARKED] = debates
    if debates:
        select(Selection.MARKED)
    elif selected()[0] is Selection.MARKED:
        select(Selection.DIFFERING)


def selected() -> tuple[Selection, list[str]]:
    """Return which debates the address asks for, with the details."""
    kind, *details = (st.query_params.get(SELECTION) or Selection.DIFFERING.value).split("-")
    return (Selection(kind), details) if kind in set(Selection) else (Selection.DIFFERING, [])


def chosen(of: Comparison, a: int, b: int) -> Cases:
    """Return the debates to show, with judges number a and b as the pair."""
    kind, details = selected()
    match kind:
        case Selection.OUTCOME:
            outcomes = of.outcomes(a, b)
            cell = tuple(Verdict(name) for name in details if name in set(Verdict))
            if len(cell) == 2 and cell in outcomes.cells:
                what = f"{of.names[a]} {VERDICT_WORD[cell[0]]}, {of.names[b]} {VERDICT_WORD[cell[1]]}"
                return Cases(by_gap(of, outcomes.cells[cell]), what)
        case Selection.PAIR:
            cells = of.outcomes(a, b).cells
            ids = [name for (first, second), names in cells.items() if first is not second for name in names]
            return Cases(by_gap(of, ids), f"debates on which {of.names[a]} and {of.names[b]} differ")
        case Selection.RIGHT if of.population.labelled:
            found = of.who_is_right(a, b)
            right, wrong = (a, b) if details[:1] == ["a"] else (b, a)
            ids = list(found.only_a if right == a else found.only_b)
            return Cases(by_gap(of, ids), f"{of.names[right]} is right and {of.names[wrong]} is not")
        case Selection.MARKED if st.session_state.get(MARKED):
            return Cases(by_gap(of, st.session_state[MARKED]), "debates marked in the chart of scores")
        case Selection.ALL:
            return Cases(by_gap(of, of.population.debates), "all debates")
    if len(of.names) < 2:
        return Cases(by_gap(of, of.population.debates), "all debates")
    return Cases(differing(of), ALL_DIFFERING)


def show(of: Comparison, cases: Cases) -> None:
    """Draw the debates as a table; a chosen row opens what can be done with it."""
    st.header("Cases")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{len(cases.debates):,}**: {plain(cases.what)}")
        for selection, word in ((Selection.DIFFERING, "All that differ"), (Selection.ALL, "All debates")):
            st.button(
                word,
                key=f"cases|{selection.value}",
                type="tertiary",
                disabled=selected()[0] is selection,
                on_click=select,
                args=(selection,),
            )
    if not cases.debates:
        st.info("There is no such debate.")
        return
    needed = math.ceil(len(cases.debates) / PAGE_SIZE)
    at = min(st.pagination(needed, key=PAGE), needed) if needed > 1 else 1
    frame = shown(of, cases.debates[(at - 1) * PAGE_SIZE : at * PAGE_SIZE])
    table = f"compare.cases|{st.query_params.get(SELECTION)}|{at}"
    event = st.dataframe(
        frame,
        hide_index=True,
        column_order=[name for name in frame.columns if name != "Id"],
        column_config={
            "Claim": st.column_config.TextColumn(width="large"),
            **{
                name: st.column_config.TextColumn(heading, width=170, help=name)
                for name, heading in zip(of.names, fitted_names(of.names, HEADING), strict=True)
            },
            "Gap": st.column_config.ProgressColumn(
                min_value=0.0, max_value=1.0, format="%.2f", width="small", help="Between the farthest scores"
            ),
        },
        height=ROW_HEIGHT * (min(len(frame), 12) + 1) + 3,
        row_height=ROW_HEIGHT,
        on_select=row_choice.following(table),
        selection_mode=row_choice.MODE,
        key=table,
        alt=f"Table of {len(frame)} debates with every judge's verdict and score",
    )
    compare_files.table_files("compare.cases", cases_of(of, cases.debates, cases.what))
    row = row_choice.chosen_row(event, len(frame))
    if row is None:
        st.caption("Choose a row to open the debate, or to read the judges' reasons side by side.")
        return
    debate = str(frame["Id"].iloc[row])
    with st.container(border=True, key="claim.case"):
        st.text(of.claims.get(debate, debate))
        with st.container(horizontal=True):
            st.button(
                "Reasons side by side",
                type="primary",
                key="case.reasons",
                on_click=compare_debate_link.to,
                args=(debate,),
            )
            # Links and not buttons, so that one step back in the browser comes back to these cases.
            st.page_link(pages.contest(), label="Contest", query_params=state.link(debate))
            st.page_link(pages.debate(), label="Read the debate", query_params=state.link(debate))


def shown(of: Comparison, debates: list[str]) -> pd.DataFrame:
    """Return debates as the table shows them: verdict and score of a judge in one cell."""
    frame = of.cases(debates)
    for judge, name in zip(of.population.judges, of.names, strict=True):
        scores = frame.pop(f"{name} score")
        frame[name] = [
            verdict if math.isnan(score) else f"{verdict} {score_text(score, judge.threshold)}"
            for verdict, score in zip(frame[name], scores, strict=True)
        ]
    return frame
