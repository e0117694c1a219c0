"""Charts and tables of a comparison on screen, each with its description, its data and its files to take away."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

import pandas as pd
import streamlit as st

from core.chart_export import IMAGE_KINDS
from core.chart_export import KINDS as CHART_KINDS
from core.comparison_files import KIND_WORDS, MIME, drawn_file, drawn_file_name, named_file_name
from core.comparison_report import DrawnChart, NamedTable
from core.figures import Chart, export_config
from core.table_export import KINDS as TABLE_KINDS
from core.table_export import table_file
from pages.components import exports, report_basket, theme
from pages.components.text import plain
from storage.chart_images import browser_path, draw

CAMERA = "compare.camera"
MOST_ROWS = 500  # of a chart's data on screen; the CSV has all


def chart(
    piece: DrawnChart, key: str, *, on_select: bool = False, table: NamedTable | None = None
) -> tuple[Chart, object]:
    """Draw a chart with its description, its data, its files and those of a table; return it and the selection."""
    drawn = piece.draw(theme.palette())
    name = drawn_file_name(piece, _day(), "svg").removesuffix(".svg")
    selection = st.plotly_chart(
        drawn.figure,
        key=f"{key}.chart",
        on_select="rerun" if on_select else "ignore",
        selection_mode=("points", "box") if on_select else (),
        config=export_config(name, str(st.session_state.get(CAMERA) or "svg")),
        alt=drawn.alt,
    )
    st.caption(plain(drawn.alt))
    _chart_menus(piece, drawn, key, table)
    return drawn, selection


@st.fragment
def _chart_menus(piece: DrawnChart, drawn: Chart, key: str, table: NamedTable | None) -> None:
    # What a menu holds is made when it is opened: six charts with all their buttons would be slow to send.
    with st.container(horizontal=True):
        with st.popover("Download chart", key=f"{key}.files", on_change="rerun") as files:
            if files.open:
                _chart_files(piece, key)
                report_basket.chart(piece, key)
        with st.popover("Data for this chart", key=f"{key}.data", on_change="rerun") as data:
            if data.open:
                st.dataframe(drawn.data.head(MOST_ROWS), hide_index=True, alt=f"Data of the chart: {drawn.alt}")
                if len(drawn.data) > MOST_ROWS:
                    st.caption(f"The first {MOST_ROWS} of {len(drawn.data):,} rows; the CSV has all of them.")
        if table is not None:
            _table_menu(table, key)


def _chart_files(piece: DrawnChart, key: str) -> None:
    images = browser_path() is not None
    for kind in CHART_KINDS:
        name = drawn_file_name(piece, _day(), kind)
        unavailable = kind in IMAGE_KINDS and not images
        _button(kind, partial(drawn_file, piece, kind, draw), name, key, disabled=unavailable)
    if not images:
        st.caption("Drawing SVG, PNG and PDF here needs Chromium or Chrome; the chart's camera needs neither.")
    _caption(piece.caption.text)


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


@st.fragment
def table_files(named: NamedTable, key: str) -> None:
    """Offer a table as CSV, Markdown and LaTeX."""
    _table_menu(named, key)


def chosen(event: object) -> list[str]:
    """Return the custom data of the marks selected in a chart, as texts, each once."""
    return list(dict.fromkeys(exports.marked(event)))


def without_empty(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a table without the columns that hold no value."""
    return frame[[name for name in frame.columns if frame[name].notna().any()]]


def _table_menu(named: NamedTable, key: str) -> None:
    with st.popover("Download table", key=f"{key}.table", on_change="rerun") as files:
        if files.open:
            for kind in TABLE_KINDS:
                name = named_file_name(named, _day(), kind)
                _button(kind, partial(_table_bytes, named, kind), name, f"{key}.table")
            report_basket.table(named, key)
            _caption(named.caption.text)


def _table_bytes(named: NamedTable, kind: str) -> bytes:
    return table_file(named.make(), kind)


def _button(kind: str, data: Callable[[], bytes], name: str, key: str, *, disabled: bool = False) -> None:
    st.download_button(
        KIND_WORDS[kind],
        data=data,
        file_name=name,
        mime=MIME[kind],
        key=f"{key}.{kind}",
        on_click="ignore",
        disabled=disabled,
        width="stretch",
    )


def _caption(text: str) -> None:
    st.caption("Caption")
    st.code(text, language=None, wrap_lines=True)


def _day() -> str:
    return f"{datetime.now():%Y%m%d}"
