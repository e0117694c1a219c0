"""Charts and tables on screen, each with its description, its data and its files to take away."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import partial

import streamlit as st

from core.chart_export import IMAGE_KINDS
from core.chart_export import KINDS as CHART_KINDS
from core.comparison_files import KIND_WORDS, MIME, drawn_file, drawn_file_name, named_file_name
from core.comparison_report import DrawnChart, NamedTable
from core.figures import Chart, export_config
from core.table_export import KINDS as TABLE_KINDS
from core.table_export import table_file
from pages.components import report_basket, theme
from pages.components.text import plain
from storage.chart_images import browser_path, draw

MOST_ROWS = 500  # of a chart's data on screen; the CSV has all


def chart(
    piece: DrawnChart,
    key: str,
    *tables: NamedTable,
    on_select: bool = False,
    camera: str = "svg",
    compared: bool = False,
    wide: bool = True,
) -> tuple[Chart, object]:
    """Draw a chart with its description, its data, its files, and those of tables that belong to it.

    Args:
        piece: The chart.
        key: Prefix of the widgets' keys.
        tables: Those that belong to it.
        on_select: Whether its marks can be selected.
        camera: The format in which the chart's own camera saves it.
        compared: Whether it is of the judges that Compare judges shows, and can be added to the report.
        wide: Whether it needs room, and is moved sideways where there is little.

    Returns:
        The chart as drawn, and what is selected in it.
    """
    drawn = piece.draw(theme.palette())
    name = drawn_file_name(piece, _day(), "svg").removesuffix(".svg")
    with st.container(key=f"{'wide' if wide else 'fitting'}.{key}"):
        selection = st.plotly_chart(
            drawn.figure,
            key=f"{key}.chart",
            on_select="rerun" if on_select else "ignore",
            selection_mode=("points", "box") if on_select else (),
            config=export_config(name, camera),
            alt=drawn.alt,
        )
    st.caption(plain(drawn.alt))
    _menus(piece, drawn, key, tables, compared)
    return drawn, selection


@st.fragment
def files(key: str, *tables: NamedTable, compared: bool = False) -> None:
    """Offer tables as CSV, Markdown and LaTeX; ``compared`` as for a chart."""
    with st.container(horizontal=True, width="content"):
        _table_menus(key, tables, compared)


@st.fragment
def _menus(piece: DrawnChart, drawn: Chart, key: str, tables: tuple[NamedTable, ...], compared: bool) -> None:
    # What a menu holds is made when it is opened: six charts with all their buttons would be slow to send.
    with st.container(horizontal=True):
        with st.popover("Download chart", key=f"{key}.files", on_change="rerun") as opened:
            if opened.open:
                _chart_files(piece, key)
                if compared:
                    report_basket.chart(piece, key)
        with st.popover("Data for this chart", key=f"{key}.data", on_change="rerun") as data:
            if data.open:
                st.dataframe(drawn.data.head(MOST_ROWS), hide_index=True, alt=f"Data of the chart: {drawn.alt}")
                if len(drawn.data) > MOST_ROWS:
                    st.caption(f"The first {MOST_ROWS} of {len(drawn.data):,} rows; the CSV has all of them.")
        _table_menus(key, tables, compared)


def _table_menus(key: str, tables: tuple[NamedTable, ...], compared: bool) -> None:
    for place, named in enumerate(tables):
        label = "Download table" if len(tables) == 1 else f"Download {named.name}"
        with st.popover(label, key=f"{key}.table.{place}", on_change="rerun") as opened:
            if opened.open:
                for kind in TABLE_KINDS:
                    content = partial(_table_bytes, named, kind)
                    _button(kind, content, named_file_name(named, _day(), kind), f"{key}.table.{place}")
                if compared:
                    report_basket.table(named, key)
                _caption(named.caption.text)


def _chart_files(piece: DrawnChart, key: str) -> None:
    images = browser_path() is not None
    for kind in CHART_KINDS:
        unavailable = kind in IMAGE_KINDS and not images
        content = partial(drawn_file, piece, kind, draw)
        _button(kind, content, drawn_file_name(piece, _day(), kind), key, disabled=unavailable)
    if not images:
        st.caption("Drawing SVG, PNG and PDF here needs Chromium or Chrome; the chart's camera needs neither.")
    _caption(piece.caption.text)


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


__all__ = ["chart", "files"]
