"""Charts and tables of a comparison on screen, which can be added to the report."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from core.comparison_report import DrawnChart, NamedTable
from core.figures import Chart
from pages.components import drawn_files, exports

CAMERA = "compare.camera"

table_files = partial(drawn_files.files, compared=True)


def chart(
    piece: DrawnChart, key: str, *tables: NamedTable, on_select: bool = False, wide: bool = False
) -> tuple[Chart, object]:
    """Draw a chart with its description, its data, its files and those of tables; return it and the selection."""
    saved = str(st.session_state.get(CAMERA) or "svg")
    return drawn_files.chart(piece, key, *tables, on_select=on_select, camera=saved, compared=True, wide=wide)


def camera() -> None:
    """Draw the choice of what the cameras of all charts save."""
    st.segmented_control(
        "The charts' camera saves",
        ["svg", "png"],
        default="svg",
        required=True,
        format_func=str.upper,
        key=CAMERA,
        persist_state="session",
    )


def chosen(event: object) -> list[str]:
    """Return the custom data of the marks selected in a chart, as texts, each once."""
    return list(dict.fromkeys(exports.marked(event)))


def without_empty(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table without the columns that hold no value."""
    return frame[[name for name in frame.columns if frame[name].notna().any()]]
