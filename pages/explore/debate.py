"""Debate: read one debate; its map, what was said, its rounds, what judges say, where it comes from."""

import streamlit as st

from core.debate import profile
from core.statements.turns import is_talk
from pages.components import (
    board,
    comments,
    debate_picker,
    debate_views,
    judge_settings,
    pages,
    report_basket,
    round_picker,
    rounds_view,
    shell,
    state,
    transcript_view,
)

shell.guard()
debate = debate_picker.chosen(
    "debate", "Debate", "Read one debate: its map, its rounds, and what judges say of it. Which one?"
)
if debate is None:
    st.stop()

with st.container(key="claim.debate"):
    st.text(debate.claim)
debate_picker.badges(debate)
if debate.note and not state.labels_hidden():
    with st.container(key="quiet.note"):
        st.text(debate.note)
with st.container(horizontal=True, vertical_alignment="center"):
    round_number = round_picker.show(debate, "debate")
    preferences = judge_settings.popover("debate.judges")
    report_basket.debate(debate, round_number, preferences)
    debate_picker.ways_on(debate, pages.debate(), also=pages.contest())
held = profile(debate, round_number)

board.load_library()
talk, drawn = ["Transcript"] if debate.transcript else [], ["Map", "Rounds"]
names = [*(talk + drawn if is_talk(debate) else drawn + talk), "Judges", "Provenance"]
for name, tab in zip(names, st.tabs(names, key="tab", on_change="rerun", bind="query-params"), strict=True):
    if not tab.open:
        continue
    with tab:
        if name != "Map" or debate.judgements:
            debate_views.verdicts(debate, held, preferences)
        match name:
            case "Map":
                debate_views.map_and_outline(debate, held, preferences)
            case "Transcript":
                transcript_view.show(debate, preferences)
            case "Rounds":
                rounds_view.show(debate, preferences, round_number)
            case "Judges":
                debate_views.judges(debate, held, preferences)
            case "Provenance":
                debate_views.provenance(debate, preferences)
comments.section(debate, held, preferences, "debate")
