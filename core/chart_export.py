"""Charts to take away: a stand-alone page, the data as CSV, and images where something can draw them."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

import pandas as pd
import plotly.graph_objects as go
from plotly.io import to_html

from core.errors import InvalidSetting, NoBrowser
from core.export import file_stem
from core.figures import Chart, export_config
from core.palette import Palette
from core.table_export import Caption, Table, to_csv

IMAGE_KINDS = ("svg", "png", "pdf")
KINDS = ("html", "csv", *IMAGE_KINDS)
WIDTH = 820  # pixels
FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
MOST_ROWS = 500  # of the data in a stand-alone page; the CSV has all
# Whatever a text in the page tries, the browser fetches nothing and sends nothing.
POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"

Render = Callable[[go.Figure, str], bytes]  # a figure with width and height, and one of IMAGE_KINDS, to a file's bytes

_UID = re.compile(r'id="(?:top)?defs-([0-9a-f]{6,})"')


def chart_file(chart: Chart, kind: str, caption: Caption, palette: Palette, render: Render | None = None) -> bytes:
    """Return a chart as the bytes of a file; equal charts give equal bytes, but for the date that a PDF holds.

    Args:
        chart: The chart.
        kind: ``html``, ``csv``, ``svg``, ``png`` or ``pdf``.
        caption: What it is of; images carry none.
        palette: Colours that the chart was drawn in.
        render: Draws images; None where nothing can.

    Raises:
        InvalidSetting: If there is no such kind.
        NoBrowser: If an image is asked for and nothing can draw it.
    """
    if kind == "html":
        return chart_html(chart, caption, palette).encode("utf-8", "replace")
    if kind == "csv":
        return to_csv(Table(chart.data, caption))
    if kind not in IMAGE_KINDS:
        raise InvalidSetting(f"There is no chart format {kind!r}; there are {', '.join(KINDS)}.")
    if render is None:
        raise NoBrowser(kind)
    image = render(dressed(chart.figure, palette), kind)
    return stable_svg(image.decode("utf-8")).encode("utf-8") if kind == "svg" else image


def chart_html(chart: Chart, caption: Caption, palette: Palette) -> str:
    """Return a page that shows the chart, its caption, its description and its data, and needs no other file."""
    name = file_stem(caption.title)
    drawn = to_html(
        dressed(chart.figure, palette),
        full_html=False,
        include_plotlyjs=True,
        include_mathjax=False,
        div_id="chart",
        config=export_config(name),
        default_width=f"{WIDTH}px",
    )
    described = html.escape(chart.alt)
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{html.escape(caption.title)}</title>
<style>
body {{ margin: 24px; max-width: {WIDTH}px; background: {palette.background}; color: {palette.ink};
  font: 16px/1.5 {FONT}; }}
figcaption, details {{ font-size: 14px; margin-top: 16px; }}
table {{ border-collapse: collapse; font-variant-numeric: tabular-nums; }}
th, td {{ border-bottom: 1px solid {palette.border}; padding: 4px 12px 4px 0; text-align: left; }}
figure {{ margin: 0; }}
div.scroll {{ overflow-x: auto; }}
</style>
</head>
<body>
<h1 style="font-size: 20px">{html.escape(caption.title)}</h1>
<figure>
<div role="img" aria-label="{described}">
{drawn}
</div>
<figcaption><p>{described}</p><p>{html.escape(caption.text)}</p></figcaption>
</figure>
<details>
<summary>Data for this chart</summary>
{_data(chart.data, caption)}
</details>
</body>
</html>
"""


def dressed(figure: go.Figure, palette: Palette) -> go.Figure:
    """Return a copy of a figure with background, font, grid and size set, for use outside of a page."""
    copy = go.Figure(figure)
    for place, trace in enumerate(copy.data):
        trace.uid = f"trace{place}"  # else Plotly draws one at random, which shows in an SVG
    copy.update_layout(
        template="none",
        paper_bgcolor=palette.background,
        plot_bgcolor=palette.background,
        font={"family": FONT, "size": 13, "color": palette.ink},
        width=WIDTH,
        height=copy.layout.height or 420,
    )
    line = {"gridcolor": palette.border, "linecolor": palette.neutral, "tickcolor": palette.neutral}
    copy.update_xaxes(**line, automargin=True, title_standoff=14)
    copy.update_yaxes(**line, automargin=True)
    return copy


def stable_svg(svg: str) -> str:
    """Return an SVG of Plotly's without the random part of its ids, so that equal charts give equal files."""
    for uid in set(_UID.findall(svg)):
        svg = re.sub(rf"(?<=[A-Za-z-]){uid}", "moot", svg)
    return svg


def chart_file_name(dataset: str, chart: str, day: str, kind: str) -> str:
    """Return a file's name such as ``debates_sample_accuracy_20260131.svg``; day is ``yyyymmdd``, from the caller."""
    return f"debates_{file_stem(dataset)}_{file_stem(chart)}_{day}.{kind}"


def _data(frame: pd.DataFrame, caption: Caption) -> str:
    shown = Table(frame.head(MOST_ROWS), caption).shown
    head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in shown.columns)
    rows = "\n".join(
        f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in row)}</tr>" for row in shown.itertuples(index=False)
    )
    more = f"<p>The first {MOST_ROWS} of {len(frame)} rows.</p>" if len(frame) > MOST_ROWS else ""
    return f'{more}<div class="scroll"><table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody></table></div>'
