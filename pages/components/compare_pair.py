"""Where judges differ: squares for every pair, then the verdicts of one pair, who is right, and their scores."""

from __future__ import annotations

import streamlit as st

from core.comparison_report import (
    Comparison,
    agreement_chart,
    outcomes_of,
    pairs_of,
    scatter_chart,
    who_is_right_chart,
)
from core.judgement import Verdict
from core.wording import VERDICT_SIGN, VERDICT_WORD, number
from pages.components import compare_cases, compare_files, compare_summary, state
from pages.components.compare_cases import Selection
from pages.components.text import plain

JUDGE_A, JUDGE_B = "a", "b"
LAST_CLICK = "compare.last_click"
FITTING = 3  # judges whose squares fit on a phone
VIEW = "pair_view"
RIGHT, SCORES = "Who is right where they differ", "Scores"


def agreement(of: Comparison) -> None:
    """Draw how all judges agree, with a square per pair; a click on one chooses the pair."""
    st.header("Agreement")
    st.write(plain(_panel(of)))
    crowded = len(of.names) > FITTING
    _, event = compare_files.chart(agreement_chart(of), "compare.agreement", pairs_of(of), on_select=True, wide=crowded)
    clicked = compare_files.chosen(event)
    if clicked and clicked != st.session_state.get(LAST_CLICK):
        first, second = (int(place) for place in clicked[0].split(":"))
        st.session_state[JUDGE_A], st.session_state[JUDGE_B] = _ids(of)[first], _ids(of)[second]
        compare_cases.select(Selection.PAIR)
    st.session_state[LAST_CLICK] = clicked


def pair(of: Comparison) -> tuple[int, int]:
    """Draw the choice of two judges and return their places."""
    st.header("Two judges")
    ids = _ids(of)
    names = dict(zip(ids, of.names, strict=True))
    if not all(state.still_offered(key, ids) for key in (JUDGE_A, JUDGE_B)):
        st.session_state[JUDGE_A], st.session_state[JUDGE_B] = (ids[place] for place in of.pair)
    left, right = st.columns(2)
    first = left.selectbox("Judge A", ids, format_func=names.__getitem__, key=JUDGE_A, bind="query-params")
    second = right.selectbox("Judge B", ids, format_func=names.__getitem__, key=JUDGE_B, bind="query-params")
    if first == second and len(ids) > 1:
        st.info("This is one judge twice; choose another one.")
    return ids.index(first), ids.index(second)


def places(of: Comparison) -> tuple[int, int]:
    """Return the places of the two judges chosen, without drawing anything."""
    ids = _ids(of)
    a, b = (st.session_state.get(key) for key in (JUDGE_A, JUDGE_B))
    return (ids.index(a), ids.index(b)) if a in ids and b in ids else of.pair


def tiles(of: Comparison, a: int, b: int) -> None:
    """Draw a button per pair of verdicts with its number of debates; those where the two differ have a border."""
    found = of.outcomes(a, b)
    kind, details = compare_cases.selected()
    st.caption("A tile has the number of debates with those two verdicts; choose one to see them under Cases.")
    for first in found.verdicts:
        for column, second in zip(st.columns(len(found.verdicts)), found.verdicts, strict=True):
            count = len(found.cells[first, second])
            differ = first is not second
            chosen = kind is Selection.OUTCOME and details == [first.value, second.value]
            ending = " · shown" if chosen else " · differ" if differ else ""
            column.button(
                f"**{count:,}** · A {_word(first)}, B {_word(second)}{ending}",
                key=f"tile|{first.value}|{second.value}",
                type="secondary" if differ else "tertiary",
                disabled=not count,
                on_click=compare_cases.select,
                args=(Selection.OUTCOME, first.value, second.value),
                width="stretch",
            )
    compare_files.table_files("compare.outcomes", outcomes_of(of, a, b))


def differences(of: Comparison, a: int, b: int) -> None:
    """Draw who is right where two judges differ, or their scores against each other, whichever is open."""
    compare_summary.marks(of, (a, b))
    shown = SCORES
    if of.population.labelled:
        # Tabs would search the chart's marks for something to focus at every change of the page.
        shown = st.segmented_control(
            "Chart of the two judges",
            (RIGHT, SCORES),
            default=RIGHT,
            required=True,
            key=VIEW,
            bind="query-params",
            label_visibility="collapsed",
        )
    (_right if shown == RIGHT else _scores)(of, a, b)


def _right(of: Comparison, a: int, b: int) -> None:
    _, event = compare_files.chart(who_is_right_chart(of, a, b), "compare.right", on_select=True)
    clicked = compare_files.chosen(event)
    key = f"{LAST_CLICK}.right"
    if clicked and clicked != st.session_state.get(key):
        compare_cases.select(Selection.RIGHT, clicked[0].split(":")[1])
    st.session_state[key] = clicked


def _scores(of: Comparison, a: int, b: int) -> None:
    _, event = compare_files.chart(scatter_chart(of, a, b), "compare.scatter", on_select=True)
    marked = compare_files.chosen(event)
    key = f"{LAST_CLICK}.scatter"
    if marked != (st.session_state.get(key) or []):
        compare_cases.select_marked(marked)
    st.session_state[key] = marked


def _panel(of: Comparison) -> str:
    found = of.panel
    if found is None:
        return "Pick a second judge to see how they agree."
    if found.judges == 2:
        kappa = "undefined" if found.mean_kappa is None else number(found.mean_kappa)
        return f"The two come to the same verdict on {found.unanimous:.1%} of {found.n:,} debates; Cohen's κ {kappa}."
    kappa = "undefined" if found.fleiss_kappa is None else number(found.fleiss_kappa)
    return (
        f"All {found.judges} judges come to one verdict on {found.unanimous:.1%} of {found.n:,} debates; two of them "
        f"agree on {found.raw_agreement:.1%} on average; Fleiss' κ {kappa}."
    )


def _ids(of: Comparison) -> list[str]:
    return [judge.id for judge in of.population.judges]


def _word(verdict: Verdict) -> str:
    return f"{VERDICT_SIGN[verdict]} {VERDICT_WORD[verdict]}"
