"""How often agents and judges are right after each round, over the debates that a comparison looks at."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.comparison_report import Comparison
from core.judgement import DecisionRule
from core.rounds.figures import accuracy_chart
from core.wording import several
from pages.components import exports, state, theme
from pages.components.text import plain
from storage.content_stamp import content_stamp
from storage.judge_catalogue import Candidate
from storage.round_verdicts import Material, NamedJudge, accuracy_of, round_counts

ROUNDS = "compare.rounds"


def show(of: Comparison, judges: Sequence[Candidate]) -> None:
    """Draw the accuracy after each round of the agents' own stances, and of the judges picked."""
    st.header("Accuracy by round")
    if state.labels_hidden():
        st.info("Gold labels are hidden, so there is no accuracy.")
        return
    ids = tuple(map(str, of.population.grid.debates))
    counts = round_counts(state.database(), ids)
    if not counts:
        st.info("No debate here has more than one round.")
        return
    rounds = _rounds(counts)
    named = [NamedJudge(name, judge) for name, judge in zip(of.names, judges, strict=True)]
    preferences = state.preferences()
    found = _material(
        str(state.database().path),
        content_stamp(state.database()),
        ids,
        rounds,
        tuple((one.name, one.judge.id) for one in named),
        preferences.rule,
        preferences.anonymise,
        named,
    )
    st.markdown(f"**Debates of {rounds} rounds: {plain(found.found.sentence)}**")
    st.caption(
        "The agents by their own stances, and of the judges picked those that judge every round: semantics and votes "
        "judge each anew. Whiskers are Wilson's 95 % intervals."
    )
    _silent(found)
    if found.found.table.empty:
        st.info("None of these debates has a gold label and a verdict after every round.")
        return
    exports.chart(accuracy_chart(found.found, theme.palette()), f"{of.dataset} accuracy by round", ROUNDS)


def _rounds(counts: dict[int, int]) -> int:
    options = list(counts)
    most = max(options, key=lambda count: (counts[count], count))
    if len(options) == 1:
        return most
    chosen = st.selectbox(
        "Debates of",
        options,
        index=options.index(most),
        format_func=lambda count: f"{count} rounds ({several(counts[count], 'debate')})",
        key=f"{ROUNDS}.count",
        help="Of one length, so that every round rests on the same debates",
    )
    return most if chosen is None else int(chosen)


@st.cache_data(max_entries=8, show_spinner="Judging every round")
def _material(
    path: str,
    stamp: str,
    ids: tuple[str, ...],
    rounds: int,
    judges: tuple[tuple[str, str], ...],
    rule: DecisionRule,
    anonymise: bool,
    _judges: Sequence[NamedJudge],
) -> Material:
    return accuracy_of(state.database(), ids, rounds, _judges, rule, anonymise=anonymise)


def _silent(found: Material) -> None:
    """Say who has no line, and why."""
    if found.last_round_only:
        names = "; ".join(found.last_round_only)
        st.info(plain(f"No line for {names}: a language model is asked about the last round alone."))
    if found.found.silent:
        names = "; ".join(found.found.silent)
        st.info(plain(f"No line for {names}: on no labelled debate is there a verdict after every round."))
    if found.agents_left_out:
        st.caption(f"{several(found.agents_left_out, 'agent')} with fewer debates not drawn.")


__all__ = ["show"]
