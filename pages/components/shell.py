"""What every page has: style, guard, sidebar, header line, footer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from core.errors import MootError, NotAllowed
from pages.components import pages, preload, report_basket, sign_in, state
from pages.components.contest_state import keep_drafts, unwritten
from pages.components.text import plain

STYLE = Path(__file__).resolve().parents[2] / "assets" / "style.css"
# The theme's own rules give white text on the light accent of the dark theme; ink is readable there.
DARK_ACCENT = """<style>
[data-testid="stBaseButton-primary"]:enabled, [data-testid="stBaseButton-primary"]:enabled p,
[data-testid="stBaseButton-primary"]:enabled span, [data-testid="stMultiSelect"] [data-tag],
[data-testid="stMultiSelect"] [data-tag] * {color: #0E1117;}
</style>"""


def begin() -> None:
    """Open the database, let people sign in, draw style and sidebar; called by the navigation before any page runs."""
    st.html(STYLE)
    if st.context.theme.type == "dark":
        st.html(DARK_ACCENT)
    try:
        state.database()
    except MootError as error:
        st.error(f"Moot cannot open its database. {error}")
        st.stop()
    if sign_in.ask():
        state.end()
        st.stop()
    try:
        state.note_sign_in()
        state.begin()
        keep_drafts()
        with st.sidebar:
            _sidebar()
    except MootError as error:
        state.end()
        st.error(plain(str(error)))
        st.stop()


def end() -> None:
    """Draw the footer; called by the navigation after the page."""
    st.divider()
    with st.container(key="quiet.footer"):
        st.text(f"Decision rule: {state.preferences().rule}. Strengths and scores lie in [0, 1].")
        preload.show()


def guard() -> None:
    """Stop a page that was not started by app.py, or that nobody has signed in for. Every page calls this first."""
    if not state.ready():
        st.error("Open Moot from its start page; this page cannot run by itself.")
        st.stop()
    try:
        state.person()
    except NotAllowed as error:
        st.error(str(error))
        st.stop()


def header(title: str, *, link: Mapping[str, str | list[str]] | None = None) -> None:
    """Draw the page's title line.

    Args:
        title: The page's title, ours.
        link: Query parameters of a link to what is shown, offered for copying.
    """
    left, right = st.columns([5, 2], vertical_alignment="bottom")
    left.title(title)
    with right.container(horizontal=True, horizontal_alignment="right"):
        report_basket.link()
        if link:
            with st.popover("Copy link"):
                link = {**st.query_params.to_dict(), **link}
                st.caption("Opens this page as it is: the same debate, round, argument, tab and filters.")
                address = (st.context.url or "").split("?")[0]
                st.code(f"{address}?{urlencode(link, doseq=True)}", language=None, wrap_lines=True)
        with st.popover("Help"):
            _help()


def _sidebar() -> None:
    datasets = state.debates().datasets()
    if len(datasets) > 1:
        names = {dataset.id: dataset.name for dataset in datasets}
        st.selectbox(
            "Data set",
            [state.ALL_DATASETS, *names],
            format_func=lambda key: "All data sets" if key == state.ALL_DATASETS else names[key],
            key=state.DATASET,
            bind="query-params",
            persist_state="session",
        )
    st.toggle(
        "Hide gold labels",
        key=state.HIDE_LABELS,
        bind="query-params",
        persist_state="session",
        help="Judge without knowing the recorded truth of a claim.",
    )
    open_drafts = state.open_drafts()
    if open_drafts:
        st.caption(f"{open_drafts} contestation{'s' if open_drafts > 1 else ''} with unsaved edits")
    trouble = unwritten()
    if trouble:
        st.error(plain(trouble))
    sign_in.badge()


def _help() -> None:
    st.markdown(
        "**Words**\n\n"
        "- *Claim*: what is judged true or false; in the map it is the *topic*.\n"
        "- *Base score*: how strong an argument is by itself, from 0 to 1.\n"
        "- *Strength*: how strong it is once its own attackers and supporters are counted.\n"
        "- *Verdict*: True when the judge's score is at least the threshold.\n"
        "- *Contest*: change base scores or arguments and see what the judge says then.\n\n"
        "**DF-QuAD**: supporters *s* and attackers *a* combine to A = Π(1 − a) − Π(1 − s); the base score w moves to "
        "w + (1 − w)·A if A > 0, else to w + w·A.\n\n"
        "**Keys**: Alt+Z undo, Alt+Y redo, Alt+S save, Alt+J and Alt+K next and previous debate."
    )
    st.page_link(pages.settings(), label="Settings and licences")
