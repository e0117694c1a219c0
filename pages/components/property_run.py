"""Language models on the bench: what testing them takes, its start, and experiments with their progress."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from core.debate import DebateProtocol
from core.errors import MootError
from core.experiments.experiment import Experiment, JudgeChoice
from core.experiments.source import Source
from core.properties.property import Property
from core.roles import Permission
from core.runs.plan import Budget, RunState
from core.runs.progress import cost_text
from core.wording import several
from pages.components import run_form, state
from pages.components.property_results import Cell
from pages.components.text import plain
from storage.content_stamp import content_stamp
from storage.experiment_repository import KeptExperiment
from storage.model_client import key_from_environment
from storage.prompt_files import load_prices
from storage.property_estimate import estimate_experiment
from storage.property_testing import Step
from storage.run_estimate import Estimate

EVERY = 1.0  # seconds between two looks while something runs
TROUBLE = "properties.trouble"
MOST_SHOWN = 8
ESTIMATES = "properties.estimates"


def offer(cells: Sequence[Cell], source: Source, seed: int) -> None:
    """Draw what testing the language models among the cells would take, and the button that starts it."""
    waiting = [cell for cell in cells if cell.open]
    if not waiting or not state.may(Permission.RUN):
        return
    judges = list(dict.fromkeys(cell.judge for cell in waiting))
    label = f"Test language models: {several(len(waiting), 'cell')} of {several(len(judges), 'judge')} not tested here"
    box = st.expander(label, key="properties.models", on_change="rerun")
    if not box.open:
        return
    with box:
        left, right = st.columns(2, gap="large")
        with left:
            by_key = {cell.checked.key: cell.checked for cell in waiting}
            keys = st.multiselect(
                "Properties",
                list(by_key),
                default=list(by_key),
                format_func=lambda key: by_key[key].label,
                key="properties.models.properties",
            )
            limit = st.number_input(
                "Only the first debates",
                1,
                None,
                source.limit,
                key="properties.models.limit",
                placeholder="all of them",
                help="Results on some of the debates are kept among the experiments, and not shown in this grid.",
            )
        with right:
            if keys:
                made = _experiment(judges, [by_key[key] for key in keys], source, seed, limit)
                start(made, "properties.models")


def _experiment(
    judges: Sequence[object], properties: Sequence[Property], source: Source, seed: int, limit: int | None
) -> Experiment:
    return Experiment(
        name=f"{several(len(judges), 'language model')} on {several(len(properties), 'property', 'properties')}",
        judges=tuple(JudgeChoice(stored=getattr(one, "id", "")) for one in judges),
        properties=tuple(properties),
        dataset=source.dataset,
        protocols=() if source.protocol is None else (DebateProtocol(source.protocol),),
        limit=limit,
        simulation=source.simulation,
        seed=seed,
    )


def start(experiment: Experiment, key: str) -> None:
    """Draw what an experiment takes and the button that starts it."""
    try:
        with st.spinner("Working out what it takes"):
            found = _estimated(experiment)
    except MootError as error:
        st.error(plain(str(error)))
        return
    prices = load_prices()
    cost = "cost unknown, as a price is" if found.cost is None else cost_words(found.cost, prices.currency)
    if found.calls:
        words = f"{several(found.calls, 'call')}, about {several(found.tokens, 'token')}, {cost}"
    else:
        words = "no call of a language model"
    st.markdown(f"**It takes {plain(words)}.**")
    tests = several(found.cases, "test")
    st.caption(
        f"{tests} to do; {found.stored:,} more are done already. Replies that are stored are not asked for again."
    )
    limits = run_form.budget(key, Budget(money=run_form.DOLLARS if found.cost else None)) if found.calls else Budget()
    missing = _missing_keys(experiment) if found.calls else []
    for variable in missing:
        st.caption(f"The environment variable {plain(variable)} is not set, so this model cannot be asked.")
    st.button(
        f"Start: {several(found.calls, 'call')}" if found.calls else "Start",
        key=f"{key}.start",
        type="primary",
        disabled=bool(missing) or not found.cases,
        on_click=_told,
        args=(lambda: _begin(experiment, limits),),
    )
    if not found.cases:
        st.caption("All of it is tested already.")


def running() -> None:
    """Draw the experiments that are under way; they look again every second."""
    trouble = st.session_state.pop(TROUBLE, None)
    if trouble:
        st.error(plain(trouble))
    busy = state.property_worker().running()
    if busy:
        st.fragment(_under_way, run_every=EVERY)(busy)


def listed() -> None:
    """Draw every experiment that was carried out, the latest first."""
    worker = state.property_worker()
    busy = worker.running()
    kept = state.experiments().all()
    if not kept:
        st.info("No experiment was carried out yet.")
        return
    for one in kept[:MOST_SHOWN]:
        if one.id not in busy:
            with st.container(border=True):
                _one(one)
    if len(kept) > MOST_SHOWN:
        st.caption(f"The latest {MOST_SHOWN} of {len(kept)} experiments.")


def cost_words(cost: float, currency: str) -> str:
    """Return what something costs, in words."""
    return f"about {currency} {cost:,.2f}" if cost else "no cost"


def _under_way(before: tuple[str, ...]) -> None:
    worker = state.property_worker()
    if set(worker.running()) != set(before):
        st.rerun()
    for name in before:
        step = worker.step(name)
        if step is None:
            continue
        with st.container(border=True):
            with st.container(horizontal=True, vertical_alignment="center"):
                st.text(state.experiments().get(name).experiment.name)
                st.badge("running", color="blue")
                st.space("stretch")
                if state.may(Permission.RUN):
                    st.button("Cancel", key=f"experiment.cancel|{name}", on_click=_told, args=(partial(_cancel, name),))
            st.progress(_share(step), text=plain(_progress(step)))


def _share(step: Step) -> float:
    if not step.total:
        return 0.0
    inside = step.judged / step.of if step.of else 0.0
    return min(1.0, (step.done + inside) / step.total)


def _progress(step: Step) -> str:
    parts = [f"{step.done} of {several(step.total, 'test')}", step.now]
    if step.of:
        parts.append(f"{step.judged:,} of {several(step.of, 'judgement')}")
    if step.spent.calls:
        parts.append(f"{several(step.spent.calls, 'call')}, {cost_text(step.spent, load_prices().currency)}")
    return " · ".join(part for part in parts if part)


def _one(kept: KeptExperiment) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(kept.experiment.name)
        st.badge(kept.state.value, color="gray")
        st.space("stretch")
        if kept.state not in (RunState.DONE, RunState.RUNNING) and state.may(Permission.RUN):
            st.button("Go on", key=f"experiment.go|{kept.id}", on_click=_told, args=(lambda: _resume(kept.id),))
        if state.may(Permission.DELETE):
            st.button(
                "Remove",
                key=f"experiment.remove|{kept.id}",
                type="tertiary",
                help="Takes it off this list; its results stay.",
                on_click=_told,
                args=(lambda: state.experiments().remove(kept.id),),
            )
    spent = kept.spending
    used = f"{several(spent.calls, 'call')}, {cost_text(spent, load_prices().currency)}; " if spent.calls else ""
    with st.container(key=f"quiet.experiment|{kept.id}"):
        st.text(
            f"Experiment {kept.id}: {kept.done:,} of {several(kept.total, 'test')}; {used}"
            f"started {kept.started_at[:16].replace('T', ' ')} UTC"
        )
    if kept.reason:
        st.caption(plain(kept.reason))


def _estimated(experiment: Experiment) -> Estimate:
    """Return the estimate of an experiment, the same one until something changes; it may take seconds."""
    stamp = f"{experiment.to_json()} {content_stamp(state.database())} {state.properties().stamp()}"
    held: dict[str, Estimate] = st.session_state.setdefault(ESTIMATES, {})
    if stamp not in held:
        held.clear()
        held[stamp] = estimate_experiment(state.database(), experiment, load_prices())
    return held[stamp]


def _missing_keys(experiment: Experiment) -> list[str]:
    wanted = {one.stored for one in experiment.judges}
    models = [one.model for one in state.bench() if one.id in wanted and one.model is not None]
    endpoints = dict.fromkeys(model.endpoint for model in models)
    return [one.key_variable for one in endpoints if one.key_variable and key_from_environment(one) is None]


def _begin(experiment: Experiment, limits: Budget) -> None:
    worker = state.property_worker()
    worker.start(worker.create(experiment, limits).id)


def _resume(name: str) -> None:
    state.property_worker().start(name)


def _cancel(name: str) -> None:
    state.property_worker().cancel(name)
    state.property_worker().wait(name, 5.0)


def _told(action: Callable[[], object]) -> None:
    """Do something, and keep what went wrong for the page to say."""
    try:
        action()
    except MootError as error:
        st.session_state[TROUBLE] = str(error)


__all__ = ["cost_words", "listed", "offer", "running", "start"]
