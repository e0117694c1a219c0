"""Runs of judges over debates: how far they are, what they used, and how they go on."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from core.errors import MootError
from core.roles import Permission
from core.runs.plan import Budget, Run
from core.runs.progress import Progress, progress_line
from core.wording import several
from pages.components import pages, run_form, state
from pages.components.run_form import TROUBLE
from pages.components.text import plain
from storage.prompt_files import load_prices

EVERY = 1.0  # seconds between two looks while something runs
MOST_SHOWN = 10


def show() -> None:
    """Draw the start of a run, and every run; while one is under way the list looks again every second."""
    st.header("Runs")
    st.caption(
        "A run puts debates before judges in the background: it goes on when this page is closed, can be cancelled at "
        "once and resumed, and asks nothing again whose reply is stored."
    )
    if state.may(Permission.RUN):
        run_form.show()
    else:
        st.caption("Viewers start no runs; reviewers and admins do.")
    busy = bool(state.run_worker().running())
    st.fragment(_list, run_every=EVERY if busy else None)(busy)


def _list(was_busy: bool) -> None:
    worker = state.run_worker()
    running = worker.running()
    if was_busy and not running:
        st.rerun()  # so that nobody looks every second any more
    trouble = st.session_state.pop(TROUBLE, None)
    if trouble:
        st.error(plain(trouble))
    listed = state.runs().all()
    if not listed:
        st.info("Nothing has been run yet. Semantics and votes need no run: they judge at once.")
        return
    currency = load_prices().currency
    for run in listed[:MOST_SHOWN]:
        with st.container(border=True):
            _one(worker.progress(run.id), run.id in running, currency)
    if len(listed) > MOST_SHOWN:
        st.caption(f"The latest {MOST_SHOWN} of {len(listed)} runs.")


def _one(progress: Progress, running: bool, currency: str) -> None:
    run = progress.run
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(run.name)
        st.badge(run.state.value, color="blue" if running else "gray")
        st.space("stretch")
        if running:
            if state.may(Permission.RUN):
                st.button("Cancel", key=f"run.cancel|{run.id}", on_click=_told, args=(lambda: _cancel(run.id),))
        else:
            _ways_on(progress)
    share = progress.done / progress.total if progress.total else 0.0
    st.progress(min(1.0, share), text=plain(progress_line(progress, currency)))
    if run.reason and progress.left:
        st.caption(plain(run.reason))
    with st.container(key=f"quiet.run|{run.id}"):
        st.text(_facts(run))


def _ways_on(progress: Progress) -> None:
    run = progress.run
    may_run = state.may(Permission.RUN)
    if may_run and progress.left and run.state.resumable:
        with st.popover("Resume"):
            budget = run_form.budget(f"run.resume|{run.id}", run.budget)
            st.button(
                "Go on",
                key=f"run.go|{run.id}",
                on_click=_told,
                args=(lambda: _start(run.id, budget, retry_failed=False),),
            )
    if may_run and progress.failed:
        st.button(
            f"Retry {progress.failed} failed",
            key=f"run.retry|{run.id}",
            on_click=_told,
            args=(lambda: _start(run.id, None, retry_failed=True),),
        )
    if st.button("Compare", key=f"run.compare|{run.id}"):
        st.switch_page(pages.compare())
    if state.may(Permission.DELETE):
        st.button(
            "Remove",
            key=f"run.remove|{run.id}",
            type="tertiary",
            help="Takes the run off this list; its judgements and replies stay.",
            on_click=_told,
            args=(lambda: state.runs().remove(run.id),),
        )


def _facts(run: Run) -> str:
    limits = run.budget.to_json()
    bounds = ", ".join(f"{name} {value:g}" for name, value in limits.items()) or "none"
    times = "".join(
        f"; {word} {moment[:16].replace('T', ' ')} UTC"
        for word, moment in (("started", run.started_at), ("ended", run.finished_at))
        if moment
    )
    return (
        f"Run {run.id}: {several(len(run.judges), 'judge')}, {several(run.debate_count, 'debate')}{times}; "
        f"limits: {bounds}"
    )


def _start(run: str, budget: Budget | None, *, retry_failed: bool) -> None:
    state.run_worker().start(run, budget, retry_failed)


def _cancel(run: str) -> None:
    state.run_worker().cancel(run)
    state.run_worker().wait(run, 5.0)


def _told(action: Callable[[], None]) -> None:
    """Do something, and keep what went wrong for the list to say."""
    try:
        action()
    except MootError as error:
        st.session_state[TROUBLE] = str(error)
