"""How each property is tested: sizes, repeats, orders, which stances count."""

from __future__ import annotations

import streamlit as st

from core.perturbations.judge_edit import JudgeEdit, JudgeEditKind
from core.properties.contestability import Contestability
from core.properties.curves import Curve
from core.properties.groundedness import JudgeUnanimity, NonHallucination, StanceSource
from core.properties.property import Property
from core.properties.reproducibility import Determinism, PermutationIndependence
from core.properties.robustness import JudgeRobustness, ProfileRobustness

UP = (Curve.STRONGER_PROS, Curve.MORE_SUPPORT, Curve.HIGHER_STANCES)
DOWN = (Curve.WEAKER_PROS, Curve.STRONGER_CONS, Curve.LESS_SUPPORT, Curve.LOWER_STANCES)
SIDEWAYS = (Curve.NOISE_L1, Curve.NOISE_L2, Curve.NOISE_LINF)
CHANGES = (*UP, Curve.WEAKER_CONS, *DOWN, *SIDEWAYS)


def show() -> tuple[tuple[Property, ...], int]:
    """Draw the settings; return the seven properties as they are to be tested, and the seed."""
    with st.popover("How it is tested", key="properties.settings"):
        left, right = st.columns(2)
        change = left.selectbox(
            "Change of the profile",
            CHANGES,
            format_func=lambda one: one.value,
            key="properties.change",
            persist_state="session",
            help="Contestability needs a change that points one way; with noise, stronger pros are taken for it.",
        )
        size = right.number_input(
            "Size of the change", 0.01, 1.0, 0.1, 0.01, key="properties.size", persist_state="session"
        )
        repeats = left.number_input("Repeats", 2, 20, 3, key="properties.repeats", persist_state="session")
        orders = right.number_input("Orders of the agents", 2, 24, 6, key="properties.orders", persist_state="session")
        heat = left.number_input(
            "Temperature ±", 0.05, 1.0, 0.1, 0.05, key="properties.temperature", persist_state="session"
        )
        damp = right.number_input(
            "Conservativeness + once and twice", 0.05, 2.0, 0.1, 0.05, key="properties.damp", persist_state="session"
        )
        stance = left.selectbox(
            "Stances that count",
            list(StanceSource),
            format_func=lambda one: one.value,
            key="properties.stance",
            persist_state="session",
            help="For non-hallucination and unanimity; latest is the posterior stance, or the prior one without it.",
        )
        seed = right.number_input("Seed", 0, 2**32 - 1, 0, key="properties.seed", persist_state="session")
        mirrored = st.checkbox("Also the change the other way, for contestability", key="properties.mirrored")
    moved = change.of_size(float(size))
    directed = moved if moved.direction.directed else Curve.STRONGER_PROS.of_size(float(size))
    edits = tuple(
        JudgeEdit(kind, round(value, 6))
        for kind, value in (
            (JudgeEditKind.SHIFT_TEMPERATURE, -float(heat)),
            (JudgeEditKind.SHIFT_TEMPERATURE, float(heat)),
            (JudgeEditKind.SHIFT_CONSERVATIVENESS, float(damp)),
            (JudgeEditKind.SHIFT_CONSERVATIVENESS, 2 * float(damp)),
        )
    )
    properties: tuple[Property, ...] = (
        Determinism(int(repeats)),
        PermutationIndependence(int(orders)),
        ProfileRobustness((moved,)),
        JudgeRobustness(edits),
        NonHallucination(StanceSource(str(stance))),
        JudgeUnanimity(StanceSource(str(stance))),
        Contestability((directed,), mirrored),
    )
    return properties, int(seed)


__all__ = ["show"]
