"""Pictures of reports besides the map: scores before and after on one axis, and what arguments add."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.map_picture import FONT, clean
from core.palette import DARK, LIGHT, Palette, mix
from core.report.document import Drawing
from core.wording import number, score_text, shortened, signed

WIDTH, NARROW = 760, 358  # pixels across, on wide pages and on narrow ones
ROW = 30
NAME_WIDTH = 260
NAME_LETTERS = 40
FULL = 430.0  # pixels of the score axis from 0 to 1
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


def scores_drawn(lines: Sequence[ScoreLine], threshold: float, title: str, caption: str = "") -> Drawing:
    """Return every judge's score before and after as a picture, for wide pages and narrow ones."""
    alt = "; ".join(
        f"{line.name}: {number(line.after, 3)}"
        if line.before is None
        else f"{line.name}: {number(line.before, 3)} to {number(line.after, 3)}"
        for line in lines
    )
    looks = [
        score_lines(lines, threshold, f"{alt}.", palette, narrow=narrow)
        for narrow in (False, True)
        for palette in (LIGHT, DARK)
    ]
    return Drawing(title, looks[0], looks[1], f"{alt}.", caption, (looks[2], looks[3]))


def bars_drawn(bars: Sequence[SignedBar], title: str, alt: str, caption: str = "") -> Drawing:
    """Return signed amounts as a picture, for wide pages and narrow ones."""
    looks = [signed_bars(bars, alt, palette, narrow=narrow) for narrow in (False, True) for palette in (LIGHT, DARK)]
    return Drawing(title, looks[0], looks[1], alt, caption, (looks[2], looks[3]))


def score_lines(
    lines: Sequence[ScoreLine], threshold: float, title: str, palette: Palette, *, narrow: bool = False
) -> str:
    """Return every judge's score before (hollow) and after (filled) on one axis with the threshold, as SVG.

    Args:
        lines: One for each judge.
        threshold: In [0, 1].
        title: For people who cannot see it.
        palette: The colours.
        narrow: Whether names stand above their rows instead of beside.
    """
    wide, row_height = (NARROW, 2 * ROW - 8) if narrow else (WIDTH, ROW)
    left, long = (30.0, wide - 60.0) if narrow else (NAME_WIDTH + 30.0, FULL)

    def at(score: float) -> float:
        return left + long * score

    height = HEAD + row_height * len(lines) + FOOT
    root = _root(wide, height, title, palette)
    for tick in (0.0, 0.5, 1.0):
        _line(root, at(tick), HEAD - 6, at(tick), height - FOOT + 4, palette.border, 1)
        _text(root, f"{tick:.1f}", at(tick), height - FOOT + 20, palette.neutral, anchor="middle", size=12)
    _line(root, at(threshold), HEAD - 8, at(threshold), height - FOOT + 4, palette.ink, 1.5, dash="3 4")
    _text(root, f"True from {threshold:.2f}", at(threshold), HEAD - 14, palette.neutral, anchor="middle", size=12)
    for row, line in enumerate(lines):
        top = HEAD + row_height * row
        y = top + row_height - ROW / 2
        name_y, ground = (top + 16, palette.background) if narrow else (y + 4.5, None)
        _text(root, shortened(line.name, NAME_LETTERS), 0, name_y, palette.ink, size=13, halo=ground)
        if line.before is not None and line.after is not None and line.before != line.after:
            up = line.after > line.before
            colour = palette.support if up else palette.attack
            _line(root, at(line.before), y, at(line.after), y, colour, 3, dash=None if up else "7 3")
        if line.before is not None:
            _circle(root, at(line.before), y, 6, palette.background, palette.ink)
        if line.after is not None:
            _circle(root, at(line.after), y, 6, palette.ink, palette.ink)
        _values(root, line, y, palette, at)
    return ET.tostring(root, encoding="unicode")


def _values(root: ET.Element, line: ScoreLine, y: float, palette: Palette, at: Callable[[float], float]) -> None:
    """Write the scores beside their marks: the lower one at its left, the higher one at its right."""
    known = sorted({value for value in (line.before, line.after) if value is not None})
    for place, value in enumerate(known):
        leftwards = place == 0 and len(known) > 1
        x, anchor = (at(value) - 11, "end") if leftwards else (at(value) + 11, "start")
        _text(root, score_text(value), x, y + 4.5, palette.ink, anchor=anchor, size=12, halo=palette.background)


def signed_bars(bars: Sequence[SignedBar], title: str, palette: Palette, *, narrow: bool = False) -> str:
    """Return signed amounts as bars from a line in the middle, with their values, as SVG.

    Args:
        bars: In order.
        title: For people who cannot see it.
        palette: The colours.
        narrow: Whether names stand above their bars instead of beside.
    """
    wide, row_height = (NARROW, 2 * ROW - 8) if narrow else (WIDTH, ROW)
    middle, half = (wide / 2, wide / 2 - 62) if narrow else (560.0, 130.0)
    height = 12 + row_height * len(bars) + 10
    root = _root(wide, height, title, palette)
    _line(root, middle, 4, middle, height - 6, palette.ink, 1)
    reach = max((abs(bar.amount) for bar in bars), default=0.0) or 1.0
    for row, bar in enumerate(bars):
        top = 12 + row_height * row
        y = top + row_height - ROW / 2
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
        name_y, ground = (top + 16, palette.background) if narrow else (y + 4.5, None)
        _text(root, name, 0, name_y, palette.ink, weight=600, halo=ground)
        begin = 8.4 * len(name) + 12
        room = wide if narrow else middle - half - 62
        text = shortened(bar.text, max(8, int((room - begin) / 7.1)))
        _text(root, text, begin, name_y, palette.neutral, halo=ground)
    return ET.tostring(root, encoding="unicode")


def _root(wide: float, height: float, title: str, palette: Palette) -> ET.Element:
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"0 0 {wide:g} {height:g}",
            "width": f"{wide:g}",
            "height": f"{height:g}",
            "role": "img",
            "font-family": FONT,
        },
    )
    ET.SubElement(root, "title").text = clean(title)
    ET.SubElement(root, "rect", {"width": f"{wide:g}", "height": f"{height:g}", "fill": palette.background})
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


__all__ = ["ScoreLine", "SignedBar", "bars_drawn", "drawn", "score_lines", "scores_drawn", "signed_bars"]
