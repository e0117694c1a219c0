"""The palette for the theme that the browser shows."""

from __future__ import annotations

import streamlit as st

from core.palette import DARK, LIGHT, Palette


def palette() -> Palette:
    """Return the colours for the background in use."""
    return DARK if st.context.theme.type == "dark" else LIGHT
