"""Contest: change the profile, judge again, see the difference, save it with a reason."""

import streamlit as st

from core.debate import profile
from core.preferences import Preferences
from core.wording import shortened
from pages.components import (
    board,
    comments,
    debate_picker,
    exports,
    judge_settings,
    map_files,
    pages,
    round_picker,
    saved_contestations,
    shell,
    state,
    workbench,
)
from pages.components.contest_state import Desk
from pages.components.text import plain

shell.guard()
debate = debate_picker.chosen(
    "contest", "Contest", "Change what a debate says, and see what every judge makes of it then. Which debate?"
)
if debate is None:
    st.stop()

saved = saved_contestations.chosen(debate)
with st.container(key="claim.contest"):
    st.text(debate.claim)
debate_picker.badges(debate)
if saved is not None:
    saved_contestations.banner(saved)
with st.container(horizontal=True, vertical_alignment="center"):
    if saved is not None:
        round_number = saved.round_number
        preferences = Preferences.from_json({**state.preferences().to_json(), **saved.settings})
        st.caption(f"Judged with the settings it was saved under. Main judge: {plain(preferences.judge().name)}")
    else:
        round_number = round_picker.show(debate, "contest")
        preferences = judge_settings.popover("contest.judges")
    debate_picker.ways_on(debate, pages.contest(), also=pages.debate())

desk = Desk(debate, round_number, profile(debate, round_number), saved)
board.load_library()
workbench.show(desk, preferences)

with st.container(horizontal=True):
    exports.debate(debate, "contest")
    map_files.show(
        desk.contested,
        lambda: preferences.judge().judge(desk.contested.profile).strengths,
        shortened(desk.debate.claim, 80),
        f"{debate.id} contested map",
        "contest.map",
        preferences,
    )
kept = saved_contestations.of_debate(debate)
comments.section(debate, desk.profile, preferences, "contest", desk.selected or "", kept)
