"""Robustness curves: how many verdicts turn as a change of the profile grows."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from core.errors import MootError
from core.experiments.experiment import Experiment, JudgeChoice
from core.experiments.source import Source
from core.properties.curves import SIZES, Curve, along, curve_table
from core.property_report import curve_chart, results_table
from core.roles import Permission
from pages.components import drawn_files, property_results, property_run, state
from pages.components.property_judges import names_of
from pages.components.text import plain
from storage.property_bench import Benched


def show(judges: Sequence[Benched], source: Source, seed: int, dataset: str) -> None:
    """Draw the choice of what grows, and a line for each judge that was tested."""
    chosen = st.selectbox(
        "What grows", list(Curve), format_func=lambda one: one.value, key="curve", bind="query-params", width=340
    )
    curve = Curve(str(chosen))
    tested = along(curve)
    try:
        cells = property_results.cells(judges, [tested], source, seed)
    except MootError as error:
        st.warning(plain(str(error)))
        return
    drawn = [cell for cell in cells if cell.result.rate is not None and not cell.otherwise]
    waiting = [cell.judge for cell in cells if cell not in drawn]
    if drawn:
        results = [cell.result for cell in drawn]
        labels = not state.labels_hidden()
        table = pd.concat([curve_table(one) for one in results], ignore_index=True)
        if not labels:
            table = table[[name for name in table.columns if not name.startswith("accuracy")]]
        drawn_files.chart(
            curve_chart(results, table, curve.value, names_of(judges), dataset, simulated=source.simulated),
            "curve",
            results_table(results, dataset, labels=labels, simulated=source.simulated),
        )
        counted = max(one.debates for one in results)
        sizes = ", ".join(f"{size:g}" for size in SIZES)
        st.caption(f"Up to {counted:,} debates; sizes {sizes}. A change that meets 0 or 1 ends there.")
    if not waiting:
        return
    models = [one for one in waiting if one.model is not None]
    st.caption(plain(f"Not drawn: {'; '.join(one.name for one in waiting)}."))
    if models and not source.simulated and state.may(Permission.RUN):
        with st.expander("Test language models along this curve", key="curve.models", on_change="rerun") as box:
            if box.open:
                property_run.start(
                    Experiment(
                        name=f"Curve: {curve.value}",
                        judges=tuple(JudgeChoice(stored=one.id) for one in models),
                        properties=(),
                        dataset=source.dataset,
                        protocols=() if source.protocol is None else (source.protocol,),
                        seed=seed,
                        curve=curve,
                    ),
                    "curve.models",
                )


__all__ = ["show"]
