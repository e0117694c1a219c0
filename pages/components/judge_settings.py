"""The judges' settings as widgets: which semantics, one QBAF or several, topic base score, conservativeness."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from core.judges.semantics_judge import Setting, StanceVariant
from core.preferences import Preferences
from core.roles import Permission
from core.semantics import SEMANTICS
from pages.components import state

SETTING_WORDS = {
    Setting.COMBINED: "Combined: one QBAF with all arguments",
    Setting.SEPARATE: "Separate: one QBAF per agent, mean score",
}
VARIANT_WORDS = {
    StanceVariant.NONE: "0.5 (no stance)",
    StanceVariant.PRIOR: "Prior stance (mean of the agents' when combined)",
    StanceVariant.POSTERIOR: "Posterior stance (beyond the paper)",
}
MOST_CONSERVATIVE = 10.0
MISSING_WORDS = {0.5: "0.5", None: "leave the argument out"}


def show(key: str, kept: Preferences) -> Preferences:
    """Draw the widgets filled from ``kept`` and return the preferences they say now."""
    chosen = st.selectbox(
        "Main judge",
        list(SEMANTICS),
        index=list(SEMANTICS).index(kept.semantics[0]) if kept.semantics else 0,
        format_func=lambda name: SEMANTICS[name].label,
        key=f"{key}.main",
        help="Its strengths are drawn in the map, and edits are held against its verdict.",
    )
    semantics = st.multiselect(
        "Semantics shown first",
        list(SEMANTICS),
        default=list(kept.semantics),
        format_func=lambda name: SEMANTICS[name].label,
        key=f"{key}.semantics",
        help="These get a tile, the main judge before them. All others are in the table.",
    )
    setting = st.radio(
        "Setting",
        list(Setting),
        index=list(Setting).index(kept.setting),
        format_func=SETTING_WORDS.__getitem__,
        key=f"{key}.setting",
    )
    variant = st.radio(
        "Topic base score",
        list(StanceVariant),
        index=list(StanceVariant).index(kept.variant),
        format_func=VARIANT_WORDS.__getitem__,
        key=f"{key}.variant",
    )
    conservativeness = st.number_input(
        "Conservativeness κ",
        min_value=1.0,
        max_value=MOST_CONSERVATIVE,
        value=kept.conservativeness,
        step=0.1,
        key=f"{key}.conservativeness",
        help="1 is the textbook semantics; a larger κ lets arguments move base scores less. "
        "It applies to semantics with a linear or p-Max influence.",
    )
    missing = st.radio(
        "A missing base score counts as",
        list(MISSING_WORDS),
        index=list(MISSING_WORDS).index(kept.missing_base_score) if kept.missing_base_score in MISSING_WORDS else 0,
        format_func=MISSING_WORDS.__getitem__,
        horizontal=True,
        key=f"{key}.missing",
    )
    return replace(
        kept,
        semantics=(chosen, *(name for name in semantics if name != chosen)),
        setting=setting or kept.setting,
        variant=variant or kept.variant,
        conservativeness=float(conservativeness),
        missing_base_score=missing,
    )


def popover(key: str) -> Preferences:
    """Draw the settings behind a button, for this session; return what is in force."""
    kept = state.preferences()
    with st.popover("Judge settings"):
        changed = show(key, kept)
        if changed != kept:
            state.keep_preferences(changed, for_good=False)
            st.rerun()
        if state.may(Permission.CONFIGURE) and st.button("Keep as default", key=f"{key}.keep"):
            state.keep_preferences(changed, for_good=True)
            st.toast("Kept as default")
    main = changed.judge()
    st.caption(f"Main judge: {main.name}")
    return changed
