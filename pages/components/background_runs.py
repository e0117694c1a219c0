"""Runs of one kind in a list: how far each is, what it used, and how it goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any

import streamlit as st

from core.roles import Permission
from core.runs.plan import Run
from core.runs.progress import Progress, progress_line
from pages.components import run_form, state
from pages.components.text import plain
from storage.prompt_files import load_prices
from storage.run_table import RunTable
from storage.worker import Worker

EVERY = 1.0  # seconds between two looks while something runs
MOST_SHOWN = 10


class Shown(Enum):
    """Which runs a list has; a page that has those under way above all else lists the others further down."""

    ALL = "all"
    UNDER_WAY = "under way"
    OTHERS = "others"


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


def show(listing: Listing, shown: Shown = Shown.ALL) -> None:
    """Draw runs, the latest first; while one is under way the list looks again every second."""
    running = listing.worker().running()
    if shown is Shown.UNDER_WAY and not running:
        run_form.show_trouble(listing.key)
        return
    st.fragment(_list, run_every=EVERY if running and shown is not Shown.OTHERS else None)(listing, running, shown)


def facts(run: Run, of: str) -> None:
    """Draw a run's id, what it is of, when it ran, and its limits."""
    bounds = ", ".join(f"{name} {value:g}" for name, value in run.budget.to_json().items()) or "none"
    times = "".join(
        f"; {word} {moment[:16].replace('T', ' ')} UTC"
        for word, moment in (("started", run.started_at), ("ended", run.finished_at))
        if moment
    )
    with st.container(key=f"quiet.run|{run.id}"):
        st.text(f"Run {run.id}: {of}{times}; limits: {bounds}")


def remove(listing: Listing, run: str, stays: str) -> None:
    """Draw the button that takes a run off the list, for those who may; ``stays`` says what it leaves behind."""
    if state.may(Permission.DELETE):
        _button(
            listing,
            "Remove",
            "remove",
            run,
            lambda: listing.runs().remove(run),
            type="tertiary",
            help=f"Takes the run off this list; {stays}.",
        )


def _list(listing: Listing, before: tuple[str, ...], shown: Shown) -> None:
    worker = listing.worker()
    running = worker.running()
    if set(before) != set(running):
        st.rerun()  # what rests on runs is drawn anew, and the list looks every second, or does so no more
    run_form.show_trouble(listing.key)
    listed = [
        run for run in listing.runs().all() if shown is Shown.ALL or (run.id in running) is (shown is Shown.UNDER_WAY)
    ]
    if not listed:
        st.info(listing.none)
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
    if run.reason and progress.can_go_on:
        st.caption(plain(run.reason))
    if progress.trouble_line:
        st.caption(plain(progress.trouble_line))
    listing.below(progress)


def _ways_on(listing: Listing, progress: Progress[Any]) -> None:
    run = progress.run
    if progress.can_go_on:
        with st.popover("Resume"):
            budget = run_form.budget(f"{listing.key}.resume|{run.id}", run.budget)
            _button(listing, "Go on", "go", run.id, lambda: listing.worker().start(run.id, budget))
    if progress.failed:
        label = f"Retry {progress.failed} {run.kind.told[run.kind.failed]}"
        _button(listing, label, "retry", run.id, lambda: listing.worker().start(run.id, retry_failed=True))


def _button(listing: Listing, label: str, what: str, run: str, action: Callable[[], object], **looks: Any) -> None:
    key = f"{listing.key}.{what}|{run}"
    st.button(label, key=key, on_click=run_form.told, args=(listing.key, action), **looks)


def _cancel(listing: Listing, run: str) -> None:
    worker = listing.worker()
    worker.cancel(run)
    worker.wait(run, 5.0)
