"""Hold the debates of a run again from stored replies, and say whether they are the same."""

from __future__ import annotations

import streamlit as st

from core.debating.differences import ABSENT
from core.debating.replaying import ReplayReport, replay_report
from core.debating.run import DebateRun
from core.errors import MootError
from core.runs.progress import Progress
from pages.components import state
from pages.components.text import plain

MOST_SHOWN = 10  # debates that differ


def button(progress: Progress[DebateRun]) -> None:
    """Draw the button that holds a run's debates again."""
    run = progress.run.id
    if progress.done and st.button(
        "Replay",
        key=f"debating.replay|{run}",
        help="Holds the debates again from stored replies alone, and compares them byte for byte with what is stored. "
        "Nobody is asked.",
    ):
        with st.spinner("Holding the debates again"):
            try:
                st.session_state[_told(run)] = replay_report(
                    one.held_again for one in state.debate_run_worker().replay(run)
                )
            except MootError as error:
                st.session_state[_told(run)] = str(error)


def show(run: str) -> None:
    """Draw what came of the last replay of a run, if there was one."""
    found: ReplayReport | str | None = st.session_state.get(_told(run))
    if found is None:
        return
    if isinstance(found, str):
        st.error(plain(found))
        return
    if not found.differing:
        st.success(plain(found.sentence))
        return
    st.warning(plain(found.sentence))
    for name, places in found.differing[:MOST_SHOWN]:
        st.markdown(f"**{plain(name)}**")
        for one in places:
            st.text(f"{one.place}\n  stored: {one.first or ABSENT}\n  again: {one.second or ABSENT}")
    if len(found.differing) > MOST_SHOWN:
        st.caption(f"The first {MOST_SHOWN} of {len(found.differing)}; `cli.py run --replay` has all.")


def _told(run: str) -> str:
    return f"debating.replayed|{run}"


__all__ = ["button", "show"]
