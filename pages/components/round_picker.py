"""Which round of a debate is judged; the address has it, so that a link and a reload keep it."""

from __future__ import annotations

import streamlit as st

from core.debate import Debate
from pages.components import state


def show(debate: Debate, key: str) -> int | None:
    """Draw a choice of round where there is one; return the round's number, None where the debate has no rounds."""
    numbers = [r.number for r in debate.rounds]
    if not numbers:
        return None
    if len(numbers) == 1:
        return numbers[0]
    named = {str(number): number for number in numbers}.get(st.query_params.get(state.ROUND, ""))
    widget = f"round.{key}|{debate.id}"
    chosen = st.segmented_control(
        "Round",
        numbers,
        default=numbers[-1] if named is None else named,
        required=True,
        format_func=lambda n: f"{n} (last)" if n == numbers[-1] else str(n),
        key=widget,
        help="Judges read one round: the last one unless you choose another.",
        on_change=lambda: st.query_params.update({state.ROUND: str(st.session_state[widget])}),
    )
    return numbers[-1] if chosen is None else int(chosen)
