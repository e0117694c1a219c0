"""What a person has taken from a transcript so far, kept as a draft; and proposals, which live in the session alone."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

import streamlit as st

from core.debate import Debate
from core.statements.proposals import Proposal, Refused
from core.statements.taken import TakenArgument
from pages.components import state


@dataclass(frozen=True)
class Reply:
    """What came of the last asking: how many proposals, what was refused and why, what went wrong."""

    model: str
    proposals: int
    refused: tuple[Refused, ...]
    troubles: tuple[str, ...]


@dataclass(frozen=True)
class TakingDesk:
    """The arguments taken from one debate's transcript, and the proposals that wait for a person."""

    debate: Debate

    @property
    def taken(self) -> tuple[TakenArgument, ...]:
        """Return what was taken, in order; on first use the draft, as far as the transcript still has its turns."""
        kept: tuple[TakenArgument, ...] | None = st.session_state.get(self.name("taken"))
        if kept is None:
            last = len(self.debate.transcript)
            draft = state.statement_drafts().get(self.debate.id)
            kept = tuple(one for one in draft if all(number <= last for number in one.turns))
            numbers = [int(one.id[1:]) for one in kept if re.fullmatch(r"S\d{1,6}", one.id)]
            st.session_state[self.name("number")] = max(numbers, default=0)
            st.session_state[self.name("taken")] = kept
        return kept

    @property
    def waiting(self) -> tuple[Proposal, ...]:
        """Return the proposals that were neither accepted nor rejected."""
        kept: dict[str, Proposal] = st.session_state.get(self.name("waiting"), {})
        return tuple(kept.values())

    @property
    def begun(self) -> bool:
        """Return whether there is anything here."""
        return bool(self.taken or self.waiting)

    @property
    def reply(self) -> Reply | None:
        """Return what came of the last asking."""
        kept: Reply | None = st.session_state.get(self.name("reply"))
        return kept

    def next_id(self) -> str:
        """Return an id for an argument taken by hand that none has had."""
        number = int(st.session_state.get(self.name("number"), 0)) + 1
        return f"S{number}"

    @property
    def version(self) -> int:
        """Return how often something was taken: what is opened anew has a number of its own."""
        return int(st.session_state.get(self.name("version"), 0))

    def take(self, argument: TakenArgument) -> None:
        """Take an argument, or put it in the place of the one with its id; a proposal of that id waits no longer."""
        others = self.taken
        if any(one.id == argument.id for one in others):
            kept = tuple(argument if one.id == argument.id else one for one in others)
        else:
            kept = (*others, argument)
            if argument.id == self.next_id():
                st.session_state[self.name("number")] = int(argument.id.removeprefix("S"))
        self._keep(kept)
        st.session_state[self.name("version")] = self.version + 1
        self.reject(argument.id)

    def drop(self, name: str) -> None:
        """Take an argument back; what bears on it stays, and is said to lack it."""
        self._keep(tuple(one for one in self.taken if one.id != name))

    def offer(self, proposals: Iterable[Proposal]) -> None:
        """Let proposals wait for a person; one that was offered before keeps its id and does not come again."""
        offered = tuple(proposals)
        waiting: dict[str, Proposal] = dict(st.session_state.get(self.name("waiting"), {}))
        known: dict[tuple[str, int, str], str] = dict(st.session_state.get(self.name("known"), {}))
        for one in self.taken:  # a draft may hold some from an earlier session
            if one.model:
                known.setdefault((one.model, one.turns[0], one.text), one.id)
        ids = {*known.values(), *(one.id for one in self.taken)}
        names: dict[str, str] = {}
        new = []
        for proposal in offered:
            same = (proposal.model, proposal.turn, proposal.text)
            if same not in known:
                name = proposal.id
                while name in ids:  # another model's, or of other turns
                    name += "b"
                ids.add(name)
                known[same] = name
                new.append(proposal)
            names[proposal.id] = known[same]
        for proposal in new:
            name = names[proposal.id]
            waiting[name] = replace(proposal, id=name, target=names.get(proposal.target, proposal.target))
        st.session_state[self.name("waiting")] = waiting
        st.session_state[self.name("known")] = known

    def tell(self, reply: Reply) -> None:
        """Keep what came of an asking, to be said until the next."""
        st.session_state[self.name("reply")] = reply

    def accept(self, proposal: Proposal) -> None:
        """Take a proposal as it is."""
        self.take(proposal.taken())

    def reject(self, name: str) -> None:
        """Let a proposal wait no longer."""
        waiting = dict(st.session_state.get(self.name("waiting"), {}))
        if waiting.pop(name, None) is not None:
            st.session_state[self.name("waiting")] = waiting

    def reject_all(self) -> None:
        """Let no proposal wait any longer."""
        st.session_state.pop(self.name("waiting"), None)

    def forget(self) -> None:
        """Begin anew, after what was taken is stored."""
        self._keep(())
        for what in ("taken", "waiting", "number", "known", "reply"):
            st.session_state.pop(self.name(what), None)

    def _keep(self, taken: tuple[TakenArgument, ...]) -> None:
        st.session_state[self.name("taken")] = taken
        state.statement_drafts().keep(self.debate.id, taken)

    def name(self, what: str) -> str:
        """Return the session's key for something of this desk; widget keys begin with it too."""
        return f"statements.{what}|{self.debate.id}"


__all__ = ["Reply", "TakingDesk"]
