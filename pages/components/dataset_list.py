"""The data sets in the database."""

from __future__ import annotations

import numpy as np
import streamlit as st

from core.errors import MootError
from core.native import FORMAT
from core.roles import Permission
from core.unlabelled import tells_label
from core.wording import SAMPLE, several
from pages.components import debate_exports, exports, pages, state
from pages.components.text import plain
from storage.dataset import Dataset
from storage.debate_filter import DebateFilter


def show() -> None:
    """Draw every data set with what it is and what can be done with it."""
    datasets = state.debates().datasets()
    if not datasets:
        st.info("Nothing is here yet. Drop a file above, or load the sample debates.")
        return
    for dataset in datasets:
        with st.container(border=True):
            _one(dataset)


def _one(dataset: Dataset) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.text(dataset.name)
        if dataset.is_sample:
            st.badge(SAMPLE, color="gray")
        st.space("stretch")
        if st.button("Browse", key=f"browse|{dataset.id}"):
            st.session_state[state.DATASET] = dataset.id
            st.switch_page(pages.browse())
        debates = state.debates()
        chosen = DebateFilter(datasets=(dataset.id,))
        exports.native("Export", lambda: debates.export(chosen), dataset.name, key=f"export|{dataset.id}")
        debate_exports.show(
            "Other formats",
            lambda: debates.export(chosen),
            dataset.debate_count,
            dataset.name,
            key=f"export|{dataset.id}",
            without=FORMAT,
        )
        if state.may(Permission.DELETE) and st.button("Remove", key=f"remove|{dataset.id}", type="tertiary"):
            _confirm(dataset)
    when = f"{dataset.imported_at:%Y-%m-%d %H:%M} UTC" if dataset.imported_at else "unknown time"
    issues = state.debates().issues(dataset.id)
    if state.labels_hidden() and len(issues):
        telling = [tells_label(code, field) for code, field in zip(issues["code"], issues["field"], strict=True)]
        issues = issues[~np.array(telling)]
    with st.container(key=f"quiet.dataset|{dataset.id}"):
        held = f"{several(dataset.debate_count, 'debate')}, {several(dataset.argument_count, 'argument')}"
        origin = f"{dataset.format}, from {dataset.file_name}, SHA-256 {dataset.sha256[:16]}…"
        said = [f"Derived at the import: {dataset.derivations}"] if dataset.derivations else []
        st.text("\n".join(part for part in (f"{held}; imported {when}", origin, dataset.note, *said) if part))
    if len(issues):
        with st.expander(f"{several(len(issues), 'note')} from the import"):
            st.dataframe(issues, hide_index=True, alt="Notes from the import")
            exports.table(issues, f"{dataset.name} problems", f"dataset.issues|{dataset.id}")


@st.dialog("Remove this data set?")
def _confirm(dataset: Dataset) -> None:
    if st.session_state.pop(f"removed|{dataset.id}", False):
        st.rerun()
    st.text(dataset.name)
    st.write(
        f"Its {several(dataset.debate_count, 'debate')} and unsaved drafts go. The file it came from is not touched."
    )
    st.checkbox("Also remove contestations that were saved on its debates", key=f"with|{dataset.id}")
    with st.container(horizontal=True):
        st.button("Remove", type="primary", key=f"sure|{dataset.id}", on_click=_remove, args=(dataset,))
        if st.button("Keep it", key=f"keep|{dataset.id}"):
            st.rerun()
    problem = st.session_state.pop(f"problem|{dataset.id}", None)
    if problem:
        st.error(plain(problem))


def _remove(dataset: Dataset) -> None:
    try:
        state.debates().remove_dataset(dataset.id, with_contestations=st.session_state[f"with|{dataset.id}"])
    except MootError as error:
        st.session_state[f"problem|{dataset.id}"] = str(error)
        return
    state.forget_scores()
    st.session_state[f"removed|{dataset.id}"] = True
