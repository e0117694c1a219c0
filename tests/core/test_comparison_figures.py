import json
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import pytest

from core.calibration_figures import calibration_curve
from core.comparison.agreement import pair_table
from core.comparison.calibration import calibrate
from core.comparison.mcnemar import who_is_right
from core.comparison.metrics import summaries, summary_table
from core.comparison.population import common_population, judgement_grid
from core.comparison.repeats import VariedBy, variation
from core.comparison_figures import accuracy_dots, agreement_squares, judge_scatter
from core.disagreement_figures import who_is_right_bars
from core.figures import Chart
from core.palette import DARK, LIGHT, Palette
from core.repeat_figures import accuracy_by, repeat_strip
from tests.core.comparisons import judge, labels, population, rows, with_scores

HOSTILE = "<a href='javascript:x'>A</a>"
both_palettes = pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])


def compared(first: str = "A", second: str = "B") -> Chart:
    found = population("TTFFTF", {first: "TTFFFT", second: "TTFFTF"})
    return accuracy_dots(summary_table(summaries(found)), LIGHT)


def repeats(*texts: str, gold: str = "TTF"):
    frame = pd.concat([rows(text, "A", repeat=number) for number, text in enumerate(texts)], ignore_index=True)
    grid = judgement_grid(frame, labels(gold), [judge("A")])
    return variation(frame, common_population(grid), 0, VariedBy.REPEAT)


def every_chart(name: str, palette: Palette = LIGHT) -> list[Chart]:
    found = with_scores("TTFF", {name: [0.9, 0.2, 0.4, 0.6], "B": [0.8, 0.7, 0.1, 0.2]})
    varied = repeats("TTF", "TFF")
    return [
        accuracy_dots(summary_table(summaries(found)), palette),
        agreement_squares(pair_table(found), [name, "B"], palette),
        judge_scatter(found, 0, 1, {"d0": name}, palette),
        who_is_right_bars([who_is_right(found, 0, 1)], palette),
        calibration_curve(calibrate(found, 0), palette),
        repeat_strip(varied, {"d1": name}, palette),
        accuracy_by(varied, palette),
    ]


@both_palettes
def test_plotly_accepts_every_chart_and_axes_are_written_in_ink(palette):
    for chart in every_chart("A", palette):
        checked = go.Figure(chart.figure.to_dict())  # refuses what it does not know, which a page would draw wrongly
        for axis in (checked.layout.xaxis, checked.layout.yaxis):
            assert axis.tickfont.color == palette.ink


def texts_of(chart: Chart) -> str:
    return " ".join(note.text for note in chart.figure.layout.annotations)


def test_accuracies_are_said_in_words_and_written_beside_the_marks():
    chart = compared()
    assert chart.alt == "Accuracy of 2 judges: highest B with 100.0 %, lowest A with 66.7 %."
    assert "<b>66.7 %</b>" in texts_of(chart)
    assert list(chart.figure.data[-1].customdata) == ["A", "B"]


def test_a_single_judge_is_neither_highest_nor_lowest():
    chart = accuracy_dots(summary_table(summaries(population("TF", {"A": "TT"}))), LIGHT)
    assert chart.alt == "A is right on 50.0 % of the debates."


def test_families_are_told_apart_by_shape_and_grouped():
    table = summary_table(summaries(population("TF", {"A": "TF", "B": "TT", "C": "TF"})))
    table["Family"] = ["semantics", "llm", "semantics"]
    marks = accuracy_dots(table, LIGHT).figure.data[-1]
    assert list(marks.customdata) == ["A", "C", "B"]
    assert list(marks.marker.symbol) == ["circle", "circle", "diamond-open"]


def test_hidden_labels_leave_an_empty_chart_that_says_so():
    chart = accuracy_dots(summary_table(summaries(population("TF", {"A": "TF"}, labelled=False))), LIGHT)
    assert chart.alt.startswith("No judge has an accuracy")
    assert chart.data.empty


def test_the_axis_reaches_down_to_the_lowest_accuracy():
    chart = accuracy_dots(summary_table(summaries(population("TTTTTTTTTF", {"A": "FFFFFFFFFF"}))), LIGHT)
    assert chart.figure.layout.xaxis.range[0] < 0  # accuracy on True claims is 0 %
    assert compared().figure.layout.xaxis.range[0] < 40


def test_a_pairs_square_has_the_area_of_the_share_that_differs_and_a_frame_to_hit():
    found = population("TTTT", {"A": "TTTT", "B": "TTTF", "C": "FFFF"})
    chart = agreement_squares(pair_table(found), ["A", "B", "C"], LIGHT)
    filled, frame = chart.figure.data
    sides = np.array(filled.marker.size)
    assert (sides**2 / frame.marker.size**2).tolist() == pytest.approx([1 / 4, 1.0, 3 / 4])
    assert list(frame.customdata) == ["0:1", "0:2", "1:2"]
    assert frame.marker.size >= 24  # pixels, the smallest target
    assert "<b>κ 0.00</b><br>1 differ" in texts_of(chart)
    assert chart.alt == (
        "Of 3 pairs of judges, A and C differ on 4 of 4 debates, the most (kappa 0.00); "
        "A and B on 1, the fewest (kappa 0.00)."
    )


def test_an_undefined_kappa_is_a_dash():
    found = population("TT", {"A": "TT", "B": "TT"})
    chart = agreement_squares(pair_table(found), ["A", "B"], LIGHT)
    assert "κ –" in texts_of(chart)
    assert chart.alt == "A and B differ on 0 of 2 debates, kappa –."


def test_no_agreement_can_be_drawn_of_one_judge():
    chart = agreement_squares(pair_table(population("T", {"A": "T"})), ["A"], LIGHT)
    assert chart.alt == "There is no pair of judges to compare."


def test_who_is_right_is_drawn_to_both_sides_and_told_apart_without_colour():
    # labels TTFFT: they differ on d1..d4; A right on d1, B on d2 and d3, neither on d4
    found = who_is_right(population("TTFFT", {"A": "TTTTF", "B": "TFFF?"}), 0, 1)
    chart = who_is_right_bars([found], LIGHT)
    left, right = chart.figure.data
    assert (list(left.x), list(right.x)) == ([-1], [2])
    assert (left.marker.pattern.shape, right.marker.pattern.shape) == ("", "/")
    assert list(right.customdata) == ["0:b"]
    assert "exact McNemar p = 1.000, neither 1" in texts_of(chart)
    assert chart.alt == found.sentence
    assert all(not tick.startswith("-") for tick in chart.figure.layout.xaxis.ticktext)


@pytest.mark.parametrize("families", [("llm", "semantics"), ("semantics", "llm"), ("llm", "llm"), ("vote", "human")])
def test_a_judge_who_is_right_has_the_colour_of_its_family(families):
    of = population("TTFF", {"A": "TFFT", "B": "TTTF"})
    judges = tuple(replace(one, family=family) for one, family in zip(of.judges, families, strict=True))
    chart = who_is_right_bars([who_is_right(replace(of, grid=replace(of.grid, judges=judges)), 0, 1)], LIGHT)
    wanted = [[LIGHT.llm_judge if family == "llm" else LIGHT.ink] for family in families]
    assert [list(bars.marker.color) for bars in chart.figure.data] == wanted
    assert [list(bars.marker.pattern.fgcolor) for bars in chart.figure.data] == wanted


def test_nothing_differs_is_drawn_too():
    chart = who_is_right_bars([who_is_right(population("TF", {"A": "TT", "B": "TT"}), 0, 1)], LIGHT)
    assert chart.alt == "A and B come to the same verdict on all 2 debates."
    assert who_is_right_bars([], LIGHT).alt == "There is no pair of judges to compare."


def test_the_calibration_error_is_in_the_title_and_the_bins_are_numbered():
    chart = calibration_curve(calibrate(with_scores("TFTT", {"A": [0.2, 0.26, 0.9, 1.0]}), 0), LIGHT)
    # bin 0.2: mean 0.23, share 1/2; bin 0.9: mean 0.95, share 1: ECE = (0.27 + 0.05) / 2 = 0.16
    assert "ECE 0.160" in chart.figure.layout.title.text
    assert texts_of(chart) == "2 2"
    assert chart.alt.endswith("scores around 0.23 are True in 50 % of 2 debates.")


def test_a_judge_without_scores_has_an_empty_calibration():
    chart = calibration_curve(calibrate(with_scores("TF", {"A": [None, None]}), 0), LIGHT)
    assert chart.alt == "A gives no scores, so there is no calibration."
    assert "ECE –" in chart.figure.layout.title.text


def test_the_repeat_strip_shows_only_debates_whose_verdict_changed_as_signs():
    chart = repeat_strip(repeats("TTF", "TFF", "T?F"), {"d1": "The claim"}, LIGHT)
    true, false, uncertain, none = chart.figure.data
    assert [list(trace.text) for trace in (true, false, uncertain)] == [["✓"], ["✕"], ["?"]]
    assert [list(trace.x) for trace in (true, false, uncertain)] == [[0], [1], [2]]
    assert len(none.x) == 0
    assert list(true.customdata) == ["d1"]
    assert len({trace.marker.symbol for trace in chart.figure.data}) == 4
    assert list(chart.figure.layout.yaxis.ticktext) == ["The claim"]
    assert texts_of(chart) == "1 of 3 True, 1 Uncertain"


def test_a_missing_verdict_in_a_repeat_is_marked():
    chart = repeat_strip(repeats("TTF", "TFF", "TeF"), {}, LIGHT)
    assert list(chart.figure.data[3].x) == [2]


def test_only_so_many_strips_are_drawn_and_the_rest_is_counted():
    chart = repeat_strip(repeats("T" * 25, "F" * 25, gold="T" * 25), {}, LIGHT)
    assert len(chart.figure.layout.yaxis.ticktext) == 20
    assert chart.alt.endswith("5 more are not drawn.")
    assert len(chart.data) == 25


def test_accuracy_by_repeat_is_said_from_lowest_to_highest():
    chart = accuracy_by(repeats("TTF", "TFF"), LIGHT)
    assert chart.alt == "Accuracy of A by repeat on 3 debates: from 66.7 % (2) to 100.0 % (1)."
    assert list(chart.figure.data[0].x) == pytest.approx([100.0, 200 / 3])


def test_accuracy_by_repeat_without_a_debate_is_said():
    assert accuracy_by(repeats("T", "e", gold="T"), LIGHT).alt.startswith("There is no accuracy of A by repeat")


def test_of_many_debates_the_scatter_draws_a_part_and_says_so():
    scores = [0.25] * 2_500
    chart = judge_scatter(with_scores("F" * 2_500, {"A": scores, "B": scores}), 0, 1, {}, LIGHT)
    assert len(chart.data) == 1_000
    assert chart.alt.endswith("These are 1000 of 2500 debates, evenly chosen.")


def test_a_scatter_of_judges_that_share_no_scored_debate_is_empty():
    chart = judge_scatter(with_scores("T", {"A": [None], "B": [0.9]}), 0, 1, {}, LIGHT)
    assert chart.data.empty


@both_palettes
def test_texts_on_the_charts_are_in_the_palettes_ink(palette):
    found = population("TTFF", {"A": "TTFF", "B": "TFFT"})
    for chart in (
        accuracy_dots(summary_table(summaries(found)), palette),
        agreement_squares(pair_table(found), ["A", "B"], palette),
        who_is_right_bars([who_is_right(found, 0, 1)], palette),
    ):
        assert {note.font.color for note in chart.figure.layout.annotations} == {palette.ink}


def test_a_hostile_name_or_claim_is_never_markup():
    for chart in every_chart(HOSTILE):
        drawn = chart.figure.for_each_trace(lambda trace: trace.update(customdata=None)).to_json()  # is never drawn
        assert not re.search(r"(<|\\u003c)a ", drawn), chart.alt


def test_every_chart_is_plain_json_with_words_and_data():
    for chart in every_chart("A"):
        assert json.loads(chart.figure.to_json())["data"]
        assert chart.alt.endswith(".")
        assert len(chart.data)


def test_no_chart_uses_a_heatmap_whose_cells_cannot_be_selected():
    for chart in every_chart("A"):
        assert {trace.type for trace in chart.figure.data} <= {"scatter", "bar"}
