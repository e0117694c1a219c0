"""Arguments that a model proposes for a transcript: asked for when a person wants it, decided one by one."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.errors import MootError
from core.opinion import TOPIC
from core.roles import Permission
from core.runs.plan import Budget
from core.runs.progress import effort_line
from core.statements.proposals import Proposal
from core.statements.proposing import LONGEST_TURN, Batch, Expected, Proposer, batches
from core.statements.turns import Turn
from core.wording import RELATION_SIGN, RELATION_VERB, several
from pages.components import run_form, state, transcript_dialog
from pages.components.text import plain
from pages.components.transcript_state import Reply, TakingDesk
from pages.components.transcript_turn import Speakers
from storage.prompt_files import load_prices
from storage.statement_asking import Asked
from storage.statement_prompts import load_statement_prompts

ALL, PAGE = "the whole transcript", "the turns shown here"
MOST_TOLD = 12  # refused proposals that are told


def show(desk: TakingDesk, turns: Sequence[Turn], shown: Sequence[Turn]) -> None:
    """Draw, behind an expander, the form that asks a model, what came of it, and how many proposals wait.

    Args:
        desk: Where proposals wait.
        turns: All turns.
        shown: Those on this page.
    """
    if not state.may(Permission.RUN):
        return
    box = st.expander("Have a model propose arguments (optional)", key=desk.name("models"), on_change="rerun")
    if box.open:
        with box:
            _form(desk, turns, shown)
    _outcome(desk)


def beside(desk: TakingDesk, turn: Turn, speakers: Speakers) -> None:
    """Draw the proposals for a turn, each with its quote and the ways to decide on it."""
    for proposal in desk.waiting:
        if proposal.turn == turn.number:
            with st.container(border=True):
                _proposal(desk, turn, speakers, proposal)


def _proposal(desk: TakingDesk, turn: Turn, speakers: Speakers, proposal: Proposal) -> None:
    target = "the claim" if proposal.target == TOPIC else proposal.target
    st.caption(
        plain(f"Proposed by {proposal.model}: {proposal.id} {RELATION_VERB[proposal.kind]} {target}. Not taken yet.")
    )
    st.text(f"{RELATION_SIGN[proposal.kind]} {proposal.text}")
    with st.container(key=f"quiet.{desk.name('quote')}|{proposal.id}"):
        st.text(f"It quotes: “{proposal.quote}”")
    if proposal.note:
        st.caption(plain(proposal.note))
    with st.container(horizontal=True):
        key = f"{desk.name('decide')}|{proposal.id}"
        st.button(f"Accept {proposal.id}", key=f"{key}.accept", on_click=desk.accept, args=(proposal,))
        if st.button(f"Edit {proposal.id}…", key=f"{key}.edit"):
            transcript_dialog.ask(desk, turn, speakers, proposal, proposal.id, desk.version)
        st.button(f"Reject {proposal.id}", key=f"{key}.reject", on_click=desk.reject, args=(proposal.id,))


def _form(desk: TakingDesk, turns: Sequence[Turn], shown: Sequence[Turn]) -> None:
    st.caption(
        "The model reads the turns and proposes arguments, each with the words that it rests on. What quotes something "
        "that was not said is thrown away. You accept, edit or reject each; nothing else is stored but the replies."
    )
    left, right = st.columns(2, gap="large")
    try:
        with left:
            endpoint = run_form.endpoint_choice(desk.name("ask"))
            model = st.text_input(
                "Model", key=desk.name("model"), placeholder="Such as gpt-4o, as the endpoint calls it"
            )
            scope = st.radio("Read", [ALL, PAGE], horizontal=True, key=desk.name("scope"))
        parts = batches(turns if scope == ALL else shown)
        if endpoint is None or not model.strip():
            right.caption("Choose an endpoint and a model to see what it takes.")
            return
        proposer = Proposer(endpoint, model.strip(), load_statement_prompts())
        expected = state.statement_asking().expected(proposer, desk.debate.claim, parts)
    except MootError as error:
        st.error(plain(str(error)))
        return
    with right:
        _estimate(expected, parts)
        limits = run_form.budget(desk.name("limits"), Budget(money=run_form.DOLLARS if expected.cost else None))
        there = run_form.key_there(endpoint)
        st.button(
            f"Ask the model ({several(expected.calls, 'call')})" if expected.calls else "Read the stored replies again",
            type="primary",
            key=desk.name("go"),
            disabled=not there or not parts,
            on_click=_begin,
            args=(desk, proposer, parts, limits),
        )
    if desk.name("asked") in st.session_state:
        st.rerun()  # the whole page, which asks


def _estimate(expected: Expected, parts: Sequence[Batch]) -> None:
    effort = effort_line(expected.calls, expected.tokens, expected.cost, load_prices().currency)
    st.markdown(f"**{plain(effort)}**")
    told = [f"{several(expected.turns, 'turn')} in which somebody speaks."]
    if expected.stored:
        told.append(f"{several(expected.stored, 'reply', 'replies')} stored already and not asked for again.")
    told.append("A reply that cannot be read is asked for once again.")
    cut = sum(len(turn.text) > LONGEST_TURN for part in parts for turn in part.turns)
    if cut:
        told.append(f"Of {several(cut, 'very long turn')} only the first {LONGEST_TURN:,} characters are read.")
    st.caption(plain(" ".join(told)))


def _begin(desk: TakingDesk, proposer: Proposer, parts: Sequence[Batch], limits: Budget) -> None:
    st.session_state[desk.name("asked")] = proposer, parts, limits


def carry_out(desk: TakingDesk) -> None:
    """Ask the model if that is what was wanted, drawing how far it is.

    This must stand outside of any fragment: a click in a fragment waits for the run that is under way, while one on the
    page ends it, and with it the asking.
    """
    wanted: tuple[Proposer, Sequence[Batch], Budget] | None = st.session_state.pop(desk.name("asked"), None)
    if wanted is None:
        return
    proposer, parts, limits = wanted
    bar = st.progress(0.0, text="Asking the model")
    st.button("Stop asking", key=desk.name("stop"))

    def told(so_far: Sequence[Asked]) -> None:
        desk.offer(proposal for one in so_far for proposal in one.proposed.proposals)
        bar.progress(len(so_far) / len(parts), text=f"{len(so_far):,} of {several(len(parts), 'part')} read")

    try:
        asked, reason = state.statement_asking().ask(proposer, desk.debate.id, desk.debate.claim, parts, limits, told)
    except MootError as error:
        desk.tell(Reply(proposer.model, 0, (), (str(error),)))
    else:
        desk.tell(_told(proposer, asked, reason))
    st.rerun()


def _told(proposer: Proposer, asked: Sequence[Asked], reason: str) -> Reply:
    troubles = [f"Turn {one.batch.turns[0].number} on: {one.failure}" for one in asked if one.failure]
    troubles += [
        f"Turn {one.batch.turns[0].number} on: {one.proposed.detail}"
        for one in asked
        if one.proposed.problem is not None
    ]
    return Reply(
        proposer.model,
        sum(len(one.proposed.proposals) for one in asked),
        tuple(refused for one in asked for refused in one.proposed.refused),
        (*([f"It stopped early. {reason}"] if reason else []), *troubles),
    )


def _outcome(desk: TakingDesk) -> None:
    reply = desk.reply
    if reply is not None:
        told = f"{reply.model} proposed {several(reply.proposals, 'argument')}"
        refused = f"; {several(len(reply.refused), 'more was', 'more were')} refused" if reply.refused else ""
        st.markdown(plain(f"{told}{refused}."))
        for trouble in reply.troubles[:MOST_TOLD]:
            st.error(plain(trouble))
        if reply.refused:
            with st.expander("What was refused, and why"):
                for one in reply.refused[:MOST_TOLD]:
                    st.text(f"{one.text or '(no text)'}\n{one.why}")
                if len(reply.refused) > MOST_TOLD:
                    st.caption(f"… and {len(reply.refused) - MOST_TOLD:,} more")
    if desk.waiting:
        with st.container(horizontal=True, vertical_alignment="center"):
            count = len(desk.waiting)
            st.info(f"{several(count, 'proposal waits', 'proposals wait')} for you, below the turns that they quote.")
            st.button("Reject all", key=desk.name("none"), on_click=desk.reject_all)


__all__ = ["beside", "carry_out", "show"]
