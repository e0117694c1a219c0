"""Runs of debates: how far each is, what is being asked now, and how it goes on."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.debating.run import DebateProgress, debate_progress_line
from core.errors import MootError
from core.roles import Permission
from core.runs.plan import Budget
from core.wording import shortened
from pages.components import pages, run_form, state
from pages.components.debating_form import TROUBLE
from pages.components.text import plain
from storage.prompt_files import load_prices

EVERY = 1.0  # seconds between two looks while something runs
MOST_SHOWN = 10
MOST_LIVE = 8  # debates under way that are named


def show() -> None:
    """Draw every run, the latest first; while one is under way the list looks again every second."""
    st.header("Runs")
    busy = bool(state.debate_run_worker().running())
    st.fragment(_list, run_every=EVERY if busy else None)(busy)


def _list(was_busy: bool) -> None:
    worker = state.debate_run_worker()
    running = worker.running()
    if was_busy and not running:
        st.rerun()  # so that nobody looks every second any more
    trouble = st.session_state.pop(TROUBLE, None)
    if trouble:
        st.error(plain(trouble))
    listed = state.debate_runs().all()
    if not listed:
        st.info("No debates have been held here yet.")
        return
    currency = load_prices().currency
    for run in listed[:MOST_SHOWN]:
        with st.container(border=True):
            _one(worker.progress(run.id), run.id in running, currency)
    if len(listed) > MOST_SHOWN:
        st.caption(f"The latest {MOST_SHOWN} of {len(listed)} runs.")


def _one(progress: DebateProgress, running: bool, currency: str) -> None:
    run = progress.run
    may_run = state.may(Permission.RUN)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(run.name)
        st.badge(run.state.value, color="blue" if running else "gray")
        st.space("stretch")
        if running and may_run:
            st.button("Cancel", key=f"debating.cancel|{run.id}", on_click=_told, args=(lambda: _cancel(run.id),))
        elif may_run:
            _ways_on(progress)
        dataset = state.debate_run_worker().dataset(run.id)
        if dataset is not None:
            st.page_link(pages.browse(), label="Browse its debates", query_params={state.DATASET: dataset})
    share = progress.done / progress.total if progress.total else 0.0
    st.progress(min(1.0, share), text=plain(debate_progress_line(progress, currency)))
    if run.reason and progress.left:
        st.caption(plain(run.reason))
    for one in progress.live[:MOST_LIVE]:
        asking = "; ".join(one.asking) or "waiting for its turn"
        st.text(f"{shortened(one.claim, 60)}  ({one.calls} calls): {asking}")
    if len(progress.live) > MOST_LIVE:
        st.caption(f"and {len(progress.live) - MOST_LIVE} more")


def _ways_on(progress: DebateProgress) -> None:
    run = progress.run
    if progress.left and run.state.resumable:
        with st.popover("Resume"):
            budget = run_form.budget(f"debating.resume|{run.id}", run.budget)
            st.button(
                "Go on",
                key=f"debating.go|{run.id}",
                on_click=_told,
                args=(lambda: _start(run.id, budget, retry_failed=False),),
            )
    if progress.failed:
        st.button(
            f"Retry {progress.failed} stopped",
            key=f"debating.retry|{run.id}",
            on_click=_told,
            args=(lambda: _start(run.id, None, retry_failed=True),),
        )


def _start(run: str, budget: Budget | None, *, retry_failed: bool) -> None:
    state.debate_run_worker().start(run, budget, retry_failed)


def _cancel(run: str) -> None:
    state.debate_run_worker().cancel(run)
    state.debate_run_worker().wait(run, 5.0)


def _told(action: Callable[[], None]) -> None:
    """Do something, and keep what went wrong for the list to say."""
    try:
        action()
    except MootError as error:
        st.session_state[TROUBLE] = str(error)
