"""Begin a run from an earlier one: its claims, protocol, agents and prompts, to be changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

import streamlit as st

from core.debating.agent import AgentSpec
from core.debating.claim import Claim
from core.debating.plan import DebatePlan
from core.debating.reuse import Reuse
from core.errors import InvalidSetting
from core.llm.endpoint import ENDPOINTS
from core.wording import several
from pages.components import debating_prompts, run_form, state
from pages.components.text import plain

EARLIER = "Earlier run"
MOST_AGENTS = 8  # the command line takes more
BASE = "debating.earlier"  # the run that the form begins from
CLAIMS = "debating.source"


def begin_from(run_id: str) -> None:
    """Fill the form with an earlier run; for a button's click.

    Raises:
        MootError: If the run is gone, or has more agents than the form takes.
    """
    plan = state.debate_runs().plan(run_id)
    if len(plan.agents) > MOST_AGENTS:
        raise InvalidSetting(f"Run {run_id} has {len(plan.agents)} agents, more than the form takes; use cli.py run.")
    kept = st.session_state
    kept[CLAIMS], kept[BASE] = EARLIER, run_id
    kept["debating.protocol"] = plan.protocol
    kept["debating.rounds"], kept["debating.most"] = plan.rounds, plan.most_arguments
    kept["debating.order"], kept["debating.seed"] = plan.order, plan.seed
    kept["debating.stances"] = plan.stances
    kept["debating.count"] = len(plan.agents)
    first = plan.agents[0]
    alike = all((agent.endpoint, agent.model) == (first.endpoint, first.model) for agent in plan.agents)
    kept["debating.alike"] = alike
    if alike:
        _ask("debating.all", first)
    for number, agent in enumerate(plan.agents, 1):
        kept[f"debating.name|{number}"] = agent.name
        kept[f"debating.temperature|{number}"] = agent.temperature
        kept[f"debating.persona|{number}"] = agent.persona
        _ask(f"debating.{number}", agent)
    for key in (debating_prompts.EDITS, debating_prompts.SET):
        kept.pop(key, None)


def _ask(prefix: str, agent: AgentSpec) -> None:
    kept, endpoint = st.session_state, agent.endpoint
    kept[f"{prefix}.model"] = agent.model
    if ENDPOINTS.get(endpoint.name) == endpoint:
        kept[f"{prefix}.endpoint"] = endpoint.name
        return
    kept[f"{prefix}.endpoint"] = run_form.OTHER
    kept[f"{prefix}.address"] = endpoint.base_url
    kept[f"{prefix}.variable"] = endpoint.key_variable or ""


def claims() -> tuple[Claim, ...]:
    """Draw the choice of an earlier run and return its claims."""
    runs = {run.id: run for run in state.debate_runs().all()}
    chosen = st.selectbox(
        "Run",
        list(runs),
        format_func=lambda name: f"{runs[name].name} ({several(runs[name].total, 'claim')})",
        key=BASE,
    )
    return tuple(claim for _, claim in state.debate_runs().claims(str(chosen))) if chosen else ()


def base() -> DebatePlan | None:
    """Return the plan of the run that the form begins from; None where it begins from none."""
    run = st.session_state.get(BASE)
    known = {one.id for one in state.debate_runs().all()}
    return state.debate_runs().plan(run) if run in known and st.session_state.get(CLAIMS) == EARLIER else None


def stored(plan: DebatePlan, claims: Sequence[Claim]) -> None:
    """Say how many of a run's calls are answered by replies that are stored."""
    runs = tuple((run.id, run.state.value) for run in state.debate_runs().all())
    if not runs:
        return  # nothing has been asked yet
    told = json.dumps([plan.settings(), [[claim.id, claim.text] for claim in claims]])
    found = _stored(hashlib.sha256(told.encode("utf-8", "replace")).hexdigest(), runs, plan, claims)
    about = "" if found.exact else "about "
    if not found.stored:
        said = "None of these calls is stored already."
    elif not found.asked:
        said = f"All {about}{found.stored:,} calls are answered by stored replies; nobody is asked."
    else:
        said = f"Of these, {about}{found.stored:,} are answered by stored replies; about {found.asked:,} are asked."
    st.markdown(f"**{plain(said)}**")


@st.cache_data(max_entries=32, show_spinner="Looking for stored replies")
def _stored(digest: str, runs: tuple[tuple[str, str], ...], _plan: DebatePlan, _claims: Sequence[Claim]) -> Reuse:
    return state.debate_run_worker().reusable(_plan, _claims)


__all__ = ["BASE", "CLAIMS", "EARLIER", "MOST_AGENTS", "base", "begin_from", "claims", "stored"]
