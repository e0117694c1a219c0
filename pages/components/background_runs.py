"""Runs of one kind in a list: how far each is, what it used, and how it goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from core.roles import Permission
from core.runs.progress import Progress, progress_line
from pages.components import run_form, state
from pages.components.text import plain
from storage.prompt_files import load_prices
from storage.run_table import RunTable
from storage.worker import Worker

EVERY = 1.0  # seconds between two looks while something runs
MOST_SHOWN = 10


@dataclass(frozen=True)
class Listing:
    """What one kind of run is drawn with.

    Attributes:
        key: What the keys of its widgets begin with.
        worker: Carries the runs out.
        runs: Where they are kept.
        none: What is said where there are none.
        beside: Draws what else can be done, beside the name of a run; told whether it runs.
        below: Draws what else there is to say of a run.
    """

    key: str
    worker: Callable[[], Worker[Any]]
    runs: Callable[[], RunTable[Any]]
    none: str
    beside: Callable[[Progress[Any], bool], None]
    below: Callable[[Progress[Any]], None]


def show(listing: Listing) -> None:
    """Draw every run, the latest first; while one is under way the list looks again every second."""
    busy = bool(listing.worker().running())
    st.fragment(_list, run_every=EVERY if busy else None)(listing, busy)


def _list(listing: Listing, was_busy: bool) -> None:
    worker = listing.worker()
    running = worker.running()
    if was_busy != bool(running):
        st.rerun()  # so that the list looks every second from now on, or does so no more
    run_form.show_trouble(listing.key)
    listed = listing.runs().all()
    if not listed:
        st.info(listing.none)
        return
    for run in listed[:MOST_SHOWN]:
        with st.container(border=True):
            _one(listing, worker.progress(run.id), run.id in running)
    if len(listed) > MOST_SHOWN:
        st.caption(f"The latest {MOST_SHOWN} of {len(listed)} runs.")


def _one(listing: Listing, progress: Progress[Any], running: bool) -> None:
    run = progress.run
    may_run = state.may(Permission.RUN)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(run.name)
        st.badge(run.state.value, color="blue" if running else "gray")
        st.space("stretch")
        if running and may_run:
            _button(listing, "Cancel", "cancel", run.id, lambda: _cancel(listing, run.id))
        elif may_run:
            _ways_on(listing, progress)
        listing.beside(progress, running)
    st.progress(progress.share, text=plain(progress_line(progress, load_prices().currency)))
    if run.reason and progress.left:
        st.caption(plain(run.reason))
    if progress.trouble_line:
        st.caption(plain(progress.trouble_line))
    listing.below(progress)


def _ways_on(listing: Listing, progress: Progress[Any]) -> None:
    run = progress.run
    if progress.left and run.state.resumable:
        with st.popover("Resume"):
            budget = run_form.budget(f"{listing.key}.resume|{run.id}", run.budget)
            _button(listing, "Go on", "go", run.id, lambda: listing.worker().start(run.id, budget))
    if progress.failed:
        label = f"Retry {progress.failed} {run.kind.told[run.kind.failed]}"
        _button(listing, label, "retry", run.id, lambda: listing.worker().start(run.id, retry_failed=True))


def _button(listing: Listing, label: str, what: str, run: str, action: Callable[[], object]) -> None:
    st.button(label, key=f"{listing.key}.{what}|{run}", on_click=run_form.told, args=(listing.key, action))


def _cancel(listing: Listing, run: str) -> None:
    worker = listing.worker()
    worker.cancel(run)
    worker.wait(run, 5.0)
