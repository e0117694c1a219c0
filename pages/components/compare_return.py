"""The way back from a debate to the comparison that it was opened from.

Between two pages Streamlit leaves an entry in the browser's history that has the address of the comparison with the
query of the debate. One step back comes to that entry: then everything is as it was left.
"""

from __future__ import annotations

import streamlit as st

from pages.components import (
    compare_calibration,
    compare_filters,
    compare_judges,
    compare_pair,
    compare_summary,
    state,
)
from pages.components.compare_cases import SELECTION
from pages.components.compare_debate_link import CASE, TAB

LEFT = "compare.left"
BACK = "compare.back"
WIDGETS = (
    compare_judges.JUDGES,
    compare_pair.JUDGE_A,
    compare_pair.JUDGE_B,
    compare_pair.VIEW,
    TAB,
    *compare_filters.SHARED,
    compare_filters.LEAVE_OUT,
    compare_summary.PUBLISHED,
    compare_summary.PROTOCOL,
    compare_calibration.JUDGE,
    compare_calibration.COUNT,
    compare_calibration.BINNING,
)
PARAMETERS = (SELECTION, CASE)


def restore() -> None:
    """Bring everything back to how it was left, if this is a step back; before anything is drawn."""
    if state.DEBATE in st.query_params:
        # In this very run, which goes back in history, the address decides, even if it says nothing.
        del st.query_params[state.DEBATE]
        st.session_state[BACK] = True
        st.rerun()
    if not st.session_state.pop(BACK, False):
        return
    widgets, parameters = st.session_state.get(LEFT, ({}, {}))
    for key, value in widgets.items():
        st.session_state[key] = value
    for key, value in parameters.items():
        st.query_params[key] = value


def remember() -> None:
    """Keep how everything is now."""
    st.session_state[LEFT] = (
        {key: st.session_state[key] for key in WIDGETS if key in st.session_state},
        {key: st.query_params[key] for key in PARAMETERS if key in st.query_params},
    )
