"""The argument map as a file that stands alone: an HTML page to move about in, or an SVG picture for reports.

Both show what the board shows, at the same places. Neither holds an external address. Text from debates is escaped or
handed over as data, never as markup.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping

from pyvis.network import Network

from core.contestation import Contested
from core.map_picture import FONT, Edge, Node, Picture, clean, fate, picture
from core.map_svg import svg_map
from core.opinion import TOPIC, OpinionProfile
from core.outline import outline
from core.palette import LIGHT, NODE_TINT, Palette, mix
from core.wording import RELATION_SIGN, RELATION_VERB, number

COLUMNS = 10  # a page has more room than a picture
LEGEND = (
    "A larger disc is a stronger argument; a thicker border, a higher base score.",
    "+ and a solid line with a triangle: supports. − and a dashed line with a bar: attacks.",
    "A wider line moves the score more. Dotted: removed. Drag to move, scroll to zoom, point at a disc for its text.",
)
# pyvis always links Bootstrap from a server outside; the map does not need it.
_BOOTSTRAP = re.compile(r"<(?:link|script)\b[^>]*cdn\.jsdelivr[^>]*>(?:\s*</script>)?")
_LEFT_OVER = re.compile(r"<!-- <link.*?-->", re.DOTALL)  # a comment in pyvis's template, with two more addresses
_HEADING = re.compile(r"<center>\s*<h1>.*?</h1>\s*</center>", re.DOTALL)


def standalone_html(
    shown: OpinionProfile | Contested,
    strengths: Mapping[str, float],
    title: str,
    *,
    anonymised: bool = False,
    contributions: Mapping[str, float] | None = None,
    palette: Palette = LIGHT,
) -> str:
    """Return an HTML page with the map, to zoom and move about in, and with every argument in a table.

    It needs no network: the drawing library is inside. The library's own comments name their licences' addresses.

    Args:
        shown: What to draw; removed arguments of a contested profile are drawn as ghosts.
        strengths: By argument id, ``TOPIC`` included, each in [0, 1]; what is absent has no number.
        title: For the page's title and heading, as plain text.
        anonymised: Leave out who put forward what.
        contributions: What each argument adds to the topic's strength, by id; makes its line wider.
        palette: The colours.
    """
    drawn = picture(shown, strengths, anonymised, contributions, palette, COLUMNS)
    network = Network(height="72vh", width="100%", directed=True, cdn_resources="in_line", bgcolor=palette.background)
    for node in drawn.nodes:
        network.add_node(node.id, **_vis_node(node, palette))
    for edge in drawn.edges:
        network.add_edge(edge.relation.source, edge.relation.target, **_vis_edge(edge, palette))
    network.set_options(
        json.dumps(
            {
                "physics": {"enabled": False},
                "edges": {"smooth": False},
                "interaction": {"dragNodes": False, "hover": True, "keyboard": True, "navigationButtons": False},
            }
        )
    )
    page = network.generate_html(notebook=False)
    for unwanted in (_BOOTSTRAP, _LEFT_OVER, _HEADING):
        page = unwanted.sub("", page)
    page = page.replace("<head>", f"<head>\n<title>{html.escape(title)}</title>\n{_page_style(palette)}", 1)
    page = page.replace("<html>", '<!DOCTYPE html>\n<html lang="en">', 1)
    head, body, rest = page.partition("<body>")
    top = f"<header><h1>{html.escape(title)}</h1>{''.join(f'<p>{html.escape(line)}</p>' for line in LEGEND)}</header>"
    return f"{head}{body}{top}{rest.replace('</body>', _table(drawn) + '</body>', 1)}"


def _vis_node(node: Node, palette: Palette) -> dict[str, object]:
    facts = [
        *([f"base score {number(node.base)}"] if node.id != TOPIC else []),
        f"strength {number(node.strength)}",
        *([node.state] if node.state else []),
    ]
    common: dict[str, object] = {
        "x": node.x,
        "y": node.y,
        "physics": False,
        "title": f"{node.text}\n{' · '.join(facts)}",  # a text, which the library shows as text
        "font": {"color": palette.ink, "size": 12, "face": FONT, "strokeWidth": 3, "strokeColor": palette.background},
    }
    if node.id == TOPIC:
        label = "\n".join([*node.lines, number(node.strength)])
        colour = {"background": palette.surface, "border": palette.neutral}
        return common | {"label": label, "shape": "box", "margin": 10, "color": colour, "borderWidth": 2}
    mark = {"added": " (new)", "changed": " (changed)", "removed": " (removed)"}.get(node.state, "")
    sign = " ".join(filter(None, [node.sign, node.tag, number(node.strength)])) + mark
    # vis-network has no arc around a disc, so the border's width stands for the base score.
    border = 1 + 5 * (0.0 if node.base is None else node.base)
    return common | {
        "label": "\n".join([sign, *node.lines]),
        "shape": "dot",
        "size": node.radius,
        "color": {"background": mix(node.colour, palette.background, NODE_TINT), "border": node.colour},
        "borderWidth": border,
        "opacity": 0.4 if node.state == "removed" else 1,
        "shapeProperties": {"borderDashes": [2, 3] if node.state == "removed" else False},
    }


def _vis_edge(edge: Edge, palette: Palette) -> dict[str, object]:
    return {
        "color": {"color": palette.attack if edge.attack else palette.support, "opacity": 0.35 if edge.ghost else 0.85},
        "width": edge.width,
        "dashes": [2, 4] if edge.ghost else ([6, 4] if edge.attack else False),
        "arrows": {"to": {"enabled": True, "type": "bar" if edge.attack else "arrow", "scaleFactor": 0.6}},
        "arrowStrikethrough": edge.attack,
        "title": RELATION_VERB[edge.relation.kind],
    }


def _page_style(palette: Palette) -> str:
    line = f"1px solid {palette.border}"
    rules = {
        "body": f"margin: 0 auto; max-width: 1440px; padding: 16px; font: 16px/1.5 {FONT}; "
        f"color: {palette.ink}; background: {palette.background}",
        "h1": "margin: 0 0 8px; max-width: 75ch; font-size: 24px; line-height: 1.3; overflow-wrap: anywhere",
        "header p": f"margin: 0; font-size: 14px; color: {palette.neutral}",
        ".card": "margin: 16px 0",
        "#mynetwork": f"float: none !important; border: {line} !important; border-radius: 8px",
        "table": "border-collapse: collapse; font-size: 14px",
        "th, td": f"padding: 4px 8px; text-align: left; vertical-align: top; border-bottom: {line}; "
        "overflow-wrap: anywhere",
        "td.n": "text-align: right; font-variant-numeric: tabular-nums",
        "div.vis-tooltip": "position: absolute; max-width: 360px; padding: 6px 10px; overflow-wrap: anywhere; "
        f"white-space: pre-line !important; font: 13px/1.4 {FONT}; color: {palette.ink}; "
        f"background: {palette.background}; border: 1px solid {palette.neutral}; border-radius: 6px",
    }
    return f"<style>{' '.join(f'{selector} {{ {rule} }}' for selector, rule in rules.items())}</style>"


def _table(picture: Picture) -> str:
    """Return every argument as a table: the map for people who cannot see or use it."""
    rows = []
    for row in outline(picture.contested.everything):
        argument = row.argument
        state = fate(argument.id, picture.contested)
        bears = f"{RELATION_VERB[row.kind]} {'the claim' if row.target == TOPIC else row.target}" if row.kind else "–"
        strength = None if state == "removed" else picture.strengths.get(argument.id)
        cells = [
            html.escape(" ".join(filter(None, [argument.id, picture.tags.get(argument.author or "", "")]))),
            html.escape(f"{RELATION_SIGN[row.kind] if row.kind else ''} {bears}".strip()),
            html.escape(clean(argument.text)),
            number(argument.base_score),
            number(strength, 3),
            state or "–",
        ]
        rows.append(
            "<tr>"
            + "".join(f"<td{' class=n' if place in (3, 4) else ''}>{cell}</td>" for place, cell in enumerate(cells))
            + "</tr>"
        )
    heads = "".join(
        f'<th scope="col">{head}</th>' for head in ("Argument", "Bears on", "Text", "Base score", "Strength", "State")
    )
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


__all__ = ["standalone_html", "svg_map"]
