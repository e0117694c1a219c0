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
from core.wording import several
from pages.components import drawn_files, simulation_form, state
from pages.components.property_judges import names_of
from pages.components.property_source import KEPT
from storage.property_bench import Benched

ACCURACY = "accuracy"
FOUND = "properties.growth"
KEY = "growth"  # what the keys of widgets begin with
DEBATES = 300
AGENT_CHOICES = (2, 3, 4, 5, 7, 10, 15, 20, 30, 50)
ROUND_CHOICES = tuple(range(1, 11))


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
        simulation, agents, rounds = _settings(kept)
        sent = st.form_submit_button("Simulate")
    judges_tested = tuple(one.id for one in local)
    held = st.session_state.get(FOUND)
    if sent and not (agents and rounds):
        st.error("Choose at least one number of agents and one of rounds.")
        return
    if sent:
        held = st.session_state[FOUND] = (simulation, judges_tested, _behaviour(local, simulation, agents, rounds))
    if held is None or held[1] != judges_tested:
        st.caption(f"{len(agents) * len(rounds)} combinations of agents and rounds, a few seconds. Press Simulate.")
        return
    _draw(held[2], local, held[0], labels=labels)


def _settings(kept: Simulation) -> tuple[Simulation, list[int], list[int]]:
    """Draw what the debates are like; return that, and which numbers of agents and rounds they have."""
    first, second, third = st.columns(3)
    accuracy = simulation_form.accuracy(first, kept, KEY)
    correlation = simulation_form.correlation(second, kept, KEY)
    slope = simulation_form.calibration(third, kept, KEY)
    agents = first.multiselect("Numbers of agents", AGENT_CHOICES, list(AGENTS), key="growth.agent.numbers")
    rounds = second.multiselect("Numbers of rounds", ROUND_CHOICES, list(ROUNDS), key="growth.round.numbers")
    openness = third.slider(
        "Openness",
        0.0,
        1.0,
        kept.openness,
        0.05,
        key="growth.openness",
        help="How far a stance moves towards the others' mean from round to round.",
    )
    pros_in, cons_in, debates_in, seed_in = st.columns(4)
    debates = debates_in.number_input("Debates each", 50, 5_000, DEBATES, 50, key="growth.debates")
    made = Simulation(
        debates=int(debates),
        pros=simulation_form.pros(pros_in, kept, KEY),
        cons=simulation_form.cons(cons_in, kept, KEY),
        accuracy=accuracy,
        confidence_slope=slope,
        correlation=correlation,
        openness=openness,
        seed=simulation_form.seed(seed_in, kept, KEY),
    )
    return made, sorted(agents), sorted(rounds)


def _behaviour(
    local: Sequence[Benched], simulation: Simulation, agents: Sequence[int], rounds: Sequence[int]
) -> pd.DataFrame:
    slot = st.empty()

    def watch(done: int, total: int) -> None:
        slot.progress(done / total, f"{done} of {total} combinations of agents and rounds")

    found = behaviour(
        [one.judge for one in local],  # type: ignore[misc]
        simulation,
        agents=agents,
        rounds=rounds,
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
    fixed = right.selectbox(f"With so many {other}", sorted(table[other].unique().tolist()), key=f"growth.{other}")
    value, key = (ACCURACY, next(iter(PROPERTIES))) if what == ACCURACY else ("rate", what)
    part = table[(table["property"] == key) & (table[other] == fixed)]
    title = "Accuracy in %" if what == ACCURACY else f"{PROPERTIES[str(what)].label} in %"
    names = names_of(local)
    said = (
        f"accuracy of the agents {simulation.accuracy:g}, correlation {simulation.correlation:g}, calibration "
        f"{simulation.confidence_slope:g}, openness {simulation.openness:g}, {several(simulation.pros, 'pro')} and "
        f"{several(simulation.cons, 'con')} of each agent in each round, {several(int(fixed), str(other)[:-1])}, seed "
        f"{simulation.seed}"
    )
    drawn = growth_chart(part, value, str(along), names, title, [one.judge.name for one in local], said)
    shown = part if labels else part[[c for c in part.columns if not c.startswith(("accuracy", "on_"))]]
    named = NamedTable(drawn.name, drawn.caption, partial(Table, shown, drawn.caption))
    drawn_files.chart(drawn, "growth", named)
    st.caption(f"Simulated: {simulation.debates:,} debates for each combination; {said}.")


__all__ = ["show"]
