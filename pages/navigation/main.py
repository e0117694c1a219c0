"""The script behind every page: page set-up and navigation, nothing else. app.py starts it."""

from pathlib import Path

import streamlit as st

from core.errors import MootError
from pages.components import pages, shell, sign_in
from pages.components.text import plain

st.set_page_config(
    page_title="Moot",
    page_icon=str(Path(__file__).resolve().parents[2] / "assets" / "icon.png"),
    layout="wide",
    initial_sidebar_state="auto",
)
page = st.navigation(pages.every(), expanded=True, position="sidebar" if sign_in.done() else "hidden")
shell.begin()
try:
    page.run()
except MootError as error:
    st.error(plain(str(error)))
shell.end()
