"""What several charts of judges share: names that are safe and fit, values beside marks, lines with gaps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import plotly.graph_objects as go

from core.comparison.names import distinct, fitted_names
from core.figures import TOOLBAR, hover_text
from core.palette import Palette

NAME_LENGTH = 34
MOST_LINES = 4  # that a name over several lines takes, about
LETTER = 6.0  # pixels that a letter of a tick label takes on average
TICK_GAP = 16  # pixels around it
TITLE_MARGIN = 68  # pixels that ticks and an axis title of one line take
TITLE_LINE = 20  # pixels of each further line of a title
MARKUP = re.compile("<[^>]*>")

Part = dict[str, Any]  # of a figure, as Plotly's own description has it


def figure_of(traces: Sequence[Part], layout: Part) -> go.Figure:
    """Return a figure of plain values, unchecked: Plotly takes longer to check them than to draw them.

    The tests check every chart.
    """
    return go.Figure({"data": list(traces), "layout": layout}, _validate=False)


def scatter(x: Iterable[float], y: Iterable[float], **more: Any) -> Part:
    """Return a trace of points, or of lines between them."""
    return {"type": "scatter", "x": list(x), "y": list(y), **more}


def segments(starts: Iterable[float], ends: Iterable[float], heights: Iterable[float], line: Part) -> Part:
    """Return one horizontal line per row, as one trace broken by gaps."""
    x = [place for start, end in zip(starts, ends, strict=True) for place in (start, end, None)]
    y = [place for height in heights for place in (height, height, None)]
    return {"type": "scatter", "x": x, "y": y, "mode": "lines", "line": line, "hoverinfo": "skip"}


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


def axis(palette: Palette, title: str | None = None, **more: Any) -> Part:
    """Return an axis with ticks and title in ink: a page's theme would write them in a grey that is too light."""
    ink = {"color": palette.ink}
    return {"tickfont": ink, "title": {"text": title, "font": ink}, "zeroline": False, **more}


def name_axis(palette: Palette, places: Sequence[float], texts: Sequence[str], **more: Any) -> Part:
    """Return a y axis with names by place, so that two that read the same stay two rows."""
    around = {"range": [min(places) - 0.6, max(places) + 0.6]} if len(places) else {}
    named = axis(palette, tickvals=list(places), ticktext=list(texts), automargin=True)
    return named | around | more


def plain(height: int, *, left: int = 10, top: int = 20, right: int = 20, bottom: int = TITLE_MARGIN) -> Part:
    """Return height and margins, in pixels, without a legend: marks are labelled where they stand.

    Above there is always room for Plotly's buttons, which would cover the first row when it is pointed at. Margins that
    have room for ticks and titles spare Plotly from drawing everything again with wider ones.
    """
    above = max(top, TOOLBAR)
    margin = {"l": left, "r": right, "t": above, "b": bottom}
    return {"height": height + above - top, "margin": margin, "showlegend": False}


def room_for(texts: Sequence[str]) -> int:
    """Return how many pixels tick labels take on the left; they may have line breaks and other markup."""
    lines = [MARKUP.sub("", line) for text in texts for line in text.split("<br>")]
    return round(TICK_GAP + LETTER * max(map(len, lines), default=0))


def rule(palette: Palette, *, x: float | None = None, y: float | None = None, dash: str = "solid") -> Part:
    """Return a thin line across the whole chart at a place of one of its axes."""
    line = {"type": "line", "line": {"color": palette.neutral, "width": 1, "dash": dash}}
    if x is not None:
        return line | {"x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "y domain"}
    return line | {"x0": 0, "x1": 1, "xref": "x domain", "y0": y, "y1": y}


def wrapped_words(parts: Sequence[str], width: int) -> list[str]:
    """Return parts on lines of up to a width, as many on a line as fit, safe for a label; none is divided."""
    lines: list[str] = []
    for part in parts:
        if lines and len(lines[-1]) + len(part) + 2 <= width:
            lines[-1] += f"; {part}"
        else:
            lines.append(part)
    return [hover_text(line, width + 10) for line in lines]


def label_names(names: Sequence[str], length: int = NAME_LENGTH) -> list[str]:
    """Return the names of all judges of a figure for its labels: safe, cut where they are long, and all different."""
    shown = fitted_names(names, length)
    return [hover_text(name, max(1, len(name))) for name in shown]


def wrapped_names(names: Sequence[str], width: int = 16) -> list[str]:
    """Return the names of all judges of a figure over several lines, safe for labels and all different."""
    fitted = fitted_names(names, MOST_LINES * width)
    return list(distinct([wrapped_name(name, width) for name in fitted], names))


def wrapped_name(text: str, width: int = 16) -> str:
    """Return a name over several lines, safe for a label; a word that is longer than a line is cut."""
    lines: list[str] = []
    for word in text.split():
        if lines and len(lines[-1]) + len(word) < width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return "<br>".join(hover_text(line, width + 4) for line in lines)
