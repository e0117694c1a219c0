"""Who moved towards whom over the rounds, and how far the agents came together."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from core.debate import Debate
from core.judgement import DecisionRule
from core.rounds.agreement import spreads
from core.rounds.persuasion import drawn, moves
from core.rounds.stances import saw_others
from core.rounds.tables import approach_table, drawn_table, move_table, spread_sentence, spread_table
from pages.components import exports
from pages.components.text import plain

MEASURE = (
    "Gap closed: how much of the distance to where the other agent stood before the round is gone after it. 100 % "
    "means that the agent came to stand exactly there, below 0 % that it moved away. It says where agents moved, not "
    "why: two may move alike after reading the same argument, or by chance."
)


def towards(debate: Debate, names: Mapping[str, str]) -> None:
    """Draw every agent's move in each round with whom it came nearest, and each agent's way towards each other."""
    st.header("Who moved towards whom")
    found = moves(debate)
    if not found:
        st.caption("No agent's stance is known both before and after a round.")
        return
    st.caption(MEASURE)
    alone = [number for number in dict.fromkeys(move.number for move in found) if not _met(debate, number)]
    if alone:
        rounds = ", ".join(map(str, alone))
        st.caption(f"Round {rounds}: the agents had seen nothing of each other yet, so no approach is told.")
    st.dataframe(
        move_table(found, names),
        hide_index=True,
        column_config={
            "Stance before": st.column_config.NumberColumn(format="%.2f"),
            "Stance after": st.column_config.NumberColumn(format="%.2f"),
            "Moved": st.column_config.NumberColumn(format="%+.2f"),
            "Gap closed %": st.column_config.NumberColumn(format="%.0f"),
        },
        placeholder="–",
        alt=f"The agents' {len(found)} moves, each with the agents to whom it came nearest",
    )
    ways = drawn_table(drawn(found), names)
    if len(ways):
        st.subheader("Over all rounds")
        st.dataframe(
            ways,
            hide_index=True,
            column_config={
                "Came nearer by": st.column_config.NumberColumn(
                    format="%+.2f", help="Distance gone over these rounds together; below 0 the agent moved away"
                ),
                "Rounds": st.column_config.NumberColumn(help="In which both stances were known and lay apart"),
                "Nearest in": st.column_config.NumberColumn(
                    help="Rounds in which it closed the largest share of its gap to this agent"
                ),
            },
            alt="How much nearer each agent came to each other agent over all rounds",
        )
    exports.table(approach_table(found, names), f"{debate.id} moves", "rounds.moves.export", "Download all moves")


def _met(debate: Debate, number: int) -> bool:
    return saw_others(debate, [step.number for step in debate.rounds].index(number))


def agreement(debate: Debate, rule: DecisionRule) -> None:
    """Draw how far the agents' stances lie apart before the debate and after every round."""
    st.header("Agreement of the agents")
    found = spreads(debate, rule)
    st.markdown(f"**{plain(spread_sentence(found))}**")
    table = spread_table(found)
    st.dataframe(
        table,
        hide_index=True,
        column_order=[name for name in table.columns if name != "Uncertain" or table[name].any()],
        column_config={
            name: st.column_config.NumberColumn(format="%.2f")
            for name in ("Mean", "Highest less lowest", "Standard deviation")
        },
        placeholder="–",
        alt=spread_sentence(found),
    )
    exports.table(table, f"{debate.id} agreement", "rounds.agreement.export")


__all__ = ["agreement", "towards"]
