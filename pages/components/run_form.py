"""The start of a run: judges, debates, limits, and what it would take. Nobody is ever asked for a key."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from core.errors import MootError
from core.judges import registry
from core.judges.llm_judge import LlmJudge
from core.judges.registry import AnyJudge, Family
from core.llm.endpoint import ENDPOINTS, Endpoint
from core.runs.plan import Budget
from core.runs.progress import effort_line
from core.wording import several
from pages.components import state
from pages.components.text import plain
from storage.debate_filter import DebateFilter
from storage.judge_choice import preset_names
from storage.judgement_repository import StoredJudge
from storage.model_client import key_from_environment
from storage.prompt_files import load_prices, load_prompts
from storage.run_estimate import estimate

OTHER = "another address"
WITHOUT_MODEL = ("all-semantics", "votes")  # these judge at once and need no run
KEY = "run"  # what the keys of widgets begin with
DOLLARS = 1.0  # the limit to begin with, where prices are known


def show() -> None:
    """Draw the form."""
    with st.expander("Start a run"):
        left, right = st.columns(2, gap="large")
        with left:
            judges = judges_choice()
            debates = _debates()
        if not judges or not debates:
            right.caption("Choose judges and debates to see what a run takes.")
            return
        with right:
            _start(judges, debates)


def budget(key: str, kept: Budget | None = None) -> Budget:
    """Draw the limits and return them; an empty one is no limit."""
    held = kept or Budget()
    first, second = st.columns(2)
    calls = first.number_input("Calls, at most", 0, None, held.calls, key=f"{key}.calls", placeholder="no limit")
    tokens = second.number_input("Tokens, at most", 0, None, held.tokens, key=f"{key}.tokens", placeholder="no limit")
    money = first.number_input(
        f"{load_prices().currency}, at most", 0.0, None, held.money, key=f"{key}.money", placeholder="no limit"
    )
    seconds = second.number_input(
        "Seconds, at most", 0.0, None, held.seconds, key=f"{key}.seconds", placeholder="no limit"
    )
    return Budget(calls, tokens, money, seconds)


def told(key: str, action: Callable[[], object]) -> None:
    """Do something, and keep what went wrong for the list of runs with that key to say."""
    try:
        action()
    except MootError as error:
        st.session_state[f"{key}.trouble"] = str(error)


def show_trouble(key: str) -> None:
    """Say once what went wrong, if anything did."""
    trouble = st.session_state.pop(f"{key}.trouble", None)
    if trouble:
        st.error(plain(trouble))


def dataset_choice(key: str) -> str | None:
    """Draw the choice of a data set and return its id; None where there is none."""
    datasets = {one.id: one for one in state.debates().datasets()}
    return st.selectbox(
        "Data set",
        list(datasets),
        format_func=lambda name: f"{datasets[name].name} ({datasets[name].debate_count:,} debates)",
        key=key,
    )


def judges_choice(prefix: str = KEY) -> tuple[AnyJudge, ...]:
    """Draw the choice of language models' judges and return them; none while something is missing.

    Args:
        prefix: What the widgets' keys begin with.
    """
    presets = [name for name in preset_names() if name not in WITHOUT_MODEL]
    own = {one.id: one for one in state.judgements().judges() if one.family is Family.LLM}
    chosen = st.selectbox(
        "Judges",
        [*presets, *own],
        index=presets.index("named-vs-anonymised"),
        format_func=lambda name: own[name].shown if name in own else name.replace("-", " "),
        key=f"{prefix}.judges",
        help="Presets, and language models' judges that were defined here. Others are defined on Compare judges.",
    )
    try:
        if chosen in own:
            return (_stored(own[chosen]),)
        asked = endpoint_choice(prefix)
        model = st.text_input(
            "Model", key=f"{prefix}.model", placeholder="Such as gpt-4o, as the endpoint calls it"
        ).strip()
        if asked is None or not model:
            return ()
        return registry.presets(LlmJudge(asked, model, load_prompts()))[str(chosen)]
    except MootError as error:
        st.error(plain(str(error)))
        return ()


def _stored(one: StoredJudge) -> AnyJudge:
    return state.judgements().judge(one.id)


def endpoint_choice(prefix: str) -> Endpoint | None:
    """Draw the choice of an endpoint and return it; None while its address is not given.

    Raises:
        InvalidSetting: If the address cannot be used.
    """
    named = st.selectbox(
        "Endpoint",
        [*ENDPOINTS, OTHER],
        format_func=lambda name: f"{name} ({ENDPOINTS[name].base_url})" if name in ENDPOINTS else name,
        key=f"{prefix}.endpoint",
    )
    if named != OTHER:
        return ENDPOINTS[str(named)]
    address = st.text_input("Address", key=f"{prefix}.address", placeholder="https://llm.example.org/v1").strip()
    variable = st.text_input(
        "Environment variable with its key",
        key=f"{prefix}.variable",
        placeholder="none is needed",
        help="The variable's name, not the key: a key is never typed into Moot.",
    ).strip()
    name = address.split("://", 1)[-1].split("/", 1)[0].rsplit("@", 1)[-1]
    return Endpoint(name, address, key_variable=variable) if address else None


def _debates() -> tuple[str, ...]:
    chosen = dataset_choice("run.dataset")
    limit = st.number_input("Only the first debates", 1, None, None, key="run.limit", placeholder="all of them")
    return state.debates().ids(DebateFilter(datasets=(chosen,)))[:limit] if chosen else ()


def _start(judges: Sequence[AnyJudge], debates: Sequence[str]) -> None:
    prices = load_prices()
    found = estimate(state.database(), judges, debates, prices)
    st.markdown(f"**{plain(effort_line(found.calls, found.tokens, found.cost, prices.currency))}**")
    many = several(len(judges), "judge")
    st.caption(
        f"{several(found.cases, 'judgement')} of {many} on {several(len(debates), 'debate')}; "
        f"{found.stored:,} more are stored already. Replies that cannot be read are asked for once again."
    )
    limits = budget("run.new", Budget(money=DOLLARS if found.cost else None))
    missing = []
    for endpoint in dict.fromkeys(judge.endpoint for judge in judges if isinstance(judge, LlmJudge)):
        there = key_there(endpoint)
        if not there:
            missing.append(endpoint.key_variable)
    st.button(
        "Start the run",
        type="primary",
        key="run.start",
        disabled=bool(missing) or not found.cases,
        on_click=_begin,
        args=(judges, debates, limits),
    )
    if not found.cases:
        st.caption("Everything here is judged already.")


def key_lacking(endpoint: Endpoint) -> bool:
    """Return whether an endpoint lacks the key that it needs, and say so if it does."""
    lacking = bool(endpoint.key_variable) and key_from_environment(endpoint) is None
    if lacking:
        variable = plain(str(endpoint.key_variable))
        st.caption(f"The environment variable {variable} is not set, so this model cannot be asked.")
    return lacking


def key_there(endpoint: Endpoint) -> bool:
    """Draw whether an endpoint has what it needs, and return it; the key itself is not looked at."""
    if not endpoint.key_variable:
        st.caption(f"{plain(endpoint.name)} needs no key.")
        return True
    there = key_from_environment(endpoint) is not None
    state_of_it = "is set" if there else "is not set. Set it in the environment and start Moot again"
    st.caption(f"{plain(endpoint.name)}: the environment variable {plain(str(endpoint.key_variable))} {state_of_it}.")
    return there


def _begin(judges: Sequence[AnyJudge], debates: Sequence[str], limits: Budget) -> None:
    worker = state.run_worker()
    told(KEY, lambda: worker.start(worker.create(judges, debates, limits).id))
