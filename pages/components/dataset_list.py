"""The data sets in the database."""

from __future__ import annotations

import streamlit as st

from core.errors import MootError
from core.export import file_name
from core.roles import Permission
from core.wording import SAMPLE
from pages.components import exports, pages, state
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
        st.download_button(
            "Export",
            data=lambda: "".join(
                f"{line}\n" for line in state.debates().export(DebateFilter(datasets=(dataset.id,)))
            ).encode(),
            file_name=file_name(dataset.name, "moot.jsonl"),
            mime="application/x-ndjson",
            key=f"export|{dataset.id}",
            on_click="ignore",
        )
        if state.may(Permission.DELETE) and st.button("Remove", key=f"remove|{dataset.id}", type="tertiary"):
            _confirm(dataset)
    when = f"{dataset.imported_at:%Y-%m-%d %H:%M} UTC" if dataset.imported_at else "unknown time"
    issues = state.debates().issues(dataset.id)
    with st.container(key=f"quiet.dataset|{dataset.id}"):
        facts = f"{dataset.debate_count:,} debates, {dataset.argument_count:,} arguments; imported {when}"
        origin = f"{dataset.format}, from {dataset.file_name}, SHA-256 {dataset.sha256[:16]}…"
        st.text("\n".join(part for part in (facts, origin, dataset.note) if part))
    if len(issues):
        with st.expander(f"{len(issues):,} notes from the import"):
            st.dataframe(issues, hide_index=True, alt="Notes from the import")
            exports.table(issues, f"{dataset.name} problems", f"dataset.issues|{dataset.id}")


@st.dialog("Remove this data set?")
def _confirm(dataset: Dataset) -> None:
    if st.session_state.pop(f"removed|{dataset.id}", False):
        st.rerun()
    st.text(dataset.name)
    st.write(f"Its {dataset.debate_count:,} debates and unsaved drafts go. The file it came from is not touched.")
    st.checkbox("Also remove contestations that were saved on its debates", key=f"with|{dataset.id}")
    with st.container(horizontal=True):
        st.button("Remove", type="primary", key=f"sure|{dataset.id}", on_click=_remove, args=(dataset,))
        if st.button("Keep it", key=f"keep|{dataset.id}"):
            st.rerun()
    problem = st.session_state.pop(f"problem|{dataset.id}", None)
    if problem:
        st.error(problem)


def _remove(dataset: Dataset) -> None:
    try:
        state.debates().remove_dataset(dataset.id, with_contestations=st.session_state[f"with|{dataset.id}"])
    except MootError as error:
        st.session_state[f"problem|{dataset.id}"] = str(error)
        return
    state.forget_scores()
    st.session_state[f"removed|{dataset.id}"] = True
