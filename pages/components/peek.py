"""A look into one debate without leaving the list."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from core.debate import profile
from core.judges.semantics_judge import SemanticsJudge
from core.origin import origin_words
from core.wording import label_word, shortened
from pages.components import chips, pages, state
from pages.components.text import plain


def show(debate_id: str, judges: Iterable[SemanticsJudge]) -> None:
    """Draw claim, verdicts, reasons and the ways on."""
    debate = state.debate_or_none(debate_id)
    if debate is None:
        return
    held = profile(debate)
    with st.container(border=True, key="claim.peek"):
        st.text(debate.claim)
        with st.container(horizontal=True, gap="xsmall"):
            for words in origin_words(debate):
                st.badge(plain(words), color="gray")
        for judge in judges:
            judgement = judge.judge(held)
            chips.show(f"**{plain(judge.name)}**", judgement)
            with st.container(key=f"quiet.peek.{judge.semantics}"):
                st.text(shortened(judgement.explanation, 300))
        if not state.labels_hidden():
            st.caption(f"Recorded label: {label_word(debate.label)}")
        with st.container(horizontal=True):
            if st.button("Contest", type="primary", key="peek.contest"):
                st.switch_page(pages.contest(), query_params=state.link(debate_id))
            if st.button("Read", key="peek.read"):
                st.switch_page(pages.debate(), query_params=state.link(debate_id))
