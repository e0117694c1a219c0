"""The audit log on screen: whether it is intact, filters that live in the URL, the table, and one entry in full."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import pandas as pd
import streamlit as st

from core.audit import AuditEntry, Check, Kind
from core.audit_words import entry_records
from core.errors import MootError
from pages.components import exports, pages, row_choice, state
from pages.components.text import plain
from storage.audit_log import AuditFilter, AuditLog

PAGE_SIZE = 50
PAGE, ACTION, WHO, ABOUT = "p", "action", "who", "about"
CHECKED = "audit.checked"  # what the last check of this session found
QUICK = 2_000  # entries, and debates, up to which the log is checked without being asked
ROW_HEIGHT = 35

_CONFIG = {
    "Number": st.column_config.NumberColumn(width=70),
    "Time (UTC)": st.column_config.TextColumn(width=150),
    "Local time": st.column_config.TextColumn(width=150),
    "Who": st.column_config.TextColumn(width=150),
    "Role": st.column_config.TextColumn(width=70),
    "Action": st.column_config.TextColumn(width=140),
    "Object": st.column_config.TextColumn(width=140),
    "Change": st.column_config.TextColumn(width="large"),
    "Reason": st.column_config.TextColumn(width="large"),
}


def intact(log: AuditLog) -> None:
    """Draw whether the log is intact, and the head to note down."""
    head = log.head()
    quick = head.count <= QUICK and state.debates().count() <= QUICK
    with st.container(border=True, horizontal=True, vertical_alignment="center"):
        if st.button("Verify", key="audit.verify", help="Works out every hash again, and compares what is stored"):
            st.session_state[CHECKED] = log.check()
        check: Check | None = st.session_state.get(CHECKED)
        if check is None or check.head != head:
            check = log.check() if quick else None
            st.session_state[CHECKED] = check
        if check is None:
            st.text(f"{head.count:,} entries, not checked in this session; head hash {head.hash}")
        else:
            st.text(check.sentence)
    if check is not None:
        for problem in check.problems:
            st.error(plain(problem))
        for remark in check.remarks:
            st.warning(plain(remark))
    st.caption(
        "Note the number of entries and the head hash outside this machine: whoever can write the database file could "
        "write another history, and only a head noted elsewhere shows that."
    )
    st.code(head.text, language=None, wrap_lines=True)


def filters(log: AuditLog) -> AuditFilter:
    """Draw the filters and return what they say."""
    people = log.people()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.multiselect("Action", log.actions(), key=ACTION, bind="query-params")
        st.multiselect(
            "Who", list(people), format_func=lambda name: people.get(name, name), key=WHO, bind="query-params"
        )
        st.text_input("Object, reason or name", key=ABOUT, placeholder="Words or an id", bind="query-params")
    chosen = st.session_state
    return AuditFilter(tuple(chosen.get(ACTION) or ()), tuple(chosen.get(WHO) or ()), chosen.get(ABOUT) or "")


def table(log: AuditLog, wanted: AuditFilter) -> AuditEntry | None:
    """Draw the entries that a filter lets through, page by page, and return the chosen one."""
    count = log.count(wanted)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**{count:,} of {log.head().count:,} entries**")
        st.space("stretch")
        exports.table(lambda: log.frame(wanted), "moot audit log", "audit.export", "Download log")
    if not count:
        st.info("No entry matches these filters.")
        return None
    needed = math.ceil(count / PAGE_SIZE)
    number = st.pagination(needed, key=PAGE, bind="query-params") if needed > 1 else 1
    entries = log.entries(wanted, PAGE_SIZE, (min(number, needed) - 1) * PAGE_SIZE)
    return _chosen(entries)


def entry(one: AuditEntry) -> None:
    """Draw one entry in full."""
    with st.container(border=True):
        st.text(f"Entry {one.sequence}: {one.action}, {one.kind} {one.object}".rstrip())
        st.text(f"{one.name}, {one.role}, {one.moment}")
        if one.reason:
            st.text(f"Reason: {one.reason}")
        st.text(f"Before: {one.before}\nAfter: {one.after}")
        with st.container(key="quiet.hashes"):
            st.text(f"Hash {one.hash}\nHash of the entry before {one.previous}")
        if one.kind == Kind.CONTESTATION:
            _link(one.object)


def time_zone() -> tzinfo:
    """Return the reader's time zone, as the browser says; UTC where it says none that is known."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC


def _chosen(entries: Sequence[AuditEntry]) -> AuditEntry | None:
    frame = pd.DataFrame(entry_records(entries, time_zone()))
    event = st.dataframe(
        frame,
        hide_index=True,
        column_config=_CONFIG,
        height=ROW_HEIGHT * (min(len(frame), 20) + 1) + 3,
        row_height=ROW_HEIGHT,
        on_select=row_choice.following("audit.table"),
        selection_mode=row_choice.MODE,
        key="audit.table",
        alt=f"Audit log, {len(frame)} entries, the latest first",
    )
    row = row_choice.chosen_row(event, len(entries))
    return None if row is None else entries[row]


def _link(contestation: str) -> None:
    try:
        saved = state.contestations().get(contestation)
    except MootError:
        st.caption("This contestation is not in the database any more.")
        return
    st.page_link(pages.contest(), label="Open the contestation", query_params=state.link(saved.debate_id, saved.id))
