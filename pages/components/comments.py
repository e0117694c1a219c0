"""Comments on a debate, its arguments and the judgements of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import streamlit as st

from core.contestation import Contestation
from core.debate import Debate
from core.errors import MootError
from core.opinion import OpinionProfile
from core.preferences import Preferences
from core.roles import Permission
from core.wording import shortened
from pages.components import state
from pages.components.text import plain
from storage.comment_repository import LONGEST_TEXT, Comment, Remarked, may_withdraw

About = tuple[Remarked, str]
WHOLE: About = (Remarked.DEBATE, "")


@st.fragment
def section(
    debate: Debate,
    held: OpinionProfile,
    preferences: Preferences,
    key: str,
    selected: str = "",
    saved: Iterable[Contestation] = (),
) -> None:
    """Draw every comment on a debate, and a place to write one about any part of it.

    Args:
        debate: The debate.
        held: Its profile in the round that is shown, whose arguments can be commented on.
        preferences: Their judges' judgements can be commented on.
        key: Prefix of the widgets' keys.
        selected: The argument that a new comment is about to begin with.
        saved: Saved contestations of the debate, which can be commented on as well.
    """
    found = state.comments().of_debate(debate.id)
    st.header(f"Comments ({sum(1 for one in found if not one.withdrawn)})")
    for one in found:
        _one(one, f"{key}|{debate.id}")
    texts = {argument.id: argument.text for argument in held.arguments}
    reasons = {one.id: one.reason for one in saved}
    judges = [*(judge.name for judge in preferences.pinned_judges()), *(said.judge for said in debate.judgements)]
    choices: list[About] = [
        WHOLE,
        *((Remarked.ARGUMENT, name) for name in texts),
        *((Remarked.JUDGEMENT, name) for name in dict.fromkeys(judges)),
        *((Remarked.CONTESTATION, name) for name in reasons),
    ]
    if not state.may(Permission.COMMENT):
        if not found:
            st.caption("Nobody has commented on this debate.")
        return
    first = (Remarked.ARGUMENT, selected)
    with st.expander("Write a comment"):
        about = st.selectbox(
            "About",
            choices,
            index=choices.index(first) if first in choices else 0,
            format_func=lambda choice: _place(choice, _text(choice, texts, reasons)),
            key=f"{key}.about|{debate.id}|{selected}",
        )
        _write(debate.id, about, f"{key}|{debate.id}")


def show(debate_id: str, kind: Remarked, about: str, key: str) -> None:
    """Draw the comments on one thing behind a button that counts them, with a place to write one."""
    found = state.comments().on(debate_id, kind, about)
    count = sum(1 for one in found if not one.withdrawn)
    with st.popover(f"Comments ({count})" if count else "Comment"):
        for one in found:
            _one(one, key, placed=True)
        if state.may(Permission.COMMENT):
            _write(debate_id, (kind, about), key)
        elif not found:
            st.caption("Nobody has commented on this.")


def _one(comment: Comment, key: str, *, placed: bool = False) -> None:
    with st.container(border=True, key=f"quiet.comment|{key}|{comment.id}"):
        when = comment.made_at[:16].replace("T", " ")
        place = "" if placed else f" on {_place((comment.kind, comment.object), '')}"
        st.caption(plain(f"{comment.name}, {when} UTC{place}"))
        if comment.withdrawn:
            why = f": {comment.withdrawn_why}" if comment.withdrawn_why else "."
            st.text(f"Withdrawn by {comment.withdrawn_by}{why}")
            return
        st.text(comment.text)
        if may_withdraw(state.person(), comment):
            _withdrawal(comment, key)


def _withdrawal(comment: Comment, key: str) -> None:
    own = comment.person == state.person().id
    with st.popover("Withdraw", type="tertiary"):
        st.caption("The comment's place stays; its text is shown no more. The audit log keeps it.")
        reason = f"comment.why|{key}|{comment.id}"
        st.text_input(
            "Reason for withdrawing it (optional)" if own else "Reason for withdrawing it", max_chars=500, key=reason
        )
        st.button(
            "Withdraw comment",
            key=f"comment.withdraw|{key}|{comment.id}",
            on_click=_told,
            args=(key, "withdraw", comment.id, reason),
        )
    _problem(key, comment.id)


def _write(debate_id: str, about: About, key: str) -> None:
    text = f"comment.text|{key}"
    st.text_area("Comment", max_chars=LONGEST_TEXT, height=80, key=text, placeholder="What should others know?")
    st.button("Add comment", key=f"comment.add|{key}", on_click=_told, args=(key, "add", debate_id, text, about))
    _problem(key, "")


def _told(key: str, what: str, of: str, text: str, about: Sequence[str] = WHOLE) -> None:
    """Add or withdraw a comment, and keep what went wrong for the next drawing to say."""
    try:
        if what == "add":
            state.comments().add(of, Remarked(about[0]), about[1], st.session_state[text])
            st.session_state[text] = ""
        else:
            state.comments().withdraw(of, st.session_state[text])
    except MootError as error:
        st.session_state[f"comment.problem|{key}|{'' if what == 'add' else of}"] = str(error)


def _problem(key: str, of: str) -> None:
    problem = st.session_state.pop(f"comment.problem|{key}|{of}", None)
    if problem:
        st.error(plain(problem))


def _text(about: About, texts: Mapping[str, str], reasons: Mapping[str, str]) -> str:
    kind, name = about
    return {Remarked.ARGUMENT: texts, Remarked.CONTESTATION: reasons}.get(kind, {}).get(name, "")


def _place(about: About, text: str) -> str:
    kind, name = about
    if kind is Remarked.DEBATE:
        return "the debate"
    words = f": {shortened(text, 60)}" if text else ""
    return f"{kind.value} {name}{words}"
