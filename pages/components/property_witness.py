"""One violation: the two questions side by side, what was changed, and ways on: contest, report, search, link."""

from __future__ import annotations

import streamlit as st

from core.contestation import contest
from core.debate import Debate, profile
from core.errors import MootError
from core.experiments.source import Source
from core.judges.recorded_judge import RecordedJudge
from core.opinion import OpinionProfile
from core.overview import Scored
from core.properties.falsifier import Goal, falsify
from core.properties.trial import BASELINE
from core.properties.witness import Witness, replayed
from core.report.items import PropertyWitness
from core.wording import edit_sentence, number, score_text, several, shortened, signed
from pages.components import chips, pages, property_contest, report_basket, state
from pages.components.contest_state import Desk
from pages.components.property_results import Cell
from pages.components.text import plain
from storage.prompt_files import find_prompts

MOST_EDITS = 20
MOST_MOVED = 40
SEARCHED = "property.searched"


def show(cell: Cell, witness: Witness, source: Source, threshold: float, key: str = "violation") -> None:
    """Draw a violation, with its change and what can be done with it; ``key`` tells two on a page apart."""
    stored = None if source.simulated else state.debate_or_none(witness.debate)
    held = _profile(witness, source, stored)
    with st.container(border=True, key=key):
        with st.container(key=f"claim.{key}"):
            st.text(stored.claim if stored is not None else held.claim if held is not None else witness.debate)
        left, right = st.columns(2)
        for column, word, trial, said in (
            (left, "Before", witness.first, witness.before),
            (right, "After", witness.second, witness.after),
        ):
            with column.container(border=True):
                st.markdown(f"**{word}**: {plain(trial.label)}")
                st.markdown(_chip(said, threshold))
        turned = ", and the verdict turned" if witness.flipped else ""
        if witness.change is not None and witness.first != witness.second:
            st.markdown(f"The score changed by **{signed(witness.change)}**{turned}.")
        if held is None:
            st.warning("This debate is not in the database any more.")
            return
        _change(witness, held)
        if stored is not None:
            _ways_on(cell, witness, stored, held, key)
        _again(cell, witness, source, held, key)


def _profile(witness: Witness, source: Source, stored: Debate | None) -> OpinionProfile | None:
    if stored is not None:
        return profile(stored)
    if not source.simulated:
        return None
    debates = state.tested_debates(source)
    return debates.load(debates.ids.index(witness.debate))[0] if witness.debate in debates.ids else None


def _chip(said: Scored, threshold: float) -> str:
    chip = chips.chip_markdown(said.verdict, said.score, said.status, threshold)
    exact = "" if said.score is None else f" score {score_text(said.score, threshold)}"
    return f"{chip}{exact}"


def _change(witness: Witness, held: OpinionProfile) -> None:
    if witness.first == witness.second:
        agents = "; ".join(
            f"{shortened(one.agent_id, 30)} {number(one.posterior if one.posterior is not None else one.prior)}"
            for one in held.stances
        )
        st.caption(f"Stances of the agents: {plain(agents)}.")
        return
    edits = witness.edits(held)
    if edits is None:
        st.caption("The change is one of what the judge is told, and not of arguments or their base scores.")
        return
    if not edits:
        return
    texts = {argument.id: argument.text for argument in held.arguments}
    for edit in edits[:MOST_EDITS]:
        st.text(f"{edit_sentence(edit)} {shortened(texts.get(edit.argument, ''), 120)}".strip())
    after = {one.id: one.base_score for one in contest(held, edits).profile.arguments}
    moved = [
        (one.id, shortened(one.text, 100), number(one.base_score, 3), number(after[one.id], 3))
        for one in held.arguments
        if one.id in after and after[one.id] != one.base_score
    ]
    if moved:
        with st.expander(f"Base scores before and after ({len(moved)})"):
            st.dataframe(
                {name: [row[place] for row in moved[:MOST_MOVED]] for place, name in enumerate(_MOVED)},
                hide_index=True,
                alt="Base scores that the change moves, before and after it",
            )


_MOVED = ("Argument", "Text", "Before", "After")


def _ways_on(cell: Cell, witness: Witness, stored: Debate, held: OpinionProfile, key: str) -> None:
    edits = (witness.edits(held) or ()) if witness.first != witness.second else ()
    desk = Desk(stored, stored.rounds[-1].number if stored.rounds else None, held)
    others = len(desk.history.edits) if edits and desk.history.edits != edits else 0
    shown = property_contest.preferences_for(cell.judge.judge, state.preferences())
    with st.container(horizontal=True, vertical_alignment="center"):
        report_basket.add(PropertyWitness(witness.to_json(), dict(cell.result.settings)), key)
        if edits and st.button(
            "Open in Contest in place of my edits" if others else "Open in Contest",
            key=f"{key}.contest",
            help="With the change as edits that are not saved yet"
            + ("" if shown is None else ", and this judge as the main one until you choose another"),
        ):
            property_contest.open_with(desk, edits, shown)
            st.switch_page(pages.contest(), query_params=state.link(stored.id))
        st.page_link(pages.debate(), label="Read the debate", query_params=state.link(stored.id))
    if others:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"This debate has {several(others, 'unsaved edit')} of yours, which would be dropped.")
            st.page_link(pages.contest(), label="See and save them first", query_params=state.link(stored.id))
    if edits and shown is None:
        main = plain(state.preferences().judge().name)
        st.caption(f"Contest has the same edits, but its scores are of its main judge ({main}), not of this one.")
    if edits and witness.first != BASELINE:
        st.caption(f"Contest compares with the debate as recorded, not with {plain(witness.first.label)}.")


def _again(cell: Cell, witness: Witness, source: Source, held: OpinionProfile, key: str) -> None:
    """Offer to judge both again, and to search for a smaller violation, where the judge judges here."""
    judge = cell.judge.judge
    if not cell.judge.local or isinstance(judge, RecordedJudge):
        st.caption("To ask this model again about the same change, open it in Contest.")
        return
    with st.container(horizontal=True):
        replay = st.button("Judge both again", key=f"{key}.replay")
        smaller = key == "violation" and st.button(
            "Search for the smallest violation",
            key=f"{key}.search",
            help="Up to 2,000 different questions about this debate; the same search finds the same",
        )
    try:
        if replay:
            before, after = replayed(witness, judge, held, find_prompts)
            same = Scored.of(before) == witness.before and Scored.of(after) == witness.after
            st.success(
                "Judged again: the same scores, to the last bit."
                if same
                else f"Judged again, and not the same: {number(before.score, 6)} and {number(after.score, 6)}."
            )
        if smaller:
            debates = state.tested_debates(source)
            loaded = debates.load(debates.ids.index(witness.debate))
            with st.spinner("Searching"):
                found = falsify(
                    cell.result.checked,
                    judge,
                    witness.debate,
                    loaded,
                    goal=Goal.SMALLEST,
                    seed=witness.seed,
                    prompts=find_prompts,
                )
            st.session_state[SEARCHED] = (witness, found)
    except MootError as error:
        st.error(plain(str(error)))
        return
    kept = st.session_state.get(SEARCHED)
    if kept is None or kept[0] != witness:
        return
    found = kept[1]
    asked = f"{found.questions:,} questions{'' if found.complete else ', then the budget was used up'}"
    if found.witness is None or found.size is None:
        st.info(f"The search found none ({asked}), which proves nothing.")
        return
    size = f"size of the change {found.size:.6g}"
    st.info(f"The smallest that was found: {plain(found.witness.second.label)}; {size}; {asked}.")
    columns = st.columns(2)
    for column, said in zip(columns, (found.witness.before, found.witness.after), strict=True):
        column.markdown(chips.chip_markdown(said.verdict, said.score, said.status))
    if not source.simulated:
        item = PropertyWitness(found.witness.to_json(), dict(cell.result.settings))
        report_basket.add(item, "violation.smallest", label="Add this one to report")


__all__ = ["show"]
