"""Judges side by side as charts, tables and files; names and settings that tell judges apart."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.chart_export import KINDS as CHART_KINDS
from core.comparison.calibration import Binning
from core.comparison.metrics import MEASURED
from core.comparison.names import fitted_names, short_names
from core.comparison.population import ComparedJudge, Population, common_population, judgement_grid
from core.comparison.settings import setting_lines
from core.comparison_files import EVERY_KIND, comparison_files, drawn_file, drawn_file_name
from core.comparison_report import (
    Comparison,
    accuracy_chart,
    by_gap,
    calibration_chart,
    differing,
    every_chart,
    every_table,
    outcomes_of,
    summary_of,
)
from core.diagnostics import DiagnosedCase, diagnosis, diagnosis_of_scores
from core.errors import NoBrowser
from core.figure_parts import label_names, wrapped_names
from core.judgement import DecisionRule
from core.palette import DARK, LIGHT
from core.published import published_summary, published_tables
from core.repeat_report import varied
from core.table_export import KINDS as TABLE_KINDS
from tests.core.comparisons import judge, labels, population, rows

MODEL = "a-model-with-a-long-name-q4 at local"


def comparison(held: Population | None = None, **fields) -> Comparison:
    held = held or population("TTFF", {"A": "TTTF", "B": "TFFF"})
    names = tuple(judge.name for judge in held.judges)
    values = {"whole_names": names, "remarks": tuple(() for _ in names)} | fields
    return Comparison(held, {"d0": "First."}, "zoo set", "ab" * 32, **values)


# --- What it is of ----------------------------------------------------------------------------------------------------


def test_a_caption_tells_data_judges_n_filter_and_what_must_be_known():
    of = comparison(whole_names=("A in full", "B"), remarks=(("Constant: 0.50 for all.",), ()), filter="words 'zoo'")
    text = of.caption("Accuracy").text
    for part in ("Data set: zoo set (content abababababab)", "Judges: A = A in full; B", "n = 4 of 4 debates"):
        assert part in text
    assert "Filter: words 'zoo'" in text
    assert "A: Constant: 0.50 for all." in text
    assert "A in full" not in of.caption("Calibration", (1,)).text  # a chart of B says nothing of A


def test_the_summary_has_a_column_for_what_must_be_known():
    of = comparison(remarks=(("Small local model, demonstration.", "Copying: 9 of 10.", "One-sided: 99% True."), ()))
    assert of.summary["Remarks"].tolist() == ["small local model, demonstration; copying; one-sided", ""]


def test_costs_are_in_the_currency_of_the_price_table():
    judged = pd.concat([rows("TT", "A", cost=0.25), rows("TF", "B")], ignore_index=True)
    held = common_population(judgement_grid(judged, labels("TT"), [judge("A"), judge("B")]))
    caption = summary_of(comparison(held, currency="EUR")).caption
    assert "Cost in EUR." in caption.text
    assert "Cost in" not in summary_of(comparison(currency="EUR")).caption.text  # nothing cost anything
    assert "Cost in" not in summary_of(comparison(held)).caption.text
    assert "$" not in "".join(comparison(held).summary.columns)


def test_published_rows_stand_below_and_change_no_measured_one():
    text = """{"format": "moot-published/1", "title": "A paper", "claims": 10, "remarks": [], "tables": [
        {"number": 2, "about": "x", "unit": "percent", "columns": ["system", "accuracy"], "rows": [["ours", 81.5]]}]}"""
    published = published_summary(published_tables(text))
    plain, beside = comparison(), comparison(published=published)
    assert beside.summary.iloc[:2].drop(columns="Source").equals(plain.summary.drop(columns="Source"))
    assert beside.summary["Source"].tolist() == [MEASURED, MEASURED, "published, table 2 of A paper"]
    assert beside.pairs.equals(plain.pairs)


def test_the_pair_to_begin_with_is_of_two_kinds_where_there_are_two():
    frame = rows("TT", "A")
    judges = [ComparedJudge("id-A", "A", "llm"), ComparedJudge("id-B", "B", "llm"), ComparedJudge("id-C", "C", "vote")]
    held = common_population(judgement_grid(frame, labels("TF"), judges))
    assert comparison(held).pair == (0, 2)
    assert comparison().pair == (0, 1)
    assert comparison(population("T", {"A": "T"})).pair == (0, 0)


def test_debates_on_which_judges_differ_come_by_gap_and_those_without_scores_last():
    held = population("TTT", {"A": "TTT", "B": "FFF"})
    scores = held.grid.scores
    scores[:, :] = [[0.9, 0.6, np.nan], [0.4, 0.0, 0.1]]
    of = comparison(Population(held.grid, held.members, held.reasons, True, held.abstention))
    assert differing(of) == ["d1", "d0", "d2"]  # gaps 0.6, 0.5, none
    assert by_gap(of, ["d2", "d0", "elsewhere"]) == ["d0", "d2"]


# --- Charts and tables ------------------------------------------------------------------------------------------------


def test_a_chart_is_drawn_once_for_each_background():
    of = comparison()
    chart = accuracy_chart(of)
    assert chart.draw(LIGHT) is accuracy_chart(of).draw(LIGHT)
    assert chart.draw(DARK) is not chart.draw(LIGHT)
    ten, five = calibration_chart(of, 0), calibration_chart(of, 0, 5, Binning.EQUAL_MASS)
    assert ten.draw(LIGHT) is not five.draw(LIGHT)


def test_axes_are_written_in_ink():
    figure = accuracy_chart(comparison()).draw(LIGHT).figure
    assert figure.layout.xaxis.tickfont.color == LIGHT.ink
    assert figure.layout.yaxis.tickfont.color == LIGHT.ink


@pytest.mark.parametrize(
    ("held", "charts", "tables"),
    [
        (population("TTFF", {"A": "TTTF", "B": "TFFF"}), 6, 4),
        (population("TTFF", {"A": "TTTF", "B": "TFFF"}, labelled=False), 2, 4),  # agreement and scores need no label
        (population("TTFF", {"A": "TTTF"}), 2, 1),
    ],
)
def test_every_chart_and_table_is_there_that_judges_and_labels_allow(held, charts, tables):
    of = comparison(held)
    assert len(every_chart(of, of.pair)) == charts
    assert len(every_table(of, of.pair)) == tables
    for chart in every_chart(of, of.pair):
        assert chart.draw(LIGHT).alt
    for table in every_table(of, of.pair):
        assert len(table.make().frame)


def test_without_labels_no_table_holds_one():
    of = comparison(population("TTFF", {"A": "TTTF", "B": "TFFF"}, labelled=False))
    for table in every_table(of, of.pair):
        assert "Label" not in table.make().frame.columns
    assert summary_of(of).make().frame["Accuracy %"].isna().all()


def test_files_have_names_that_tell_what_they_are_and_equal_bytes_for_equal_comparisons():
    kinds = [kind for kind in EVERY_KIND if kind not in ("svg", "png", "pdf")]
    first = dict(comparison_files(comparison(), (0, 1), kinds, "20260131"))
    again = dict(comparison_files(comparison(), (0, 1), kinds, "20260131"))
    assert first == again
    assert len(first) == 6 * 2 + 4 * len(TABLE_KINDS)
    assert "debates_zoo-set_accuracy_20260131.html" in first
    assert "debates_zoo-set_table-outcomes-1-and-2_20260131.tex" in first
    chart = accuracy_chart(comparison())
    assert drawn_file(chart, "csv") == first[drawn_file_name(chart, "20260131", "csv")]


def test_images_need_something_that_draws():
    drawn = dict(comparison_files(comparison(), (0, 1), ["svg"], "20260131", lambda figure, kind: b"<svg></svg>"))
    assert len(drawn) == 6
    with pytest.raises(NoBrowser):
        dict(comparison_files(comparison(), (0, 1), ["svg"], "20260131"))
    assert {"svg", "png", "pdf"} < set(CHART_KINDS)


def test_outcomes_count_what_the_tiles_count():
    of = comparison(population("TTFF", {"A": "TTTF", "B": "TFFF"}))
    frame = outcomes_of(of, 0, 1).make().frame
    assert frame["True"].tolist() == [1, 0]  # both True on the first; A never False where B is True
    assert frame["False"].tolist() == [2, 1]


# --- Names and settings -----------------------------------------------------------------------------------------------


def test_names_that_fit_stay_as_they_are():
    names = ["DF-QuAD, combined, topic 0.5", "Majority of stances"]
    assert short_names(names, ["semantics", "vote"]) == tuple(names)


def test_long_names_of_one_kind_keep_what_tells_them_apart():
    names = [f"{MODEL}, named, prior, printed, seed 1", f"{MODEL}, anonymised, prior, printed, seed 1"]
    assert short_names(names, ["llm", "llm"]) == ("a-model-with-a-long…, named", "a-model-with-a-long…, anonymised")


def test_a_judge_alone_in_its_family_keeps_its_first_parts():
    names = [f"{MODEL}, named, prior, printed, seed 1", "DF-QuAD"]
    assert short_names(names, ["llm", "semantics"])[0] == "a-model-with-a-long…, named, prior"


@given(
    st.lists(st.text("ab, c", min_size=1, max_size=60), min_size=1, max_size=6, unique=True),
    st.lists(st.sampled_from(["llm", "vote"]), min_size=6, max_size=6),
)
def test_short_names_of_different_judges_differ(names, families):
    assert len(set(short_names(names, families[: len(names)]))) == len(names)


STANCES, NAMINGS, ELICITED = (
    ("no stance", "prior", "posterior"),
    ("named", "anonymised"),
    ("printed", "log-probability"),
)
VARIANTS = [
    f"{model} at local, {naming}, {stance}, {elicited}, seed 1"
    for model in ("qwen2.5-coder-0.5b-instruct-q4_k_m", "qwen2.5-coder-1.5b-instruct-q4_k_m")
    for naming in NAMINGS
    for stance in STANCES
    for elicited in ("printed", "log-probability")
]
PUBLISHED = [
    f"DF-QuAD, {setting}, {stance} stance ({protocol})"
    for setting in ("separate", "combined")
    for stance in ("no", "prior", "posterior")
    for protocol in ("single-turn", "multi-turn-private", "multi-turn-shared")
]
SETS = st.lists(st.sampled_from([*VARIANTS, *PUBLISHED]), min_size=1, max_size=12, unique=True)


@given(SETS, st.sampled_from([12, 16, 22, 34, 44, 70]))
def test_labels_of_any_judges_side_by_side_differ_at_any_length(names, length):
    shown = short_names(names, ["llm" if name in VARIANTS else "semantics" for name in names])
    for given_names in (names, shown):
        labels = fitted_names(given_names, length)
        assert len(set(labels)) == len(names)
        assert all(len(label) <= length + len(" (12)") for label in labels)


@given(SETS, st.sampled_from([14, 16, 18, 22]))
def test_labels_in_charts_of_any_judges_differ(names, width):
    assert len(set(label_names(names))) == len(set(wrapped_names(names, width))) == len(names)


def test_the_head_is_cut_and_the_end_stays():
    names = [f"qwen2.5-coder-0.5b…, anonymised, {stance}" for stance in STANCES]
    assert fitted_names(names, 34) == (
        "qwen2.5-co…, anonymised, no stance",
        "qwen2.5-coder…, anonymised, prior",
        "qwen2.5-co…, anonymised, posterior",
    )
    assert fitted_names(names, 22) == ("…anonymised, no stance", "…anonymised, prior", "…anonymised, posterior")


def test_settings_that_all_of_a_kind_have_in_common_are_left_out():
    one = {"kind": "llm", "model": "m", "naming": "named", "seed": 1, "prompt_hash": "x", "example": None}
    two = one | {"naming": "anonymised", "example": 0.5}
    assert setting_lines([one, two], differing=True) == [
        [("example", "–"), ("naming", "named")],
        [("example", "0.5"), ("naming", "anonymised")],
    ]
    assert ("model", "m") in setting_lines([one, two], differing=False)[0]


def test_settings_stand_in_one_order_however_they_come():
    one = {"kind": "llm", "model": "m", "agents": {"b": 1, "a": 2}, "seed": 1}
    turned = {"seed": 1, "agents": {"a": 2, "b": 1}, "model": "m", "kind": "llm"}
    told = [("agents", '{"a": 2, "b": 1}'), ("model", "m"), ("seed", "1")]
    assert setting_lines([one, turned], differing=False) == [told, told]


def test_a_judge_alone_of_its_kind_shows_what_is_set():
    alone = {
        "kind": "llm",
        "endpoint": {"name": "local", "base_url": "http://127.0.0.1"},
        "seed": None,
        "strict": False,
    }
    assert setting_lines([alone, {"kind": "vote"}], differing=True)[0] == [("endpoint", "local")]


# --- Diagnoses --------------------------------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 1000).map(lambda n: n / 1000), max_size=30))
def test_many_scores_are_diagnosed_as_case_by_case(scores):
    rule = DecisionRule(0.5, 0.1)
    quick = diagnosis_of_scores(scores, [rule.verdict(score) for score in scores])
    assert quick == diagnosis([DiagnosedCase(score) for score in scores], rule)


def test_a_grid_on_some_debates_is_the_grid_of_those():
    held = population("TFTF", {"A": "TTF.", "B": "FFTT"}).grid
    some = held.among(["d3", "d1", "elsewhere"])
    assert some.debates.tolist() == ["d1", "d3"]
    assert some.verdicts.tolist() == [[1, -1], [0, 1]]
    assert some.labels.tolist() == [0, 0]
    assert some.scores.shape == some.costs.shape == (2, 2)


def test_what_asking_again_changes_has_its_charts():
    of = comparison(population("TTF", {"A": "TTF"}))
    first, second = (rows(letters, "A", repeat=number, order=None) for number, letters in ((1.0, "TTF"), (2.0, "TFF")))
    (found,) = varied(of, 0, pd.concat([first, second], ignore_index=True))
    assert [chart.name for chart in found.charts] == ["accuracy by repeat 1", "verdicts by repeat 1"]
    assert "changes its verdict on 1 of 3 debates" in found.charts[1].draw(LIGHT).alt
    names = [name for name, _ in comparison_files(of, (0, 0), ["csv"], "20260131", more=found.charts)]
    assert "debates_zoo-set_verdicts-by-repeat-1_20260131.csv" in names
    assert varied(of, 0, first) == ()
