"""The dialog that saves a contestation with a reason."""

from __future__ import annotations

import streamlit as st

from core.contestation import Contestation
from core.errors import MootError
from core.preferences import Preferences
from core.rejudging import judgement_record
from core.roles import Permission
from core.wording import edit_sentence
from pages.components import contest_models, meanwhile, state
from pages.components.contest_state import Desk
from pages.components.text import plain
from storage.contestation_repository import SavedMeanwhile

SHORTEST_REASON = 10  # characters
MOST_LISTED = 8  # edits


@st.dialog("Save this contestation", width="medium")
def ask(desk: Desk, preferences: Preferences) -> None:
    """Ask who and why, save, and go to the saved contestation. The original debate stays as it is."""
    key = desk.key
    if st.session_state.pop(f"save.done|{key}", False):
        st.rerun()
    person = state.person()
    if not state.may(Permission.SAVE):
        st.info(
            f"You are signed in as {person.role.value}: you can try out every change; reviewers and admins save them."
        )
        return
    edits = desk.history.edits
    st.caption(f"{len(edits)} edit{'s' if len(edits) != 1 else ''}; the recorded debate itself stays unchanged.")
    for edit in edits[:MOST_LISTED]:
        st.text(f"• {edit_sentence(edit)}")
    if len(edits) > MOST_LISTED:
        st.caption(f"… and {len(edits) - MOST_LISTED} more")
    if person.signed_in:
        st.text(f"Saved in the name of {person.shown}, {person.role.value}")
    else:
        st.text_input("Your name", value=state.own_name(), max_chars=100, key=f"save.name|{key}")
    st.text_area(
        "Reason",
        max_chars=5000,
        key=f"save.reason|{key}",
        placeholder="What is wrong with the original judgement?",
        help=f"At least {SHORTEST_REASON} characters: whoever opens the link reads this first.",
    )
    st.text_input("Tags (optional, separated by commas)", max_chars=200, key=f"save.tags|{key}")
    st.checkbox("I have read the original arguments", key=f"save.read|{key}")
    known = meanwhile.known(desk.debate)
    others = [one for one in st.session_state.get(f"save.others|{key}", ()) if one.id not in known]
    if others:
        with st.container(border=True):
            st.markdown(f"**Not saved yet: {meanwhile.saved_meanwhile(others)}.**")
            meanwhile.listing(others, desk)
            st.button("Save mine beside", key=f"save.beside|{key}", on_click=_beside, args=(desk, preferences))
    else:
        st.button("Save contestation", type="primary", key=f"save.go|{key}", on_click=_save, args=(desk, preferences))
    problem = st.session_state.pop(f"save.problem|{key}", None)
    if problem:
        st.error(f"Not saved yet. {plain(problem)}")


def _beside(desk: Desk, preferences: Preferences) -> None:
    others = st.session_state.pop(f"save.others|{desk.key}", ())
    meanwhile.known(desk.debate).update(one.id for one in others)
    _save(desk, preferences)


def _save(desk: Desk, preferences: Preferences) -> None:
    key = desk.key
    reason, tags, read = (st.session_state[f"save.{field}|{key}"] for field in ("reason", "tags", "read"))
    name = state.person().shown if state.person().signed_in else st.session_state[f"save.name|{key}"]
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
        st.session_state[f"save.problem|{key}"] = f"Please give {', '.join(missing)}."
        return
    judges = preferences.pinned_judges()
    models = contest_models.judged(desk)
    contested = desk.contested.profile
    try:
        saved = state.contestations().save(
            Contestation(
                id="",
                debate_id=desk.debate.id,
                round_number=desk.round_number,
                edits=desk.history.edits,
                reason=reason.strip(),
                author=name.strip(),
                parent=desk.base.id if desk.base else None,
                before={judge.name: judgement_record(judge.judge(desk.profile)) for judge in judges}
                | {one.judge.name: judgement_record(one.before) for one in models},
                after={judge.name: judgement_record(judge.judge(contested)) for judge in judges}
                | {one.judge.name: judgement_record(one.after) for one in models},
                settings=preferences.judging(),
                tags=tuple(tag.strip() for tag in tags.split(",") if tag.strip()),
            ),
            seen=meanwhile.known(desk.debate),
        )
    except SavedMeanwhile as news:
        st.session_state[f"save.others|{key}"] = news.others
        return
    except MootError as error:
        st.session_state[f"save.problem|{key}"] = str(error)
        return
    meanwhile.known(desk.debate).add(saved.id)
    desk.forget()
    state.remember_reviewer(name.strip())
    state.show_contestation(desk.debate.id, saved.id)
    st.session_state[f"save.done|{key}"] = True
    st.toast("Contestation saved")
