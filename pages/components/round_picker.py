"""Which round of a debate is judged."""

from __future__ import annotations

import streamlit as st

from core.debate import Debate


def show(debate: Debate, key: str) -> int | None:
    """Draw a choice of round where there is one; return the round's number, None where the debate has no rounds."""
    numbers = [r.number for r in debate.rounds]
    if not numbers:
        return None
    if len(numbers) == 1:
        return numbers[0]
    chosen = st.segmented_control(
        "Round",
        numbers,
        default=numbers[-1],
        required=True,
        format_func=lambda n: f"{n} (last)" if n == numbers[-1] else str(n),
        key=f"round.{key}|{debate.id}",
        help="Judges read one round: the last one unless you choose another.",
    )
    return numbers[-1] if chosen is None else int(chosen)
