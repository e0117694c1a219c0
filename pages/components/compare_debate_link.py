"""The way from anywhere on the Compare page to one debate there."""

from __future__ import annotations

import streamlit as st

TAB = "tab"
ACROSS, ONE, AGAIN, CALIBRATION = "Across debates", "One debate", "Repeats and order", "Calibration"
BY_ROUND = "By round"
CASE = "case"


def to(debate: str) -> None:
    """Open a debate in the tab where judges stand beside each other; for a button's click."""
    st.query_params[CASE] = debate
    st.session_state[TAB] = ONE
