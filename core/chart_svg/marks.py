"""The marks of charts: filled and open ones differ in shape as well, so that none depends on colour."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET

from core.errors import InvalidSetting

_CORNERS = {  # in units of half the size, y downwards
    "square": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "diamond": ((0, -1.3), (1.3, 0), (0, 1.3), (-1.3, 0)),
    "triangle-up": ((0, -1.1), (1.15, 0.9), (-1.15, 0.9)),
    "hexagon": tuple((math.cos(math.pi * k / 3), math.sin(math.pi * k / 3)) for k in range(6)),
    "star": tuple(
        (
            (1.4 if k % 2 == 0 else 0.56) * math.sin(math.pi * k / 5),
            -(1.4 if k % 2 == 0 else 0.56) * math.cos(math.pi * k / 5),
        )
        for k in range(10)
    ),
}


def mark(
    root: ET.Element,
    symbol: str,
    at: tuple[float, float],
    size: float,
    colour: str,
    line: tuple[float, str],
    opacity: float = 1.0,
) -> None:
    """Draw one mark.

    Args:
        root: Gets the mark.
        symbol: As Plotly calls it.
        at: Its middle.
        size: Its height in pixels.
        colour: Of its inside; of its line where it is open.
        line: Width and colour of its outline.
        opacity: In [0, 1].

    Raises:
        InvalidSetting: If there is no such symbol.
    """
    x, y = at
    half = size / 2
    shape, _, rest = symbol.partition("-open")
    width, edge = line
    if symbol.endswith("-open") or "-open-" in symbol:
        look = {"fill": "none", "stroke": colour, "stroke-width": f"{max(width, 1.0):g}"}
    else:
        look = {"fill": colour} | ({"stroke": edge, "stroke-width": f"{width:g}"} if width else {})
    if opacity < 1:
        look["opacity"] = f"{opacity:g}"
    if shape == "circle":
        ET.SubElement(root, "circle", {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": f"{half:.2f}", **look})
        if rest == "-dot":
            ET.SubElement(root, "circle", {"cx": f"{x:.1f}", "cy": f"{y:.1f}", "r": "2", "fill": colour})
    elif shape in _CORNERS:
        points = " ".join(f"{x + half * dx:.1f},{y + half * dy:.1f}" for dx, dy in _CORNERS[shape])
        ET.SubElement(root, "polygon", {"points": points, "stroke-linejoin": "round", **look})
    elif shape in ("line-ns", "x-thin"):
        ends = ((0, -1, 0, 1),) if shape == "line-ns" else ((-1, -1, 1, 1), (-1, 1, 1, -1))
        for x1, y1, x2, y2 in ends:
            place = {
                "x1": f"{x + half * x1:.1f}",
                "y1": f"{y + half * y1:.1f}",
                "x2": f"{x + half * x2:.1f}",
                "y2": f"{y + half * y2:.1f}",
            }
            ET.SubElement(root, "line", {**place, "stroke": edge or colour, "stroke-width": f"{width or 2:g}"})
    else:
        raise InvalidSetting(f"There is no mark {symbol!r} for static charts.")


__all__ = ["mark"]
