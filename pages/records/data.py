"""Data: bring debates in, see what is here, take data sets out."""

import streamlit as st

from core.roles import Permission
from pages.components import (
    dataset_list,
    file_drop,
    import_list,
    import_path,
    import_preview,
    import_source,
    judgement_preview,
    run_list,
    shell,
    state,
)

shell.guard()
shell.header("Data")

st.header("Import debates")
st.caption(
    "Drop logs of any kind that Moot knows, folders as ZIP archives, or judgements on debates that are here. What a "
    "file is, is found from its content; of JSON, JSON Lines, YAML and tables that Moot does not know, you say what is "
    "what."
)
may_import = state.may(Permission.IMPORT)
files = [import_source.dropped(file) for file in file_drop.show("Files", "data.files")] if may_import else []
if not may_import:
    st.info("Viewers cannot import; reviewers and admins can.")
elif not files:
    with st.container(horizontal=True):
        import_preview.templates()
        if not any(dataset.is_sample for dataset in state.debates().datasets()) and st.button("Load sample debates"):
            state.load_sample()
            st.rerun()
if may_import:
    files += import_path.show()

import_list.show()

for source in files:
    with st.container(border=True):
        judgements = source.judgements()
        if judgements is not None:
            judgement_preview.show(judgements, source.name)
        else:
            import_preview.show(source)

st.header("What is here")
dataset_list.show()

if state.debates().count():
    run_list.show()
