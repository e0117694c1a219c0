"""Charts and tables of property tests on screen, each with its description, its data and its files to take away."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

import streamlit as st

from core.chart_export import IMAGE_KINDS
from core.chart_export import KINDS as CHART_KINDS
from core.comparison_files import KIND_WORDS, MIME, drawn_file, drawn_file_name, named_file_name
from core.comparison_report import DrawnChart, NamedTable
from core.figures import export_config
from core.table_export import KINDS as TABLE_KINDS
from core.table_export import table_file
from pages.components import theme
from pages.components.text import plain
from storage.chart_images import browser_path, draw

MOST_ROWS = 500  # of a chart's data on screen; the CSV has all


def chart(piece: DrawnChart, key: str, *tables: NamedTable) -> None:
    """Draw a chart with its description, its data, its files, and those of tables that belong to it."""
    drawn = piece.draw(theme.palette())
    name = drawn_file_name(piece, _day(), "svg").removesuffix(".svg")
    with st.container(key=f"wide.{key}"):
        st.plotly_chart(drawn.figure, key=f"{key}.chart", config=export_config(name), alt=drawn.alt)
    st.caption(plain(drawn.alt))
    _menus(piece, key, tables)


@st.fragment
def files(key: str, *tables: NamedTable) -> None:
    """Offer tables as CSV, Markdown and LaTeX."""
    with st.container(horizontal=True):
        _table_menus(key, tables)


@st.fragment
def _menus(piece: DrawnChart, key: str, tables: tuple[NamedTable, ...]) -> None:
    with st.container(horizontal=True):
        with st.popover("Download chart", key=f"{key}.files", on_change="rerun") as opened:
            if opened.open:
                _chart_files(piece, key)
        with st.popover("Data for this chart", key=f"{key}.data", on_change="rerun") as data:
            if data.open:
                drawn = piece.draw(theme.palette())
                st.dataframe(drawn.data.head(MOST_ROWS), hide_index=True, alt=f"Data of the chart: {drawn.alt}")
        _table_menus(key, tables)


def _table_menus(key: str, tables: tuple[NamedTable, ...]) -> None:
    for place, named in enumerate(tables):
        label = "Download table" if len(tables) == 1 else f"Download {named.name}"
        with st.popover(label, key=f"{key}.table.{place}", on_change="rerun") as opened:
            if opened.open:
                for kind in TABLE_KINDS:
                    content = partial(_table_bytes, named, kind)
                    _button(kind, content, named_file_name(named, _day(), kind), f"{key}.table.{place}")
                st.caption("Caption")
                st.code(named.caption.text, language=None, wrap_lines=True)


def _chart_files(piece: DrawnChart, key: str) -> None:
    images = browser_path() is not None
    for kind in CHART_KINDS:
        unavailable = kind in IMAGE_KINDS and not images
        content = partial(drawn_file, piece, kind, draw)
        _button(kind, content, drawn_file_name(piece, _day(), kind), key, disabled=unavailable)
    if not images:
        st.caption("Drawing SVG, PNG and PDF here needs Chromium or Chrome; the chart's camera needs neither.")
    st.caption("Caption")
    st.code(piece.caption.text, language=None, wrap_lines=True)


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


def _day() -> str:
    return f"{datetime.now():%Y%m%d}"


__all__ = ["chart", "files"]
