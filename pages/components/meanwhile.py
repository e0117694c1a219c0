"""Contestations that were saved while one was at work, by others or by oneself in another tab.

They are told, and forked from where that is wanted.
"""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.contestation import Contestation
from core.debate import Debate, profile
from core.rebase import rebased
from core.wording import edit_sentence
from pages.components import pages, state
from pages.components.contest_state import Desk
from pages.components.text import plain

LEFT_OUT = "meanwhile.left_out"  # edits that did not fit when one forked
MOST_SHOWN = 5
SHORT = 160  # characters of a reason


def known(debate: Debate) -> set[str]:
    """Return the ids of the contestations that this session has had before it; adding one makes it known."""
    found = state.contestations().for_debate(debate.id)
    return state.known_contestations(debate.id, (one.id for one in found))


def notice(debate: Debate) -> None:
    """Draw which contestations were saved since this session opened the debate, and what was left out in a fork."""
    found = state.contestations().for_debate(debate.id)
    seen = state.known_contestations(debate.id, (one.id for one in found))
    new = [one for one in found if one.id not in seen]
    left_out = st.session_state.pop(f"{LEFT_OUT}|{debate.id}", None)
    if left_out:
        st.warning("Not taken over, because they do not fit any more: " + plain("; ".join(left_out)))
    if not new:
        return
    with st.container(border=True):
        saved = "Others have saved contestations" if _by_others(new) else "Contestations were saved in another window"
        st.markdown(f"**{saved} since you opened this debate.** Yours stays as it is.")
        listing(new)
        st.button(
            "Seen",
            key=f"meanwhile.seen|{debate.id}",
            on_click=seen.update,
            args=([one.id for one in new],),
            help="Takes this notice away",
        )


def saved_meanwhile(new: Sequence[Contestation]) -> str:
    """Return who saved contestations of a debate meanwhile, as the second half of a sentence."""
    if _by_others(new):
        return "others have saved contestations of this debate meanwhile"
    return "contestations of this debate were saved in another window meanwhile"


def listing(others: Sequence[Contestation], desk: Desk | None = None) -> None:
    """Draw contestations with a link to each, and with a desk at hand a way to fork from it."""
    for one in others[:MOST_SHOWN]:
        st.text(f"{one.author}, {one.created_at[:16].replace('T', ' ')} UTC: {one.reason[:SHORT]}")
        with st.container(horizontal=True, vertical_alignment="center"):
            st.page_link(pages.contest(), label="Look at it", query_params=state.link(one.debate_id, one.id))
            if desk is not None:
                st.button(
                    "Fork it, with my edits on top", key=f"meanwhile.fork|{one.id}", on_click=fork, args=(desk, one)
                )
    if len(others) > MOST_SHOWN:
        st.caption(f"… and {len(others) - MOST_SHOWN} more in the list under the map")


def fork(desk: Desk, other: Contestation) -> None:
    """Go on from another contestation with this desk's edits on top; those that do not fit are named.

    Where one went on from it before and has not saved that, these edits come on top of those.
    """
    held = profile(desk.debate, other.round_number)
    start = desk.start.edits
    edits = desk.history.edits
    own = edits[len(start) :] if edits[: len(start)] == start else edits
    theirs = Desk(desk.debate, other.round_number, held, other)
    together = rebased(held, theirs.history.edits, own)
    theirs.replace(together.edits)
    theirs.keep()
    desk.forget()
    known(desk.debate).add(other.id)
    if together.left_out:
        st.session_state[f"{LEFT_OUT}|{desk.debate.id}"] = [edit_sentence(edit) for edit in together.left_out]
    state.show_contestation(desk.debate.id, other.id)
    st.session_state[f"save.done|{desk.key}"] = True


def _by_others(new: Sequence[Contestation]) -> bool:
    """Return whether others are known to have saved; without sign-in anybody may be the same person in another tab."""
    person = state.person()
    return person.signed_in and any(one.author != person.shown for one in new)
