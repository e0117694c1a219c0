"""Runs of debates, with what is being asked now."""

from __future__ import annotations

import streamlit as st

from core.debating.run import DebateRun
from core.runs.progress import Progress
from core.wording import shortened
from pages.components import background_runs, debating_form, pages, state
from pages.components.background_runs import Listing

MOST_LIVE = 8  # debates under way that are named
NONE = "No debates have been held here yet."


def show() -> None:
    """Draw every run of debates."""
    st.header("Runs")
    background_runs.show(
        Listing(debating_form.KEY, state.debate_run_worker, state.debate_runs, NONE, _beside, _under_way)
    )


def _beside(progress: Progress[DebateRun], running: bool) -> None:
    dataset = state.debate_run_worker().dataset(progress.run.id)
    if dataset is not None:
        st.page_link(pages.browse(), label="Browse its debates", query_params={state.DATASET: dataset})


def _under_way(progress: Progress[DebateRun]) -> None:
    for one in progress.live[:MOST_LIVE]:
        asking = "; ".join(one.asking) or "waiting for its turn"
        st.text(f"{shortened(one.text, 60)}  ({one.calls} calls): {asking}")
    if len(progress.live) > MOST_LIVE:
        st.caption(f"and {len(progress.live) - MOST_LIVE} more")
