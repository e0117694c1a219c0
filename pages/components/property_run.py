"""Language models on the bench: what testing them takes, its start, and experiments with their progress."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from core.debate import DebateProtocol
from core.errors import MootError
from core.experiments.experiment import Experiment, JudgeChoice
from core.experiments.source import Source
from core.llm.endpoint import Endpoint
from core.properties.property import Property
from core.roles import Permission
from core.runs.plan import Budget
from core.runs.progress import Progress, effort_line
from core.wording import several
from pages.components import background_runs, run_form, state
from pages.components.background_runs import Listing, Shown
from pages.components.property_results import Cell
from pages.components.text import plain
from storage.content_stamp import content_stamp
from storage.experiment_repository import KeptExperiment
from storage.prompt_files import load_prices
from storage.property_estimate import estimate_experiment
from storage.run_estimate import Estimate

KEY = "experiment"  # what the keys of widgets begin with
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
    effort = effort_line(found.calls, found.tokens, found.cost, load_prices().currency)
    st.markdown(f"**It takes {plain(effort if found.calls else 'no call of a language model')}.**")
    tests = several(found.cases, "test")
    st.caption(
        f"{tests} to do; {found.stored:,} more are done already. Replies that are stored are not asked for again."
    )
    limits = run_form.budget(key, Budget(money=run_form.DOLLARS if found.cost else None)) if found.calls else Budget()
    lacking = [one for one in _endpoints(experiment) if run_form.key_lacking(one)] if found.calls else []
    st.button(
        f"Start: {several(found.calls, 'call')}" if found.calls else "Start",
        key=f"{key}.start",
        type="primary",
        disabled=bool(lacking) or not found.cases,
        on_click=run_form.told,
        args=(KEY, lambda: _begin(experiment, limits)),
    )
    if not found.cases:
        st.caption("All of it is tested already.")


def running() -> None:
    """Draw the experiments that are under way; they look again every second."""
    background_runs.show(LISTING, Shown.UNDER_WAY)


def listed() -> None:
    """Draw every other experiment, the latest first."""
    background_runs.show(LISTING, Shown.OTHERS)


def _beside(progress: Progress[KeptExperiment], running: bool) -> None:
    if not running:
        background_runs.remove(LISTING, progress.run.id, "its results stay")


def _below(progress: Progress[KeptExperiment]) -> None:
    run = progress.run
    step = state.property_worker().step(run.id)
    if step is not None and step.now:
        judged = f", {step.judged:,} of {several(step.of, 'judgement')}" if step.of else ""
        st.caption(plain(f"{step.now}{judged}"))
    background_runs.facts(run, several(run.total, "test"))


def _estimated(experiment: Experiment) -> Estimate:
    """Return the estimate of an experiment, the same one until something changes; it may take seconds."""
    stamp = f"{experiment.to_json()} {content_stamp(state.database())} {state.properties().stamp()}"
    held: dict[str, Estimate] = st.session_state.setdefault(ESTIMATES, {})
    if stamp not in held:
        held.clear()
        held[stamp] = estimate_experiment(state.database(), experiment, load_prices())
    return held[stamp]


def _endpoints(experiment: Experiment) -> list[Endpoint]:
    """Return where the experiment's models are asked."""
    wanted = {one.stored for one in experiment.judges}
    return list(
        dict.fromkeys(one.model.endpoint for one in state.bench() if one.id in wanted and one.model is not None)
    )


def _begin(experiment: Experiment, limits: Budget) -> None:
    worker = state.property_worker()
    worker.start(worker.create(experiment, limits).id)


LISTING = Listing(KEY, state.property_worker, state.experiments, "No experiment was carried out yet.", _beside, _below)

__all__ = ["listed", "offer", "running", "start"]
