"""Arguments taken from a transcript: the list, what is wrong with it, and the debate that it becomes."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from core.errors import MootError
from core.opinion import TOPIC
from core.statements.taken import TakenArgument, apart, problems
from core.statements.turns import Turn, turns_of
from core.wording import RELATION_SIGN, RELATION_VERB, number, several, shortened
from pages.components import pages, state, transcript_dialog
from pages.components.compare_debate_link import CASE, ONE, TAB
from pages.components.text import plain
from pages.components.transcript_state import TakingDesk
from pages.components.transcript_turn import Speakers

MOST_LINKS = 5  # debates made from this transcript that are offered, the newest


def show(desk: TakingDesk, speakers: Speakers, turns: int) -> None:
    """Draw what was taken so far, and the way to keep it as a debate.

    Args:
        desk: What was taken.
        speakers: What to call those who speak.
        turns: How many turns the transcript has.
    """
    with st.container(border=True):
        taken = desk.taken
        st.markdown(f"**{several(len(taken), 'argument')} taken from this transcript**")
        if not taken:
            st.caption(
                "Choose statements with the button of a turn below. The recorded debate stays as it is: what you take "
                "becomes a debate of its own beside it once you say so. Until then it is kept for you alone."
            )
        else:
            _table(taken, speakers)
            _change(desk, speakers)
            wrong = problems(taken, turns)
            for problem in wrong:
                st.warning(plain(problem))
            lost = apart(taken)
            if lost and not wrong:
                st.warning(plain(f"No path leads from {', '.join(lost)} to the claim, so judges will not count them."))
            _keep(desk, bool(wrong))
        _said(desk)
        _made(desk)


def beside(desk: TakingDesk, turn: Turn, speakers: Speakers) -> None:
    """Draw the button that makes an argument of a turn, and which arguments come from it already."""
    of_turn = [one.id for one in desk.taken if turn.number in one.turns]
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button(f"Make an argument of turn {turn.number}", key=f"{desk.name('make')}|{turn.number}"):
            transcript_dialog.ask(desk, turn, speakers, None, desk.next_id(), desk.version)
        if of_turn:
            st.caption(plain(f"Taken from it: {', '.join(of_turn)}"))


def _table(taken: tuple[TakenArgument, ...], speakers: Speakers) -> None:
    rows = [
        {
            "Id": one.id,
            "Argument": f"{RELATION_SIGN[one.kind]} {one.text}",
            "Does": f"{RELATION_VERB[one.kind]} {'the claim' if one.target == TOPIC else one.target}",
            "By": speakers.name(one.author) if one.author else "nobody in particular",
            "Base score": number(one.base_score),
            "Turn": ", ".join(map(str, one.turns)),
            "How": f"proposed by {one.model}{', edited' if one.edited else ''}" if one.model else "by hand",
        }
        for one in taken
    ]
    st.dataframe(
        pd.DataFrame(rows),
        hide_index=True,
        column_config={"Argument": st.column_config.TextColumn(width="large")},
        alt=f"The {len(rows)} arguments taken so far",
    )


def _change(desk: TakingDesk, speakers: Speakers) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        named = {one.id: f"{one.id}: {shortened(one.text, 70)}" for one in desk.taken}
        chosen = st.selectbox("One of them", list(named), format_func=named.__getitem__, key=desk.name("chosen"))
        one = next(one for one in desk.taken if one.id == chosen)
        if st.button("Change…", key=desk.name("change")):
            turn = next(turn for turn in turns_of(desk.debate) if turn.number == one.turns[0])
            transcript_dialog.ask(desk, turn, speakers, one, one.id, desk.version)
        st.button("Take it back", key=desk.name("drop"), on_click=desk.drop, args=(one.id,))


def _keep(desk: TakingDesk, hindered: bool) -> None:
    person = state.person()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        if not person.signed_in:
            st.text_input("Your name", value=state.own_name(), max_chars=100, key=desk.name("who"))
        st.button(
            f"Keep as a debate ({several(len(desk.taken), 'argument')})",
            type="primary",
            key=desk.name("keep"),
            disabled=hindered,
            on_click=_kept,
            args=(desk,),
        )
    if desk.waiting:
        st.caption(f"{several(len(desk.waiting), 'proposal')} not decided on will be dropped then.")
    if person.signed_in:
        st.caption(plain(f"Kept in the name of {person.shown}, {person.role.value}"))


def _kept(desk: TakingDesk) -> None:
    who = st.session_state.get(desk.name("who"), "")
    if not state.person().signed_in and not who.strip():
        st.session_state[desk.name("problem")] = "Please give your name: the log and the new debate tell who took what."
        return
    try:
        made = state.statements().save(desk.debate.id, desk.taken, who)
    except MootError as error:
        st.session_state[desk.name("problem")] = str(error)
        return
    if who.strip():
        state.remember_reviewer(who.strip())
    desk.forget()
    st.session_state[desk.name("made")] = made


def _said(desk: TakingDesk) -> None:
    problem = st.session_state.pop(desk.name("problem"), None)
    if problem:
        st.error(f"Nothing was kept. {plain(problem)}")
    if desk.name("made") in st.session_state and not desk.taken:  # until the next debate is begun
        st.success("Kept as a debate of its own; the recorded one is as it was.")


def _made(desk: TakingDesk) -> None:
    """Draw the ways to the debates that were made from this transcript."""
    made = state.statements().made_of(desk.debate.id)
    if not made:
        return
    st.markdown(f"**{several(len(made), 'debate')} made from this transcript**")
    for one in reversed(made[-MOST_LINKS:]):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.text(f"{one.id} ({several(one.arguments, 'argument')})")
            st.page_link(pages.debate(), label="Read", query_params={**state.link(one.id), TAB: "Map"})
            st.page_link(pages.contest(), label="Contest", query_params=state.link(one.id))
            st.page_link(pages.compare(), label="Compare judges", query_params={CASE: one.id, TAB: ONE})


__all__ = ["beside", "show"]
