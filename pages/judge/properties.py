"""Properties: which judge has which of the seven, measured on debates, with every violation to look at."""

import streamlit as st

from core.errors import MootError
from pages.components import (
    pages,
    property_cell,
    property_experiments,
    property_grid,
    property_growth,
    property_judges,
    property_lines,
    property_pair,
    property_published,
    property_results,
    property_run,
    property_settings,
    property_source,
    shell,
    state,
)
from pages.components.text import plain
from storage.property_debates import source_words

shell.guard()
shell.header("Properties", link={name: st.query_params.get_all(name) for name in st.query_params})
if state.debates().count() == 0:
    st.info("There are no debates yet. Load the sample on Home, or import your own.")
    st.page_link(pages.data(), label="Go to Data")
    st.stop()

judges = property_judges.show()
with st.container(horizontal=True, vertical_alignment="bottom"):
    source = property_source.show()
    properties, seed = property_settings.show()
st.caption(
    "A property is not always wanted: a judge that keeps to what all agents say repeats a mistake that they share. "
    "See docs/properties.md."
)
property_run.running()
if not judges:
    st.info("Pick at least one judge.")
    st.stop()
try:
    cells = property_results.cells(judges, properties, source, seed)
except MootError as error:
    st.warning(plain(str(error)))
    st.stop()
dataset = source_words(state.database(), source)

names = ("Grid", "Two judges", "Growing changes", "Published tables", "Growing debates", "Experiments")
for name, tab in zip(names, st.tabs(names, key="view", on_change="rerun", bind="query-params"), strict=True):
    if not tab.open:
        continue
    with tab:
        match name:
            case "Grid":
                chosen = property_grid.show(cells, dataset, simulated=source.simulated)
                if chosen is not None:
                    property_cell.show(chosen, source, dataset)
                property_run.offer(cells, source, seed)
            case "Two judges":
                property_pair.show(cells, dataset, simulated=source.simulated)
            case "Growing changes":
                property_lines.show(judges, source, seed, dataset)
            case "Published tables":
                property_published.show()
            case "Growing debates":
                property_growth.show(judges)
            case _:
                property_experiments.show()
