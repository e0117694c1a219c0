"""The pages by name: for the navigation, and for links between them."""

from __future__ import annotations

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

FOLDER = Path(__file__).resolve().parents[1]


def _page(path: str, title: str, url_path: str, *, default: bool = False) -> StreamlitPage:
    # Emoji or Material icons would make the browser ask another host for the icon; words do without.
    return st.Page(FOLDER / path, title=title, url_path=url_path, default=default)


def home() -> StreamlitPage:
    """Return the Home page."""
    return _page("explore/home.py", "Home", "", default=True)


def browse() -> StreamlitPage:
    """Return the Browse page."""
    return _page("explore/browse.py", "Browse", "browse")


def debate() -> StreamlitPage:
    """Return the Debate page."""
    return _page("explore/debate.py", "Debate", "debate")


def contest() -> StreamlitPage:
    """Return the Contest page."""
    return _page("judge/contest.py", "Contest", "contest")


def compare() -> StreamlitPage:
    """Return the Compare judges page."""
    return _page("judge/compare.py", "Compare judges", "compare")


def properties() -> StreamlitPage:
    """Return the Properties page."""
    return _page("judge/properties.py", "Properties", "properties")


def data() -> StreamlitPage:
    """Return the Data page."""
    return _page("records/data.py", "Data", "data")


def debating() -> StreamlitPage:
    """Return the Run debates page."""
    return _page("records/debating.py", "Run debates", "run")


def report() -> StreamlitPage:
    """Return the Report page."""
    return _page("records/report.py", "Report", "report")


def audit() -> StreamlitPage:
    """Return the Audit log page."""
    return _page("records/audit.py", "Audit log", "audit")


def settings() -> StreamlitPage:
    """Return the Settings page."""
    return _page("records/settings.py", "Settings", "settings")


def every() -> list[StreamlitPage]:
    """Return the pages in the order of the navigation.

    Without section titles: Streamlit puts these between the items of one list, which screen readers cannot make sense
    of.
    """
    return [
        home(),
        browse(),
        debate(),
        contest(),
        compare(),
        properties(),
        report(),
        debating(),
        data(),
        audit(),
        settings(),
    ]
