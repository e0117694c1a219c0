"""The exported maps stand alone, show what the board shows, and show hostile text as text."""

import html
import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from core.contestation import Edit, EditKind, contest
from core.graph_map import standalone_html, svg_map
from core.judges import SemanticsJudge
from core.layout import layered_layout
from core.map_picture import LARGEST, MOST_EFFECT, SMALLEST, TOPIC_WIDTH, diameter
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.palette import DARK, LIGHT, NODE_TINT

PRO, CON = RelationKind.SUPPORT, RelationKind.ATTACK
HOSTILE = (
    '</script><script>broken()</script><img src=x onerror=broken()> & "quoted" \x00\x0b\ud800 \u202eabc {{heading}}'
)
SVG = "{http://www.w3.org/2000/svg}"

SMALL = OpinionProfile(
    "Tides follow the moon.",
    (Stance("x"), Stance("y")),
    (
        Argument("p", "High water comes twice a day.", "x", 0.8),
        Argument("c", "Some coasts have one tide a day.", "y", 0.6),
        Argument("r", "Those coasts resonate with another period.", "x", None),
    ),
    (Relation("p", TOPIC, PRO), Relation("c", TOPIC, CON), Relation("r", "c", CON), Relation("r", "gone", CON)),
)
EDITED = contest(
    SMALL,
    [
        Edit(EditKind.REMOVE_ARGUMENT, "p"),
        Edit(EditKind.SET_BASE_SCORE, "c", after=0.2),
        Edit(EditKind.ADD_ARGUMENT, "n", after=0.7, text="A new one", target="c", relation=PRO),
    ],
)
NASTY = OpinionProfile(HOSTILE, (Stance("x"),), (Argument("a", HOSTILE, "x", 0.5),), (Relation("a", TOPIC, PRO),))


def strengths(profile=SMALL):
    return SemanticsJudge().judge(profile).strengths


def vis_nodes(page: str) -> dict[str, dict[str, Any]]:
    found = re.search(r"nodes = new vis\.DataSet\((\[.*?\])\);", page, re.DOTALL)
    assert found is not None
    return {node["id"]: node for node in json.loads(found.group(1))}


def vis_edges(page: str) -> list[dict[str, Any]]:
    found = re.search(r"edges = new vis\.DataSet\((\[.*?\])\);", page, re.DOTALL)
    assert found is not None
    return list(json.loads(found.group(1)))


def svg_texts(picture: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(picture).iter(f"{SVG}text")]


def test_the_page_links_to_nothing():
    page = standalone_html(SMALL, strengths(), "Tides")
    assert re.findall(r"<(?:link|img|iframe|object|base)\b|<script[^>]*\bsrc\b|@import", page) == []
    styled = re.findall(r"url\(\s*[\"']?([^\"')\s]{1,20})", page)
    assert [address for address in styled if not address.startswith(("data:", "#"))] == []


def test_the_addresses_in_the_page_are_those_in_the_library_itself():
    import pyvis

    folder = pyvis.__path__[0]
    with open(f"{folder}/lib/vis-9.1.2/vis-network.min.js", encoding="utf-8") as script:
        library = script.read()
    with open(f"{folder}/lib/vis-9.1.2/vis-network.css", encoding="utf-8") as style:
        library += style.read()
    addresses = re.findall(r"https?://[^\s\"'<>)*]+", standalone_html(SMALL, strengths(), "Tides"))
    assert [address for address in addresses if address not in library] == []


def test_the_page_shows_every_argument_where_the_layout_puts_it():
    nodes = vis_nodes(standalone_html(SMALL, strengths(), "Tides"))
    positions = layered_layout("pcr", SMALL.relations, TOPIC)
    assert {name: (node["x"], node["y"]) for name, node in nodes.items()} == positions


def test_a_disc_s_area_is_the_strength_and_its_border_the_base_score():
    node = vis_nodes(standalone_html(SMALL, strengths(), "Tides"))["p"]
    assert node["size"] == pytest.approx(diameter(0.8) / 2)
    assert node["borderWidth"] == pytest.approx(1 + 5 * 0.8)


def test_the_area_of_a_disc_grows_in_proportion():
    areas = [diameter(strength) ** 2 for strength in (0, 0.25, 0.5, 1)]
    assert (diameter(0), diameter(1)) == (22, 58)
    assert areas[1] - areas[0] == pytest.approx((areas[3] - areas[0]) / 4)


def test_the_board_in_the_browser_draws_with_the_same_numbers():
    script = (Path(__file__).resolve().parents[2] / "assets" / "board" / "drawing.js").read_text(encoding="utf-8")
    found = {name: float(value) for name, value in re.findall(r"const ([A-Z_]+) = ([0-9.]+);", script)}
    ours = {
        "SMALLEST": SMALLEST,
        "LARGEST": LARGEST,
        "TOPIC_WIDTH": TOPIC_WIDTH,
        "MOST_EFFECT": MOST_EFFECT,
        "NODE_TINT": NODE_TINT,
    }
    assert {name: found[name] for name in ours} == ours


def test_support_and_attack_differ_in_line_and_arrow_not_only_in_colour():
    edges = {edge["from"]: edge for edge in vis_edges(standalone_html(SMALL, strengths(), "Tides"))}
    assert (edges["p"]["dashes"], edges["p"]["arrows"]["to"]["type"]) == (False, "arrow")
    assert (edges["c"]["dashes"], edges["c"]["arrows"]["to"]["type"]) == ([6, 4], "bar")


def test_removed_changed_and_added_arguments_say_so():
    page = standalone_html(EDITED, strengths(EDITED.profile), "Tides")
    labels = {name: str(node["label"]).splitlines()[0] for name, node in vis_nodes(page).items()}
    assert "(removed)" in labels["p"]
    assert "(changed)" in labels["c"]
    assert "(new)" in labels["n"]


def test_the_page_has_every_argument_as_a_table_row():
    page = standalone_html(EDITED, strengths(EDITED.profile), "Tides")
    rows = re.findall(r"<tr>(.*?)</tr>", page)
    assert len(rows) == 1 + 4
    assert all(argument.text in page for argument in EDITED.everything.arguments)


def test_hostile_text_stays_text_in_the_page():
    page = standalone_html(NASTY, strengths(NASTY), HOSTILE)
    assert "<script>broken" not in page
    assert "<img" not in page
    assert vis_nodes(page)["a"]["title"].startswith("</script><script>broken()</script>")  # as data
    title = re.search(r"<title>(.*?)</title>", page)
    assert title is not None
    assert html.unescape(title.group(1)).startswith("</script>")


def test_agents_are_left_out_when_anonymised():
    assert "A1" in str(vis_nodes(standalone_html(SMALL, strengths(), "Tides"))["p"]["label"])
    page = standalone_html(SMALL, strengths(), "Tides", anonymised=True)
    assert "A1" not in str(vis_nodes(page))
    assert "A1" not in svg_texts(svg_map(SMALL, strengths(), "Tides", anonymised=True))


def test_the_picture_says_the_same_as_the_page():
    texts = svg_texts(svg_map(EDITED, strengths(EDITED.profile), "Tides"))
    assert {"+", "−", "✎", "new", "A1", "A2"} <= set(texts)
    assert "0.70" in texts
    assert sum("supports" in text for text in texts) == 1  # the legend


def test_the_picture_holds_no_address_but_its_name_space():
    picture = svg_map(SMALL, strengths(), "Tides")
    assert re.findall(r"https?://[^\s\"']+", picture) == ["http://www.w3.org/2000/svg"]


def test_hostile_text_stays_text_in_the_picture():
    root = ET.fromstring(svg_map(NASTY, strengths(NASTY), HOSTILE))
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {
        "svg", "title", "g", "rect", "circle", "path", "line", "polygon", "text"
    }  # fmt: skip
    title = root.find(f"{SVG}title")
    assert title is not None
    assert (title.text or "").startswith("</script><script>")


def test_the_whole_text_is_in_the_picture_as_a_title():
    long = "word " * 400
    profile = OpinionProfile("A claim", (), (Argument("a", long, None, 0.5),), (Relation("a", TOPIC, PRO),))
    titles = [e.text or "" for e in ET.fromstring(svg_map(profile, {}, "A claim")).iter(f"{SVG}title")]
    assert long in titles
    assert all(len(text) < 110 for text in svg_texts(svg_map(profile, {}, "A claim")))


def test_the_topic_s_bar_is_as_long_as_its_strength():
    picture = ET.fromstring(svg_map(SMALL, {TOPIC: 0.25}, "Tides"))
    widths = [float(rect.get("width", "0")) for rect in picture.iter(f"{SVG}rect") if rect.get("rx") == "4"]
    assert widths[1] == pytest.approx(widths[0] * 0.25, abs=0.05)


def test_a_base_score_of_one_is_a_full_arc_and_of_zero_none():
    def arcs(base):
        profile = OpinionProfile("A claim", (), (Argument("a", "text", None, base),), (Relation("a", TOPIC, PRO),))
        return [e.get("d", "") for e in ET.fromstring(svg_map(profile, {}, "A claim")).iter(f"{SVG}path")]

    assert arcs(0.0) == arcs(None) == []
    assert len(arcs(1.0)) == 1
    assert " 0 1 1 " in arcs(1.0)[0]


def test_colours_are_those_asked_for():
    assert DARK.support in svg_map(SMALL, strengths(), "Tides", palette=DARK)
    assert LIGHT.support not in svg_map(SMALL, strengths(), "Tides", palette=DARK)
    assert DARK.background in standalone_html(SMALL, strengths(), "Tides", palette=DARK)


def test_a_debate_without_arguments_has_a_map_too():
    empty = OpinionProfile("A claim")
    assert "A claim" in " ".join(svg_texts(svg_map(empty, {TOPIC: 0.5}, "A claim")))
    assert vis_nodes(standalone_html(empty, {}, "A claim")).keys() == {TOPIC}


def test_equal_debates_give_equal_files():
    turned = OpinionProfile(SMALL.claim, SMALL.stances, SMALL.arguments, SMALL.relations[::-1])
    assert svg_map(turned, strengths(), "Tides") == svg_map(SMALL, strengths(), "Tides")


def test_the_map_of_a_wide_debate_with_contributions_has_wider_lines():
    def widths(contributions):
        root = ET.fromstring(svg_map(SMALL, strengths(), "Tides", contributions=contributions))
        return [float(line.get("stroke-width", "0")) for line in root.iter(f"{SVG}line")]

    assert max(widths({"p": 0.25})) == 5
    assert max(widths(None)) < 2.5
