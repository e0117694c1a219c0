import json

import pandas as pd

from core.contributions import Contributions, Definition, GradientContributions, ShapleyContributions, Slope
from core.figures import contribution_bars, edit_steps, export_config, hover_text, score_scatter
from core.palette import LIGHT


def scatter_frame(*rows: tuple[str, float | None, float | None]) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["debate_id", "score_a", "score_b"])
    frame["claim"] = "<b>bold</b> claim"
    frame["agree"] = (frame["score_a"] >= 0.5) == (frame["score_b"] >= 0.5)
    return frame


def levels(chart):
    """Return where the lines across a chart are, as (x0, x1, y0, y1)."""
    return [(line.x0, line.x1, line.y0, line.y1) for line in chart.figure.layout.shapes]


def test_charts_draw_the_line_of_a_verdict_at_the_judges_own_threshold():
    scatter = score_scatter(scatter_frame(("a", 0.6, 0.7)), "A", "B", LIGHT, (0.7, 0.3))
    assert levels(scatter) == [(0.7, 0.7, 0, 1), (0, 1, 0.3, 0.3)]
    (line,) = levels(edit_steps([0.4, 0.6], ["first"], "DF-QuAD", LIGHT, 0.7))
    assert line[2:] == (0.7, 0.7)
    (line,) = levels(edit_steps([0.4, 0.6], ["first"], "DF-QuAD", LIGHT))
    assert line[2:] == (0.5, 0.5)


def test_the_scatter_counts_disagreements_in_words_and_leaves_out_missing_scores():
    chart = score_scatter(scatter_frame(("a", 0.6, 0.7), ("b", 0.6, 0.1), ("c", None, 0.4)), "A", "B", LIGHT)
    assert chart.alt == "Scores of A and B on 2 debates; they come to different verdicts on 1."
    assert [len(trace.x) for trace in chart.figure.data] == [1, 1]


def test_a_debates_text_in_a_hover_is_not_markup():
    chart = score_scatter(scatter_frame(("a", 0.6, 0.7)), "A", "B", LIGHT)
    assert chart.figure.data[0].text[0] == "&lt;b&gt;bold&lt;/b&gt; claim"
    assert hover_text("a & <script>") == "a &amp; &lt;script&gt;"


def removals(**amounts: float) -> Contributions:
    return Contributions(Definition.REMOVAL, amounts, "judged again without each")


def test_contributions_are_sorted_by_size_and_told_apart_without_colour():
    chart = contribution_bars(removals(a=0.1, b=-0.3, c=0.0), {"a": "x", "b": "y"}, "DF-QuAD", LIGHT)
    bars = chart.figure.data[0]
    assert list(bars.y) == ["a", "b"]  # drawn from the bottom, so the largest is on top
    assert list(bars.marker.pattern.shape) == ["", "/"]
    assert list(bars.text) == ["+0.100", "−0.300"]
    assert chart.alt == (
        "Removal: 1 argument raises the score of DF-QuAD and 1 lowers it; the largest is b with −0.300. "
        "1 more is not drawn."
    )
    assert chart.figure.layout.xaxis.title.text == "Removal: contribution to the score<br>of DF-QuAD"
    assert len(chart.data) == 3


def test_no_contribution_is_said_in_words():
    assert contribution_bars(removals(a=0.0), {}, "DF-QuAD", LIGHT).alt == "No argument changes the score."


def test_a_score_that_is_not_there_is_said_in_words():
    nothing = Contributions(Definition.REMOVAL, {}, "", ("There is no score.",))
    assert contribution_bars(nothing, {}, "DF-QuAD", LIGHT).alt == "There is no score."


def test_a_slope_that_differs_by_direction_has_two_bars():
    slopes = {"a": Slope(0.7, 0.3), "b": Slope(-0.5, -0.5)}
    gradient = GradientContributions(Definition.GRADIENT, {"b": -0.5}, "one pass", slopes=slopes)
    chart = contribution_bars(gradient, {}, "DF-QuAD", LIGHT)
    assert list(zip(chart.figure.data[0].y, chart.figure.data[0].x, strict=True)) == [
        ("a, raised", 0.3),
        ("b", -0.5),
        ("a, lowered", 0.7),
    ]
    assert chart.alt.startswith("Gradient: 1 argument raises the score of DF-QuAD and 1 lowers it;")


def test_sampled_contributions_have_whiskers_and_groups_have_names():
    shares = ShapleyContributions(
        Definition.SHAPLEY, {"A1": 0.2, "A2": 0.1}, "", standard_errors={"A1": 0.01, "A2": 0.02}, orders=100
    )
    chart = contribution_bars(shares, {}, "DF-QuAD", LIGHT, ("agent", "agents"), {"A1": "Debater 1"})
    assert list(chart.figure.data[0].y) == ["A2", "Debater 1"]
    assert list(chart.figure.data[0].error_x.array) == [0.04, 0.02]
    assert "± 2 standard errors" in chart.figure.layout.xaxis.title.text
    assert chart.alt == (
        "Shapley value: 2 agents raise the score of DF-QuAD and 0 lower it; the largest is Debater 1 with +0.200."
    )


def test_edit_steps_begin_with_the_original_score():
    chart = edit_steps([0.4, None, 0.6], ["first", "second"], "DF-QuAD", LIGHT)
    assert list(chart.data["what"]) == ["original", "first", "second"]
    assert chart.alt == "Score of DF-QuAD after each of 2 edits from 0.40 to 0.60."


def test_figures_are_plain_json():
    chart = contribution_bars(removals(a=0.1), {"a": "x"}, "DF-QuAD", LIGHT)
    assert json.loads(chart.figure.to_json())["data"][0]["type"] == "bar"


def test_the_camera_button_saves_the_chosen_format():
    assert export_config("chart", "png")["toImageButtonOptions"] == {"format": "png", "filename": "chart", "scale": 2}
