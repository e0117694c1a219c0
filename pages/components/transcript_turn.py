"""One turn of a transcript: who speaks, what was said, what the log says of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from core.debate import Agent, Debate
from core.preferences import Preferences
from core.statements.marks import Mark, has_marks, pieces
from core.statements.turns import Turn, excerpt
from core.wording import shortened
from pages.components import agent_names
from pages.components.text import plain

FOLDED_FROM = 900  # characters, about twelve lines; longer turns are folded
SHOWN = 600  # of a folded turn
MOST_SHOWN = 200_000  # characters of one turn, however long it is
SIGNS = {Mark.FOUND: "✓", Mark.NOT_FOUND: "✕", Mark.UNCHECKED: ""}
COLOURS = {Mark.FOUND: "blue", Mark.NOT_FOUND: "orange", Mark.UNCHECKED: "gray"}
UNTOLD = frozenset({"assistant", "debater", "speaker"})  # roles that say nothing of who speaks


@dataclass(frozen=True)
class Speakers:
    """What to call those who speak.

    Attributes:
        names: By agent id, with the model, and the id where two are called the same; by number where debaters are
            anonymised.
        agents: By id.
        anonymised: Neither names nor roles nor models of debaters are told.
    """

    names: Mapping[str, str]
    agents: Mapping[str, Agent]
    anonymised: bool

    @classmethod
    def of(cls, debate: Debate, preferences: Preferences) -> Speakers:
        """Return the speakers of a debate."""
        names = agent_names.of(debate, preferences)
        given = Counter(names.values())
        names = {one: name if given[name] == 1 else f"{one}, {name}" for one, name in names.items()}
        return cls(names, {agent.id: agent for agent in debate.agents}, preferences.anonymise)

    def name(self, speaker: str) -> str:
        """Return what to call a speaker."""
        return self.names.get(speaker, speaker) or "unknown"

    def line(self, turn: Turn) -> str:
        """Return who speaks in a turn, with role and model where the record has them, as Markdown."""
        agent = self.agents.get(turn.speaker)
        parts = [f"**{plain(self.name(turn.speaker))}**"]
        if agent is None or not self.anonymised:
            role = (agent.role if agent is not None else None) or turn.role
            if role and role.casefold() not in {*UNTOLD, turn.speaker.casefold()}:
                parts.append(plain(role))
            if turn.model and (agent is None or agent.model != turn.model):
                parts.append(plain(turn.model))
        return " · ".join(parts)


def show(turn: Turn, speakers: Speakers, words: str, key: str) -> None:
    """Draw a turn's head and text, long ones folded around what was looked for.

    Args:
        turn: The turn; somebody speaks in it.
        speakers: What to call them.
        words: What was looked for; empty for nothing.
        key: Prefix of the widgets' keys.
    """
    st.markdown(f"{speakers.line(turn)} · turn {turn.number}")
    if turn.failed:
        st.badge("! Provider's failure, not speech", color="orange")
    elif not turn.text.strip():
        st.caption("Nothing was said, or nothing was recorded.")
    _text(turn.text, words, key)
    told = [f"Source: {turn.source}"] if turn.source else []
    if turn.argument:
        told.append(f"In the map: {turn.argument}")
    if told:
        st.caption(plain(" · ".join(told)))


def prompts(turns: list[Turn], speakers: Speakers, key: str) -> None:
    """Draw what only models were told, or tools gave back, folded."""
    size = sum(len(turn.text) for turn in turns)
    names = shortened(", ".join(dict.fromkeys(speakers.name(turn.speaker) for turn in turns)), 60)
    label = f"Prompt or tool output: {plain(names)} ({size:,} characters)"
    box = st.expander(label, key=f"{key}.prompts", on_change="rerun")
    if not box.open:
        return
    with box:
        for turn in turns:
            st.markdown(f"{speakers.line(turn)} · turn {turn.number}")
            st.text(turn.text[:MOST_SHOWN])


def marked_text(text: str) -> str:
    """Return a text as Markdown in which the quotations that the log marks are seen to be such; lines stay lines."""
    shown = []
    for piece in pieces(text):
        if piece.mark is None:
            shown.append("  \n".join(_kept_ends(line) for line in piece.text.split("\n")))
        else:
            sign = f"{SIGNS[piece.mark]} " if SIGNS[piece.mark] else ""
            shown.append(f":{COLOURS[piece.mark]}-background[{sign}“{plain(piece.text)}”]")
    return "".join(shown)


def _text(text: str, words: str, key: str) -> None:
    unfolded = f"{key}.whole"
    if len(text) <= FOLDED_FROM:
        _whole(text)
        return
    open_now = bool(st.session_state.get(unfolded))
    if open_now:
        _whole(text[:MOST_SHOWN])
        if len(text) > MOST_SHOWN:
            st.caption(f"The first {MOST_SHOWN:,} of {len(text):,} characters; the rest is in the debate's file.")
    else:
        found = excerpt(text, words) if words else None
        if found is None:
            _whole(_beginning(text))
        else:
            before, at, after = (plain(part) for part in found)
            gaps = (" " if found[0].endswith(" ") else "", " " if found[2].startswith(" ") else "")
            st.markdown(f"{before}{gaps[0]}:blue-background[{at}]{gaps[1]}{after}")
    st.button(
        "Fold this turn" if open_now else f"Read the whole turn ({len(text):,} characters)",
        key=f"{key}.fold",
        type="tertiary",
        on_click=_turn_over,
        args=(unfolded,),
    )


def _whole(text: str) -> None:
    if has_marks(text):
        st.markdown(marked_text(text))
    else:
        st.text(text)


def _beginning(text: str) -> str:
    """Return the beginning of a text, cut at a blank; its lines stay lines."""
    cut = text[:SHOWN]
    at_blank = max(cut.rfind(" "), cut.rfind("\n"))
    return f"{(cut[:at_blank] if at_blank > SHOWN // 2 else cut).rstrip()} …"


def _kept_ends(line: str) -> str:
    """Return a line as Markdown with the blanks at its ends, where it had any."""
    shown = plain(line)
    if not shown:
        return " " if line else ""
    return f"{' ' if line[0].isspace() else ''}{shown}{' ' if line[-1].isspace() else ''}"


def _turn_over(name: str) -> None:
    st.session_state[name] = not st.session_state.get(name)


__all__ = ["Speakers", "marked_text", "prompts", "show"]
