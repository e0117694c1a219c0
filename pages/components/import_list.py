"""Imports under way and just ended: how far each is, and the way to stop it; the same in every tab."""

from __future__ import annotations

import streamlit as st

from core.errors import MootError
from core.import_issue import Severity
from core.roles import Permission
from core.wording import several
from pages.components import import_issues, pages, state
from pages.components.text import plain
from storage.import_desk import ImportJob, ImportState

EVERY = 1.0  # seconds between two looks while something is imported


def show() -> None:
    """Draw every import there is to tell of, the latest first; while one is under way, look again every second."""
    desk = state.import_desk()
    if not desk.jobs():
        return
    busy = desk.running()
    st.fragment(_list, run_every=EVERY if busy else None)(busy)


def _list(was_busy: bool) -> None:
    desk = state.import_desk()
    if was_busy and not desk.running():
        st.rerun()  # the data sets below are others now
    for job in desk.jobs():
        with st.container(border=True):
            _one(job)


def _one(job: ImportJob) -> None:
    may_import = state.may(Permission.IMPORT)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(job.file)
        st.badge(job.state.value, color="gray" if job.state.ended else "blue")
        st.space("stretch")
        if may_import and not job.state.ended:
            st.button("Cancel import", key=f"import.cancel|{job.id}", on_click=_cancel, args=(job.id,))
        elif may_import:
            forget = state.import_desk().forget
            st.button("Dismiss", key=f"import.dismiss|{job.id}", type="tertiary", on_click=forget, args=(job.id,))
    if not job.state.ended:
        count = f"{several(job.debates, 'debate')} so far" if job.debates else job.state.value
        share = "" if job.share is None else f", {job.share:.0%} of the file"
        st.progress(job.share or 0.0, text=f"{count}{share}. Nothing is in the database until all of it is.")
        return
    if job.state is ImportState.DONE and job.report is not None:
        held = job.report.debates
        st.success(f"Imported: {several(held, 'debate')} {'is' if held == 1 else 'are'} in the database now.")
        st.page_link(pages.browse(), label="Browse them", query_params={})
    elif job.state is ImportState.CANCELLED:
        st.info("The import was cancelled; nothing of this file was stored.")
    elif job.trouble:
        st.error(plain(f"Nothing of this file was imported. {job.trouble}"))
    elif job.report is not None:
        issues = job.report.issues
        here = [issue.message for issue in issues if issue.code == "already_here"]
        st.info("Nothing new of this file was imported.")
        st.text("\n".join(here or [issue.message for issue in issues if issue.severity is Severity.ERROR][:3]))
    if job.report is not None and job.report.issues:
        import_issues.show(job.report.issues, job.file, f"job.{job.id}", imported=True)


def _cancel(job: str) -> None:
    try:
        state.import_desk().cancel(job, state.person())
    except MootError as error:
        st.error(plain(str(error)))
        return
    state.import_desk().wait(job, 5.0)
