"""Whether a judge's scores can be read as probabilities."""

from __future__ import annotations

import streamlit as st

from core.comparison.calibration import Binning
from core.comparison_report import BINS, Comparison, calibration_chart
from pages.components import compare_files, compare_summary, state

JUDGE = "calibrated"
COUNT = "bins"
BINNING = "binning"


def show(of: Comparison) -> None:
    """Draw one judge's calibration."""
    if not of.population.labelled:
        st.info("Calibration holds scores against gold labels, and there are none to look at.")
        return
    ids = [judge.id for judge in of.population.judges]
    names = dict(zip(ids, of.names, strict=True))
    if not state.still_offered(JUDGE, ids):
        st.session_state[JUDGE] = ids[0]
    first, second, third = st.columns(3, vertical_alignment="bottom")
    judge = first.selectbox("Judge", ids, format_func=names.__getitem__, key=JUDGE, bind="query-params")
    bins = second.number_input("Bins", 2, 30, BINS, key=COUNT, bind="query-params")
    binning = third.segmented_control(
        "Bins of",
        [one.value for one in Binning],
        default=Binning.EQUAL_WIDTH.value,
        required=True,
        key=BINNING,
        bind="query-params",
    )
    place = ids.index(judge)
    compare_summary.remarks(of, (place,))
    drawn, _ = compare_files.chart(
        calibration_chart(of, place, int(bins), Binning(str(binning))), f"compare.calibration|{judge}"
    )
    if drawn.data.empty:
        st.info("This judge gives verdicts without scores.")
