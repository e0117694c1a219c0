"""The dialog that saves a contestation with a reason."""

from __future__ import annotations

import streamlit as st

from core.contestation import Contestation
from core.errors import MootError
from core.preferences import Preferences
from core.rejudging import judgement_record
from core.wording import edit_sentence
from pages.components import pages, state
from pages.components.contest_state import Desk

SHORTEST_REASON = 10  # characters


@st.dialog("Save this contestation", width="medium")
def ask(desk: Desk, preferences: Preferences) -> None:
    """Ask who and why, save, and show the link. The original debate stays as it is."""
    edits = desk.history.edits
    st.caption(f"{len(edits)} edit{'s' if len(edits) != 1 else ''}; the recorded debate itself stays unchanged.")
    for edit in edits[:8]:
        st.text(f"• {edit_sentence(edit)}")
    if len(edits) > 8:
        st.caption(f"… and {len(edits) - 8} more")
    name = st.text_input("Your name", value=preferences.reviewer, max_chars=100, key=f"save.name|{desk.key}")
    reason = st.text_area(
        "Reason",
        max_chars=5000,
        key=f"save.reason|{desk.key}",
        placeholder="What is wrong with the original judgement?",
        help=f"At least {SHORTEST_REASON} characters: whoever opens the link reads this first.",
    )
    tags = st.text_input("Tags (optional, separated by commas)", max_chars=200, key=f"save.tags|{desk.key}")
    read = st.checkbox("I have read the original arguments", key=f"save.read|{desk.key}")
    if not st.button("Save contestation", type="primary", key=f"save.go|{desk.key}"):
        return
    missing = [
        text
        for text, absent in (
            ("your name", not name.strip()),
            (f"a reason of at least {SHORTEST_REASON} characters", len(reason.strip()) < SHORTEST_REASON),
            ("the tick that you have read the original arguments", not read),
        )
        if absent
    ]
    if missing:
        st.error(f"Not saved yet. Please give {', '.join(missing)}.")
        return
    judges = preferences.pinned_judges()
    contested = desk.contested.profile
    try:
        saved = state.contestations().save(
            Contestation(
                id="",
                debate_id=desk.debate.id,
                round_number=desk.round_number,
                edits=edits,
                reason=reason.strip(),
                author=name.strip(),
                parent=desk.base.id if desk.base else None,
                before={judge.name: judgement_record(judge.judge(desk.profile)) for judge in judges},
                after={judge.name: judgement_record(judge.judge(contested)) for judge in judges},
                settings=preferences.to_json(),
                tags=tuple(tag.strip() for tag in tags.split(",") if tag.strip()),
            )
        )
    except MootError as error:
        st.error(f"Not saved. {error}")
        return
    desk.forget()
    state.remember_reviewer(name.strip())
    st.toast("Contestation saved")
    st.switch_page(pages.contest(), query_params={state.DEBATE: desk.debate.id, state.CONTESTATION: saved.id})
