"""Compare judges: who is right where, where they differ, and every case behind a figure."""

import streamlit as st

from pages.components import (
    compare_across,
    compare_calibration,
    compare_cases,
    compare_debate,
    compare_filters,
    compare_judges,
    compare_pair,
    compare_repeats,
    compare_return,
    compare_summary,
    pages,
    report_basket,
    rounds_accuracy,
    shell,
    state,
)
from pages.components.compare_debate_link import ACROSS, AGAIN, BY_ROUND, CALIBRATION, ONE, TAB

shell.guard()
shell.header("Compare judges", link={name: st.query_params.get_all(name) for name in st.query_params})
if state.debates().count() == 0:
    st.info("There are no debates yet. Load the sample on Home, or import your own.")
    st.page_link(pages.data(), label="Go to Data")
    st.stop()

compare_return.restore()
picker = st.container()
row = st.container(horizontal=True, vertical_alignment="bottom")
with picker:
    judges = compare_judges.show(row)
with row:
    published = compare_summary.reference()
wanted = compare_filters.show()
if not judges:
    st.info("Pick at least one judge, or a preset.")
    st.stop()

of = state.comparison(judges, wanted.stored, wanted.words, wanted.abstention, published)
report_basket.comparing(judges, wanted.stored, wanted.abstention, *compare_summary.reference_chosen())
compare_summary.coverage(of)
if not of.population.size:
    st.warning("No debate is judged by every judge picked. Drop a judge, or take filters off.")
    compare_judges.offer_to_drop(judges, of.population.idle)
    st.stop()

names = (ACROSS, ONE, AGAIN, BY_ROUND, CALIBRATION)
for name, tab in zip(names, st.tabs(names, key=TAB, on_change="rerun", bind="query-params"), strict=True):
    if not tab.open:
        continue
    with tab:
        if name == ACROSS:
            compare_across.show(of)
        elif name == ONE:
            compare_debate.show(of, compare_cases.chosen(of, *compare_pair.places(of)), judges)
        elif name == AGAIN:
            compare_repeats.show(of, judges)
        elif name == BY_ROUND:
            rounds_accuracy.show(of, judges)
        else:
            compare_calibration.show(of)

compare_return.remember()
