"""Pictures of reports besides the map: scores before and after on one axis, and what arguments add."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.map_picture import FONT, clean
from core.palette import DARK, LIGHT, Palette, mix
from core.report.document import Drawing
from core.wording import score_text, shortened, signed

WIDTH = 760
ROW = 30
NAME_WIDTH = 260
NAME_LETTERS = 36
FULL = 430  # pixels of the score axis from 0 to 1
HEAD, FOOT = 34, 34
BAR = 14


@dataclass(frozen=True)
class ScoreLine:
    """A judge's score before and after; None where there is none."""

    name: str
    before: float | None
    after: float | None


@dataclass(frozen=True)
class SignedBar:
    """What one argument adds, with its label."""

    name: str
    text: str
    amount: float


def drawn(title: str, draw: Callable[[Palette], str], alt: str, caption: str = "") -> Drawing:
    """Return a picture drawn once for each background."""
    return Drawing(title, draw(LIGHT), draw(DARK), alt, caption)


def score_lines(lines: Sequence[ScoreLine], threshold: float, title: str, palette: Palette) -> str:
    """Return every judge's score before (hollow) and after (filled) on one axis with the threshold, as SVG.

    Args:
        lines: One for each judge.
        threshold: In [0, 1].
        title: For people who cannot see it.
        palette: The colours.
    """
    height = HEAD + ROW * len(lines) + FOOT
    root = _root(height, title, palette)
    for tenth in range(0, 11, 5):
        x = _x(tenth / 10)
        _line(root, x, HEAD - 6, x, height - FOOT + 4, palette.border, 1)
        _text(root, f"{tenth / 10:.1f}", x, height - FOOT + 20, palette.neutral, anchor="middle", size=12)
    at = _x(threshold)
    _line(root, at, HEAD - 8, at, height - FOOT + 4, palette.ink, 1.5, dash="3 4")
    _text(root, f"True from {threshold:.2f}", at, HEAD - 14, palette.neutral, anchor="middle", size=12)
    for row, line in enumerate(lines):
        y = HEAD + ROW * row + ROW / 2
        _text(root, shortened(line.name, NAME_LETTERS), 0, y + 4.5, palette.ink)
        if line.before is not None and line.after is not None and line.before != line.after:
            up = line.after > line.before
            colour = palette.support if up else palette.attack
            _line(root, _x(line.before), y, _x(line.after), y, colour, 3, dash=None if up else "7 3")
        if line.before is not None:
            _circle(root, _x(line.before), y, 6, palette.background, palette.ink)
        if line.after is not None:
            _circle(root, _x(line.after), y, 6, palette.ink, palette.ink)
        known = [value for value in (line.before, line.after) if value is not None]
        for value, other in ((line.before, line.after), (line.after, line.before)):
            if value is not None and (value is line.after or value != other):
                right = value == max(known)
                anchor, x = ("start", _x(value) + 11) if right else ("end", _x(value) - 11)
                _text(root, score_text(value), x, y + 4.5, palette.ink, anchor=anchor, size=12, halo=palette.background)
    return ET.tostring(root, encoding="unicode")


def signed_bars(bars: Sequence[SignedBar], title: str, palette: Palette) -> str:
    """Return signed amounts as bars from a line in the middle, with their values, as SVG.

    Args:
        bars: In order.
        title: For people who cannot see it.
        palette: The colours.
    """
    middle, half = 560.0, 130.0
    height = 12 + ROW * len(bars) + 10
    root = _root(height, title, palette)
    _line(root, middle, 4, middle, height - 6, palette.ink, 1)
    reach = max((abs(bar.amount) for bar in bars), default=0.0) or 1.0
    for row, bar in enumerate(bars):
        y = 12 + ROW * row + ROW / 2
        long = half * abs(bar.amount) / reach
        up = bar.amount >= 0
        colour = palette.support if up else palette.attack
        box = {"x": f"{middle if up else middle - long:.1f}", "y": f"{y - BAR / 2:.1f}", "width": f"{long:.1f}"}
        fill = colour if up else mix(colour, palette.background, 0.35)
        ET.SubElement(root, "rect", {**box, "height": str(BAR), "fill": fill, "stroke": colour})
        if not up:
            _hatch(root, middle - long, y, long, colour)
        beside = middle + long + 8 if up else middle - long - 8
        _text(root, signed(bar.amount), beside, y + 4.5, palette.ink, anchor="start" if up else "end", size=13)
        name = shortened(bar.name, 14)
        _text(root, name, 0, y + 4.5, palette.ink, weight=600)
        wide = 8.2 * len(name) + 10
        letters = max(8, int((middle - half - 62 - wide) / 7.1))
        _text(root, shortened(bar.text, letters), wide, y + 4.5, palette.neutral)
    return ET.tostring(root, encoding="unicode")


def _x(score: float) -> float:
    return NAME_WIDTH + 30 + FULL * score


def _root(height: float, title: str, palette: Palette) -> ET.Element:
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {WIDTH} {height:g}",
            "width": str(WIDTH),
            "height": f"{height:g}",
            "role": "img",
            "font-family": FONT,
        },
    )
    ET.SubElement(root, "title").text = clean(title)
    ET.SubElement(root, "rect", {"width": str(WIDTH), "height": f"{height:g}", "fill": palette.background})
    return root


def _hatch(root: ET.Element, x: float, y: float, long: float, colour: str) -> None:
    """Draw slanted lines over a bar, so that it differs from the others without colour too."""
    step, top, bottom = 6.0, y - BAR / 2, y + BAR / 2
    at = x
    while at < x + long:
        run = min(BAR, x + long - at)
        _line(root, at, bottom, at + run, bottom - run * (bottom - top) / BAR, colour, 1)
        at += step


def _line(
    root: ET.Element, x1: float, y1: float, x2: float, y2: float, colour: str, width: float, *, dash: str | None = None
) -> None:
    ends = {"x1": f"{x1:.1f}", "y1": f"{y1:.1f}", "x2": f"{x2:.1f}", "y2": f"{y2:.1f}"}
    made = ET.SubElement(root, "line", {**ends, "stroke": colour, "stroke-width": f"{width:g}"})
    if dash is not None:
        made.set("stroke-dasharray", dash)


def _circle(root: ET.Element, x: float, y: float, radius: float, fill: str, stroke: str) -> None:
    place = {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": f"{radius:g}"}
    ET.SubElement(root, "circle", {**place, "fill": fill, "stroke": stroke, "stroke-width": "2"})


def _text(
    root: ET.Element,
    text: str,
    x: float,
    y: float,
    colour: str,
    *,
    anchor: str = "start",
    size: int = 14,
    weight: int = 400,
    halo: str | None = None,
) -> None:
    style = {"x": f"{x:.1f}", "y": f"{y:.1f}", "font-size": str(size), "fill": colour, "text-anchor": anchor}
    if weight != 400:
        style["font-weight"] = str(weight)
    if halo is not None:
        style |= {"stroke": halo, "stroke-width": "4", "stroke-linejoin": "round", "paint-order": "stroke"}
    ET.SubElement(root, "text", style).text = clean(text)


__all__ = ["ScoreLine", "SignedBar", "drawn", "score_lines", "signed_bars"]
