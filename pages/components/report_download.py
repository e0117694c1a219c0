"""Reports to take away: each format, the recipe, a preview; and reports kept under a name."""

from __future__ import annotations

from functools import partial

import streamlit as st

from core.errors import MootError
from core.report.report import Entry, Report
from core.roles import Permission
from pages.components import state
from pages.components.text import plain
from storage.report_files import KINDS, MIME, report_file, report_file_name

WORDS = {"html": "HTML", "md": "Markdown", "latex": "LaTeX"}
PREVIEW_HEIGHT = 900  # pixels
PROBLEM = "report.keep.problem"


def files(report: Report) -> None:
    """Draw a button for each format and one for the recipe."""
    database = state.database()
    for kind in KINDS:
        st.download_button(
            WORDS[kind],
            data=partial(report_file, database, report, kind),
            file_name=report_file_name(report, kind),
            mime=MIME[kind],
            key=f"report.file|{kind}",
            on_click="ignore",
            type="primary" if kind == "html" else "secondary",
            width="stretch",
        )
    st.download_button(
        "Recipe",
        data=report.recipe.encode(),
        file_name=report_file_name(report, "recipe"),
        mime=MIME["recipe"],
        key="report.recipe",
        on_click="ignore",
        help="What the report is made from: with it and this database, cli.py export report makes the very same file",
        width="stretch",
    )


def preview(report: Report) -> None:
    """Draw the page as it will be, when it is asked for."""
    if not st.toggle("Preview", key="report.preview"):
        return
    with st.spinner("Writing the report"):
        page = report_file(state.database(), report, "html").decode("utf-8")
    # No script of the page would run, even if a text of a debate could become one: its own policy forbids it.
    st.iframe(page, height=PREVIEW_HEIGHT, alt="The report as it will be downloaded")


def kept(report: Report) -> None:
    """Draw keeping the report under a name, and those that are kept."""
    if state.may(Permission.SAVE):
        with st.form("report.keep", border=False, clear_on_submit=False):
            st.text_input("Keep under a name", max_chars=100, key="report.name", placeholder="quarterly review")
            st.form_submit_button("Keep", on_click=_keep, args=(report,))
    problem = st.session_state.pop(PROBLEM, None)
    if problem:
        st.error(f"Not kept. {problem}")
    found = state.reports().kept()
    if not found:
        return
    st.caption("Kept reports; each can be made again with `cli.py export report --name NAME -o FILE`.")
    for one in found:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(one.name)
            st.caption(f"{plain(one.person_name)}, recipe {one.hash[:12]}")
            st.button("Add its items", key=f"report.open|{one.name}", on_click=_open, args=(one.name,), type="tertiary")
            st.button("Remove", key=f"report.forget|{one.name}", on_click=_forget, args=(one.name,), type="tertiary")


def _keep(report: Report) -> None:
    try:
        state.reports().keep(str(st.session_state["report.name"]), report)
    except MootError as error:
        st.session_state[PROBLEM] = str(error)
        return
    st.toast("Report kept")


def _open(name: str) -> None:
    try:
        added = state.reports().get(name).entries
        state.reports().change(lambda basket: _joined(basket, added))
    except MootError as error:
        st.session_state[PROBLEM] = str(error)


def _joined(basket: Report, entries: tuple[Entry, ...]) -> Report:
    for entry in entries:
        basket = basket.with_item(entry.item, entry.note)
    return basket


def _forget(name: str) -> None:
    try:
        state.reports().remove(name)
    except MootError as error:
        st.session_state[PROBLEM] = str(error)


__all__ = ["files", "kept", "preview"]
