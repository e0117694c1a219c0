"""The button that adds what is on screen to the report of who has the page open."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from core.contestation import Contestation
from core.debate import Debate
from core.errors import MootError
from core.preferences import Preferences
from core.report.items import MOST_CASES, ComparedJudges, Item, JudgedDebate, Piece, SavedContestation, item_key
from core.report.report import Report
from core.roles import Permission
from pages.components import pages, state
from storage.debate_filter import DebateFilter
from storage.filter_record import filter_to_json
from storage.judge_catalogue import Candidate

if TYPE_CHECKING:  # statistics take half a second to load, and most pages have none
    from core.comparison_report import DrawnChart, NamedTable

ADDED = "report.added"  # what the next page is to say
CASES = "cases"


def add(item: Item, key: str, *, label: str = "Add to report", basket: Report | None = None) -> None:
    """Draw the button for an item; of one that is in the report already it says so.

    Args:
        item: What to add.
        key: Where the button stands, since one thing may be on a page twice.
        label: What the button says.
        basket: The person's report, where it was read already, as for a list of buttons.
    """
    if not state.may(Permission.SAVE):
        return
    held = (state.reports().basket() if basket is None else basket).holds(item)
    clicked = st.button(
        "In the report" if held else label,
        key=f"report|{key}|{item_key(item)}",
        disabled=held,
        help=None if held else "Collect contestations, debates, charts and tables, and take them away as one file",
    )
    if clicked:
        st.session_state[ADDED] = _added(item)
        st.rerun()  # the whole page, whose header counts the items


def contestation(saved: Contestation, key: str, basket: Report | None = None) -> None:
    """Draw the button for a saved contestation."""
    add(SavedContestation(saved.id), key, basket=basket)


def debate(shown: Debate, round_number: int | None, preferences: Preferences) -> None:
    """Draw the button for a debate under the judge settings in force."""
    last = shown.rounds[-1].number if shown.rounds else None
    add(JudgedDebate(shown.id, None if round_number == last else round_number, preferences.judging()), "debate")


def comparing(
    judges: Sequence[Candidate], wanted: DebateFilter | None, abstention: str, published: str, protocol: str
) -> None:
    """Remember which comparison the page shows, for the buttons at its charts and tables.

    Args:
        judges: The baseline first.
        wanted: Which debates; None for all.
        abstention: What an abstention does.
        published: Title of the table of published figures shown beside; empty for none.
        protocol: Of those figures; empty for any.
    """
    st.session_state[state.COMPARED] = {
        "judges": tuple(dict(judge.settings) for judge in judges),
        "dataset": state.chosen_dataset() or "",
        "filter": filter_to_json(wanted),
        "abstention": str(abstention),
        "published": published,
        "protocol": protocol,
    }


def chart(shown: DrawnChart, key: str) -> None:
    """Draw the button for a chart of the comparison that the page shows."""
    compared = st.session_state.get(state.COMPARED)
    if compared is None:
        return
    add(ComparedJudges(piece=Piece.CHART, name=shown.name, **compared), key, label="Add chart to report")


def table(shown: NamedTable, key: str) -> None:
    """Draw the button for a table of the comparison that the page shows."""
    compared = st.session_state.get(state.COMPARED)
    if compared is None:
        return
    debates: tuple[str, ...] = ()
    what = ""
    if shown.name == CASES:
        debates = tuple(map(str, shown.make().frame["Id"].head(MOST_CASES)))
        what = shown.caption.title.removeprefix("Cases: ")
    item = ComparedJudges(piece=Piece.TABLE, name=shown.name, debates=debates, what=what, **compared)
    add(item, key, label="Add table to report")


def link() -> None:
    """Draw the way to the report, with how many items it has; nothing while it has none."""
    added = st.session_state.pop(ADDED, None)
    if added:
        st.toast(added)
    count = len(state.reports().basket().entries)
    if count:
        st.page_link(pages.report(), label=f"Report ({count})")


def _added(item: Item) -> str:
    """Add an item and return what came of it."""
    try:
        after = state.reports().change(lambda report: report.with_item(item))
    except MootError as error:
        return f"Not added: {error}"
    count = len(after.entries)
    return f"Added to the report, which has {count} item{'s' if count > 1 else ''} now"
