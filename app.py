"""Moot: page set-up and navigation, nothing else. Start it with ``make run`` or ``python cli.py serve``."""

from pathlib import Path

import streamlit as st

from pages.components import pages, shell

st.set_page_config(
    page_title="Moot",
    page_icon=str(Path(__file__).parent / "assets" / "icon.png"),
    layout="wide",
    initial_sidebar_state="auto",
)
page = st.navigation(pages.sections(), expanded=True)
shell.begin()
page.run()
shell.end()
