"""What several charts of judges share: names that are safe and fit, values beside marks, lines with gaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from core.figures import hover_text
from core.palette import Palette

NAME_LENGTH = 34


def segments(starts: pd.Series, ends: pd.Series, heights: np.ndarray, line: dict[str, object]) -> go.Scatter:
    """Return one horizontal line per row, as one trace broken by gaps."""
    gap = np.full(len(heights), np.nan)
    x = np.stack([starts.to_numpy(), ends.to_numpy(), gap], axis=1).ravel()
    y = np.stack([heights, heights, gap], axis=1).ravel()
    return go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip")


def beside(
    x: float, y: float, text: str, palette: Palette, *, anchor: str = "left", xref: str = "x", size: int = 14
) -> dict[str, Any]:
    """Return a text next to a mark, or at the right edge where x is 1 and xref is ``paper``; it may hold markup."""
    return {
        "x": x,
        "y": y,
        "xref": xref,
        "text": text,
        "showarrow": False,
        "xanchor": anchor,
        "xshift": 6 if xref == "paper" else 0,
        "font": {"size": size, "color": palette.ink},
    }


def write(figure: go.Figure, texts: Sequence[dict[str, Any]]) -> None:
    """Put all texts on a figure at once; one by one, Plotly would check those before each time."""
    figure.update_layout(annotations=list(texts))


def name_axis(figure: go.Figure, places: Sequence[float] | np.ndarray, texts: Sequence[str]) -> None:
    """Put names on the y axis by place, so that two that read the same stay two rows."""
    figure.update_yaxes(tickvals=list(places), ticktext=list(texts), zeroline=False, automargin=True, title=None)
    if len(places):
        figure.update_yaxes(range=[min(places) - 0.6, max(places) + 0.6])


def plain(figure: go.Figure, height: int, *, top: int = 20, right: int = 20) -> None:
    """Set height and margins, in pixels, and leave out the legend: marks are labelled where they stand."""
    margin = {"l": 10, "r": right, "t": top, "b": 10}
    figure.update_layout(height=height, margin=margin, showlegend=False)


def make_readable(figure: go.Figure, palette: Palette) -> None:
    """Write ticks and titles of the axes in ink: a page's theme would write them in a grey that is too light."""
    for axis in (figure.layout.xaxis, figure.layout.yaxis):  # one by one: updating by name takes Plotly much longer
        axis.tickfont.color = palette.ink
        axis.title.font.color = palette.ink


def wrapped_words(parts: Sequence[str], width: int) -> list[str]:
    """Return parts on lines of up to a width, as many on a line as fit, safe for a label; none is divided."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) + 2 <= width:
            lines[-1] += f"; {part}"
        else:
            lines.append(part)
    return [hover_text(line, width + 10) for line in lines]


def short_name(text: str) -> str:
    """Return a judge's name for a label: safe, and cut where it is long."""
    return hover_text(text, NAME_LENGTH)


def wrapped_name(text: str, width: int = 16) -> str:
    """Return a name over several lines, safe for a label."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + len(word) < width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    shown = [hover_text(line, width + 4) for line in lines[:3]]
    return "<br>".join(shown) + ("…" if len(lines) > 3 else "")
