"""The layouts of the published tables, filled from one's own results, the published figures beside them."""

from __future__ import annotations

import streamlit as st

from core.errors import MootError
from core.experiments.experiment import Experiment
from core.experiments.layout import OWN, PRINTED, REMARK, covered
from core.roles import Permission
from core.runs.plan import Budget
from pages.components import drawn_files, property_run, state
from pages.components.text import plain
from storage.content_stamp import content_stamp
from storage.experiment_files import preset, preset_numbers
from storage.experiment_report import Layout, layout_of
from storage.property_debates import sources_of, stamp_of
from storage.property_repository import KeptResult
from storage.property_testing import ExperimentRun
from storage.published import published

TABLE = "table"


def show() -> None:
    """Draw the choice of a table, one's own figures beside the published ones, and how to fill it."""
    tables = {one.number: one for one in published() if one.number in preset_numbers() and "protocol" in one.rows}
    number = st.selectbox(
        "Published table",
        list(tables),
        format_func=lambda one: f"Table {one}: {tables[one].about}",
        key=TABLE,
        bind="query-params",
    )
    table = tables[int(number)]
    experiment = preset(table.number, state.chosen_dataset() or "")
    try:
        with st.spinner("Filling the table"):
            kept = _here(experiment)
    except MootError as error:
        st.warning(plain(str(error)))
        return
    labels = not state.labels_hidden()
    layout = layout_of(table, kept, labels=labels)
    draw(layout, "published", labels=labels)
    for remark in table.remarks:
        st.caption(plain(remark))
    if covered(layout.frame) < len(layout.frame) and state.may(Permission.RUN):
        with st.expander("Fill the rows of language models", key="published.models", on_change="rerun") as box:
            if box.open:
                st.caption(
                    "The preset takes the stored language model with the most judgements, in the paper's variants."
                )
                property_run.start(experiment, "published.models")


def draw(layout: Layout, key: str, *, labels: bool) -> None:
    """Draw a filled table, yours beside the published figures, and its chart."""
    frame = layout.frame
    st.caption(
        f"**Columns that begin with “{PRINTED}” are the published figures** ({plain(layout.origin)}), on the paper's "
        f"own 500 claims; those that begin with “{OWN}” are of your debates. The two are never mixed. {covered(frame)} "
        f"of {len(frame)} rows have figures of yours."
    )
    if not labels:
        st.caption("Gold labels are hidden, so accuracies of yours are not shown.")
    numbers = {
        name: st.column_config.NumberColumn(format="%.2f" if "%" in name or "change" in name else "%d")
        for name in frame.columns
        if name.startswith((OWN, PRINTED)) or name == "debates"
    }
    remark = st.column_config.TextColumn("Remark", width="medium")
    order = [str(name) for name in frame.columns if name != REMARK]
    order.insert(order.index("debates") + 1, REMARK)  # beside the count, so that it is seen before the figures
    st.dataframe(
        frame,
        hide_index=True,
        column_config=numbers | {REMARK: remark},
        column_order=order,
        alt=f"Published table with {len(frame)} rows, your own figures beside the published ones",
    )
    drawn_files.chart(layout.chart, key, layout.table)


def _here(experiment: Experiment) -> tuple[KeptResult, ...]:
    """Return what is known of an experiment without a call: worked out where judges judge here, else as stored."""
    book: dict[str, tuple[KeptResult, ...]] = st.session_state.setdefault("properties.filled", {})
    stamps = [stamp_of(state.database(), source) for source in sources_of(state.database(), experiment)[:1]]
    key = f"{experiment.to_json()} {stamps} {state.properties().stamp()} {content_stamp(state.database())}"
    if key not in book:
        book.clear()
        run = ExperimentRun(state.database(), experiment, budget=Budget(calls=0), keep=False)
        book[key] = run.carry_out().results
    return book[key]


__all__ = ["draw", "show"]
