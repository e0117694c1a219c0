"""What admins do with a saved contestation: rule on it, or remove it."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.contestation import Contestation
from core.errors import MootError
from core.roles import Permission
from pages.components import state
from pages.components.text import plain
from storage.ruling_repository import SHORTEST_REASON, Outcome, Ruling, standing

OUTCOME_WORDS = {
    Outcome.UPHELD: "Upheld: the contestation stands",
    Outcome.OVERTURNED: "Overturned: it does not",
    Outcome.WITHDRAWN: "Withdraw the ruling",
}
OUTCOME_COLOUR = {Outcome.UPHELD: "blue", Outcome.OVERTURNED: "orange"}


def badge(ruling: Ruling) -> None:
    """Draw what is ruled."""
    st.badge(ruling.outcome.value.capitalize(), color=OUTCOME_COLOUR[ruling.outcome])  # type: ignore[arg-type]


def history(rulings: Sequence[Ruling]) -> None:
    """Draw every ruling on a contestation, the one that stands with its badge."""
    last = standing(rulings)
    if last is not None:
        badge(last)
    for ruling in rulings:
        when = ruling.made_at[:16].replace("T", " ")
        st.text(f"{ruling.outcome.value.capitalize()} by {ruling.name}, {when} UTC: {ruling.reason}")


def ways(saved: Contestation, rulings: Sequence[Ruling]) -> None:
    """Draw what may be done with a contestation by those who may; inside a row."""
    if state.may(Permission.RULE):
        with st.popover("Rule"):
            _rule(saved, standing(rulings))
    if state.may(Permission.DELETE):
        with st.popover("Remove", type="tertiary"):
            st.caption("The contestation and its rulings go; the audit log keeps that it was there, and why it went.")
            st.text_input("Reason for removing it", max_chars=500, key=f"rule.why|{saved.id}")
            st.button("Remove contestation", key=f"rule.remove|{saved.id}", on_click=_remove, args=(saved,))
            _problem(f"remove|{saved.id}")


def _rule(saved: Contestation, last: Ruling | None) -> None:
    open_ones = [o for o in Outcome if (last is not None or o is not Outcome.WITHDRAWN)]
    choices = [outcome for outcome in open_ones if last is None or outcome is not last.outcome]
    st.radio("Ruling", choices, format_func=OUTCOME_WORDS.__getitem__, key=f"rule.outcome|{saved.id}")
    st.text_area(
        "Reason for the ruling",
        max_chars=5000,
        key=f"rule.reason|{saved.id}",
        help=f"At least {SHORTEST_REASON} characters.",
    )
    st.button("Rule on it", type="primary", key=f"rule.go|{saved.id}", on_click=_go, args=(saved,))
    _problem(f"rule|{saved.id}")


def _go(saved: Contestation) -> None:
    outcome, reason = (st.session_state[f"rule.{name}|{saved.id}"] for name in ("outcome", "reason"))
    try:
        state.rulings().rule(saved.id, outcome, reason)
    except MootError as error:
        st.session_state[f"rule.problem|rule|{saved.id}"] = str(error)
        return
    st.session_state[f"rule.reason|{saved.id}"] = ""
    st.toast("Ruling kept")


def _remove(saved: Contestation) -> None:
    try:
        state.contestations().remove(saved.id, st.session_state[f"rule.why|{saved.id}"])
    except MootError as error:
        st.session_state[f"rule.problem|remove|{saved.id}"] = str(error)
        return
    st.query_params.from_dict(state.link(saved.debate_id))
    st.toast("Contestation removed")


def _problem(of: str) -> None:
    problem = st.session_state.pop(f"rule.problem|{of}", None)
    if problem:
        st.error(plain(problem))
