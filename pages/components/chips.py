"""The verdict chip: sign, word and score on the theme's blue, orange or grey."""

from __future__ import annotations

import streamlit as st

from core.judgement import Judgement, JudgementStatus, Verdict
from core.wording import HALF, chip, judgement_chip, threshold_of

COLOUR = {Verdict.TRUE: "blue", Verdict.FALSE: "orange", Verdict.UNCERTAIN: "gray"}


def chip_markdown(
    verdict: Verdict | None,
    score: float | None,
    status: JudgementStatus = JudgementStatus.OK,
    threshold: float = HALF,
) -> str:
    """Return a verdict chip as Markdown, for use inside other Markdown."""
    colour = "gray" if verdict is None else COLOUR[verdict]
    return f":{colour}-badge[{chip(verdict, score, status, threshold)}]"


def judgement_markdown(judgement: Judgement | None) -> str:
    """Return the chip of a judgement as Markdown."""
    if judgement is None:
        return f":gray-badge[{judgement_chip(None)}]"
    return chip_markdown(judgement.verdict, judgement.score, judgement.status, threshold_of(judgement.settings))


def show(name: str, judgement: Judgement | None, *, help_text: str | None = None) -> None:
    """Draw a judge's name with its verdict chip. ``name`` is ours, not a text from a debate."""
    st.markdown(f"{name} {judgement_markdown(judgement)}", help=help_text)
