"""Who judges the debates of a run: chosen before it starts, or later."""

from __future__ import annotations

import streamlit as st

from core.debating.afterwards import Afterwards
from core.errors import MootError
from core.judges.llm_judge import LlmJudge
from core.judges.registry import AnyJudge
from core.llm.endpoint import Endpoint
from core.runs.plan import Budget
from core.wording import several
from pages.components import run_form, state
from pages.components.text import plain
from storage.judging_afterwards import afterwards

KEY = "debating.then"


def choice() -> tuple[tuple[AnyJudge, ...], Budget]:
    """Draw whether language models judge the debates once they are complete, and return who, within which limits."""
    st.header("Judges afterwards")
    if not st.toggle(
        "Have language models judge the debates when they are complete",
        key=f"{KEY}.wanted",
        help="Semantics and votes need no run: they judge at once, wherever the debates are opened.",
    ):
        return (), Budget()
    judges = run_form.judges_choice(KEY)
    if not judges:
        st.caption("Give a model, or choose a judge that was defined here.")
        return (), Budget()
    st.caption(f"{several(len(judges), 'judge')}, each on every debate, in a run of their own on the Data page.")
    with st.popover("Limits of the judging"):
        limits = run_form.budget(f"{KEY}.limits")
    return judges, limits


def chosen(judges: tuple[AnyJudge, ...], limits: Budget) -> Afterwards | None:
    """Store the judges chosen, and return that they are to judge; None for nobody."""
    return afterwards(state.database(), judges, limits, state.person()) if judges else None


def later(run_id: str) -> None:
    """Draw the choice of judges for the debates of a run that are there, and what begins them."""
    prefix = f"{KEY}|{run_id}"
    judges = run_form.judges_choice(prefix)
    limits = run_form.budget(f"{prefix}.limits")
    missing = [one for one in _endpoints(judges) if not run_form.key_there(one)]
    if st.button("Judge its debates", key=f"{prefix}.start", disabled=not judges or bool(missing), type="primary"):
        try:
            wanted = afterwards(state.database(), judges, limits, state.person())
            made = state.debate_run_worker().judge(run_id, wanted)
        except MootError as error:
            st.error(plain(str(error)))
            return
        st.success(f"Run {made.id} has begun; it is on the Data page.")


def _endpoints(judges: tuple[AnyJudge, ...]) -> list[Endpoint]:
    return list(dict.fromkeys(judge.endpoint for judge in judges if isinstance(judge, LlmJudge)))


__all__ = ["choice", "chosen", "later"]
