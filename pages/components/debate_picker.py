"""Which debate a page is about: from the link, from the session, or chosen here."""

from __future__ import annotations

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from core.debate import Debate
from core.origin import origin_words
from core.wording import label_word, several, shortened
from pages.components import pages, shell, state
from pages.components.text import plain
from storage.debate_filter import DebateFilter

MOST_CHOICES = 2_000
EASY = {"start here", "flips with a small edit"}
MOST_EASY = 6


def chosen(key: str, title: str, purpose: str) -> Debate | None:
    """Return the debate of the link or the one looked at last, and draw the page's header.

    Args:
        key: Prefix of the widgets' keys.
        title: The page's title.
        purpose: What the page is for, said where no debate is chosen; then a choice is drawn and None returned.
    """
    debate_id = state.selected_debate_id()
    debate = None if debate_id is None else state.debate_or_none(debate_id)
    if debate is not None:
        shell.header(title, link=state.link(debate.id, st.query_params.get(state.CONTESTATION)))
        return debate
    shell.header(title)
    st.write(purpose)
    if debate_id is not None:
        state.forget_debate()
        st.warning("This link points to a debate that is not in this database.")
        st.text(f"Debate id: {shortened(debate_id, 200)}")
    _choose(key)
    return None


def badges(debate: Debate) -> None:
    """Draw what the debate is, in a few words each."""
    with st.container(horizontal=True, gap="xsmall"):
        for badge in _badges(debate):
            st.badge(badge, color="gray")


def ways_on(debate: Debate, here: StreamlitPage, also: StreamlitPage) -> None:
    """Draw the debate's neighbours in the list, and the way to the other page about it; inside a row."""
    dataset = state.chosen_dataset()
    chosen_ones = DebateFilter(datasets=(dataset,)) if dataset else DebateFilter()
    around = state.debates().neighbours(debate.id, chosen_ones)
    st.space("stretch")
    if st.button(
        "Previous", disabled=around.previous is None, shortcut="Alt+K", key=f"previous.{here.url_path}", type="tertiary"
    ):
        st.switch_page(here, query_params={state.DEBATE: str(around.previous)})
    if around.position is not None:
        st.caption(f"{around.position} of {around.total}")
    if st.button("Next", disabled=around.next is None, shortcut="Alt+J", key=f"next.{here.url_path}", type="tertiary"):
        st.switch_page(here, query_params={state.DEBATE: str(around.next)})
    contesting = also.url_path == pages.contest().url_path
    if st.button(
        "Contest this" if contesting else "Read the debate",
        type="primary" if contesting else "secondary",
        key=f"also.{here.url_path}",
    ):
        kept = st.query_params.get(state.ROUND)  # so that the same round is looked at there
        st.switch_page(also, query_params={state.DEBATE: debate.id} | ({state.ROUND: kept} if kept else {}))


def _badges(debate: Debate) -> list[str]:
    badges = [plain(words) for words in origin_words(debate)]
    badges += [debate.protocol.value.replace("-", " "), several(len(debate.rounds), "round")]
    if not state.labels_hidden():
        badges.append(f"label: {label_word(debate.label)}")
    return badges + [plain(tag) for tag in debate.tags[:6]]


def _choose(key: str) -> None:
    total = state.debates().count()
    if total == 0:
        st.info("There are no debates yet. Load the sample or import your own on the Data page.")
        st.page_link(pages.data(), label="Go to Data")
        return
    listed = state.debates().list(limit=MOST_CHOICES)
    claims = dict(zip(listed["id"], listed["claim"], strict=True))
    picked = st.selectbox(
        "Choose a debate",
        list(claims),
        index=None,
        format_func=lambda name: shortened(str(claims.get(name, name)), 120),
        placeholder="Type a few words of the claim",
        key=f"choose.{key}",
    )
    if total > MOST_CHOICES:
        st.caption(f"The first {MOST_CHOICES:,} of {several(total, 'debate')}; search for others on the Browse page.")
    st.page_link(pages.browse(), label="Browse all debates")
    easy = [name for name, tags in zip(listed["id"], listed["tags"], strict=True) if EASY & set(tags)]
    if easy:
        st.header("Good ones to begin with")
        here = pages.contest() if key == "contest" else pages.debate()
        for name in easy[:MOST_EASY]:
            st.page_link(here, label=plain(shortened(claims[name], 110)), query_params=state.link(name))
    if picked is not None:
        st.query_params[state.DEBATE] = picked
        st.rerun()
