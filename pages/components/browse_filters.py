"""The filters of the Browse page. All of them live in the URL, so reload, back and a shared link keep them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from core.debate import DebateProtocol
from core.judges.semantics_judge import SemanticsJudge
from core.overview import Agreement
from core.semantics import SEMANTICS
from pages.components import state
from pages.components.debate_table import TO_FLIP, with_flips
from storage.debate_filter import DebateFilter

PAGE_SIZE = 50
PAGE = "p"
TEXT, AGREE, PROTOCOL, TAG, LABEL, GAP, NEAR, CONTESTED, SORT = (
    "q",
    "agree",
    "protocol",
    "tag",
    "label",
    "gap",
    "near",
    "contested",
    "sort",
)
JUDGE_A, JUDGE_B = "ja", "jb"
FILTERS = (TEXT, AGREE, PROTOCOL, TAG, LABEL, GAP, NEAR, CONTESTED)
LABEL_WORDS = {"True": True, "False": False, "Unknown": None}
AGREE_WORDS = {
    "all": "All",
    Agreement.AGREE: "Agree",
    Agreement.DISAGREE: "Disagree",
    Agreement.NO_VERDICT: "No verdict",
}
EASIEST = "flip"
SORTS = {
    "gap": ("Gap, largest first", "Gap", False),
    "near": ("Nearest to the threshold", "near", True),
    EASIEST: ("Easiest to flip", TO_FLIP, True),
    "imported": ("As imported", None, True),
    "claim": ("Claim, A to Z", "Claim", True),
    "contested": ("Most contested", "Contestations", False),
}


@dataclass(frozen=True)
class Wanted:
    """What the filters say: one part for the database, one for what judges say."""

    judge_a: SemanticsJudge
    judge_b: SemanticsJudge

    def stored(self) -> DebateFilter:
        """Return the part that the database answers."""
        return stored()

    def narrowed(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the rows that the judges' filters let through, in the chosen order."""
        agree = st.session_state.get(AGREE) or "all"
        if agree != "all":
            frame = frame[frame["agreement"] == str(agree)]
        gap = float(st.session_state.get(GAP) or 0.0)
        if gap > 0:
            frame = frame[frame["Gap"] >= gap]
        near = float(st.session_state.get(NEAR, 0.5))
        if near < 0.5:
            frame = frame[frame["near"] <= near]
        order = st.session_state.get(SORT) or "gap"
        if order == EASIEST:
            frame = with_flips(frame, self.judge_a)
        _, column, ascending = SORTS[order]
        return frame if column is None else frame.sort_values(column, ascending=ascending, kind="stable")


def stored(names: tuple[str, ...] = FILTERS) -> DebateFilter:
    """Return what the filters of these names say that the database answers, with the data set of the sidebar."""
    dataset = state.chosen_dataset()
    kept = {name: st.session_state.get(name) for name in names}
    labels = [] if state.labels_hidden() else list(kept.get(LABEL) or [])
    return DebateFilter(
        text=kept.get(TEXT) or "",
        datasets=(dataset,) if dataset else (),
        protocols=tuple(DebateProtocol(name) for name in kept.get(PROTOCOL) or []),
        labels=tuple(LABEL_WORDS[word] for word in labels),
        tags=tuple(kept.get(TAG) or []),
        contested=True if kept.get(CONTESTED) else None,
    )


def show() -> Wanted:
    """Draw the filters and return what they say."""
    main, other = state.compared_judges()
    search('Words in claims and arguments, such as: honey "shelf life"')
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            "The two judges",
            list(AGREE_WORDS),
            default="all",
            required=True,
            format_func=AGREE_WORDS.__getitem__,
            key=AGREE,
            bind="query-params",
        )
        protocols()
        st.button("Clear all", on_click=clear, key="browse.clear")
    with st.expander("More filters, judges and order"):
        first, second, third = st.columns(3)
        with first:
            judges = list(SEMANTICS)
            st.selectbox(
                "Judge A",
                judges,
                index=judges.index(main.semantics),
                format_func=lambda name: SEMANTICS[name].label,
                key=JUDGE_A,
                bind="query-params",
            )
            st.selectbox(
                "Judge B",
                judges,
                index=judges.index(other.semantics),
                format_func=lambda name: SEMANTICS[name].label,
                key=JUDGE_B,
                bind="query-params",
            )
        with second:
            tags_and_labels()
            st.toggle("Only contested ones", key=CONTESTED, bind="query-params")
        with third:
            st.slider("Gap between the judges, at least", 0.0, 1.0, 0.0, 0.05, key=GAP, bind="query-params")
            st.slider(
                "Distance of A's score from the threshold, at most", 0.0, 0.5, 0.5, 0.01, key=NEAR, bind="query-params"
            )
            st.selectbox("Order", list(SORTS), format_func=lambda k: SORTS[k][0], key=SORT, bind="query-params")
    kept = state.preferences()
    return Wanted(
        kept.judge(st.session_state.get(JUDGE_A) or main.semantics),
        kept.judge(st.session_state.get(JUDGE_B) or other.semantics),
    )


def search(placeholder: str = "Words in claims and arguments") -> None:
    """Draw the field for words."""
    st.text_input("Search", key=TEXT, placeholder=placeholder, bind="query-params")


def protocols() -> None:
    """Draw the choice of protocols, where debates have several."""
    known = state.facets().protocols
    if len(known) > 1:
        st.pills(
            "Protocol",
            [protocol.value for protocol in known],
            selection_mode="multi",
            format_func=lambda name: name.replace("-", " "),
            key=PROTOCOL,
            bind="query-params",
        )


def tags_and_labels() -> None:
    """Draw the choice of tags where there are any, and of gold labels unless they are hidden."""
    tags = state.facets().tags
    if tags:
        st.multiselect("Tags", list(tags), key=TAG, bind="query-params")
    if not state.labels_hidden():
        st.pills("Label", list(LABEL_WORDS), selection_mode="multi", key=LABEL, bind="query-params")


def nothing_found() -> None:
    """Draw which filters are on, each with a button that takes it off."""
    st.info("No debate matches these filters.")
    words: dict[str, Callable[[Any], str]] = {
        TEXT: lambda value: f"Search: {value}",
        AGREE: lambda value: f"The two judges: {AGREE_WORDS[value]}",
        PROTOCOL: lambda value: f"Protocol: {', '.join(value)}",
        TAG: lambda value: f"Tags: {', '.join(value)}",
        LABEL: lambda value: f"Label: {', '.join(value)}",
        GAP: lambda value: f"Gap at least {value:.2f}",
        NEAR: lambda value: f"Distance from the threshold at most {value:.2f}",
        CONTESTED: lambda value: "Only contested ones",
    }
    for name in FILTERS:
        value = st.session_state.get(name)
        if value and value != _DEFAULTS.get(name):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(words[name](value))
                st.button("Remove", key=f"remove.{name}", on_click=clear, args=((name,),))


_DEFAULTS = {AGREE: "all", NEAR: 0.5, GAP: 0.0}


def clear(names: tuple[str, ...] = FILTERS) -> None:
    """Take filters off."""
    empty = {TEXT: "", AGREE: "all", PROTOCOL: [], TAG: [], LABEL: [], GAP: 0.0, NEAR: 0.5, CONTESTED: False}
    for name in names:
        if name in st.session_state:
            st.session_state[name] = empty[name]
