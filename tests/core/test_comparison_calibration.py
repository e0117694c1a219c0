import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.calibration import calibration_curve

from core.comparison.calibration import (
    Binning,
    calibrate,
    expected_calibration_error,
    reliability_table,
)
from core.errors import InvalidSetting
from tests.core.comparisons import known, population, with_scores

score = st.floats(0, 1, allow_nan=False)
scored = st.lists(st.tuples(score, st.booleans()), min_size=1, max_size=60)
binning = st.sampled_from(list(Binning))


def table(scores: list[float], outcomes: list[bool], bins: int = 10, kind: Binning = Binning.EQUAL_WIDTH):
    return reliability_table(np.array(scores), np.array(outcomes, bool), bins, kind)


def test_a_reliability_table_by_hand():
    # bin 0.2-0.3: scores 0.2, 0.25, one true: mean 0.225, share 1/2. bin 0.9-1.0: 0.9, 1.0, both true: mean 0.95
    found = table([0.2, 0.25, 0.9, 1.0], [True, False, True, True])
    assert found[["low", "high", "n"]].values.tolist() == [[0.2, 0.3, 2], [0.9, 1.0, 2]]
    assert found["mean_score"].tolist() == pytest.approx([0.225, 0.95])
    assert found["share_true"].tolist() == pytest.approx([0.5, 1.0])
    # ECE = 2/4 * |0.5 - 0.225| + 2/4 * |1 - 0.95| = 0.1375 + 0.025
    assert expected_calibration_error(found) == pytest.approx(0.1625)


def test_the_ece_of_proclaims_published_buckets_table_13():
    buckets = pd.DataFrame(
        {
            "n": [4, 4, 20, 90],
            "share_true": [0.75, 1.0, 0.95, 87 / 90],
            "mean_score": [0.6685, 0.7365, 0.8639, 0.9768],
        }
    )
    assert expected_calibration_error(buckets) == pytest.approx(0.0340, abs=5e-5)


@pytest.mark.parametrize("edge", [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9])
def test_a_score_on_an_edge_belongs_to_the_upper_bin(edge):
    assert table([edge], [True])["low"].tolist() == [edge]


def test_a_score_that_rounding_moved_off_an_edge_still_belongs_to_the_upper_bin():
    assert table([0.1 + 0.2], [True])["low"].tolist() == [0.3]  # 0.30000000000000004
    assert table([0.7 - 1e-16], [True])["low"].tolist() == [0.7]


def test_the_last_bin_holds_one():
    assert table([1.0], [True])["high"].tolist() == [1.0]


def test_equal_mass_puts_as_many_scores_in_each_bin():
    found = table([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8], [True] * 8, 4, Binning.EQUAL_MASS)
    assert found["n"].tolist() == [2, 2, 2, 2]


def test_equal_scores_stay_together_under_equal_mass():
    assert table([0.5] * 6, [True] * 3 + [False] * 3, 5, Binning.EQUAL_MASS)["n"].tolist() == [6]
    assert table([0.2, 0.2, 0.2, 0.9], [False] * 4, 4, Binning.EQUAL_MASS)["n"].sum() == 4


@given(scored, binning, st.integers(1, 20))
def test_every_score_is_counted_once_and_the_error_lies_in_zero_to_one(cases, kind, bins):
    scores, outcomes = [case[0] for case in cases], [case[1] for case in cases]
    found = table(scores, outcomes, bins, kind)
    assert found["n"].sum() == len(cases)
    assert len(found) <= bins
    assert 0 <= known(expected_calibration_error(found)) <= 1
    assert found["share_true"].between(0, 1).all()
    assert (found["mean_score"] >= found["low"] - 1e-9).all()
    assert (found["mean_score"] <= found["high"] + 1e-9).all()


@given(scored, binning, st.randoms(use_true_random=False))
def test_the_error_does_not_depend_on_the_order_of_debates(cases, kind, chance):
    shuffled = list(cases)
    chance.shuffle(shuffled)
    one, two = (table([case[0] for case in each], [case[1] for case in each], kind=kind) for each in (cases, shuffled))
    assert expected_calibration_error(one) == pytest.approx(expected_calibration_error(two))


@given(st.lists(st.tuples(st.integers(0, 999), st.booleans()), min_size=1, max_size=60))
def test_away_from_edges_the_table_is_scikit_learns_calibration_curve(cases):
    scores = np.array([case[0] / 1000 + 0.0005 for case in cases])
    outcomes = np.array([case[1] for case in cases])
    found = reliability_table(scores, outcomes)
    share, mean = calibration_curve(outcomes, scores, n_bins=10, pos_label=True)
    assert found["share_true"].tolist() == pytest.approx(share.tolist())
    assert found["mean_score"].tolist() == pytest.approx(mean.tolist())


def test_the_brier_score_by_hand_and_judges_without_scores():
    # (0.9-1)^2 = 0.01, (0.4-0)^2 = 0.16, (0.6-1)^2 = 0.16 -> 0.33 / 3
    found = calibrate(with_scores("TFTT", {"A": [0.9, 0.4, 0.6, None]}), 0)
    assert found.brier == pytest.approx(0.11)
    assert (found.n, found.without_score) == (3, 1)
    empty = calibrate(with_scores("TF", {"A": [None, None]}), 0)
    assert (empty.n, empty.ece, empty.brier, len(empty.table)) == (0, None, None, 0)


def test_the_brier_score_of_claims_of_one_label():
    assert calibrate(with_scores("FF", {"A": [0.2, 0.3]}), 0).brier == pytest.approx((0.04 + 0.09) / 2)


def test_a_perfect_judge_has_no_error():
    found = calibrate(with_scores("TF", {"A": [1.0, 0.0]}), 0)
    assert (found.ece, found.brier) == (0.0, 0.0)


@pytest.mark.parametrize("bins", [0, 101])
def test_a_number_of_bins_out_of_range_is_refused(bins):
    with pytest.raises(InvalidSetting, match="lie in 1"):
        table([0.5], [True], bins)


def test_scores_that_are_missing_or_out_of_range_are_refused():
    for wrong in (np.nan, 1.2, -0.1):
        with pytest.raises(InvalidSetting, match="outside"):
            table([wrong], [True])
    with pytest.raises(InvalidSetting, match="as many"):
        table([0.5, 0.5], [True])


def test_calibration_needs_labels():
    with pytest.raises(InvalidSetting, match="labels"):
        calibrate(population("TF", {"A": "TT"}, labelled=False), 0)
