import json

import numpy as np
import pandas as pd
import pytest

from core.comparison.mcnemar import mcnemar_test
from core.comparison.metrics import SUMMARY_COLUMNS, summaries, summary_table
from core.comparison_figures import accuracy_dots
from core.errors import InvalidSetting, UnreadableFile
from core.palette import LIGHT
from core.published import PublishedTable, published_summary, published_tables, right_counts, row_name
from storage.published import published
from tests.core.comparisons import population

JUDGEMENT = "A Theory of Post-hoc Debate Judgement"


def table(number: int, paper: str = JUDGEMENT) -> PublishedTable:
    return next(each for each in published() if each.number == number and each.short_title == paper)


@pytest.mark.parametrize("number", [1, 7, 8, 9])
def test_accuracies_are_those_of_249_true_and_251_false_claims(number):
    # Accuracy = (T-acc * 249 + F-acc * 251) / 500, with whole numbers of right verdicts: tables 1, 7, 8 and 9
    found = table(number)
    rows, counts = found.rows, right_counts(found)
    assert found.class_sizes == (249, 251)
    assert (counts["right"] / 500 * 100).round(2).tolist() == rows["accuracy"].tolist()
    assert np.abs(counts["right_true"] / 249 * 100 - rows["true_accuracy"]).max() <= 0.005 + 1e-9
    assert np.abs(counts["right_false"] / 251 * 100 - rows["false_accuracy"]).max() <= 0.005 + 1e-9
    weighted = (rows["true_accuracy"] * 249 + rows["false_accuracy"] * 251) / 500
    assert np.abs(weighted - rows["accuracy"]).max() <= 0.006  # half a unit in the last place of either class


@pytest.mark.parametrize("number", [4, 5, 12, 13])
def test_rates_are_satisfied_of_total(number):
    rows = table(number).rows
    assert (100 * rows["satisfied"] / rows["total"]).round(2).tolist() == rows["rate"].tolist()


@pytest.mark.parametrize(("hallucination", "unanimity"), [(4, 5), (12, 13)])
def test_violations_of_non_hallucination_and_of_unanimity_are_as_many(hallucination, unanimity):
    # Two-valued stances can only be left where all agents agree.
    one, two = (table(number).rows for number in (hallucination, unanimity))
    keys = ["judge", "protocol", "setting"]
    both = one.merge(two, on=keys)
    assert len(both) == len(one)
    assert (both["total_x"] - both["satisfied_x"]).tolist() == (both["total_y"] - both["satisfied_y"]).tolist()


@pytest.mark.parametrize(("number", "baseline"), [(2, "as is"), (10, "as is")])
def test_changes_are_differences_to_the_baseline(number, baseline):
    rows = table(number).rows
    base = rows[rows["profile"] == baseline].set_index(["judge", "protocol"])["accuracy"]
    expected = [row["accuracy"] - base[row["judge"], row["protocol"]] for row in rows.to_dict("records")]
    assert rows["change"].tolist() == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize(("first", "again"), [(2, 10), (3, 11), (4, 12), (5, 13)])
def test_df_quad_rows_that_are_printed_twice_are_equal(first, again):
    one, two = (table(number).rows.query("judge == 'df-quad'").reset_index(drop=True) for number in (first, again))
    pd.testing.assert_frame_equal(one, two)


@pytest.mark.parametrize("number", [1, 9])
def test_separate_and_combined_are_equal_on_shared_frameworks(number):
    rows = table(number).rows.query("protocol == 'multi-turn-shared' and setting in ['separate', 'combined']")
    separate, combined = (
        rows[rows["setting"] == setting].drop(columns="setting").values.tolist() for setting in ("separate", "combined")
    )
    assert separate == combined


def test_the_robustness_baselines_are_the_accuracies_of_table_1():
    main = table(1).rows.query("variant == 'prior' and setting in ['named', 'separate']")
    base = table(2).rows.query("profile == 'as is'")
    both = base.merge(main, on=["judge", "protocol"])
    assert len(both) == len(base) == 4
    assert both["accuracy_x"].tolist() == both["accuracy_y"].tolist()


def test_proclaims_accuracies_are_whole_numbers_of_120_claims():
    for number, expected in ((4, [96, 86, 98]), (6, [98, 89, 93, 94, 97, 86])):
        found = table(number, "PROClaim")
        assert found.claims == 120
        counts = (found.rows["accuracy"] * 120).round()
        assert counts.tolist() == expected
        assert (counts / 120).round(4).tolist() == found.rows["accuracy"].tolist()


def test_proclaims_odds_ratios_are_those_of_the_discordant_claims():
    rows = table(8, "PROClaim").rows.set_index("system")
    for system, b, c in (("single call with retrieval", 15, 6), ("plain debate of agents", 22, 6)):
        assert rows["accuracy"]["PROClaim"] - rows["accuracy"][system] == b - c  # of 100 claims
        assert round(mcnemar_test(b, c).odds_ratio or 0, 2) == rows["odds_ratio"][system]


def test_every_table_is_there_with_its_origin_and_as_many_rows_as_printed():
    sizes = {each.number: len(each.rows) for each in published() if each.short_title == JUDGEMENT}
    assert sizes == {1: 30, 2: 8, 3: 12, 4: 12, 5: 12, 6: 4, 7: 12, 8: 12, 9: 12, 10: 8, 11: 12, 12: 12, 13: 12, 14: 4}
    assert table(9).origin == f"published, table 9 of {JUDGEMENT}"
    assert table(4, "PROClaim").identifier == "arXiv:2603.28488"
    assert "printed as private" in " ".join(table(12).remarks)


def test_reference_rows_have_the_layout_of_ones_own_and_can_stand_below_them():
    own = summary_table(summaries(population("TF", {"A": "TF"})))
    reference = published_summary([table(1)], "single-turn")
    assert list(reference.columns) == list(SUMMARY_COLUMNS)
    assert (reference.dtypes == own.dtypes).all()
    both = pd.concat([own, reference], ignore_index=True)
    assert both["Source"].tolist() == ["measured here", *[table(1).origin] * 10]
    prior = both.iloc[2].to_dict()
    assert prior["Judge"] == "LLM, named, prior stance (single-turn)"
    shown = [prior[name] for name in ("Debates", "Accuracy %", "True accuracy %", "False accuracy %")]
    assert shown == [500.0, 72.8, 53.41, 92.03]
    assert np.isnan(prior["Difference pp"])
    chart = accuracy_dots(both, LIGHT)
    assert chart.alt.endswith("10 of the rows are published figures.")
    symbols = chart.figure.data[-1].marker.symbol
    assert symbols.count("circle-open-dot") == 10


def test_shares_become_percentages_and_thousands_of_tokens_tokens():
    found = published_summary([table(6, "PROClaim")])
    assert found["Accuracy %"].tolist()[0] == pytest.approx(81.67)
    assert found["Macro-F1"].tolist()[0] == 0.8165
    assert found["Mean tokens"].tolist()[0] == pytest.approx(210_900)
    assert found["Debates"].tolist() == [120.0] * 6


def test_a_row_says_how_many_claims_are_behind_it_where_the_table_does_not():
    assert published_summary([table(7, "PROClaim")])["Debates"].tolist() == [100.0, 60.0, 120.0]


def test_tables_without_accuracies_give_no_reference_row():
    assert len(published_summary([table(4), table(6)])) == 0
    with pytest.raises(InvalidSetting, match="Table 4"):
        right_counts(table(4))


def test_every_row_of_every_table_has_a_name_of_its_own():
    for each in published():
        if each.has_accuracy and each.short_title == JUDGEMENT:
            names = [row_name(row) for row in each.rows.to_dict("records")]
            assert len(set(names)) == len(names), each.number
    assert row_name(table(8).rows.iloc[1].to_dict()) == "LLM, order A1 A3 A2 (single-turn)"
    assert row_name(table(7).rows.iloc[0].to_dict()) == "LLM, temperature 1, run 1 (single-turn)"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        "null",
        '{"format": "other/1"}',
        '{"format": "moot-published/1"}',
        '{"format": "moot-published/1", "tables": [1]}',
    ],
)
def test_a_file_that_holds_no_published_figures_is_refused(text):
    with pytest.raises(UnreadableFile, match="published figures"):
        published_tables(text)


def test_an_unknown_unit_is_refused():
    one = {"number": 1, "about": "x", "unit": "permille", "columns": [], "rows": []}
    record = {"format": "moot-published/1", "title": "t", "claims": 1, "tables": [one], "remarks": []}
    with pytest.raises(UnreadableFile, match="permille"):
        published_tables(json.dumps(record))
