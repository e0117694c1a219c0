"""How properties and accuracy behave in simulated debates, from few agents to many and from one round to several."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from core.comparison_report import NamedTable
from core.properties.registry import PROPERTIES, usual_properties
from core.property_report import growth_chart
from core.simulation.behaviour import AGENTS, ROUNDS, behaviour
from core.simulation.settings import Simulation
from core.table_export import Table
from pages.components import property_files, state
from pages.components.property_judges import names_of
from pages.components.property_source import KEPT
from storage.property_bench import Benched

ACCURACY = "accuracy"
FOUND = "properties.growth"
DEBATES = 300


def show(judges: Sequence[Benched]) -> None:
    """Draw the choice of what is measured, and a line for each judge that judges here."""
    local = [one for one in judges if one.local]
    st.warning("Simulated: everything on this tab is of debates whose numbers were drawn; no agent takes part in them.")
    if not local:
        st.info("Pick a semantics or a vote: language models are not asked about simulated debates here.")
        return
    labels = not state.labels_hidden()
    kept: Simulation = st.session_state.get(KEPT) or Simulation()
    with st.form("growth.form", border=False):
        first, second, third, fourth = st.columns(4)
        accuracy = first.slider("Accuracy of the agents", 0.0, 1.0, kept.accuracy, 0.01, key="growth.accuracy")
        correlation = second.slider("Correlation of their mistakes", 0.0, 1.0, kept.correlation, 0.01)
        debates = third.number_input("Debates each", 50, 5_000, DEBATES, 50)
        seed = fourth.number_input("Seed", 0, 2**32 - 1, kept.seed)
        sent = st.form_submit_button("Simulate")
    simulation = Simulation(debates=int(debates), accuracy=accuracy, correlation=correlation, seed=int(seed))
    key = (simulation, tuple(one.id for one in local))
    held = st.session_state.get(FOUND)
    if sent:
        held = st.session_state[FOUND] = (key, _behaviour(local, simulation))
    if held is None or held[0][1] != key[1]:
        st.caption(f"{len(AGENTS) * len(ROUNDS)} combinations of agents and rounds, a few seconds. Press Simulate.")
        return
    _draw(held[1], local, held[0][0], labels=labels)


def _behaviour(local: Sequence[Benched], simulation: Simulation) -> pd.DataFrame:
    slot = st.empty()

    def watch(done: int, total: int) -> None:
        slot.progress(done / total, f"{done} of {total} combinations of agents and rounds")

    found = behaviour(
        [one.judge for one in local],  # type: ignore[misc]
        simulation,
        properties=usual_properties(),
        watch=watch,
    )
    slot.empty()
    return found


def _draw(table: pd.DataFrame, local: Sequence[Benched], simulation: Simulation, *, labels: bool) -> None:
    options = [ACCURACY, *PROPERTIES] if labels else list(PROPERTIES)
    left, middle, right = st.columns(3)
    what = left.selectbox(
        "What is measured",
        options,
        format_func=lambda key: "Accuracy" if key == ACCURACY else PROPERTIES[key].label,
        key="growth.what",
    )
    along = middle.selectbox("What grows", ["agents", "rounds"], key="growth.along")
    other = "rounds" if along == "agents" else "agents"
    fixed = right.selectbox(f"With so many {other}", ROUNDS if other == "rounds" else AGENTS, key=f"growth.{other}")
    value, key = (ACCURACY, next(iter(PROPERTIES))) if what == ACCURACY else ("rate", what)
    part = table[(table["property"] == key) & (table[other] == fixed)]
    title = "Accuracy in %" if what == ACCURACY else f"{PROPERTIES[str(what)].label} in %"
    names = names_of(local)
    drawn = growth_chart(part, value, str(along), names, title, [one.judge.name for one in local])
    shown = part if labels else part[[c for c in part.columns if not c.startswith(("accuracy", "on_"))]]
    named = NamedTable(drawn.name, drawn.caption, partial(Table, shown, drawn.caption))
    property_files.chart(drawn, "growth", named)
    st.caption(
        f"Simulated, seed {simulation.seed}: {simulation.debates:,} debates for each combination, accuracy of the "
        f"agents {simulation.accuracy:g}, correlation {simulation.correlation:g}."
    )


__all__ = ["show"]
