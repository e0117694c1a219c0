"""A branch out of a file under an argument of the debate that is contested."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.branch import Branch, branch_of
from core.contestation import Contested
from core.debate import Debate
from core.errors import MootError
from core.opinion import TOPIC
from core.wording import several, shortened
from pages.components import file_drop, state
from pages.components.contest_state import Desk
from pages.components.text import plain

MOST_CHOICES = 200  # debates of a file to choose from
CLAIM_LENGTH = 80


def show(desk: Desk, contested: Contested) -> None:
    """Draw the form."""
    key = desk.key
    st.caption(
        "What supports or attacks the claim of the debate in the file will support or attack the argument chosen here. "
        "Any file that Moot imports will do; nothing of it is stored but the arguments that you add."
    )
    dropped = file_drop.show("A file with a debate", f"branch.file|{key}")
    if not dropped:
        return
    if len(dropped) > 1:
        st.error("One file at a time, please: take the others out.")
        return
    try:
        read = state.read_debates(dropped[0].getvalue(), dropped[0].name)
    except MootError as error:
        st.error(plain(str(error)))
        return
    if read.refused:
        st.error(plain(f"{read.file}: {read.why}"))
        return
    debate = _chosen([one for one in read.debates if one.rounds and one.rounds[-1].arguments], key)
    if debate is None:
        st.error(f"{plain(read.file)}: no debate in it has arguments.")
        return
    branch = branch_of(debate.rounds[-1])
    st.markdown(plain(_told(branch, debate)))
    under = st.selectbox(
        "Under",
        [TOPIC, *(argument.id for argument in contested.profile.arguments)],
        format_func=lambda name: "the topic" if name == TOPIC else name,
        key=f"branch.under|{key}",
    )
    missing = 0.5
    if branch.without_score:
        missing = st.slider(
            f"Base score of the {several(branch.without_score, 'argument')} without one",
            0.0,
            1.0,
            0.5,
            0.01,
            key=f"branch.missing|{key}",
        )
    st.button(
        f"Add {several(len(branch.arguments), 'argument')}",
        key=f"branch.add|{key}",
        disabled=not branch.arguments,
        on_click=_add,
        args=(desk, branch, under, missing, read.file),
    )


def _chosen(debates: Sequence[Debate], key: str) -> Debate | None:
    if len(debates) < 2:
        return debates[0] if debates else None
    names = [debate.id for debate in debates[:MOST_CHOICES]]
    claims = {debate.id: shortened(debate.claim, CLAIM_LENGTH) for debate in debates[:MOST_CHOICES]}
    more = f" (the first {MOST_CHOICES} of {len(debates):,})" if len(debates) > MOST_CHOICES else ""
    name = st.selectbox(
        f"Debate in the file{more}", names, format_func=lambda one: claims.get(one, one), key=f"branch.debate|{key}"
    )
    return next((debate for debate in debates if debate.id == name), debates[0])


def _told(branch: Branch, debate: Debate) -> str:
    told = [f"{several(len(branch.arguments), 'argument')} below “{shortened(debate.claim, CLAIM_LENGTH)}”."]
    if branch.relations_left_out:
        told.append(
            f"{several(branch.relations_left_out, 'further relation is', 'further relations are')} left out, as an "
            "added argument bears on one only."
        )
    if branch.arguments_left_out:
        told.append(
            f"{several(branch.arguments_left_out, 'argument has', 'arguments have')} no way to that claim and "
            f"{'is' if branch.arguments_left_out == 1 else 'are'} left out."
        )
    return " ".join(told)


def _add(desk: Desk, branch: Branch, under: str, missing: float, source: str) -> None:
    contested = desk.contested
    there = {argument.text.strip() for argument in contested.profile.arguments}
    if all(argument.text.strip() in there for argument in branch.arguments):
        desk.refuse("All of these arguments are there already; nothing was added.")
        return
    try:
        edits = branch.edits(under, contested.everything.by_id, missing, source)
    except MootError as error:
        desk.refuse(str(error))
        return
    desk.push_all(edits)
    if desk.problem is None:
        desk.select(edits[0].argument)


__all__ = ["show"]
