import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from sklearn.metrics import balanced_accuracy_score, f1_score

from core.comparison.bootstrap import paired_difference
from core.comparison.metrics import SUMMARY_COLUMNS, accuracy, summaries, summary_table
from core.comparison.population import FALSE, TRUE, UNCERTAIN, common_population, judgement_grid
from core.judgement import Verdict
from tests.core.comparisons import judge, known, labels, population, rows


def test_accuracy_recall_and_macro_f1_of_a_small_case():
    # labels   T T T T F F
    # verdicts T T T F F T  -> 4 of 6 right
    found = known(accuracy(np.array([1, 1, 1, 0, 0, 1]), np.array([1, 1, 1, 1, 0, 0])))
    assert found.value == pytest.approx(4 / 6)
    assert found.on_true == pytest.approx(3 / 4)
    assert found.on_false == pytest.approx(1 / 2)
    # F1 of True: precision 3/4, recall 3/4 -> 3/4. F1 of False: precision 1/2, recall 1/2 -> 1/2. Mean 5/8.
    assert found.macro_f1 == pytest.approx(5 / 8)
    # Wilson with z = 1.959964, p = 2/3, n = 6: centre (2/3 + z^2/12) / (1 + z^2/6) = 0.986788 / 1.640243 = 0.601611,
    # half-width z * sqrt(p(1-p)/6 + z^2/144) / 1.640243 = 1.959964 * sqrt(0.037037 + 0.026677) / 1.640243 = 0.301617
    assert found.low == pytest.approx(0.601611 - 0.301617, abs=2e-5)
    assert found.high == pytest.approx(0.601611 + 0.301617, abs=2e-5)


def test_an_abstention_is_neither_right_nor_the_other_class():
    # labels T F, verdicts ? F: 1 of 2 right. F1 of True: nothing foretold -> 0. F1 of False: 1. Mean 1/2.
    found = known(accuracy(np.array([UNCERTAIN, FALSE]), np.array([TRUE, FALSE])))
    assert (found.value, found.on_true, found.on_false, found.macro_f1) == (0.5, 0.0, 1.0, 0.5)


def test_a_class_without_a_claim_has_no_accuracy_and_is_named():
    found = known(accuracy(np.array([TRUE, TRUE]), np.array([TRUE, TRUE])))
    assert (found.on_true, found.on_false) == (1.0, None)
    assert found.macro_f1 == 0.5  # (1 + 0) / 2
    assert found.absent == (Verdict.FALSE,)


def test_no_debate_has_no_accuracy():
    assert accuracy(np.array([], int), np.array([], int)) is None


@given(st.lists(st.tuples(st.sampled_from([0, 1, 2]), st.sampled_from([0, 1])), min_size=1, max_size=40))
def test_accuracy_lies_between_the_accuracies_of_the_classes_and_agrees_with_the_library(cases):
    verdicts, gold = np.array(cases).T
    found = known(accuracy(verdicts, gold))
    parts = [(found.on_true, (gold == 1).sum()), (found.on_false, (gold == 0).sum())]
    assert found.value == pytest.approx(sum(part * count for part, count in parts if part is not None) / len(gold))
    assert found.low <= found.value <= found.high
    assert found.macro_f1 == pytest.approx(f1_score(gold, verdicts, labels=[0, 1], average="macro", zero_division=0))
    if not found.absent and (verdicts != 2).all():
        assert balanced_accuracy_score(gold, verdicts) == pytest.approx(
            np.mean([known(found.on_true), known(found.on_false)])
        )


def test_a_summary_holds_each_judge_against_the_baseline():
    # labels TTFFTF; A right on 4 (d0 d1 d2 d3), B right on all 6; they give the same verdict on d0..d3
    first, second = summaries(population("TTFFTF", {"A": "TTFFFT", "B": "TTFFTF"}))
    assert known(first.accuracy).value == pytest.approx(4 / 6)
    assert (first.difference, first.agreement, first.kappa) == (None, None, None)
    difference = known(second.difference)
    assert difference.value == pytest.approx(2 / 6)
    assert second.agreement == pytest.approx(4 / 6)
    assert second.kappa == pytest.approx(1 / 3)  # p_o = 2/3; both give 3 True, 3 False: p_e = 1/2; (2/3 - 1/2) / (1/2)
    assert difference.low <= difference.value <= difference.high


def test_the_baseline_can_be_any_judge():
    first, second = summaries(population("TTFF", {"A": "TTFF", "B": "FFFF"}), baseline=1)
    assert known(first.difference).value == pytest.approx(0.5)
    assert second.difference is None


def test_shares_of_abstentions_and_errors_are_of_what_the_judge_was_given():
    # A was given 5 of 6 debates: 1 abstention, 2 errors
    (found,) = summaries(population("TTTTTT", {"A": "T?ue.T"}))
    assert found.n == 3
    assert found.abstained == pytest.approx(1 / 5)
    assert found.errors == pytest.approx(2 / 5)


def test_hidden_labels_leave_no_figure_that_needs_them():
    first, second = summaries(population("T-F", {"A": "TTF", "B": "TFF"}, labelled=False))
    assert (first.accuracy, second.difference) == (None, None)
    assert second.agreement == pytest.approx(2 / 3)


def test_an_unknown_cost_stays_unknown_and_a_known_one_is_added_up():
    frame = pd.concat(
        [
            rows("TT", "A", tokens=[100.0, None], cost=[0.01, None]),
            rows("TT", "B", tokens=[10.0, 30.0], cost=[0.25, 0.5]),
            rows("TT", "C", tokens=[0.0, 0.0], cost=[0.0, 0.0]),
        ]
    )
    a, b, c = summaries(common_population(judgement_grid(frame, labels("TT"), [judge(name) for name in "ABC"])))
    assert (a.mean_tokens, a.cost) == (100.0, None)
    assert (b.mean_tokens, b.cost) == (20.0, 0.75)
    assert (c.mean_tokens, c.cost) == (0.0, 0.0)


def test_no_shared_debate_gives_a_summary_without_figures():
    first, second = summaries(population("TF", {"A": "T.", "B": ".F"}))
    assert (first.n, first.accuracy, second.difference, second.agreement, second.kappa) == (0, None, None, None, None)


def test_the_table_is_in_percent_and_points_and_keeps_unknown_apart_from_zero():
    table = summary_table(summaries(population("TTFF", {"A": "TTFF", "B": "TTFT"})))
    assert list(table.columns) == list(SUMMARY_COLUMNS)
    assert table["Accuracy %"].tolist() == [100.0, 75.0]
    assert table["Difference pp"].tolist()[1] == -25.0
    assert table["Cost"].isna().all()
    assert np.isnan(table["Kappa"][0])
    assert (table["Source"] == "measured here").all()


@pytest.mark.parametrize(("n", "better", "worse"), [(40, 0.9, 0.5), (200, 0.8, 0.6), (500, 0.7, 0.7)])
def test_the_interval_is_that_of_scipys_paired_bootstrap(n, better, worse):
    chance = np.random.default_rng(n)
    right, baseline = chance.random(n) < better, chance.random(n) < worse
    found = known(paired_difference(right, baseline))
    expected = stats.bootstrap(
        (right.astype(float), baseline.astype(float)),
        lambda a, b, axis: a.mean(axis=axis) - b.mean(axis=axis),
        paired=True,
        vectorized=True,
        n_resamples=20_000,
        batch=1_000,
        method="percentile",
        rng=np.random.default_rng(1),
    ).confidence_interval
    step = 1 / n  # both are drawn, and differences come in steps of one debate
    assert found.low == pytest.approx(expected.low, abs=1.01 * step)
    assert found.high == pytest.approx(expected.high, abs=1.01 * step)
    assert found.value == pytest.approx(right.mean() - baseline.mean())


def test_equal_judges_differ_by_nothing_for_certain():
    right = np.array([True, False, True])
    found = known(paired_difference(right, right))
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)


def test_judges_that_are_never_right_together_are_drawn_from_two_outcomes():
    # 2 of 3 debates for the judge: the difference of a sample is -1, -1/3, 1/3 or 1 with 1, 6, 12, 8 of 27 chances
    found = known(paired_difference(np.array([True, True, False]), np.array([False, False, True])))
    assert (found.value, found.low, found.high) == pytest.approx((1 / 3, -1.0, 1.0))


def test_no_debate_has_no_difference():
    assert paired_difference(np.array([], bool), np.array([], bool)) is None


def test_the_same_seed_gives_the_same_interval():
    chance = np.random.default_rng(1)
    right, baseline = chance.random(50) < 0.7, chance.random(50) < 0.5
    one, two, other = (paired_difference(right, baseline, seed=seed, resamples=99) for seed in (2, 2, 3))
    assert one == two
    assert one != other


def test_the_interval_covers_the_true_difference_about_as_often_as_it_says():
    chance = np.random.default_rng(11)
    covered = 0
    for seed in range(400):
        right, baseline = chance.random(100) < 0.8, chance.random(100) < 0.6  # true difference 0.2
        found = known(paired_difference(right, baseline, seed=seed, resamples=1_000))
        covered += found.low <= 0.2 <= found.high
    assert 0.92 <= covered / 400 <= 0.98
