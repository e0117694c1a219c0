"""On which debates properties are tested: those of the sidebar's data set, or simulated ones."""

from __future__ import annotations

import streamlit as st

from core.debate import DebateProtocol
from core.errors import MootError
from core.experiments.source import Source
from core.simulation.settings import Simulation
from pages.components import simulation_form, state
from pages.components.text import plain

KIND = "debates"
STORED, SIMULATED = "stored", "simulated"
WORDS = {STORED: "Debates of the data set", SIMULATED: "Simulated debates"}
PROTOCOL = "properties.protocol"
MOST = 20_000  # simulated debates that a page makes; an experiment on the command line may have more
KEPT = "properties.simulation"


def show() -> Source:
    """Draw the choice and return the debates."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        kind = st.segmented_control(
            "Debates",
            [STORED, SIMULATED],
            default=STORED,
            required=True,
            format_func=WORDS.__getitem__,
            key=KIND,
            bind="query-params",
        )
        if kind == SIMULATED:
            with st.popover("What is simulated", key="properties.simulate"):
                simulation = _form()
            st.caption(f"**Simulated:** {plain(Source(simulation=simulation).words())}. No agent takes part.")
            return Source(simulation=simulation)
        protocols = [one for one in DebateProtocol if one in state.facets().protocols]
        chosen = None
        if len(protocols) > 1:
            chosen = st.selectbox(
                "Protocol",
                protocols,
                index=None,
                format_func=lambda one: one.value,
                key=PROTOCOL,
                placeholder="any protocol",
                width=230,
            )
    return Source(state.chosen_dataset() or "", chosen)


def _form() -> Simulation:
    """Draw the settings of simulated debates; those that were sent last are in force."""
    held: Simulation = st.session_state.get(KEPT) or Simulation()
    with st.form("properties.simulation.form", border=False):
        left, right = st.columns(2)
        debates = left.number_input("Debates", 10, MOST, held.debates, 100)
        agents = right.number_input("Agents", 1, 100, held.agents)
        pros = simulation_form.pros(left, held, KEPT)
        cons = simulation_form.cons(right, held, KEPT)
        rounds = left.number_input("Rounds", 1, 20, held.rounds)
        seed = simulation_form.seed(right, held, KEPT)
        accuracy = simulation_form.accuracy(left, held, KEPT)
        correlation = simulation_form.correlation(right, held, KEPT)
        noise = left.slider("Noise of base scores", 0.0, 1.0, held.noise, 0.01)
        slope = simulation_form.calibration(right, held, KEPT)
        if st.form_submit_button("Simulate"):
            try:
                held = Simulation(
                    debates=int(debates),
                    agents=int(agents),
                    pros=pros,
                    cons=cons,
                    rounds=int(rounds),
                    accuracy=accuracy,
                    confidence_slope=slope,
                    correlation=correlation,
                    noise=noise,
                    seed=seed,
                )
                st.session_state[KEPT] = held
                st.rerun()
            except MootError as error:
                st.error(plain(str(error)))
    return held


__all__ = ["show"]
