"""Report: what was collected, in order and with notes, as one file that can be made again."""

import streamlit as st

from pages.components import pages, report_download, report_editor, shell, state

shell.guard()
shell.header("Report")
basket = state.reports().basket()
report = report_editor.shown(basket)

left, right = st.columns([5, 3], gap="large")
with left:
    if not basket.entries:
        st.info(
            "There is nothing in your report yet. Saved contestations, debates, and the charts and tables of Compare "
            "judges have a button that adds them."
        )
        with st.container(horizontal=True):
            st.page_link(pages.contest(), label="Contest")
            st.page_link(pages.debate(), label="Debate")
            st.page_link(pages.compare(), label="Compare judges")
    report_editor.items(basket)
with right:
    report_editor.head(basket)
    st.header("Take away")
    report_download.files(report)
    st.header("Keep")
    report_download.kept(report)
report_download.preview(report)
