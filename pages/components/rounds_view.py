"""A debate over its rounds: where agents and judges stand, what changed, and who moved towards whom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from core.debate import Debate
from core.judgement import Judgement
from core.judges.semantics_judge import Setting
from core.preferences import Preferences
from core.rounds.figures import trajectory_chart
from core.rounds.tables import judged_table
from core.rounds.trajectory import judged_rounds, trajectory
from core.semantics import SEMANTICS
from pages.components import (
    agent_names,
    debate_views,
    exports,
    pages,
    rounds_changes,
    rounds_moves,
    state,
    theme,
)
from pages.components.compare_debate_link import BY_ROUND, TAB

PART = "part"
HELD = "What was held"
PARTS = ("Stances and scores", "What changed", "Who moved", HELD)
MOST_LINKS = 12


def show(debate: Debate, preferences: Preferences, round_number: int | None) -> None:
    """Draw a debate round by round; where it has several, what happens over them first.

    Args:
        debate: The debate.
        preferences: How it is judged and shown.
        round_number: The round judged elsewhere on the page.
    """
    part = HELD
    if len(debate.rounds) > 1:
        part = str(
            st.segmented_control(
                "What to show of the rounds",
                PARTS,
                default=PARTS[0],
                required=True,
                key=PART,
                bind="query-params",
                label_visibility="collapsed",
            )
        )
    names = agent_names.of(debate, preferences)
    match part:
        case "Stances and scores":
            _scores(debate, preferences, names, round_number)
        case "What changed":
            rounds_changes.show(debate, names)
        case "Who moved":
            rounds_moves.towards(debate, names)
        case _:
            debate_views.rounds(debate, preferences)


def _scores(debate: Debate, preferences: Preferences, names: Mapping[str, str], round_number: int | None) -> None:
    st.header("Stances and scores by round")
    judged = _judged(debate, preferences)
    apart = any(said.parts for listed in judged.values() for said in listed)
    found = trajectory(debate, judged, preferences.rule.threshold, parts=apart)
    exports.chart(trajectory_chart(found, theme.palette(), names), f"{debate.id} trajectory", f"trajectory|{debate.id}")
    _judged_rounds(debate, judged, round_number)
    rounds_moves.agreement(debate, preferences.rule)


def _judged(debate: Debate, preferences: Preferences) -> dict[str, tuple[Judgement, ...]]:
    """Let the judges be chosen, and return what each says of every round, by what it is called here."""
    known = {SEMANTICS[judge.semantics].label: judge for judge in preferences.all_judges()}
    first = [SEMANTICS[judge.semantics].label for judge in preferences.pinned_judges()]
    chosen = st.multiselect(
        "Judges",
        list(known),
        default=first,
        key=f"rounds.judges|{debate.id}",
        help="Each judges every round anew, under the judge settings above. With one QBAF per agent, each agent's "
        "strength of the claim is drawn too.",
    )
    setting = "" if preferences.setting is Setting.COMBINED else ", separate"
    return {f"{name}{setting}": judged_rounds(debate, known[name]) for name in chosen}


def _judged_rounds(debate: Debate, judged: Mapping[str, Sequence[Judgement]], round_number: int | None) -> None:
    numbers = [step.number for step in debate.rounds]
    if judged:
        table = judged_table(numbers, judged)
        st.dataframe(
            table,
            hide_index=True,
            column_order=[name for name in table.columns if not name.endswith(", score")],
            alt=f"What {len(judged)} judges say after each of {len(numbers)} rounds",
        )
        exports.table(table, f"{debate.id} judged by round", "rounds.judged.export")
    shown = numbers if len(numbers) <= MOST_LINKS else [round_number if round_number is not None else numbers[-1]]
    with st.container(horizontal=True, vertical_alignment="center"):
        for number in shown:
            st.page_link(
                pages.contest(),
                label=f"Contest round {number}",
                query_params={**state.link(debate.id), state.ROUND: str(number)},
            )
        st.page_link(pages.compare(), label="Accuracy by round, over all debates", query_params={TAB: BY_ROUND})


__all__ = ["show"]
