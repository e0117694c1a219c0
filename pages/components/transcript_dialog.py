"""The dialog in which a person makes an argument of statements, or changes one, or what a model proposes."""

from __future__ import annotations

import streamlit as st

from core.contestation import LONGEST_TEXT
from core.errors import MootError
from core.opinion import TOPIC, RelationKind
from core.statements.marks import without_marks
from core.statements.proposals import Proposal
from core.statements.splitting import statements_in
from core.statements.taken import TakenArgument
from core.statements.turns import Turn, turns_of
from core.wording import shortened
from pages.components.text import plain
from pages.components.transcript_state import TakingDesk
from pages.components.transcript_turn import Speakers

PRO, CON = "Pro", "Con"
KINDS = {PRO: RelationKind.SUPPORT, CON: RelationKind.ATTACK}
WORDS = {kind: word for word, kind in KINDS.items()}
NOBODY = ""
LISTED = 320  # pixels for a long list of statements
MANY = 8  # statements that make a list long


@st.dialog("An argument from statements", width="large")
def ask(
    desk: TakingDesk, turn: Turn, speakers: Speakers, given: TakenArgument | Proposal | None, name: str, opened: int
) -> None:
    """Ask what the argument says, what it does to what, and who puts it forward; take it.

    Args:
        desk: Where it goes.
        turn: The turn that it comes from.
        speakers: What to call those who speak.
        given: An argument taken before, or a proposal, that is to be changed; None for a new one.
        name: The id that the argument has or is to have.
        opened: The desk's version when this was opened.
    """
    key = f"{desk.name('dialog')}|{turn.number}|{name}|{opened}"
    if st.session_state.pop(f"{key}.done", False):
        st.rerun()
    if given is None:
        _statements(turn, speakers, key)
    else:
        st.caption(plain(f"{given.id}, from turn {turn.number}, said by {speakers.name(turn.speaker)}"))
        if given.quote:
            st.text(f"“{given.quote}”")
    st.text_area(
        "Argument",
        value=given.text if given else _only(turn),
        max_chars=LONGEST_TEXT,
        key=f"{key}.text",
        placeholder="Choose statements above, or say it in words that can be understood without the transcript",
    )
    left, right = st.columns(2)
    left.segmented_control(
        "Side",
        [PRO, CON],
        default=WORDS[given.kind] if given else None,
        key=f"{key}.side",
        help="A pro supports, a con attacks.",
    )
    targets = {TOPIC: "the claim"} | {
        one.id: f"{one.id}: {shortened(one.text, 60)}" for one in desk.taken if given is None or one.id != given.id
    }
    wanted = given.target if given else TOPIC
    if wanted not in targets:
        targets[wanted] = f"{wanted}, which was not taken yet"
    right.selectbox(
        "Of", list(targets), index=list(targets).index(wanted), format_func=targets.__getitem__, key=f"{key}.of"
    )
    left, right = st.columns(2)
    authors = [*dict.fromkeys([turn.speaker, *speakers.agents]), NOBODY]
    author = (given.author or NOBODY) if given else turn.speaker
    if author not in authors:
        authors.insert(0, author)
    left.selectbox(
        "Put forward by",
        authors,
        index=authors.index(author),
        format_func=lambda name: speakers.name(name) if name else "nobody in particular",
        key=f"{key}.author",
    )
    right.number_input(
        "Base score",
        0.0,
        1.0,
        given.base_score if isinstance(given, TakenArgument) else None,
        0.05,
        key=f"{key}.score",
        placeholder="missing",
        help="Optional, from 0 to 1. Left empty it stays missing, and the judge's setting for missing scores decides.",
    )
    others = {one.number: one for one in turns_of(desk.debate) if one.usable and one.number != turn.number}
    if others:
        st.multiselect(
            "Rests on other turns too",
            list(others),
            default=[number for number in _turns(given, turn) if number in others],
            format_func=lambda number: shortened(
                f"Turn {number}, {speakers.name(others[number].speaker)}: {others[number].text}", 70
            ),
            key=f"{key}.turns",
            placeholder="Optional",
        )
    st.button(
        "Take this argument" if not isinstance(given, TakenArgument) else "Change this argument",
        type="primary",
        key=f"{key}.take",
        on_click=_take,
        args=(desk, turn, given, name, key),
    )
    problem = st.session_state.pop(f"{key}.problem", None)
    if problem:
        st.error(plain(problem))


def _statements(turn: Turn, speakers: Speakers, key: str) -> None:
    st.caption(plain(f"Turn {turn.number}, said by {speakers.name(turn.speaker)}"))
    listed = statements_in(without_marks(turn.text))
    if len(listed) < 2:
        return
    st.markdown("**Statements**")
    with st.container(height=LISTED if len(listed) > MANY else "content"):
        for place, statement in enumerate(listed):
            # The text beside the box, since a box's label is Markdown and would be read out with its escapes.
            with st.container(horizontal=True, gap="small"):
                st.checkbox(
                    f"Statement {place + 1}",
                    key=f"{key}.statement.{place}",
                    on_change=_choose,
                    args=(listed, key),
                    width="content",
                )
                st.text(statement, width="stretch")


def _choose(listed: tuple[str, ...], key: str) -> None:
    """Put the chosen statements into the field for the argument."""
    chosen = [text for place, text in enumerate(listed) if st.session_state.get(f"{key}.statement.{place}")]
    st.session_state[f"{key}.text"] = " ".join(chosen)[:LONGEST_TEXT]


def _only(turn: Turn) -> str:
    """Return the turn's statement where it has but one."""
    listed = statements_in(without_marks(turn.text))
    return listed[0][:LONGEST_TEXT] if len(listed) == 1 else ""


def _take(desk: TakingDesk, turn: Turn, given: TakenArgument | Proposal | None, name: str, key: str) -> None:
    text, target, author = (str(st.session_state.get(f"{key}.{field}") or "") for field in ("text", "of", "author"))
    side, score = (st.session_state.get(f"{key}.{field}") for field in ("side", "score"))
    missing = [
        what
        for what, absent in (("the argument", not text.strip()), ("whether it is a pro or a con", not side))
        if absent
    ]
    if missing:
        st.session_state[f"{key}.problem"] = f"Please say {' and '.join(missing)}."
        return
    kind = KINDS[str(side)]
    edited = False
    if isinstance(given, Proposal):
        edited = (text, kind, target, author) != (given.text, given.kind, given.target, given.author)
    elif isinstance(given, TakenArgument) and given.model:
        edited = given.edited or (text, kind, target, author or None) != (
            given.text,
            given.kind,
            given.target,
            given.author,
        )
    try:
        desk.take(
            TakenArgument(
                name,
                text.strip() if given is None else text,
                (turn.number, *st.session_state.get(f"{key}.turns", ())),
                kind,
                target,
                author or None,
                score,
                given.model if given else "",
                edited,
                given.quote if given else _quoted(turn, key),
            )
        )
    except MootError as error:
        st.session_state[f"{key}.problem"] = str(error)
        return
    st.session_state[f"{key}.done"] = True


def _turns(given: TakenArgument | Proposal | None, turn: Turn) -> tuple[int, ...]:
    """Return the turns that an argument rests on."""
    return given.turns if isinstance(given, TakenArgument) else (turn.number,)


def _quoted(turn: Turn, key: str) -> str:
    """Return the statements that were chosen, as they stand in the turn; empty for the whole turn."""
    listed = statements_in(without_marks(turn.text))
    chosen = [text for place, text in enumerate(listed) if st.session_state.get(f"{key}.statement.{place}")]
    return "" if len(chosen) == len(listed) else " … ".join(chosen)


__all__ = ["ask"]
