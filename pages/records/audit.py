"""Audit log: who changed what, when, from what to what, and why; and whether anybody changed the log."""

import streamlit as st

from pages.components import audit_view, shell, state

shell.guard()
shell.header("Audit log")
st.caption(
    "Every contestation, ruling, comment, import, run, judge, setting and role is logged with the change itself. "
    "Nothing in here can be edited; edits that are not saved are not logged."
)
log = state.audit_log()
audit_view.intact(log)
wanted = audit_view.filters(log)
chosen = audit_view.table(log, wanted)
if chosen is not None:
    audit_view.entry(chosen)
else:
    st.caption("Choose a row to read the whole entry.")
