"""Runs of debates, with what is being asked now."""

from __future__ import annotations

import streamlit as st

from core.debating.run import DebateRun
from core.roles import Permission
from core.runs.progress import Progress
from pages.components import (
    background_runs,
    debating_again,
    debating_calls,
    debating_form,
    debating_judges,
    debating_replay,
    pages,
    run_form,
    state,
)
from pages.components.background_runs import Listing

NONE = "No debates have been held here yet."


def show() -> None:
    """Draw every run of debates."""
    st.header("Runs")
    background_runs.show(Listing(debating_form.KEY, state.debate_run_worker, state.debate_runs, NONE, _beside, _below))


def _beside(progress: Progress[DebateRun], running: bool) -> None:
    run = progress.run.id
    dataset = state.debate_run_worker().dataset(run)
    if not running:
        debating_replay.button(progress)
        if state.may(Permission.RUN):
            if st.button(
                "Again with changes",
                key=f"debating.again|{run}",
                help="Fills the form above with this run; what is not changed is answered by stored replies.",
                on_click=run_form.told,
                args=(debating_form.KEY, lambda: debating_again.begin_from(run)),
            ):
                st.rerun()  # the form stands outside of this list
            if dataset is not None:
                with st.popover("Judge", key=f"debating.judge|{run}", on_change="rerun") as choice:
                    if choice.open:
                        debating_judges.later(run)
    if dataset is not None:
        st.page_link(pages.browse(), label="Browse its debates", query_params={state.DATASET: dataset})


def _below(progress: Progress[DebateRun]) -> None:
    debating_replay.show(progress.run.id)
    debating_calls.show(progress)
