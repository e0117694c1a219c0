"""A chart's traces, lines, bands and texts as SVG."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from typing import Any

import plotly.graph_objects as go

from core.chart_export import FONT, WIDTH
from core.chart_svg.frame import TYPE, Frame, draw_frame, frame_of, line, numbers
from core.chart_svg.marks import mark
from core.chart_svg.words import height, lines_of, width, write
from core.errors import InvalidSetting
from core.figures import Chart
from core.map_picture import clean
from core.palette import Palette

DASHES = {"dot": "2 4", "dash": "8 5", "dashdot": "8 4 2 4", "longdash": "12 6", "longdashdot": "12 5 2 5"}
DRAWN = ("scatter", "bar")  # traces
HATCH = 7.0  # pixels between two slanted lines of a hatched bar
_ANCHORS = {"left": "start", "center": "middle", "right": "end", "auto": "middle", None: "middle"}
_VERTICALS = {"top": "top", "middle": "middle", "bottom": "bottom", "auto": "middle", None: "middle"}


def chart_svg(chart: Chart, palette: Palette, wide: float = WIDTH) -> str:
    """Return a chart as SVG; equal charts give equal texts.

    Args:
        chart: Of scatter traces and horizontal bars, with numbers on both axes.
        palette: The colours that it was drawn in.
        wide: Pixels across.

    Raises:
        InvalidSetting: If it holds a trace or mark that is none of these.
    """
    figure = chart.figure
    strange = [str(trace.type) for trace in figure.data if trace.type not in DRAWN]
    if strange:
        raise InvalidSetting(f"A static chart has no trace of the type {strange[0]!r}.")
    legend = _legend(figure)
    heading = lines_of(str(figure.layout.title.text), 16) if figure.layout.title.text else []
    head = (height(heading, 16) + 12 if heading else 0.0) + (26 if legend else 0.0)
    frame = frame_of(figure, wide, head)
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {frame.width:g} {frame.height:g}",
            "width": f"{frame.width:g}",
            "height": f"{frame.height:g}",
            "role": "img",
            "font-family": FONT,
        },
    )
    ET.SubElement(root, "title").text = clean(chart.alt)
    size = {"width": f"{frame.width:g}", "height": f"{frame.height:g}"}
    ET.SubElement(root, "rect", {**size, "fill": palette.background})
    if heading:
        write(root, heading, (0, 2), 16, palette.ink, "start", "top")
    _draw_legend(root, legend, frame, palette)
    for shape in figure.layout.shapes:
        if shape.type == "rect":
            _band(root, shape, frame)
    draw_frame(root, frame, palette)
    for shape in figure.layout.shapes:
        if shape.type == "line":
            ends = _ends(shape, frame)
            line(root, ends, str(shape.line.color), float(shape.line.width or 1), DASHES.get(shape.line.dash or ""))
    for trace in figure.data:
        if trace.type == "scatter":
            _scatter(root, trace, frame, palette)
        else:
            _bars(root, trace, frame)
    for note in figure.layout.annotations:
        _note(root, note, frame, palette)
    return ET.tostring(root, encoding="unicode")


def _scatter(root: ET.Element, trace: Any, frame: Frame, palette: Palette) -> None:
    mode = str(trace.mode or "markers")
    points = list(zip(numbers(trace.x), numbers(trace.y), strict=True))
    if "lines" in mode:
        _lines(root, trace, points, frame, palette)
    for at, (x, y) in enumerate(points):
        if math.isfinite(x) and math.isfinite(y):
            _errors(root, trace, at, (x, y), frame)
    texts = [] if trace.text is None else [trace.text] * len(points) if isinstance(trace.text, str) else trace.text
    marker = trace.marker
    for at, (x, y) in enumerate(points):
        if not (math.isfinite(x) and math.isfinite(y)):
            continue
        place = frame.place(x, y)
        size = float(_each(marker.size, at) or 6)
        if "markers" in mode and size > 0:
            colour = str(_each(marker.color, at) or palette.ink)
            edge = float(_each(marker.line.width, at) or 0.0), str(_each(marker.line.color, at) or colour)
            opacity = 1.0 if marker.opacity is None else float(marker.opacity)
            mark(root, str(_each(marker.symbol, at) or "circle"), place, size, colour, edge, opacity)
        if "text" in mode and at < len(texts):
            _beside(root, trace, str(texts[at]), place, size, palette)


def _beside(root: ET.Element, trace: Any, text: str, place: tuple[float, float], size: float, palette: Palette) -> None:
    vertical, _, side = str(trace.textposition or "middle center").partition(" ")
    high = float(trace.textfont.size or TYPE)
    x = place[0] + {"left": -size / 2 - 3, "right": size / 2 + 3}.get(side, 0.0)
    y = place[1] + {"top": -size / 2 - 1, "bottom": size / 2 + 1}.get(vertical, 0.0)
    anchor = {"left": "end", "right": "start"}.get(side, "middle")
    way = {"top": "bottom", "bottom": "top"}.get(vertical, "middle")
    colour = str(trace.textfont.color or palette.ink)
    write(root, lines_of(text, high), (x, y), high, colour, anchor, way)


def _lines(root: ET.Element, trace: Any, points: list[tuple[float, float]], frame: Frame, palette: Palette) -> None:
    pieces: list[list[tuple[float, float]]] = [[]]
    for x, y in points:
        if not (math.isfinite(x) and math.isfinite(y)):
            pieces.append([])
            continue
        place = frame.place(x, y)
        if trace.line.shape == "hv" and pieces[-1]:
            pieces[-1].append((place[0], pieces[-1][-1][1]))
        pieces[-1].append(place)
    look = {
        "fill": "none",
        "stroke": str(trace.line.color or palette.ink),
        "stroke-width": f"{float(trace.line.width or 2):g}",
    }
    if trace.line.dash in DASHES:
        look["stroke-dasharray"] = DASHES[trace.line.dash]
    for piece in pieces:
        if len(piece) > 1:
            ET.SubElement(root, "polyline", {"points": " ".join(f"{x:.1f},{y:.1f}" for x, y in piece), **look})


def _errors(root: ET.Element, trace: Any, at: int, point: tuple[float, float], frame: Frame) -> None:
    for name, upright in (("error_x", False), ("error_y", True)):
        error = getattr(trace, name)
        if error is None or error.array is None:
            continue
        more = float(error.array[at])
        less = more if error.arrayminus is None else float(error.arrayminus[at])
        if not (math.isfinite(more) and math.isfinite(less)):
            continue
        x, y = point
        low = frame.place(x, y - less) if upright else frame.place(x - less, y)
        high = frame.place(x, y + more) if upright else frame.place(x + more, y)
        thick, half = float(error.thickness or 1), float(error.width or 0)
        colour = str(error.color)
        line(root, (*low, *high), colour, thick)
        for end_x, end_y in (low, high):
            cap = (end_x - half, end_y, end_x + half, end_y) if upright else (end_x, end_y - half, end_x, end_y + half)
            line(root, cap, colour, thick)


def _bars(root: ET.Element, trace: Any, frame: Frame) -> None:
    if trace.orientation != "h":
        raise InvalidSetting("A static chart draws bars from left to right alone.")
    for at, (x, y) in enumerate(zip(numbers(trace.x), numbers(trace.y), strict=True)):
        half = float(_each(trace.width, at) or 0.8) / 2
        left, right = sorted((frame.x.at(0.0), frame.x.at(x)))
        top, bottom = sorted((frame.y.at(y - half), frame.y.at(y + half)))
        hatched = bool(_each(trace.marker.pattern.shape, at))
        colour = str(_each(trace.marker.color, at))
        box = {
            "x": f"{left:.1f}",
            "y": f"{top:.1f}",
            "width": f"{right - left:.1f}",
            "height": f"{bottom - top:.1f}",
            "fill": str(trace.marker.pattern.bgcolor or "none") if hatched else colour,
            "stroke": colour,
        }
        ET.SubElement(root, "rect", box)
        if hatched:
            _hatch(root, (left, top, right, bottom), colour)


def _hatch(root: ET.Element, box: tuple[float, float, float, float], colour: str) -> None:
    """Draw slanted lines over a box, cut at its edges."""
    left, top, right, bottom = box
    tall = bottom - top
    start = left - tall
    while start < right:
        x1, x2 = max(start, left), min(start + tall, right)
        if x2 > x1:
            line(root, (x1, bottom - (x1 - start), x2, bottom - (x2 - start)), colour, 1.5)
        start += HATCH


def _band(root: ET.Element, shape: Any, frame: Frame) -> None:
    x1, y1, x2, y2 = _ends(shape, frame)
    box = {
        "x": f"{min(x1, x2):.1f}",
        "y": f"{min(y1, y2):.1f}",
        "width": f"{abs(x2 - x1):.1f}",
        "height": f"{abs(y2 - y1):.1f}",
        "fill": str(shape.fillcolor),
        "opacity": f"{1.0 if shape.opacity is None else shape.opacity:g}",
    }
    ET.SubElement(root, "rect", box)


def _ends(shape: Any, frame: Frame) -> tuple[float, float, float, float]:
    along, up = str(shape.xref or "x"), str(shape.yref or "y")
    x1, x2 = (frame.x.at(float(v)) if along == "x" else frame.x.part(float(v)) for v in (shape.x0, shape.x1))
    y1, y2 = (frame.y.at(float(v)) if up == "y" else frame.y.part(float(v)) for v in (shape.y0, shape.y1))
    return x1, y1, x2, y2


def _note(root: ET.Element, note: Any, frame: Frame, palette: Palette) -> None:
    size = float(note.font.size or TYPE)
    lines = lines_of(str(note.text), size)
    x = frame.x.part(float(note.x)) if note.xref == "paper" else frame.x.at(float(note.x))
    y = frame.y.part(float(note.y)) if note.yref == "paper" else frame.y.at(float(note.y))
    ground = str(note.bgcolor) if note.bgcolor else None
    anchor, vertical = _ANCHORS.get(note.xanchor, "middle"), _VERTICALS.get(note.yanchor, "middle")
    place = x + float(note.xshift or 0), y - float(note.yshift or 0)
    write(root, lines, place, size, str(note.font.color or palette.ink), anchor, vertical, ground)


def _legend(figure: go.Figure) -> list[Any]:
    if figure.layout.showlegend is False:
        return []
    named = [trace for trace in figure.data if trace.name and trace.showlegend is not False]
    return named if len(named) > 1 else []


def _draw_legend(root: ET.Element, traces: list[Any], frame: Frame, palette: Palette) -> None:
    x, y = frame.x.start, frame.y.end - 14
    for trace in traces:
        colour = str(_each(trace.marker.color, 0) or palette.ink)
        edge = float(_each(trace.marker.line.width, 0) or 0.0), colour
        mark(root, str(_each(trace.marker.symbol, 0) or "circle"), (x + 6, y), 10, colour, edge)
        lines = lines_of(str(trace.name), TYPE)
        write(root, lines, (x + 18, y), TYPE, palette.ink)
        x += width(lines) + 44


def _each(value: Any, at: int) -> Any:
    """Return a setting of one mark: a trace has one for all, or a list."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    return value[at] if at < len(value) else None


__all__ = ["chart_svg"]
