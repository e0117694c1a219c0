"""A score on an axis from 0 to 1 with the threshold marked, so that scores beside each other can be compared."""

from __future__ import annotations

import streamlit as st

from core.wording import score_text


def show(score: float | None, threshold: float) -> None:
    """Draw the bar. It is made of numbers only, so no text of a debate is in it."""
    if score is None:
        st.caption("No score")
        return
    side = "at or above" if score >= threshold else "below"
    label = f"Score {score_text(score, threshold)} on an axis from 0 to 1, {side} the threshold of {threshold:.2f}"
    st.html(
        f'<div class="moot-score" role="img" aria-label="{label}">'
        f'<div class="axis"><div class="fill" style="width:{100 * score:.2f}%"></div>'
        f'<div class="threshold" style="left:{100 * threshold:.2f}%"></div></div>'
        f'<div class="ticks" aria-hidden="true"><span>0</span><span>1</span>'
        f'<span class="at" style="left:{100 * threshold:.2f}%">{threshold:g}</span></div></div>'
    )
