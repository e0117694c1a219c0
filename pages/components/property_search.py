"""The search for a violation on one debate, from any cell: what is wanted, what it may take, and what it found."""

from __future__ import annotations

import streamlit as st

from core.errors import MootError
from core.experiments.source import Source
from core.judges.recorded_judge import RecordedJudge
from core.properties.debate_set import Loaded
from core.properties.falsifier import CALL_BUDGET, LOCAL_BUDGET, Falsification, Goal, falsify
from core.properties.witness import Witness
from core.roles import Permission
from core.runs.plan import Budget
from core.runs.progress import effort_line
from core.wording import several, shortened
from pages.components import property_witness, run_form, state
from pages.components.property_results import Cell
from pages.components.text import plain
from storage.prompt_files import find_prompts, load_prices
from storage.property_bench import Described
from storage.property_debates import claims_of
from storage.property_search import PropertySearch

FOUND = "property.search"
MOST_DEBATES = 2_000  # that can be chosen from
MOST_QUESTIONS = 20_000
GOALS = {
    Goal.SMALLEST: "the one that needs the least change",
    Goal.STRIKING: "the one that turns the verdict, or else moves the score furthest",
}


def show(cell: Cell, source: Source, threshold: float) -> None:
    """Draw the search; nothing where the judge cannot be asked."""
    judge = cell.judge.judge
    if isinstance(judge, RecordedJudge | Described) or (cell.judge.model is not None and source.simulated):
        return
    name = f"{cell.judge.id}.{cell.checked.key}"
    box = st.expander("Search for a violation on one debate", key=f"search|{name}", on_change="rerun")
    if not box.open:
        return
    with box:
        st.caption(
            "Beyond the changes that the test makes: other sizes, orders, settings and repeats, until the best one is "
            "found or the questions are used up. The same search finds the same; finding none proves nothing."
        )
        debate = _debate(cell, source, name)
        if debate is None:
            return
        left, right = st.columns(2, gap="large")
        with left:
            goal = st.radio(
                "Which violation", list(GOALS), format_func=lambda one: f"{one.value}: {GOALS[one]}", key=f"goal|{name}"
            )
            usual = LOCAL_BUDGET if cell.judge.model is None else CALL_BUDGET
            questions = st.number_input(
                "Questions, at most", 2, MOST_QUESTIONS, usual, key=f"questions|{name}", help="Different ones"
            )
        with left if cell.judge.model is None else right:  # what a language model takes stands beside it
            _start(cell, source, debate, Goal(str(goal)), int(questions), name)
        _found(cell, source, threshold, name)


def _debate(cell: Cell, source: Source, name: str) -> str | None:
    """Return the debate to search on: first those on which violations were found."""
    debates = state.tested_debates(source)
    first = list(dict.fromkeys(one.debate for one in cell.result.witnesses if one.debate in debates.ids))
    options = [*first, *(one for one in debates.ids if one not in set(first))][:MOST_DEBATES]
    claims = claims_of(state.database(), tuple(options))
    violated = set(first)
    chosen = st.selectbox(
        "Debate",
        options,
        format_func=lambda one: f"{'✕ ' if one in violated else ''}{shortened(claims.get(str(one), str(one)), 90)}",
        key=f"searched|{name}|{source.key}",
        help="Those on which the test found a violation stand first, with a ✕.",
    )
    return None if chosen is None else str(chosen)


def _start(cell: Cell, source: Source, debate: str, goal: Goal, questions: int, name: str) -> None:
    model, limits, disabled = cell.judge.model, Budget(), False
    try:
        debates = state.tested_debates(source)
        loaded = debates.load(debates.ids.index(debate))
        if model is not None:
            if not state.may(Permission.RUN):
                st.caption("Asking language models needs the role of a reviewer.")
                return
            prices = load_prices()
            takes = PropertySearch(state.database(), prices).estimate(model, loaded, questions)
            effort = effort_line(takes.calls, takes.tokens, takes.cost, prices.currency)
            st.markdown(f"**It takes at most {plain(effort)}.**")
            st.caption("Replies that are stored are not asked for again. Leaving the page ends the search.")
            limits = run_form.budget(f"limits|{name}", Budget(money=run_form.DOLLARS if takes.cost else None))
            disabled = run_form.key_lacking(model.endpoint)
        label = "Search" if model is None else f"Search: at most {several(questions * model.repeats, 'call')}"
        if st.button(label, key=f"start|{name}", disabled=disabled):
            st.session_state[FOUND] = (name, debate, goal, _searched(cell, debate, loaded, goal, questions, limits))
    except MootError as error:
        st.error(plain(str(error)))


def _searched(cell: Cell, debate: str, loaded: Loaded, goal: Goal, questions: int, limits: Budget) -> Falsification:
    slot = st.empty()

    def watch(done: int, most: int) -> None:
        if cell.judge.model is not None or done % 50 == 0:
            slot.progress(done / most, f"{done:,} of at most {several(most, 'question')}")

    judge, seed = cell.judge.judge, cell.result.seed
    try:
        if cell.judge.model is None:
            return falsify(
                cell.result.checked,
                judge,  # type: ignore[arg-type]
                debate,
                loaded,
                goal=goal,
                budget=questions,
                seed=seed,
                prompts=find_prompts,
                watch=watch,
            )
        asking = PropertySearch(state.database(), load_prices(), person=state.person())
        return asking.search(
            cell.result.checked,
            cell.judge.model,
            debate,
            loaded,
            goal=goal,
            questions=questions,
            limits=limits,
            seed=seed,
            watch=watch,
        )
    finally:
        slot.empty()


def _found(cell: Cell, source: Source, threshold: float, name: str) -> None:
    held = st.session_state.get(FOUND)
    if held is None or held[0] != name:
        return
    _, _, goal, found = held
    asked = (
        f"{several(found.questions, 'question')}{'' if found.complete or found.note else ', then they were used up'}"
    )
    if found.note:
        st.warning(plain(f"The search ended early: {found.note}"))
    if found.witness is None or found.size is None:
        st.info(f"The search found none ({asked}), which proves nothing.")
        return
    witness: Witness = found.witness
    st.info(
        f"The {goal.value} that was found: {plain(witness.second.label)}; size of the change {found.size:.6g}; {asked}."
    )
    property_witness.show(cell, witness, source, threshold, key="found")


__all__ = ["show"]
