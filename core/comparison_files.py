"""The files of a comparison: every chart and table in the formats asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from core.chart_export import KINDS as CHART_KINDS
from core.chart_export import Render, chart_file, chart_file_name
from core.comparison_report import Comparison, DrawnChart, NamedTable, every_chart, every_table
from core.palette import LIGHT
from core.table_export import KINDS as TABLE_KINDS
from core.table_export import table_file

EVERY_KIND = (*CHART_KINDS, *(kind for kind in TABLE_KINDS if kind not in CHART_KINDS))
MIME = {
    "html": "text/html",
    "csv": "text/csv",
    "svg": "image/svg+xml",
    "png": "image/png",
    "pdf": "application/pdf",
    "markdown": "text/markdown",
    "latex": "application/x-tex",
}
KIND_WORDS = {
    "html": "HTML page",
    "csv": "CSV of its data",
    "svg": "SVG",
    "png": "PNG",
    "pdf": "PDF",
    "markdown": "Markdown",
    "latex": "LaTeX (booktabs)",
}


def drawn_file(chart: DrawnChart, kind: str, render: Render | None = None) -> bytes:
    """Return a chart as the bytes of a file, in the colours for white paper.

    Raises:
        InvalidSetting: If there is no such kind.
        NoBrowser: If an image is asked for and nothing can draw it.
    """
    return chart_file(chart.draw(LIGHT), kind, chart.caption, LIGHT, render)


def drawn_file_name(chart: DrawnChart, day: str, kind: str) -> str:
    """Return what a chart's file is called; day is ``yyyymmdd``."""
    return chart_file_name(chart.caption.dataset, chart.name, day, kind)


def named_file_name(table: NamedTable, day: str, kind: str) -> str:
    """Return what a table's file is called; day is ``yyyymmdd``."""
    return chart_file_name(table.caption.dataset, f"table {table.name}", day, TABLE_KINDS[kind])


def comparison_files(
    of: Comparison,
    pair: tuple[int, int],
    kinds: Collection[str],
    day: str,
    render: Render | None = None,
    more: Sequence[DrawnChart] = (),
) -> Iterator[tuple[str, bytes]]:
    """Return the name and bytes of every file of a comparison, equal to those that the page hands out.

    Args:
        of: The comparison.
        pair: The two judges whose charts and tables are wanted, by place.
        kinds: Of ``EVERY_KIND``; each chart and table comes in those of them that it has.
        day: ``yyyymmdd``, for the names.
        render: Draws images; None where nothing can.
        more: Further charts, such as those of repeats.

    Raises:
        NoBrowser: If images are asked for and nothing can draw them.
    """
    for chart in (*every_chart(of, pair), *more):
        for kind in CHART_KINDS:
            if kind in kinds:
                yield drawn_file_name(chart, day, kind), drawn_file(chart, kind, render)
    for table in every_table(of, pair):
        for kind in TABLE_KINDS:
            if kind in kinds:
                yield named_file_name(table, day, kind), table_file(table.make(), kind)


__all__ = [
    "EVERY_KIND", "KIND_WORDS", "MIME", "comparison_files", "drawn_file", "drawn_file_name", "named_file_name",
]  # fmt: skip
