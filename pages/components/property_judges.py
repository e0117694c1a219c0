"""Which judges stand on the bench: picked one by one, kept in the URL."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.comparison.names import short_names
from pages.components import state
from storage.judge_catalogue import MOST_PICKED, presets
from storage.property_bench import Benched

JUDGES = "judge"


def show() -> tuple[Benched, ...]:
    """Draw the picker and return the judges picked."""
    known = {one.id: one for one in state.bench()}
    kept = st.session_state.get(JUDGES)
    if kept and any(name not in known for name in kept):
        st.session_state[JUDGES] = [name for name in kept if name in known]
    picked = st.multiselect(
        "Judges",
        list(known),
        default=_usual(list(known.values())),
        format_func=lambda name: known[name].name,
        max_selections=MOST_PICKED,
        key=JUDGES,
        bind="query-params",
        select_all=False,
        placeholder="Type a part of a judge's name",
        help=f"Up to {MOST_PICKED}. Semantics and votes are tested at once; language models have to be asked.",
    )
    return tuple(known[name] for name in picked)


def names_of(judges: Sequence[Benched]) -> dict[str, str]:
    """Return short names by the judges' own names."""
    shown = short_names([one.name for one in judges], [one.family for one in judges])
    return {one.judge.name: name for one, name in zip(judges, shown, strict=True)}


def _usual(known: Sequence[Benched]) -> list[str]:
    """Return the judges to begin with: a language model that was tested, the two published semantics, and a vote."""
    here = {one.id for one in known}
    groups = presets(state.candidates(), state.preferences())
    tested = [name for name in state.properties().tested_judges() if name in here]
    models = [one.id for one in known if one.id in tested and one.model is not None]
    first = groups.get("LLM vs semantics") or groups.get("Votes vs semantics") or ()
    wanted = [*models[:1], *(name for name in first if not models or name not in _models(known)), *_votes(known)]
    return [name for name in dict.fromkeys(wanted) if name in here][:4] or [one.id for one in known][:2]


def _models(known: Sequence[Benched]) -> set[str]:
    return {one.id for one in known if one.family == "llm"}


def _votes(known: Sequence[Benched]) -> list[str]:
    return [one.id for one in known if one.settings.get("kind") == "mean stance"][:1]


__all__ = ["names_of", "show"]
