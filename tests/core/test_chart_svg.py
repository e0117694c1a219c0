"""Charts as static SVG hold what the figures on screen hold."""

from __future__ import annotations

import html
import re
import xml.etree.ElementTree as ET
from dataclasses import replace

import pandas as pd
import plotly.graph_objects as go
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chart_svg import chart_svg
from core.chart_svg.frame import Scale, frame_of
from core.chart_svg.words import lines_of, width
from core.comparison_pieces import piece_named
from core.comparison_report import DrawnChart, NamedTable, every_chart, every_table
from core.errors import InvalidSetting
from core.figures import Chart, hover_text
from core.palette import DARK, LIGHT
from core.report.themed import declarations, themed
from tests.core.comparisons import population
from tests.core.test_comparison_report import comparison

SVG = "{http://www.w3.org/2000/svg}"
OF = comparison(population("TTFFTFTFTFTF", {"A": "TTFFTTTFTFFF", "B": "TFFTTFTTTFTF", "C": "FFTTTFTTTFFF"}))
CHARTS = every_chart(OF, (0, 1))


def drawn(piece: DrawnChart, palette=LIGHT):
    chart = piece.draw(palette)
    return chart, ET.fromstring(chart_svg(chart, palette))


def words(root):
    return " ".join("".join(text.itertext()) for text in root.iter(f"{SVG}text"))


def a_chart(*traces, **layout):
    return Chart(go.Figure(list(traces), layout), "What it shows.", pd.DataFrame())


@pytest.mark.parametrize("piece", CHARTS, ids=lambda piece: piece.name)
def test_every_word_of_a_chart_is_in_its_picture(piece):
    chart, root = drawn(piece)
    told = words(root)
    layout = chart.figure.layout
    due = [note.text for note in layout.annotations]
    due += [axis.title.text for axis in (layout.xaxis, layout.yaxis) if axis.title.text and axis.visible is not False]
    due += [text for axis in (layout.xaxis, layout.yaxis) if axis.visible is not False for text in axis.ticktext or ()]
    for text in due:
        for line in re.split(r"<[^>]*>", str(text)):
            assert html.unescape(line) in told, line
    assert root.find(f"{SVG}title").text == chart.alt


@pytest.mark.parametrize("piece", CHARTS, ids=lambda piece: piece.name)
def test_nothing_is_drawn_outside_of_the_picture(piece):
    _, root = drawn(piece)
    wide, tall = float(root.get("width")), float(root.get("height"))
    for name, across, down in (("circle", "cx", "cy"), ("line", "x1", "y1"), ("line", "x2", "y2"), ("rect", "x", "y")):
        for mark in root.iter(f"{SVG}{name}"):
            assert -1 <= float(mark.get(across, "0")) <= wide + 1
            assert -1 <= float(mark.get(down, "0")) <= tall + 1


@pytest.mark.parametrize("piece", CHARTS, ids=lambda piece: piece.name)
def test_equal_charts_give_equal_pictures_which_differ_by_background_in_colours_alone(piece):
    light, dark = (chart_svg(piece.draw(palette), palette) for palette in (LIGHT, DARK))
    assert light == chart_svg(piece.draw(LIGHT), LIGHT)
    plain = [re.sub("#[0-9A-Fa-f]{6}", "", one) for one in (light, dark)]
    assert plain[0] == plain[1]


def test_a_mark_stands_where_its_value_is_on_both_scales():
    trace = go.Scatter(x=[0.25], y=[0.75], mode="markers", marker={"size": 10, "color": "#111827"})
    chart = a_chart(trace, xaxis={"range": [0, 1]}, yaxis={"range": [0, 1]}, height=300)
    root = ET.fromstring(chart_svg(chart, LIGHT))
    frame = frame_of(chart.figure, 820, 0)
    (circle,) = root.iter(f"{SVG}circle")
    assert float(circle.get("cx", "")) == pytest.approx(frame.x.start + 0.25 * (frame.x.end - frame.x.start), abs=0.1)
    assert float(circle.get("cy", "")) == pytest.approx(frame.y.start + 0.75 * (frame.y.end - frame.y.start), abs=0.1)


def test_lines_break_where_a_value_is_missing():
    trace = go.Scatter(x=[0, 1, None, 2, 3], y=[0, 1, None, 1, 0], mode="lines")
    root = ET.fromstring(chart_svg(a_chart(trace), LIGHT))
    assert len(list(root.iter(f"{SVG}polyline"))) == 2


def test_hostile_words_of_a_chart_are_words():
    text = "<script>alert(1)</script> <b>x</b> & \x07"
    chart = a_chart(
        go.Scatter(x=[0], y=[0], mode="markers"),
        annotations=[{"x": 0, "y": 0, "text": hover_text(text), "showarrow": False}],
    )
    root = ET.fromstring(chart_svg(replace(chart, alt=text), LIGHT))
    assert {element.tag for element in root.iter()} <= {f"{SVG}{name}" for name in (
        "svg", "title", "rect", "line", "circle", "text", "tspan")}  # fmt: skip
    assert "<script>alert(1)</script> <b>x</b> &" in words(root)


def test_what_cannot_be_drawn_is_an_error_and_not_left_out():
    for trace in (go.Pie(values=[1]), go.Bar(x=[1], y=[1]), go.Scatter(x=[0], y=[0], marker={"symbol": "pentagon"})):
        with pytest.raises(InvalidSetting):
            chart_svg(a_chart(trace), LIGHT)


@given(st.floats(-1e3, 1e3), st.floats(1e-3, 1e3), st.floats(0, 1), st.integers(0, 99), st.integers(100, 900))
def test_a_scale_keeps_shares(low, long, at, start, end):
    scale = Scale(low, low + long, start, end)
    assert scale.at(low + at * long) == pytest.approx(scale.part(at), abs=1e-6 * (end - start) + 1e-3)


def test_marks_of_a_text_change_its_type_and_other_marks_are_words():
    lines = lines_of("<b>12</b> a<br><span style='font-size:11px'>small</span> &lt;b&gt;", 13)
    assert [[(run.text, run.size, run.bold) for run in line] for line in lines] == [
        [("12", 13, True), (" a", 13, False)],
        [("small", 11, False), (" <b>", 13, False)],
    ]
    assert width(lines_of("longer words", 13)) > width(lines_of("words", 13))


# --- pieces by name ---------------------------------------------------------------------------------------------------


def test_every_chart_and_table_is_found_again_by_its_name():
    pieces: list[DrawnChart | NamedTable] = [*CHARTS, *every_table(OF, (0, 1))]
    for piece in pieces:
        found = piece_named(OF, piece.name, ("d1",), "debates on which the judges differ")
        assert found is not None
        assert type(found) is type(piece)
        assert found.name == piece.name
        assert found.caption == piece.caption


def test_a_table_of_cases_holds_the_debates_asked_for():
    table = piece_named(OF, "cases", ("d3", "d1"), "two")
    assert isinstance(table, NamedTable)
    assert list(table.make().frame["Id"]) == ["d3", "d1"]


@pytest.mark.parametrize(
    "name",
    [
        "",
        "nothing",
        "scores 1 and 9",
        "scores 0 and 1",
        "calibration 4",
        "calibration 1 7 bins of fun",
        "who is right 1",
    ],
)
def test_a_name_of_nothing_finds_nothing(name):
    assert piece_named(OF, name) is None


def test_what_needs_labels_is_not_found_without_them():
    of = comparison(population("TF", {"A": "TF", "B": "FF"}, labelled=False))
    for name in ("accuracy", "calibration 1", "who is right 1 and 2"):
        assert piece_named(of, name) is None
    assert piece_named(of, "scores 1 and 2") is not None


# --- one picture for both backgrounds ---------------------------------------------------------------------------------


def test_a_picture_of_two_backgrounds_gets_its_colours_from_the_page():
    names: dict[str, str] = {}
    light, dark = (chart_svg(CHARTS[0].draw(palette), palette) for palette in (LIGHT, DARK))
    made = themed(light, dark, names)
    assert "#" not in made
    assert "xmlns" not in made
    for found, palette in ((False, light), (True, dark)):
        back = made
        for declaration in declarations(names, dark=found).rstrip(";").split("; "):
            name, colour = declaration.split(": ")
            back = back.replace(f"var({name})", colour)
        assert back == palette.replace(' xmlns="http://www.w3.org/2000/svg"', "", 1)


def test_pictures_that_differ_in_more_than_colours_keep_the_light_one():
    assert themed("<svg><a fill='#000000'/></svg>", "<svg><b fill='#FFFFFF'/></svg>", {}) == (
        "<svg><a fill='#000000'/></svg>"
    )
    assert themed("<svg a='#000000' b='#000000'/>", "<svg a='#111111' b='#222222'/>", {}) == (
        "<svg a='#000000' b='#000000'/>"
    )
