"""The start of a run of debates: claims, protocol, agents, limits, and what it would take."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from core.debate import DebateProtocol
from core.debating.agent import AgentSpec
from core.debating.claim import Claim
from core.debating.plan import MOST_ROUNDS, PROTOCOLS, DebatePlan, StanceUse, TurnOrder
from core.debating.run import estimate_line
from core.errors import MootError
from core.judges.registry import AnyJudge
from core.llm.endpoint import Endpoint
from core.runs.plan import Budget
from core.wording import several, shortened
from pages.components import debating_again, debating_judges, debating_prompts, file_drop, run_form, state
from pages.components.debating_again import EARLIER, MOST_AGENTS
from pages.components.text import plain
from storage.claim_source import claims_in_bytes, claims_in_dataset, claims_in_text
from storage.prompt_files import load_prices

PASTE, FILE, DATASET = "Type or paste", "File", "Data set"
KEY = "debating"  # what the keys of widgets begin with
PROTOCOL_WORDS = {
    DebateProtocol.SINGLE_TURN: "Single turn: each agent by itself, one pro and one con",
    DebateProtocol.MULTI_TURN_PRIVATE: "Multi-turn, private: each agent refines its own arguments, seeing the others'",
    DebateProtocol.MULTI_TURN_SHARED: "Multi-turn, shared: one common list that all agents add to in turn",
}
ORDER_WORDS = {
    TurnOrder.FIXED: "as listed",
    TurnOrder.ROTATED: "rotated: each round begins one agent later",
    TurnOrder.SHUFFLED: "shuffled by the seed",
}
STANCE_WORDS = {
    StanceUse.POSTERIOR: "before the arguments and after every round",
    StanceUse.PRIOR: "before the arguments alone",
    StanceUse.NONE: "not asked for",
}


def show() -> None:
    """Draw the form."""
    left, right = st.columns(2, gap="large")
    with left:
        st.header("Claims")
        claims = _claims()
        base = debating_again.base()
        st.header("Protocol")
        protocol, settings = _protocol()
        prompts = debating_prompts.show(None if base is None else base.prompts)
    with right:
        st.header("Agents")
        agents = _agents({} if base is None else {agent.name: agent for agent in base.agents})
        judges, judging = debating_judges.choice()
    if not claims or agents is None or prompts is None:
        st.caption("Give claims and a model for each agent to see what a run takes.")
        return
    try:
        plan = DebatePlan(protocol, agents, prompts, **settings)
    except MootError as error:
        st.error(plain(str(error)))
        return
    _start(plan, claims, judges, judging)


def _first(key: str, value: object) -> str:
    """Give a widget its first value, unless an earlier run or a person has given it one; return its key."""
    st.session_state.setdefault(key, value)
    return key


def _claims() -> tuple[Claim, ...]:
    source = st.segmented_control(
        "From",
        [
            PASTE,
            FILE,
            *([DATASET] if state.debates().count() else []),
            *([EARLIER] if state.debate_runs().all() else []),
        ],
        required=True,
        key=_first(debating_again.CLAIMS, PASTE),
    )
    try:
        claims = _read(str(source))
    except MootError as error:
        st.error(plain(str(error)))
        return ()
    if claims:
        limit = st.number_input("Only the first claims", 1, None, None, key="debating.limit", placeholder="all of them")
        claims = claims[: int(limit)] if limit else claims
        labelled = sum(claim.label is not None for claim in claims)
        st.caption(f"{several(len(claims), 'claim')}, {labelled:,} with a label. No model is told a label.")
    return claims


def _read(source: str) -> tuple[Claim, ...]:
    if source == EARLIER:
        return debating_again.claims()
    if source == DATASET:
        chosen = run_form.dataset_choice("debating.dataset")
        return claims_in_dataset(state.database(), chosen) if chosen else ()
    if source == FILE:
        found: list[Claim] = []
        for file in file_drop.show("Claims", "debating.file"):
            found += claims_in_bytes(file.getvalue(), file.name)
        return tuple(found)
    text = st.text_area(
        "One claim a line",
        key="debating.claims",
        height=140,
        max_chars=200_000,
        placeholder="Honey never spoils.\nA day on Venus is longer than its year.",
    )
    return claims_in_text(text) if text.strip() else ()


def _protocol() -> tuple[DebateProtocol, dict[str, Any]]:
    protocol = st.radio(
        "Protocol",
        list(PROTOCOLS),
        format_func=PROTOCOL_WORDS.__getitem__,
        key="debating.protocol",
        label_visibility="collapsed",
    )
    settings: dict[str, Any] = {}
    if protocol is not DebateProtocol.SINGLE_TURN:
        first, second = st.columns(2)
        settings["rounds"] = int(first.number_input("Rounds", 1, MOST_ROUNDS, key=_first("debating.rounds", 3)))
        settings["most_arguments"] = int(
            second.number_input("Pros, and cons, of one reply at most", 1, 50, key=_first("debating.most", 5))
        )
    if protocol is DebateProtocol.MULTI_TURN_SHARED:
        settings["order"] = st.selectbox(
            "Order of turns",
            list(ORDER_WORDS),
            format_func=ORDER_WORDS.__getitem__,
            key=_first("debating.order", TurnOrder.ROTATED),
        )
        if settings["order"] is TurnOrder.SHUFFLED:
            settings["seed"] = int(st.number_input("Seed", 0, None, key=_first("debating.seed", 0)))
    settings["stances"] = st.selectbox(
        "Stances", list(STANCE_WORDS), format_func=STANCE_WORDS.__getitem__, key="debating.stances"
    )
    return protocol or DebateProtocol.SINGLE_TURN, settings


def _agents(earlier: dict[str, AgentSpec]) -> tuple[AgentSpec, ...] | None:
    """Draw one box for each agent; None while one has no model or cannot be.

    Args:
        earlier: Those of the run that this one begins from, by name. What the form has no field for they keep.
    """
    count = int(st.number_input("How many", 1, MOST_AGENTS, key=_first("debating.count", 2)))
    alike = st.toggle(
        "All ask the same model",
        key=_first("debating.alike", True),
        help="Agents that are alike in all but the name get a sample of their own of every question.",
    )
    made: list[AgentSpec | None] = []
    shared = _model("debating.all") if alike else None
    for number in range(1, count + 1):
        with st.container(border=True):
            made.append(_agent(number, shared if alike else _model(f"debating.{number}"), earlier))
    return None if any(agent is None for agent in made) else tuple(agent for agent in made if agent is not None)


def _model(prefix: str) -> tuple[Endpoint, str] | None:
    endpoint = None
    try:
        endpoint = run_form.endpoint_choice(prefix)
    except MootError as error:
        st.error(plain(str(error)))
    model = st.text_input("Model", key=f"{prefix}.model", placeholder="As the endpoint calls it").strip()
    return None if endpoint is None or not model else (endpoint, model)


def _agent(number: int, asked: tuple[Endpoint, str] | None, earlier: dict[str, AgentSpec]) -> AgentSpec | None:
    first, second = st.columns([2, 1])
    name = first.text_input("Name", max_chars=40, key=_first(f"debating.name|{number}", f"A{number}")).strip()
    temperature = second.number_input(
        "Temperature",
        0.0,
        2.0,
        None,
        0.1,
        key=_first(f"debating.temperature|{number}", 0.0),
        placeholder="the endpoint's own",
    )
    persona = st.text_input(
        "Persona",
        key=f"debating.persona|{number}",
        max_chars=2_000,
        placeholder="Optional, such as: You are a careful statistician.",
    )
    if asked is None:
        return None
    heat = None if temperature is None else float(temperature)
    try:
        before = earlier.get(name)
        if before is None:
            return AgentSpec(name, asked[0], asked[1], heat, persona)
        # The endpoint as the run had it, whose name and manners the form may not know.
        same = _where(asked[0]) == _where(before.endpoint)
        endpoint = before.endpoint if same else asked[0]
        return replace(before, endpoint=endpoint, model=asked[1], temperature=heat, persona=persona)
    except MootError as error:
        st.error(plain(str(error)))
        return None


def _where(endpoint: Endpoint) -> tuple[str, str]:
    return endpoint.base_url, endpoint.key_variable or ""


def _start(plan: DebatePlan, claims: Sequence[Claim], judges: tuple[AnyJudge, ...], judging: Budget) -> None:
    st.header("What it takes")
    prices = load_prices()
    try:
        expected = state.debate_run_worker().estimate(plan, claims)
    except MootError as error:
        st.error(plain(str(error)))
        return
    st.markdown(f"**{plain(estimate_line(expected, prices.currency))}**")
    st.caption(
        "An estimate, for agents that give as many arguments as most do; a reply that cannot be read is asked for once "
        "again. Replies are stored at once."
    )
    debating_again.stored(plan, claims)
    limits = run_form.budget("debating.new", Budget(money=run_form.DOLLARS if expected.cost else None))
    missing = [one for one in plan.endpoints if not run_form.key_there(one)]
    name = st.text_input(
        "Name of the data set",
        key="debating.into",
        max_chars=120,
        placeholder=shortened(f"Debated by {', '.join(dict.fromkeys(a.model for a in plan.agents))}", 80),
    )
    st.button(
        f"Start {several(len(claims), 'debate')}",
        type="primary",
        key="debating.start",
        disabled=bool(missing),
        on_click=_begin,
        args=(plan, claims, limits, name, judges, judging),
    )


def _begin(
    plan: DebatePlan,
    claims: Sequence[Claim],
    limits: Budget,
    name: str,
    judges: tuple[AnyJudge, ...],
    judging: Budget,
) -> None:
    worker = state.debate_run_worker()

    def begin() -> None:
        then = debating_judges.chosen(judges, judging)
        worker.start(worker.create(plan, claims, limits, name, then).id)

    run_form.told(KEY, begin)
