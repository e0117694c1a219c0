"""The argument map as an SVG picture, for reports: discs, arcs, lines, and its legend in words."""

from __future__ import annotations

import math
import textwrap
import xml.etree.ElementTree as ET
from collections.abc import Mapping

from core.contestation import Contested
from core.map_picture import COLUMNS, FONT, TOPIC_WIDTH, Edge, Node, Picture, clean, picture
from core.opinion import TOPIC, OpinionProfile
from core.palette import LIGHT, NODE_TINT, Palette, mix
from core.wording import number

LINE = 14.5  # from one line of a label to the next
LEGEND = (
    "A larger disc is a stronger argument; the arc around it is its base score.",
    "+ and a solid line with a triangle: supports. − and a dashed line with a bar: attacks.",
    "A wider line moves the score more. A double ring: changed or new. Dotted and struck through: removed.",
)


def svg_map(
    shown: OpinionProfile | Contested,
    strengths: Mapping[str, float],
    title: str,
    *,
    anonymised: bool = False,
    contributions: Mapping[str, float] | None = None,
    palette: Palette = LIGHT,
    threshold: float = 0.5,
    columns: int = COLUMNS,
) -> str:
    """Return the map with its legend as an SVG picture; arguments as in ``standalone_html``.

    Args:
        shown: What to draw.
        strengths: By argument id, ``TOPIC`` included.
        title: What the picture is called, for people who cannot see it.
        anonymised: Leave out who put forward what.
        contributions: Makes lines wider.
        palette: The colours.
        threshold: Where the topic's bar is marked, in [0, 1].
        columns: How many arguments a level may have before it is wrapped into rows.
    """
    drawn = picture(shown, strengths, anonymised, contributions, palette, columns)
    left = min(node.x for node in drawn.nodes) - 84
    right = max(node.x for node in drawn.nodes) + 84
    left, right = min(left, -TOPIC_WIDTH / 2 - 16), max(right, TOPIC_WIDTH / 2 + 16)
    top, bottom = -64.0, max(node.y for node in drawn.nodes) + 92
    legend = [line for text in LEGEND for line in textwrap.wrap(text, max(30, int((right - left) / 6.6)))]
    height = bottom - top + 18 * len(legend) + 14
    root = ET.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "viewBox": f"{left:g} {top:g} {right - left:g} {height:g}",
            "width": f"{right - left:g}",
            "height": f"{height:g}",
            "role": "img",
            "font-family": FONT,
        },
    )
    ET.SubElement(root, "title").text = clean(title)
    box = {"x": f"{left:g}", "y": f"{top:g}", "width": f"{right - left:g}", "height": f"{height:g}"}
    ET.SubElement(root, "rect", {**box, "fill": palette.background})
    for edge in drawn.edges:
        _svg_edge(root, edge, drawn)
    for node in drawn.nodes:
        _svg_topic(root, node, palette, threshold) if node.id == TOPIC else _svg_node(root, node, palette)
    for row, line in enumerate(legend):
        _text(root, line, left + 16, bottom + 8 + 18 * row, 12, palette.neutral, anchor="start")
    return ET.tostring(root, encoding="unicode")


def _svg_edge(root: ET.Element, edge: Edge, picture: Picture) -> None:
    source, target = picture.by_id[edge.relation.source], picture.by_id[edge.relation.target]
    aim_x, aim_y, near = target.x, target.y, target.radius + 3
    if source.y > target.y and target.id == TOPIC:
        aim_x, aim_y, near = picture.anchors[source.id], _topic_height(target) / 2 + 3, 0.0
    elif source.y > target.y:
        aim_x += max(-1.0, min(1.0, (source.x - target.x) / 400)) * 50
        aim_y, near = target.y + target.radius + 8 + LINE * len(target.lines), 0.0
    length = math.hypot(aim_x - source.x, aim_y - source.y) or 1.0
    ux, uy = (aim_x - source.x) / length, (aim_y - source.y) / length
    begin = 0.0 if source.id == TOPIC else source.radius + (8 if source.state in ("added", "changed") else 3)
    x, y = aim_x - ux * near, aim_y - uy * near
    colour = picture.palette.attack if edge.attack else picture.palette.support
    group = ET.SubElement(root, "g", {"stroke": colour, "fill": "none", "opacity": "0.35" if edge.ghost else "0.85"})
    head = 0.0 if edge.attack else 8 + edge.width * 1.4
    line = {
        "x1": f"{source.x + ux * begin:.1f}",
        "y1": f"{source.y + uy * begin:.1f}",
        "x2": f"{x - ux * head * 0.8:.1f}",
        "y2": f"{y - uy * head * 0.8:.1f}",
        "stroke-width": f"{edge.width:.2f}",
    }
    if edge.ghost or edge.attack:
        line["stroke-dasharray"] = "2 4" if edge.ghost else "6 4"
    ET.SubElement(group, "line", line)
    if edge.attack:
        half = 6 + edge.width * 0.8
        ends = {"x1": x - uy * half, "y1": y + ux * half, "x2": x + uy * half, "y2": y - ux * half}
        bar = {name: f"{value:.1f}" for name, value in ends.items()}
        ET.SubElement(group, "line", {**bar, "stroke-width": f"{1.75 + edge.width * 0.35:.2f}"})
    else:
        half = 3.5 + edge.width * 0.9
        back_x, back_y = x - ux * head, y - uy * head
        corners = [(x, y), (back_x - uy * half, back_y + ux * half), (back_x + uy * half, back_y - ux * half)]
        points = " ".join(f"{px:.1f},{py:.1f}" for px, py in corners)
        ET.SubElement(group, "polygon", {"points": points, "fill": colour, "stroke": "none"})


def _svg_node(root: ET.Element, node: Node, palette: Palette) -> None:
    ghost = node.state == "removed"
    group = ET.SubElement(root, "g", {"opacity": "0.45"} if ghost else {})
    ET.SubElement(group, "title").text = node.text
    at = {"cx": f"{node.x:g}", "cy": f"{node.y:g}"}
    disc = {**at, "r": f"{node.radius:.1f}", "fill": mix(node.colour, palette.background, NODE_TINT)}
    if ghost:
        disc |= {"stroke": palette.ink, "stroke-width": "1.5", "stroke-dasharray": "2 3"}
    ET.SubElement(group, "circle", disc)
    if not ghost:
        ring = {**at, "r": f"{node.radius - 2:.1f}", "fill": "none"}
        ET.SubElement(group, "circle", {**ring, "stroke": mix(node.colour, palette.background, 0.4)})
        _svg_arc(group, node)
        if node.state:
            for wider in (2.5, 5.5):
                double = {**at, "r": f"{node.radius + wider:.1f}", "fill": "none", "stroke": palette.ink}
                ET.SubElement(group, "circle", {**double, "stroke-width": "1.25"})
        if node.strength is not None and node.radius >= 15:
            _text(group, number(node.strength), node.x, node.y + 4, 11, palette.ink, weight=600)
    outer = node.radius + (5 if node.state in ("added", "changed") else 0)
    corner = outer * 0.72 + 3
    if node.sign:
        _badge(group, node.sign, node.x - corner, node.y - corner, node.colour, palette.background, palette.background)
    if node.tag:
        _badge(
            group,
            node.tag,
            node.x + outer * 0.89 + 6,
            node.y + outer * 0.45,
            palette.background,
            palette.neutral,
            palette.neutral,
        )
    if node.state in ("added", "changed"):
        mark = "new" if node.state == "added" else "✎"
        _badge(group, mark, node.x + corner, node.y - corner, palette.ink, palette.background, palette.ink)
    for row, line in enumerate(node.lines):
        y = node.y + outer + 15 + LINE * row
        made = _text(group, line, node.x, y, 12, palette.ink, halo=None if ghost else palette.background)
        if ghost:
            made.set("text-decoration", "line-through")


def _svg_arc(group: ET.Element, node: Node) -> None:
    share = 0.0 if node.base is None else node.base
    if share <= 0:
        return
    radius, angle = node.radius - 2, 2 * math.pi * min(share, 0.9999)
    end_x, end_y = node.x + radius * math.sin(angle), node.y - radius * math.cos(angle)
    path = (
        f"M{node.x:.1f} {node.y - radius:.1f}A{radius:.1f} {radius:.1f} 0 {int(share > 0.5)} 1 {end_x:.2f} {end_y:.2f}"
    )
    ET.SubElement(group, "path", {"d": path, "fill": "none", "stroke": node.colour, "stroke-width": "4"})


def _topic_height(node: Node) -> float:
    return 16.0 * len(node.lines) + 42


def _svg_topic(root: ET.Element, node: Node, palette: Palette, threshold: float) -> None:
    group = ET.SubElement(root, "g")
    ET.SubElement(group, "title").text = node.text
    height = _topic_height(node)
    left, top = -TOPIC_WIDTH / 2, -height / 2
    box = {"x": f"{left:g}", "y": f"{top:g}", "width": f"{TOPIC_WIDTH:g}", "height": f"{height:g}", "rx": "10"}
    ET.SubElement(group, "rect", {**box, "fill": palette.surface, "stroke": palette.neutral, "stroke-width": "1.5"})
    for row, line in enumerate(node.lines):
        _text(group, line, 0, top + 20 + 16 * row, 13, palette.ink, weight=600)
    wide, y = TOPIC_WIDTH - 72, top + height - 20
    bar = {"x": f"{left + 14:g}", "y": f"{y:g}", "height": "8", "rx": "4"}
    ET.SubElement(group, "rect", {**bar, "width": f"{wide:g}", "fill": palette.border})
    if node.strength is not None:
        ET.SubElement(group, "rect", {**bar, "width": f"{wide * node.strength:.1f}", "fill": palette.ink})
    tick = left + 14 + wide * threshold
    for width, colour, more in ((4.0, palette.background, 3), (1.5, palette.ink, 4)):
        mark = {
            "x": f"{tick - width / 2:.2f}",
            "y": f"{y - more:g}",
            "width": f"{width:g}",
            "height": f"{8 + 2 * more}",
        }
        ET.SubElement(group, "rect", {**mark, "fill": colour})
    _text(group, number(node.strength), TOPIC_WIDTH / 2 - 14, y + 9, 14, palette.ink, weight=700, anchor="end")


def _badge(group: ET.Element, text: str, x: float, y: float, fill: str, ink: str, border: str) -> None:
    wide = max(15.0, 6.6 * len(text) + 7)
    box = {"x": f"{x - wide / 2:.1f}", "y": f"{y - 7.5:.1f}", "width": f"{wide:.1f}", "height": "15", "rx": "7.5"}
    ET.SubElement(group, "rect", {**box, "fill": fill, "stroke": border})
    _text(group, text, x, y + 4, 11, ink, weight=700)


def _text(
    parent: ET.Element,
    text: str,
    x: float,
    y: float,
    size: int,
    colour: str,
    *,
    weight: int = 400,
    anchor: str = "middle",
    halo: str | None = None,
) -> ET.Element:
    style = {"x": f"{x:.1f}", "y": f"{y:.1f}", "font-size": str(size), "fill": colour, "text-anchor": anchor}
    if weight != 400:
        style["font-weight"] = str(weight)
    if halo is not None:
        style |= {"stroke": halo, "stroke-width": "4", "stroke-linejoin": "round", "paint-order": "stroke"}
    made = ET.SubElement(parent, "text", style)
    made.text = clean(text)
    return made
