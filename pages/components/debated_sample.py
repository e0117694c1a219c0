"""The offer to look at debates that a small model held, before holding one's own."""

from __future__ import annotations

import streamlit as st

from core.roles import Permission
from pages.components import pages, state


def show() -> None:
    """Offer the second sample where it is not here yet."""
    if not state.may(Permission.IMPORT) or state.has_debated_sample():
        return
    st.caption(
        "Debates that a language model of 1.5 billion parameters held on an ordinary computer come with Moot, in all "
        "three protocols: a demonstration of what a run leaves behind, not of how well models argue."
    )
    if st.button("Load debates held by a small local model", key="debated.sample"):
        state.load_debated_sample()
        st.switch_page(pages.browse())
