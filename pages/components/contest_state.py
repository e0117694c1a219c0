"""A contestation in progress: its edits in the session, kept as a draft in the database after every change."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, TypeVar

import streamlit as st

from core.contestation import Contestation, Contested, Edit, contest
from core.debate import Debate
from core.errors import InvalidEdit
from core.history import History
from core.judgement import Judgement
from core.judges.semantics_judge import SemanticsJudge
from core.llm.circumstances import Circumstances
from core.opinion import OpinionProfile
from core.rejudging import judgements
from pages.components import state

Value = TypeVar("Value")


@dataclass(frozen=True)
class Desk:
    """What is contested here: one round of one debate, from the start or from a saved contestation.

    Attributes:
        debate: The debate.
        round_number: The round judged; None where the debate has no rounds.
        profile: The original profile of that round.
        base: The saved contestation looked at, if any; its edits are where this desk starts.
    """

    debate: Debate
    round_number: int | None
    profile: OpinionProfile
    base: Contestation | None = None
    _known: dict[str, tuple[Any, Any]] = field(default_factory=dict, repr=False, compare=False)

    @property
    def key(self) -> str:
        """Return a name for this desk, unique in a session; widget keys start with it.

        It has the content in it: a debate that was imported anew under its old id begins afresh.
        """
        return f"{self.debate.id}|{self.round_number}|{self.base.id if self.base else ''}|{self._content}"

    @functools.cached_property
    def _content(self) -> str:
        held = repr((self.profile, Circumstances.of(self.debate, self.round_number)))  # all that a judge is told
        return hashlib.sha256(held.encode("utf-8", "backslashreplace")).hexdigest()[:12]

    @property
    def start(self) -> History:
        """Return the history this desk begins with."""
        return History(self.base.edits if self.base else ())

    # --- the edits -------------------------------------------------------------------------------------------------

    @property
    def history(self) -> History:
        """Return the edits so far; on first use the draft kept in the database, if there is one."""
        kept: History | None = st.session_state.get(self._name("history"))
        if kept is None:
            kept = self._resumed()
            st.session_state[self._name("history")] = kept
        return kept

    @property
    def contested(self) -> Contested:
        """Return the profile after the edits so far."""
        edits = self.history.edits
        return self.once("contested", edits, lambda: contest(self.profile, edits))

    def original_judgements(self, judges: tuple[SemanticsJudge, ...]) -> tuple[Judgement, ...]:
        """Return what judges say of the original profile, which no edit changes."""
        return self.once("judgements", judges, lambda: judgements(self.profile, judges))

    @property
    def changed(self) -> bool:
        """Return whether there are edits that are not saved."""
        return self.history.edits != self.start.edits

    def push(self, edit: Edit) -> None:
        """Add an edit; one that does not apply leaves everything as it is and is explained on screen."""
        self._change(lambda history: history.push(edit))

    def push_all(self, edits: Iterable[Edit]) -> None:
        """Add several edits, all or none; each can be undone on its own."""
        together = tuple(edits)
        self._change(lambda history: functools.reduce(History.push, together, history))

    def undo(self) -> None:
        """Take the last edit back."""
        self._change(History.undo)

    def redo(self) -> None:
        """Put back the edit taken back last."""
        self._change(History.redo)

    def drop(self, position: int) -> None:
        """Take one edit out of the middle, counted from 0."""
        self._change(lambda history: history.without(position))

    def reset(self) -> None:
        """Go back to where this desk started; redo brings the edits back one by one."""
        start = self.start.edits
        self._change(lambda history: History(start, (*history.edits[len(start) :], *history.undone)))

    def replace(self, edits: tuple[Edit, ...]) -> None:
        """Take over other edits, such as those of another tab."""
        self._change(lambda _: History(edits))

    def forget(self) -> None:
        """Drop the draft, after its edits were saved."""
        st.session_state.pop(state.UNKEPT, None)
        state.drafts().drop(self._draft_id, st.session_state.get(self._name("version")))
        for name in ("history", "version", "conflict", "resumed", "problem", "selected"):
            st.session_state.pop(self._name(name), None)

    def _change(self, change: Callable[[History], History]) -> None:
        before = self.history
        after = change(before)
        if after == before:
            return
        try:
            contest(self.profile, after.edits)
        except InvalidEdit as error:
            self.refuse(str(error))
            return
        st.session_state.pop(self._name("problem"), None)
        st.session_state[self._name("history")] = after
        st.session_state[state.UNKEPT] = self

    def refuse(self, why: str) -> None:
        """Say on screen why something was not done, until the next change."""
        st.session_state[self._name("problem")] = why

    @property
    def problem(self) -> str | None:
        """Return why the last change was refused, if it was."""
        return st.session_state.get(self._name("problem"))

    # --- selection -------------------------------------------------------------------------------------------------

    @property
    def selected(self) -> str | None:
        """Return the selected argument's id, if it is still there."""
        chosen = st.session_state.get(self._name("selected"), st.query_params.get(state.ARGUMENT))
        return chosen if chosen in self.contested.everything.by_id else None

    def select(self, argument: str | None) -> None:
        """Select an argument."""
        st.session_state[self._name("selected")] = argument
        if argument is None:
            st.query_params.pop(state.ARGUMENT, None)
        else:
            st.query_params[state.ARGUMENT] = argument

    def select_first(self, arguments: list[str]) -> None:
        """Select the first of the arguments marked in a chart; with none marked the selection stays."""
        if arguments and arguments[0] in self.contested.everything.by_id:
            self.select(arguments[0])

    # --- drafts ----------------------------------------------------------------------------------------------------

    @property
    def resumed(self) -> int:
        """Return how many unsaved edits were found on opening."""
        return int(st.session_state.get(self._name("resumed"), 0))

    @property
    def conflict(self) -> bool:
        """Return whether another tab has kept other edits of this debate since."""
        return bool(st.session_state.get(self._name("conflict")))

    def take_theirs(self) -> None:
        """Take over the edits that another tab kept."""
        draft = state.drafts().draft(self._draft_id)
        st.session_state.pop(self._name("conflict"), None)
        if draft is not None:
            st.session_state[self._name("version")] = draft.version
            st.session_state[self._name("history")] = History(draft.edits)

    def keep_mine(self) -> None:
        """Keep this tab's edits as the draft."""
        draft = state.drafts().draft(self._draft_id)
        st.session_state.pop(self._name("conflict"), None)
        st.session_state[self._name("version")] = draft.version if draft is not None else 0
        self._keep_draft(self.history)

    def keep(self) -> None:
        """Keep the edits as the draft, if there are any that are not kept yet."""
        self._keep_draft(self.history)

    @property
    def _draft_id(self) -> str:
        # One draft for each round, and one for each contestation that is gone on from.
        place = f"round {self.round_number}" if self.base is None else self.base.id
        return f"{self.debate.id}#{place}"

    def _resumed(self) -> History:
        draft = state.drafts().draft(self._draft_id)
        st.session_state[self._name("version")] = draft.version if draft is not None else 0
        if draft is None or draft.round_number != self.round_number:
            return self.start
        try:
            contest(self.profile, draft.edits)
        except InvalidEdit:  # the debate was imported anew with other arguments
            return self.start
        st.session_state[self._name("resumed")] = len(draft.edits)
        return History(draft.edits)

    def _keep_draft(self, history: History) -> None:
        st.session_state.pop(state.UNKEPT, None)
        if self.conflict:
            return
        drafts = state.drafts()
        if not drafts.kept:
            return
        kept = drafts.save(
            self._draft_id,
            self.round_number,
            history.edits,
            st.session_state.get(self._name("version"), 0),
        )
        if kept.conflict:
            st.session_state[self._name("conflict")] = True
        else:
            st.session_state[self._name("version")] = kept.version

    def once(self, what: str, given: Any, made: Callable[[], Value]) -> Value:
        """Return a value made of what is given, and the same one as long as that stays."""
        known = self._known.get(what)
        if known is None or known[0] != given:
            known = self._known[what] = (given, made())
        value: Value = known[1]
        return value

    def _name(self, what: str) -> str:
        return f"desk.{what}|{self.key}"


def keep_drafts() -> None:
    """Keep the last edits as a draft.

    Writing takes longer than judging, so it comes after drawing; the next run makes up for one that was cut short.
    """
    desk: Desk | None = st.session_state.get(state.UNKEPT)
    if desk is not None:
        desk.keep()


def unwritten() -> str:
    """Return what to say where unsaved edits cannot be written at present; empty while they can."""
    why = state.drafts().trouble
    return f"Unsaved edits cannot be written: {why} They are held until Moot is closed, and tried again." if why else ""
