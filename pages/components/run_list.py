"""Runs of judges over debates, and the start of one."""

from __future__ import annotations

import streamlit as st

from core.roles import Permission
from core.runs.judging import JudgingRun
from core.runs.progress import Progress
from core.wording import several
from pages.components import background_runs, pages, run_form, state
from pages.components.background_runs import Listing

NONE = "Nothing has been run yet. Semantics and votes need no run: they judge at once."


def show() -> None:
    """Draw the start of a run, and every run."""
    st.header("Runs")
    st.caption(
        "A run puts debates before judges in the background: it goes on when this page is closed, can be cancelled at "
        "once and resumed, and asks nothing again whose reply is stored."
    )
    if state.may(Permission.RUN):
        run_form.show()
    else:
        st.caption("Viewers start no runs; reviewers and admins do.")
    background_runs.show(LISTING)


def _beside(progress: Progress[JudgingRun], running: bool) -> None:
    if running:
        return
    run = progress.run.id
    if st.button("Compare", key=f"run.compare|{run}"):
        st.switch_page(pages.compare())
    background_runs.remove(LISTING, run, "its judgements and replies stay")


def _facts(progress: Progress[JudgingRun]) -> None:
    run = progress.run
    background_runs.facts(run, f"{several(len(run.judges), 'judge')}, {several(run.debate_count, 'debate')}")


LISTING = Listing(run_form.KEY, state.run_worker, state.runs, NONE, _beside, _facts)
