"""Which judges are put side by side: picked one by one or by a preset, kept in the URL. The first is the baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.comparison.names import fitted_names, short_names
from core.wording import several
from pages.components import judge_shelf, state
from pages.components.text import plain
from storage.judge_catalogue import MOST_PICKED, Candidate, presets

JUDGES = "j"
BASELINE = "compare.baseline"
BASELINE_LENGTH = 38  # characters of a name in the choice of the baseline
REFUSED = "compare.refused"  # what did not fit, told once
PRESET_HELP = {
    "LLM vs semantics": "The published choice: prior stances, combined QBAFs; not the highest accuracy here",
    "All semantics": f"Under your settings; {MOST_PICKED} fit, those of Settings first",
    "All LLM variants": "Of the language model with the most judgements",
}


def show(row: DeltaGenerator) -> tuple[Candidate, ...]:
    """Draw the picker and return the judges picked, the baseline first.

    Args:
        row: Where its buttons go.
    """
    known = state.candidates()
    by_id = {judge.id: judge for judge in known}
    wholes = presets(known, state.preferences(), most=len(known))
    groups = {name: ids[:MOST_PICKED] for name, ids in wholes.items()}
    _tell_unknown({judge.name for judge in known})
    _forget_gone(by_id)
    picked = st.multiselect(
        "Judges",
        list(by_id),
        default=list(next(iter(groups.values()), list(by_id)[:2])),
        format_func=lambda name: by_id[name].name,
        max_selections=MOST_PICKED,
        key=JUDGES,
        bind="query-params",
        select_all=False,
        placeholder="Type a part of a judge's name",
        help=f"Up to {MOST_PICKED}. The first is the baseline that the others are held against.",
    )
    refused = st.session_state.pop(REFUSED, None)
    if refused:
        st.warning(plain(refused))
    with row:
        with st.popover("Presets"):
            for name, ids in groups.items():
                st.button(
                    name,
                    key=f"preset|{name}",
                    help=PRESET_HELP.get(name),
                    on_click=_pick,
                    args=(name, ids, len(wholes[name])),
                    type="tertiary",
                )
        with st.popover("Judges of your own"):
            judge_shelf.show([by_id[name] for name in picked], _add)
        if len(picked) > 1:
            st.session_state[BASELINE] = picked[0]
            names = short_names([by_id[one].name for one in picked], [by_id[one].family for one in picked])
            shown = dict(zip(picked, fitted_names(names, BASELINE_LENGTH), strict=True))
            st.selectbox(
                "Baseline",
                picked,
                format_func=shown.__getitem__,
                key=BASELINE,
                on_change=_make_baseline,
                width=340,
            )
    return tuple(by_id[name] for name in picked)


def offer_to_drop(picked: Sequence[Candidate], idle: Sequence[int]) -> None:
    """Draw a button that takes out the judges that have judged none of the debates, where others are left.

    Args:
        picked: The judges.
        idle: The places of those that have judged none.
    """
    if idle and len(idle) < len(picked):
        rest = [judge.id for place, judge in enumerate(picked) if place not in idle]
        st.button(
            f"Drop {several(len(idle), 'judge that has', 'judges that have')} judged none of these debates",
            on_click=_keep,
            args=(rest,),
        )


def _keep(ids: Sequence[str]) -> None:
    st.session_state[JUDGES] = list(ids)


def _tell_unknown(names: set[str]) -> None:
    unknown = [name for name in st.query_params.get_all(JUDGES) if name and name not in names]
    if unknown:
        st.warning(f"This link names judges that are not in this database: {plain('; '.join(unknown[:MOST_PICKED]))}")


def _forget_gone(by_id: Mapping[str, Candidate]) -> None:
    kept = st.session_state.get(JUDGES)
    if kept and any(name not in by_id for name in kept):
        st.session_state[JUDGES] = [name for name in kept if name in by_id]


def _pick(name: str, ids: tuple[str, ...], of_all: int) -> None:
    st.session_state[JUDGES] = list(ids)
    if of_all > len(ids):
        st.session_state[REFUSED] = f"{name}: {len(ids)} of {of_all} are picked, as many as fit side by side."


def _add(judge: str) -> bool:
    kept = list(st.session_state.get(JUDGES) or [])
    if judge in kept:
        return True
    if len(kept) >= MOST_PICKED:
        said = f"{MOST_PICKED} judges are side by side, the most there can be. Take one out to pick another."
        st.session_state[REFUSED] = said
        return False
    st.session_state[JUDGES] = [*kept, judge]
    return True


def _make_baseline() -> None:
    first = st.session_state[BASELINE]
    st.session_state[JUDGES] = [first, *(name for name in st.session_state[JUDGES] if name != first)]
