"""Which debates a comparison looks at. The filters are those of the Browse page, and carry over from there."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from core.comparison.population import Abstention
from pages.components import browse_filters
from pages.components.browse_filters import LABEL, PROTOCOL, TAG, TEXT
from storage.debate_filter import DebateFilter

LEAVE_OUT = "without_abstentions"
SHARED = (TEXT, PROTOCOL, TAG, LABEL)


@dataclass(frozen=True)
class Chosen:
    """The debates to look at: a filter, None where it lets everything through, and the same in words."""

    stored: DebateFilter | None
    words: str
    abstention: Abstention


def show() -> Chosen:
    """Draw the filters and return what they say."""
    with st.expander("Which debates"):
        left, right = st.columns(2)
        with left:
            browse_filters.search()
            browse_filters.protocols()
        with right:
            browse_filters.tags_and_labels()
            leave_out = st.toggle(
                "Leave out debates on which a judge abstains",
                key=LEAVE_OUT,
                bind="query-params",
                help="Otherwise an abstention counts as not right, and as a verdict of its own.",
            )
    stored = browse_filters.stored(SHARED)
    words = stored.described
    if words:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"Filter: {words}")
            st.button("Clear filters", on_click=browse_filters.clear, args=(SHARED,), key="compare.clear")
    abstention = Abstention.LEFT_OUT if leave_out else Abstention.NOT_RIGHT
    return Chosen(stored if words else None, words, abstention)
