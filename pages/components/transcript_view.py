"""A debate as talk: rounds, turns in order, what judges believed, and statements that become arguments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from typing import Any

import pandas as pd
import streamlit as st

from core.debate import Debate
from core.preferences import Preferences
from core.roles import Permission
from core.statements.belief_chart import belief_lines
from core.statements.beliefs import beliefs_of
from core.statements.marks import Mark, pieces
from core.statements.turns import Turn, TurnKind, holding, numbers_of_rounds, turns_of
from core.wording import several
from pages.components import exports, state, theme, transcript_proposals, transcript_taking, transcript_turn
from pages.components.transcript_state import TakingDesk
from pages.components.transcript_turn import Speakers

PAGE_SIZE = 20  # turns
EVERY_ROUND = "all rounds"


def show(debate: Debate, preferences: Preferences) -> None:
    """Draw the transcript of a debate that has one."""
    transcript_proposals.carry_out(TakingDesk(debate))
    _transcript(debate, preferences)


@st.fragment
def _transcript(debate: Debate, preferences: Preferences) -> None:
    turns = turns_of(debate)
    speakers, desk = Speakers.of(debate, preferences), TakingDesk(debate)
    beliefs = beliefs_of(debate)
    if len(beliefs) > 1:
        left, right = st.columns([3, 2], gap="medium")
        with left.container(border=True):
            st.markdown("**What judges believed after each round**")
            exports.chart(belief_lines(beliefs, theme.palette()), f"{debate.id} beliefs", f"beliefs|{debate.id}")
        with right:
            st.markdown(f"**{_summary(turns)}**")
            words, listed = _filtered(debate, turns, speakers, [st, st, st])
    else:
        st.markdown(f"**{_summary(turns)}**")
        words, listed = _filtered(debate, turns, speakers, st.columns([5, 4, 3], vertical_alignment="bottom"))
    taking = _taking(desk)
    if taking and desk.waiting and st.toggle("Only turns with proposals", key=desk.name("only")):
        quoted = {proposal.turn for proposal in desk.waiting}
        listed = [turn for turn in listed if turn.number in quoted]
    bench = st.container()  # above the turns, but it needs to know which are shown
    shown = _page(debate, turns, listed)
    if taking:
        with bench:
            transcript_proposals.show(desk, turns, shown)
            transcript_taking.show(desk, speakers, len(turns))
    _legend(shown)
    _turns(debate, shown, speakers, words, desk if taking else None)
    _evidence(debate)


def _summary(turns: Sequence[Turn]) -> str:
    spoken = [turn for turn in turns if turn.kind is TurnKind.SPOKEN]
    rounds = [number for number in numbers_of_rounds(turns) if number is not None]
    told = [several(len(turns), "turn"), several(len({turn.speaker for turn in spoken}), "speaker")]
    told += [several(len(rounds), "round")] if rounds else []
    failures, asides = sum(turn.failed for turn in turns), len(turns) - len(spoken)
    told += [several(failures, "provider's failure", "provider's failures")] if failures else []
    told += [f"{several(asides, 'prompt or tool output', 'prompts and tool outputs')}, folded"] if asides else []
    return " · ".join(told)


def _filtered(
    debate: Debate, turns: Sequence[Turn], speakers: Speakers, places: Sequence[Any]
) -> tuple[str, list[Turn]]:
    """Draw what narrows the turns down, each in its place, and return the words looked for with the turns left."""
    first, second, third = places
    words = first.text_input("Find in this transcript", key=f"talk.find|{debate.id}", placeholder="A word or a name")
    listed = holding(turns, words)
    names = dict.fromkeys(turn.speaker for turn in turns if turn.kind is TurnKind.SPOKEN)
    if len(names) > 1:
        chosen = second.multiselect(
            "Speakers",
            list(names),
            format_func=speakers.name,
            key=f"talk.who|{debate.id}",
            placeholder="everybody",
        )
        listed = tuple(turn for turn in listed if not chosen or turn.speaker in chosen)
    rounds = [number for number in numbers_of_rounds(turns) if number is not None]
    if len(rounds) > 1:
        round_number = third.selectbox("Round", [EVERY_ROUND, *rounds], key=f"talk.round|{debate.id}")
        listed = tuple(turn for turn in listed if round_number in (EVERY_ROUND, turn.round))
    return words, list(listed)


def _taking(desk: TakingDesk) -> bool:
    """Draw the switch for turning statements into arguments, for those who may; return whether it is on."""
    if not state.may(Permission.DERIVE):
        return False
    return st.toggle(
        "Turn statements into arguments",
        value=desk.begun,
        key=desk.name("on"),
        help="By hand, or proposed by a model. The recorded debate stays as it is; a new one is made beside it.",
    )


def _page(debate: Debate, turns: Sequence[Turn], listed: Sequence[Turn]) -> list[Turn]:
    """Draw which turns are shown, and return them."""
    if not listed:
        st.info("No turn is like that. Clear the words, or choose everybody and all rounds.")
        return []
    needed = math.ceil(len(listed) / PAGE_SIZE)
    with st.container(horizontal=True, vertical_alignment="center"):
        number = st.pagination(needed, key=f"talk.page|{debate.id}") if needed > 1 else 1
        start = (min(number, needed) - 1) * PAGE_SIZE
        shown = list(listed[start : start + PAGE_SIZE])
        among = "" if len(listed) == len(turns) else f" found among {len(turns):,}"
        st.caption(f"{start + 1:,} to {start + len(shown):,} of {several(len(listed), 'turn')}{among}")
    return shown


def _legend(shown: Sequence[Turn]) -> None:
    marks = {piece.mark for turn in shown for piece in pieces(turn.text) if piece.mark is not None}
    if marks:
        told = [f"{transcript_turn.SIGNS[mark]} {mark.value}".strip() for mark in Mark if mark in marks]
        st.caption(f"Quotations, as the log marks them: {', '.join(told)}.")


def _turns(debate: Debate, shown: Sequence[Turn], speakers: Speakers, words: str, desk: TakingDesk | None) -> None:
    for number, of_round in groupby(shown, key=lambda turn: turn.round):
        if number is not None:
            st.header(f"Round {number}")
        for kind, together in groupby(of_round, key=lambda turn: turn.kind):
            listed = list(together)
            if kind is TurnKind.PROMPT:
                transcript_turn.prompts(listed, speakers, f"talk.{listed[0].number}|{debate.id}")
                continue
            for turn in listed:
                with st.container(border=True):
                    transcript_turn.show(turn, speakers, words, f"talk.{turn.number}|{debate.id}")
                    if desk is not None and turn.usable:
                        transcript_taking.beside(desk, turn, speakers)
                        transcript_proposals.beside(desk, turn, speakers)


def _evidence(debate: Debate) -> None:
    if not debate.exhibits:
        return
    box = st.expander(
        f"Evidence in the record ({len(debate.exhibits):,})", key=f"talk.evidence|{debate.id}", on_change="rerun"
    )
    if not box.open:
        return
    with box:
        rows = [{str(name): str(value) for name, value in exhibit.items()} for exhibit in debate.exhibits]
        frame = pd.DataFrame(rows).fillna("–")
        st.dataframe(frame, hide_index=True, alt=f"{len(frame)} pieces of evidence, as recorded")
        exports.table(frame, f"{debate.id} evidence", f"talk.evidence.export|{debate.id}")


__all__ = ["show"]
