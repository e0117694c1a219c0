"""Experiments as files: loaded, looked at, started, and taken away again."""

from __future__ import annotations

import streamlit as st

from core.errors import MootError
from core.experiments import Experiment, experiment_of, experiment_text
from core.roles import Permission
from pages.components import drawn_files, property_published, property_run, state
from pages.components.text import plain
from storage.experiment_files import preset_names, preset_text
from storage.experiment_report import overview, results_of
from storage.text_file import utf8_text

OWN = "a file of your own"
TEXT = "experiment.text"
FILE = "experiment.file"


def show() -> None:
    """Draw the text of an experiment with its start, and the experiments that were carried out."""
    st.caption(
        "An experiment is a YAML file: debates, judges, variants, properties. This page and "
        "cli.py properties run carry out the same; docs/properties.md has the fields."
    )
    names = preset_names()
    left, right = st.columns(2, gap="large")
    with left:
        chosen = st.selectbox("Begin with", [*names, OWN], format_func=lambda one: names.get(one, one), key=FILE)
        if chosen == OWN:
            text = _sent()
        else:
            text = preset_text(str(chosen))
        text = st.text_area("The experiment", text, height=320, key=f"{TEXT}|{chosen}|{hash(text)}")
    with right:
        experiment = _read(text)
        if experiment is not None:
            st.download_button(
                "Download experiment",
                experiment_text(experiment).encode(),
                file_name="experiment.yaml",
                mime="application/yaml",
                key="experiment.download",
                on_click="ignore",
            )
            if state.may(Permission.RUN):
                property_run.start(experiment, "experiment")
    st.header("Carried out")
    property_run.listed()
    _results()


def _sent() -> str:
    sent = st.file_uploader("Experiment", ["yaml", "yml"], key="experiment.upload")
    try:
        return "" if sent is None else utf8_text(sent.getvalue(), sent.name)
    except MootError as error:
        st.error(plain(str(error)))
        return ""


def _read(text: str) -> Experiment | None:
    if not text.strip():
        st.caption("Choose a file, or write an experiment.")
        return None
    try:
        found = experiment_of(text)
    except MootError as error:
        st.error(plain(str(error)))
        return None
    st.markdown(f"**{plain(found.name)}**")
    if found.about:
        st.caption(plain(found.about))
    return found


def _results() -> None:
    kept = {one.id: one for one in state.experiments().all() if one.results}
    if not kept:
        return
    chosen = st.selectbox(
        "Results of",
        list(kept),
        format_func=lambda name: f"{kept[name].experiment.name} ({name})",
        key="experiment.results",
    )
    found = state.properties().get(kept[str(chosen)].results)
    if not found:
        st.caption("Its results are not in the database any more.")
        return
    labels = not state.labels_hidden()
    layout, charts = overview(kept[str(chosen)].experiment, found, labels=labels)
    named = results_of(found, labels=labels)
    if layout is not None:
        property_published.draw(layout, "experiment.layout", labels=labels)
    for place, chart in enumerate(charts):
        st.subheader(chart.caption.dataset)
        drawn_files.chart(chart, f"experiment.{place}")
    drawn_files.files("experiment", named)


__all__ = ["show"]
