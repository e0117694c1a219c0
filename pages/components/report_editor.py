"""What is in a report: its items in order with notes, and what is said at its head."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import streamlit as st

from core.errors import MootError
from core.report.items import LONGEST_NOTE, FreeNote
from core.report.report import Entry, Report
from core.roles import Permission
from pages.components import state
from pages.components.text import plain
from storage.report_source import item_words

LONGEST_TITLE = 200
PROBLEM = "report.problem"


def shown(basket: Report) -> Report:
    """Return the report as it is written: with today's date, the reader's name, and labels as this session has them."""
    kept = state.preferences()
    return replace(
        basket,
        author=basket.author or kept.reviewer or state.person().shown,
        date=basket.date or date.today().isoformat(),
        labels=basket.labels and not state.labels_hidden(),
        anonymised=basket.anonymised or kept.anonymise,
    )


def head(basket: Report) -> None:
    """Draw the fields of the report's head."""
    written = shown(basket)
    _field("Title", "title", basket.title)
    _field("By", "author", written.author)
    st.date_input("Date", value=date.fromisoformat(written.date), key="report.date", on_change=_set_date)
    hidden, numbered = state.labels_hidden(), state.preferences().anonymise
    st.toggle(
        "Gold labels",
        value=written.labels,
        disabled=hidden,
        key=f"report.labels|{hidden}",
        on_change=_set_flag,
        args=("labels", f"report.labels|{hidden}"),
        help="Without them nothing is shown that shows or rests on the recorded truth of claims.",
    )
    st.toggle(
        "Agents by number",
        value=written.anonymised,
        disabled=numbered,
        key=f"report.anonymised|{numbered}",
        on_change=_set_flag,
        args=("anonymised", f"report.anonymised|{numbered}"),
    )


def items(basket: Report) -> None:
    """Draw the items in order, each with what can be done to it."""
    problem = st.session_state.pop(PROBLEM, None)
    if problem:
        st.error(f"Not changed. {problem}")
    for place, entry in enumerate(basket.entries):
        with st.container(border=True):
            _item(entry, place, len(basket.entries))
    if state.may(Permission.SAVE):
        st.button("Write a note", key="report.write", on_click=_change, args=(_with_note,))
    else:
        st.caption("Viewers collect nothing; reviewers and admins do.")


def _item(entry: Entry, place: int, count: int) -> None:
    kind, title = item_words(state.database(), entry.item)
    st.caption(f"{place + 1}. {plain(kind)}")
    written = isinstance(entry.item, FreeNote)
    if not written:
        st.text(title)
    with st.container(horizontal=True, vertical_alignment="center"):
        for word, steps, there in (("Up", -1, place > 0), ("Down", 1, place < count - 1)):
            st.button(
                word,
                key=f"report.{word}|{entry.key}",
                disabled=not there,
                on_click=_change,
                args=(_mover(entry.key, steps),),
                help=f"Move item {place + 1} {word.lower()}",
            )
        st.button("Remove", key=f"report.remove|{entry.key}", on_click=_change, args=(_remover(entry.key),))
    key = f"report.note|{entry.key}"
    st.text_area(
        "Words" if written else "Note",
        value=entry.item.text if isinstance(entry.item, FreeNote) else entry.note,
        max_chars=LONGEST_NOTE,
        height=110 if written else 80,
        key=key,
        placeholder=None if written else "What the reader should see here (optional)",
        on_change=_set_note,
        args=(entry.key, key),
    )


def _field(label: str, name: str, value: str) -> None:
    key = f"report.{name}"
    st.text_input(label, value=value, max_chars=LONGEST_TITLE, key=key, on_change=_set_text, args=(name, key))


def _set_text(name: str, key: str) -> None:
    changed: dict[str, Any] = {name: str(st.session_state[key]).strip()}
    _change(lambda report: replace(report, **changed))


def _set_flag(name: str, key: str) -> None:
    changed: dict[str, Any] = {name: bool(st.session_state[key])}
    _change(lambda report: replace(report, **changed))


def _set_date() -> None:
    value = st.session_state["report.date"]
    _change(lambda report: replace(report, date=value.isoformat() if value else ""))


def _set_note(entry: str, key: str) -> None:
    value = str(st.session_state[key])
    _change(lambda report: report.noted(entry, value))


def _with_note(report: Report) -> Report:
    """Return the report with one more note; no two say the same at first."""
    written = {entry.item.text for entry in report.entries if isinstance(entry.item, FreeNote)}
    number = next(number for number in range(1, len(written) + 2) if f"Note {number}" not in written)
    return report.with_item(FreeNote(f"Note {number}"))


def _mover(entry: str, steps: int) -> Callable[[Report], Report]:
    return lambda report: report.moved(entry, steps)


def _remover(entry: str) -> Callable[[Report], Report]:
    return lambda report: report.without(entry)


def _change(change: Callable[[Report], Report]) -> None:
    try:
        state.reports().change(change)
    except MootError as error:
        st.session_state[PROBLEM] = str(error)


__all__ = ["head", "items", "shown"]
