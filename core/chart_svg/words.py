"""The few marks that texts of figures hold (bold, line breaks, smaller type), and how much room a text takes."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from dataclasses import dataclass, replace

from core.map_picture import clean

LINE = 1.3  # of a line's height to its type
_TOKEN = re.compile(r"<br>|<b>|</b>|<span style='font-size:(\d+)px'>|</span>")
_NARROW, _WIDE = set("iljI.,:;'|!ftr()[] "), set("mwMW%@")


@dataclass(frozen=True)
class Run:
    """Words in one type."""

    text: str
    size: float
    bold: bool = False

    @property
    def width(self) -> float:
        """Return about how wide the words are, in pixels; no font is measured."""
        wide = sum(0.3 if sign in _NARROW else 0.87 if sign in _WIDE else _letter(sign) for sign in self.text)
        return wide * self.size * (1.06 if self.bold else 1.0)


Line = tuple[Run, ...]


def lines_of(text: str, size: float) -> list[Line]:
    """Return a figure's text as lines; marks other than ours stay words, since figures hold those escaped."""
    lines: list[list[Run]] = [[]]
    kind = Run("", size)
    at = 0
    for token in _TOKEN.finditer(text):
        _add(lines, kind, text[at : token.start()])
        at = token.end()
        match token.group():
            case "<br>":
                lines.append([])
            case "<b>":
                kind = replace(kind, bold=True)
            case "</b>":
                kind = replace(kind, bold=False)
            case "</span>":
                kind = replace(kind, size=size)
            case _:
                kind = replace(kind, size=float(token.group(1)))
    _add(lines, kind, text[at:])
    return [tuple(line) for line in lines]


def width(lines: Sequence[Line]) -> float:
    """Return how wide the widest line is."""
    return max((sum(run.width for run in line) for line in lines), default=0.0)


def height(lines: Sequence[Line], size: float) -> float:
    """Return how high the lines are together."""
    return sum(max((run.size for run in line), default=size) * LINE for line in lines)


def write(
    root: ET.Element,
    lines: Sequence[Line],
    at: tuple[float, float],
    size: float,
    colour: str,
    anchor: str = "start",
    vertical: str = "middle",
    ground: str | None = None,
) -> None:
    """Draw lines of text.

    Args:
        root: Gets the text.
        lines: What to draw.
        at: The point that the text is anchored at.
        size: Of the type.
        colour: Of the text.
        anchor: ``start``, ``middle`` or ``end``: which side of the text is at the point.
        vertical: ``top``, ``middle`` or ``bottom``, likewise.
        ground: A colour to put behind the text; None for none.
    """
    x, y = at
    tall, wide = height(lines, size), width(lines)
    top = {"top": y, "middle": y - tall / 2, "bottom": y - tall}[vertical]
    if ground is not None:
        left = {"start": x, "middle": x - wide / 2, "end": x - wide}[anchor]
        box = {"x": f"{left - 2:.1f}", "y": f"{top:.1f}", "width": f"{wide + 4:.1f}", "height": f"{tall:.1f}"}
        ET.SubElement(root, "rect", {**box, "fill": ground})
    for line in lines:
        step = max((run.size for run in line), default=size) * LINE
        style = {"x": f"{x:.1f}", "y": f"{top + step * 0.76:.1f}", "fill": colour, "text-anchor": anchor}
        made = ET.SubElement(root, "text", style)
        for run in line:
            look = {"font-size": f"{run.size:g}"} | ({"font-weight": "600"} if run.bold else {})
            ET.SubElement(made, "tspan", look).text = clean(run.text)
        top += step


def _add(lines: list[list[Run]], kind: Run, text: str) -> None:
    if text:
        lines[-1].append(replace(kind, text=html.unescape(text)))


def _letter(sign: str) -> float:
    if sign.isdigit():
        return 0.57
    return (0.68 if sign.isupper() else 0.55) if sign.isascii() else 0.75


__all__ = ["Line", "Run", "height", "lines_of", "width", "write"]
