import json
from dataclasses import replace
from itertools import pairwise

import plotly.graph_objects as go
import pytest

from core.figures import Chart
from core.judgement import DecisionRule, Verdict
from core.judges import SemanticsJudge
from core.least import Locks, one_score_flips, verdict_goal
from core.palette import DARK, LIGHT, Palette
from core.semantics import SEMANTICS
from core.sensitivity import base_score_curve, base_score_curves, by_semantics, conservativeness_curve, heat_map
from core.sensitivity_figures import (
    conservativeness_chart,
    flip_lollipop,
    heat_map_chart,
    semantics_dots,
    sensitivity_chart,
)
from tests.core.least_questions import flat

HOSTILE = "<a href='javascript:x'>A</a>"
JUDGE = SemanticsJudge()
PROFILE = flat(0.5, pros=[0.4], cons=[0.6])
ALL = [SemanticsJudge(key) for key in SEMANTICS]
both_palettes = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])


def flips():
    return one_score_flips(JUDGE, PROFILE, verdict_goal(JUDGE.rule, Verdict.TRUE), Locks(topic=False))


def every_chart(palette: Palette = LIGHT, name: str = "p0") -> list[Chart]:
    named = {"p0": name, "c0": name}
    return [
        sensitivity_chart(
            base_score_curves(ALL, PROFILE, "p0"), palette, name=name, original=(0.4, 0.4), now=(0.8, 0.6)
        ),
        conservativeness_chart([conservativeness_curve(judge, PROFILE) for judge in ALL], palette, now=(1.0, 0.4)),
        heat_map_chart(heat_map(JUDGE, PROFILE, "p0", "c0"), palette, names=named, original=(0.4, 0.6), now=(0.8, 0.6)),
        flip_lollipop(flips(), palette, texts=named, names=named),
        semantics_dots(by_semantics(JUDGE, PROFILE), palette),
    ]


@both_palettes
def test_plotly_accepts_every_chart_and_axes_are_written_in_ink(palette):
    for chart in every_chart(palette):
        checked = go.Figure(chart.figure.to_dict())
        for axis in (checked.layout.xaxis, checked.layout.yaxis):
            assert axis.tickfont.color == palette.ink
        assert chart.alt


def test_a_debates_words_are_no_markup_in_any_chart():
    for chart in every_chart(name=HOSTILE):
        assert "<a " not in json.dumps(chart.figure.to_dict(), default=str)


def test_the_zone_is_where_the_verdict_is_another():
    chart = sensitivity_chart([base_score_curve(JUDGE, PROFILE, "p0")], LIGHT, name="p0", original=(0.4, 0.4))
    (zone,) = [shape for shape in chart.figure.layout.shapes if shape["type"] == "rect"]
    assert (zone["x0"], zone["x1"]) == (pytest.approx(0.6), 1.0)  # True from a pro of 0.6 on
    assert "The verdict is another from 0.60 to 1.00." in chart.alt
    assert len(chart.data) == 41


def test_nowhere_another_verdict_is_said_in_words():
    chart = sensitivity_chart(
        [base_score_curve(JUDGE, flat(0.4, pros=[0.4], cons=[1.0]), "p0")], LIGHT, name="p0", original=(0.4, 0.16)
    )
    assert "Nowhere is the verdict another." in chart.alt


def test_at_most_six_lines_are_drawn_and_told_apart_by_their_dashes():
    chart = every_chart()[0]
    lines = [trace for trace in chart.figure.data if trace["mode"] == "lines"]
    assert len(lines) == 6
    assert len({trace["line"]["dash"] for trace in lines}) == 6
    assert "2 more are in the table only." in chart.alt
    assert set(chart.data["judge"]) == {judge.name for judge in ALL}


@pytest.mark.parametrize(("count", "said"), [(2, " 1 more judge is drawn"), (3, " 2 more judges are drawn")])
def test_the_other_judges_are_counted_in_good_english(count, said):
    curves = base_score_curves(ALL[:count], PROFILE, "p0")
    assert said in sensitivity_chart(curves, LIGHT, name="p0", original=(0.4, 0.4)).alt


def test_labels_at_the_ends_of_lines_stand_apart_and_inside():
    chart = every_chart()[0]
    heights = sorted(note["y"] for note in chart.figure.layout.annotations if note["xref"] == "paper")
    assert len(heights) == 6
    assert all(high - low > 0.069 for low, high in pairwise(heights))
    assert 0 <= heights[0] <= heights[-1] <= 1


def test_a_semantics_without_conservativeness_has_no_curve_over_it():
    chart = conservativeness_chart([conservativeness_curve(SemanticsJudge("euler"), PROFILE)], LIGHT)
    assert chart.alt == "This semantics has no conservativeness."


def test_a_heat_map_counts_verdicts_and_marks_where_they_turn():
    chart = heat_map_chart(heat_map(JUDGE, PROFILE, "p0", "c0", points=11), LIGHT)
    # True where the pro is at least the con: 66 of 121
    assert chart.alt.endswith("over the base scores of p0 and c0: True on 66, False on 55 of 121.")
    assert [trace["type"] for trace in chart.figure.data] == ["heatmap", "contour"]
    assert len(chart.data) == 121
    banded = replace(JUDGE, rule=DecisionRule(0.5, 0.1))
    assert len(heat_map_chart(heat_map(banded, PROFILE, "p0", "c0"), LIGHT).figure.data) == 3


def test_flips_are_ranked_with_words_beside_them():
    chart = flip_lollipop(flips(), LIGHT)
    marks = chart.figure.data[1]
    assert list(marks["customdata"]) == ["topic", "c0", "p0"]
    assert list(marks["marker"]["symbol"]) == ["triangle-right", "triangle-left", "triangle-right"]
    assert [note["text"] for note in chart.figure.layout.annotations] == [
        "0.50 → 0.625 (+0.125)",
        "0.60 → 0.400 (−0.200)",
        "0.40 → 0.600 (+0.200)",
    ]
    assert chart.alt.startswith(
        "3 of 3 arguments can flip the verdict alone; the smallest change is +0.125 of the topic"
    )


def test_no_flip_is_said_in_words():
    chart = flip_lollipop([], LIGHT)
    assert chart.alt == "No single change flips this verdict."
    assert list(chart.data.columns) == ["argument", "base score", "needed", "change", "score then", "status"]


def test_semantics_stand_with_their_verdicts():
    chart = semantics_dots(by_semantics(JUDGE, PROFILE), LIGHT)
    assert chart.figure.layout.annotations[0]["text"] == "✕ False 0.400"
    assert chart.alt == "0 of 8 semantics say True; scores by semantics."
