"""What a comparison rests on, and a row of figures per judge, with published figures below where they are wanted."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st
from streamlit.elements.lib.column_types import ColumnConfig

from core.comparison.coverage import counting_rule, coverage_sentence
from core.comparison.metrics import COST, SUMMARY_DECIMALS, SUMMARY_SIGNS
from core.comparison.names import fitted_names
from core.comparison_figures import REMARKS
from core.comparison_report import Comparison, accuracy_chart, summary_of
from core.published import published_summary
from pages.components import compare_files, state
from pages.components.text import plain
from storage.published import published

PUBLISHED = "published"
PROTOCOL = "published_protocol"
NOTHING = "None"
ANY = "any"
FEW = 20  # debates below which figures say little
ROW_HEIGHT = 35
NAME_LENGTH = 34  # characters in the first column
FITTING = 6  # columns in sight on a screen of usual width
WANTED = ("Accuracy %", "Accuracy low %", "Accuracy high %", "Difference pp", "Agreement %", "Kappa", "Macro-F1")


def reference() -> pd.DataFrame | None:
    """Draw the choice of published figures, in a row of its caller's, and return them; None for none."""
    tables = {table.title: table for table in published() if table.has_accuracy}
    title = st.selectbox(
        "Published figures as reference rows",
        [NOTHING, *tables],
        key=PUBLISHED,
        bind="query-params",
        help="Printed in papers, on other debates. They stand below your own figures, never mixed with them.",
        width=380,
    )
    table = tables.get(str(title))
    if table is None:
        return None
    protocol = None
    if "protocol" in table.rows.columns:
        protocols = [ANY, *dict.fromkeys(table.rows["protocol"])]
        wanted = st.selectbox("Protocol", protocols, key=PROTOCOL, bind="query-params", width=180)
        protocol = None if wanted == ANY else str(wanted)
    return published_summary([table], protocol)


def reference_chosen() -> tuple[str, str]:
    """Return the title of the table of published figures chosen, and the protocol; empty for none and for any."""
    title, protocol = (str(st.session_state.get(key) or "") for key in (PUBLISHED, PROTOCOL))
    if title in ("", NOTHING):
        return "", ""
    divided = any(table.title == title and "protocol" in table.rows.columns for table in published())
    return title, protocol if divided and protocol != ANY else ""


def coverage(of: Comparison) -> None:
    """Draw which debates every number uses, and what must be known before reading any."""
    st.markdown(f"**{plain(coverage_sentence(of.population))}**")
    st.caption(plain(counting_rule(of.population)))
    if not of.population.labelled:
        hidden = state.labels_hidden()
        why = "Gold labels are hidden" if hidden else "No debate here has a gold label"
        st.info(f"{why}, so there is no accuracy and no calibration; agreement needs no labels.")
    elif of.population.size < FEW:
        st.info(f"With fewer than {FEW} debates these figures say little; look at the intervals.")


def remarks(of: Comparison, places: Sequence[int] | None = None) -> None:
    """Draw what must be known of the judges before their figures are read, and of published figures.

    Args:
        of: The comparison.
        places: Only of these judges, and of no published figures; of all unless given.
    """
    told = [place for place, said in enumerate(of.remarks) if said and (places is None or place in places)]
    sources = set(of.published["Source"]) if places is None else set()
    notes = [note for table in published() if table.origin in sources for note in table.remarks]
    if not told and not notes:
        return
    with st.container(border=True):
        for place in told:
            st.markdown(f"**{plain(of.names[place])}**: {plain(' '.join(of.remarks[place]))}")
        for note in notes:
            st.markdown(f"**Published**: {plain(note)}")


def marks(of: Comparison, places: Sequence[int]) -> None:
    """Draw, in a line for each, what must be known of judges whose figures follow; it is told in full further up."""
    for place in dict.fromkeys(places):
        if of.marks(place):
            st.caption(f"{plain(of.names[place])}: {plain(of.marks(place))}")


def table(of: Comparison) -> None:
    """Draw the row of figures of every judge."""
    frame = compare_files.without_empty(of.summary)
    frame = frame.assign(Judge=fitted_names(frame["Judge"].tolist(), NAME_LENGTH))
    order = _in_order(frame, published=len(of.published) > 0)
    st.dataframe(
        frame,
        hide_index=True,
        column_order=order,
        column_config={
            "Judge": st.column_config.TextColumn(width=250, pinned=True),
            "Source": st.column_config.TextColumn(width=170),
            REMARKS: st.column_config.TextColumn(width=200, help="In full above the table"),
            **{name: _number(name) for name in SUMMARY_DECIMALS if name in frame.columns},
            **({COST: _cost(of.currency)} if COST in frame.columns else {}),
        },
        height=ROW_HEIGHT * (min(len(frame), 16) + 1) + 3,
        row_height=ROW_HEIGHT,
        placeholder="–",
        alt=f"A row of figures for each of {len(frame)} judges, those published marked in the column Source",
        key="compare.summary",
    )
    if len(order) > FITTING:
        st.caption(f"{len(order)} columns, the most wanted first; scroll the table sideways for the rest.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        compare_files.table_files("compare.summary", summary_of(of))
        compare_files.camera()
        whole = [(short, name) for short, name in zip(of.names, of.whole_names, strict=True) if short != name]
        if whole:
            with st.popover("Judges' names in full"):
                for short, name in whole:
                    st.markdown(f"**{plain(short)}**")
                    st.text(name)


def _in_order(frame: pd.DataFrame, *, published: bool) -> list[str]:
    """Return the columns to show, the most wanted first, for not all may be in sight."""
    first = ["Judge", *(["Source"] if published else []), *(name for name in WANTED if name in frame)]
    rest = [name for name in frame.columns if name not in {*first, REMARKS, "Source"}]
    return [*first, *([REMARKS] if frame[REMARKS].any() else []), *rest]


def accuracy(of: Comparison) -> None:
    """Draw the accuracies with their intervals."""
    st.header("Accuracy")
    compare_files.chart(accuracy_chart(of), "compare.accuracy")


def _number(name: str) -> ColumnConfig:
    decimals = SUMMARY_DECIMALS[name]
    return st.column_config.NumberColumn(format=f"%{'+' if name in SUMMARY_SIGNS else ''}.{decimals}f")


def _cost(currency: str) -> ColumnConfig:
    return st.column_config.NumberColumn(
        f"{COST} ({currency})" if currency else COST,
        format=f"%.{SUMMARY_DECIMALS[COST]}f",
        help="As calls were priced when they were made, in the currency of the price table; empty: not known",
    )
