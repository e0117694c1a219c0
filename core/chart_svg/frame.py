"""Where a chart's values are drawn: the plot's box within the picture, its two scales, ticks and titles."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import plotly.graph_objects as go

from core.chart_svg.words import Line, height, lines_of, width, write
from core.palette import Palette

TYPE = 13.0  # pixels of ticks and titles
EDGE = 8.0  # pixels around everything
TICKS = 6  # about as many as are wanted


@dataclass(frozen=True)
class Scale:
    """From values to pixels, along one direction; ``low`` and ``high`` are values, the others pixels."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        """Return where a value is drawn."""
        return self.start + (value - self.low) / ((self.high - self.low) or 1.0) * (self.end - self.start)

    def part(self, share: float) -> float:
        """Return where a share of the whole length is, in [0, 1]."""
        return self.start + share * (self.end - self.start)


@dataclass(frozen=True)
class Axis:
    """An axis with what is written at it."""

    ticks: tuple[tuple[float, tuple[Line, ...]], ...]
    title: tuple[Line, ...]
    grid: bool
    zero: str | None  # colour of a line at 0
    shown: bool
    on_top: bool = False


@dataclass(frozen=True)
class Frame:
    """The plot within its picture."""

    width: float
    height: float
    x: Scale
    y: Scale
    across: Axis
    up: Axis

    def place(self, x: float, y: float) -> tuple[float, float]:
        """Return where a point is drawn."""
        return self.x.at(x), self.y.at(y)


def frame_of(figure: go.Figure, wide: float, head: float) -> Frame:
    """Return a figure's frame.

    Args:
        figure: With numbers on both axes.
        wide: Of the picture.
        head: Pixels at the top that something else takes.
    """
    layout = figure.layout
    x_range, y_range = (_range(figure, name) for name in ("x", "y"))
    across, up = _axis(layout.xaxis, x_range), _axis(layout.yaxis, y_range)
    tall = float(layout.height or 420)
    margin = layout.margin
    beside = below = above = EDGE
    if up.shown:
        beside += max((width(lines) for _, lines in up.ticks), default=0.0) + 8
        beside += height(up.title, TYPE) + 8 if up.title else 0.0
    if across.shown:
        room = max((height(lines, TYPE) for _, lines in across.ticks), default=0.0) + 8
        above, below = (above + room, below) if across.on_top else (above, below + room)
        below += height(across.title, TYPE) + 8 if across.title else 0.0
    left, right = max(float(margin.l or 0), beside), wide - max(float(margin.r or 0), EDGE)
    top, bottom = max(float(margin.t or 0), above, head), tall - max(float(margin.b or 0), below)
    return Frame(wide, tall, Scale(*x_range, left, right), Scale(*y_range, bottom, top), across, up)


def draw_frame(root: ET.Element, frame: Frame, palette: Palette) -> None:
    """Draw lines, ticks and titles of both axes."""
    left, right, bottom, top = frame.x.start, frame.x.end, frame.y.start, frame.y.end
    for axis, scale, upright in ((frame.across, frame.x, True), (frame.up, frame.y, False)):
        if not axis.shown:
            continue
        for value, lines in axis.ticks:
            place = scale.at(value)
            if not min(scale.start, scale.end) - 0.5 <= place <= max(scale.start, scale.end) + 0.5:
                continue
            if axis.grid:
                ends = (place, bottom, place, top) if upright else (left, place, right, place)
                line(root, ends, palette.border, 1)
            if upright:
                at, vertical = ((place, top - 6), "bottom") if axis.on_top else ((place, bottom + 6), "top")
                write(root, lines, at, TYPE, palette.ink, "middle", vertical)
            else:
                write(root, lines, (left - 8, place), TYPE, palette.ink, "end")
        if axis.zero is not None and scale.low <= 0 <= scale.high:
            place = scale.at(0)
            line(root, (place, bottom, place, top) if upright else (left, place, right, place), axis.zero, 1)
    if frame.across.shown and frame.across.title:
        write(root, frame.across.title, ((left + right) / 2, frame.height - 6), TYPE, palette.ink, "middle", "bottom")
    if frame.up.shown and frame.up.title:
        turned = ET.SubElement(root, "g", {"transform": f"translate(4 {(top + bottom) / 2:.1f}) rotate(-90)"})
        write(turned, frame.up.title, (0, 0), TYPE, palette.ink, "middle", "top")


def line(
    root: ET.Element, ends: Sequence[float], colour: str, thick: float, dash: str | None = None, opacity: float = 1.0
) -> None:
    """Draw a straight line."""
    x1, y1, x2, y2 = (f"{value:.1f}" for value in ends)
    look = {"x1": x1, "y1": y1, "x2": x2, "y2": y2, "stroke": colour, "stroke-width": f"{thick:g}"}
    if dash is not None:
        look["stroke-dasharray"] = dash
    if opacity < 1:
        look["opacity"] = f"{opacity:g}"
    ET.SubElement(root, "line", look)


def numbers(values: Any) -> list[float]:
    """Return a trace's values as numbers, missing ones as NaN."""
    return [] if values is None else [math.nan if value is None else float(value) for value in values]


def _axis(axis: Any, limits: tuple[float, float]) -> Axis:
    values = _ticks(axis, limits) if axis.tickvals is None else numbers(axis.tickvals)
    texts = [str(text) for text in axis.ticktext] if axis.ticktext is not None else _written(values)
    ticks = [(value, tuple(lines_of(text, TYPE))) for value, text in zip(values, texts, strict=False)]
    title = axis.title.text
    zero = str(axis.zerolinecolor) if axis.zeroline and axis.zerolinecolor else None
    return Axis(
        tuple(ticks),
        tuple(lines_of(str(title), TYPE)) if title else (),
        axis.showgrid is not False,
        zero,
        axis.visible is not False,
        axis.side == "top",
    )


def _range(figure: go.Figure, name: str) -> tuple[float, float]:
    given = getattr(figure.layout, f"{name}axis").range
    if given is not None:
        return float(given[0]), float(given[1])
    values = [value for trace in figure.data for value in numbers(getattr(trace, name)) if math.isfinite(value)]
    low, high = min(values, default=0.0), max(values, default=1.0)
    room = (high - low or 1.0) * 0.05
    return low - room, high + room


def _ticks(axis: Any, limits: tuple[float, float]) -> list[float]:
    """Return round numbers within the limits."""
    low, high = min(limits), max(limits)
    step = float(axis.dtick) if axis.dtick else _round_step((high - low) / TICKS)
    first = math.ceil(round(low / step, 9))
    last = math.floor(round(high / step, 9))
    return [round(count * step, 10) for count in range(first, min(last, first + 200) + 1)]


def _round_step(rough: float) -> float:
    power: float = 10.0 ** math.floor(math.log10(rough)) if rough > 0 else 1.0
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough * 0.999)


def _written(values: Sequence[float]) -> list[str]:
    steps = np.diff(values) if len(values) > 1 else np.array([1.0])
    decimals = max(0, -math.floor(math.log10(float(np.abs(steps).min()) or 1.0) + 1e-9))
    return [f"{value:.{decimals}f}".replace("-", "−") for value in values]


__all__ = ["Frame", "Scale", "draw_frame", "frame_of", "line", "numbers"]
