"""Browse: find debates by words, by what judges say of them, and by how close the verdict is."""

import math

import streamlit as st

from core.figures import score_scatter
from core.overview import overview
from core.semantics import SEMANTICS
from pages.components import browse_filters, debate_exports, debate_table, exports, pages, peek, shell, state, theme
from pages.components.text import plain
from storage.debate_filter import DebateFilter

shell.guard()
shell.header("Browse")
if state.debates().count() == 0:
    st.info("There are no debates yet. Load the sample on Home, or import your own.")
    st.page_link(pages.data(), label="Go to Data")
    st.stop()

wanted = browse_filters.show()
listed = state.debates().list(wanted.stored())
frame = overview(
    listed,
    state.scores(wanted.judge_a, listed["id"]),
    state.scores(wanted.judge_b, listed["id"]),
    wanted.judge_a.rule,
)
kept = wanted.narrowed(frame)

with st.container(horizontal=True, vertical_alignment="center"):
    st.markdown(f"**{len(kept):,} of {state.debates().count():,} debates**")
    st.caption(f"Judge A: {plain(wanted.judge_a.name)}. Judge B: {plain(wanted.judge_b.name)}.")
    st.space("stretch")
    columns = debate_table.shown_columns(debate_table.BROWSED)  # now: a download is made where no session is known
    exports.table(
        lambda: debate_table.with_flips(kept, wanted.judge_a)[columns].assign(
            **{"Score A": kept["score_a"], "Score B": kept["score_b"]},
            **{"Name of judge A": wanted.judge_a.name, "Name of judge B": wanted.judge_b.name},
        ),
        "debates",
        "browse.export",
    )

    if not kept.empty:
        debates, shown = state.debates(), DebateFilter(ids=tuple(kept["Id"]))  # now, for the same reason
        debate_exports.show("Download debates", lambda: debates.export(shown), len(kept), "debates", "browse.debates")

if kept.empty:
    browse_filters.nothing_found()
    st.stop()

pages_needed = math.ceil(len(kept) / browse_filters.PAGE_SIZE)
number = st.pagination(pages_needed, key=browse_filters.PAGE, bind="query-params") if pages_needed > 1 else 1
first = (min(number, pages_needed) - 1) * browse_filters.PAGE_SIZE
page = debate_table.with_flips(kept.iloc[first : first + browse_filters.PAGE_SIZE], wanted.judge_a)
chosen = debate_table.show(page, "browse", columns=debate_table.BROWSED)
if chosen is not None:
    peek.show(chosen, (wanted.judge_a, wanted.judge_b))
else:
    st.caption("Choose a row to look into a debate.")

st.header("Score scatter")
points = kept.rename(columns={"Id": "debate_id", "Claim": "claim"}).assign(agree=kept["agreement"] == "agree")
chart = score_scatter(
    points[["debate_id", "claim", "score_a", "score_b", "agree"]],
    SEMANTICS[wanted.judge_a.semantics].label,
    SEMANTICS[wanted.judge_b.semantics].label,
    theme.palette(),
    (wanted.judge_a.rule.threshold, wanted.judge_b.rule.threshold),
)
event = exports.chart(chart, "debates score scatter", "browse.scatter", on_select=True)
marked = exports.marked(event)
if len(marked) == 1:
    st.page_link(pages.debate(), label="Open the marked debate", query_params=state.link(marked[0]))
elif marked:
    debate_table.show(kept[kept["Id"].isin(set(marked))], "browse.marked")
