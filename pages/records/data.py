"""Data: bring debates in, see what is here, take data sets out."""

import streamlit as st

from core.roles import Permission
from pages.components import dataset_list, file_drop, import_preview, judgement_preview, run_list, shell, state

shell.guard()
shell.header("Data")

st.header("Import debates")
st.caption(
    "Debates in Moot's own format, records of post-hoc debate judgement, and tables (CSV, TSV, JSON Lines, Parquet) "
    "with one argument or one debate a row; and judgements on debates that are here. What a file is, is found from its "
    "content."
)
may_import = state.may(Permission.IMPORT)
files = file_drop.show("Files", "data.files") if may_import else []
if not may_import:
    st.info("Viewers cannot import; reviewers and admins can.")
elif not files:
    with st.container(horizontal=True):
        import_preview.templates()
        if not any(dataset.is_sample for dataset in state.debates().datasets()) and st.button("Load sample debates"):
            state.load_sample()
            st.rerun()

for upload in files:
    with st.container(border=True):
        judgements = import_preview.judgements(upload.getvalue())
        if judgements is not None:
            judgement_preview.show(judgements, upload.name)
        else:
            import_preview.show(import_preview.read(upload.getvalue(), upload.name))

st.header("What is here")
dataset_list.show()

if state.debates().count():
    run_list.show()
