import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, chi2

from core.comparison.mcnemar import mcnemar_test, p_text, who_is_right
from core.errors import InvalidSetting
from tests.core.comparisons import known, population

count = st.integers(0, 300)


def test_mcnemar_of_proclaim_against_standard_mad_table_8():
    found = mcnemar_test(22, 6)
    assert found.chi_squared == pytest.approx(8.0357, abs=5e-5)  # (16 - 1)^2 / 28 = 225 / 28
    assert found.chi_squared_p == pytest.approx(0.0046, abs=5e-5)
    assert not found.few
    assert found.odds_ratio == pytest.approx(3.67, abs=5e-3)


def test_mcnemar_of_proclaim_against_a_single_call_table_8():
    found = mcnemar_test(15, 6)
    assert found.chi_squared == pytest.approx(64 / 21)  # (9 - 1)^2 / 21
    assert found.chi_squared_p == pytest.approx(0.081, abs=5e-4)
    assert found.few
    # Exact: 2 * sum of C(21, k) for k = 0..6, over 2^21 = 2 * (1+21+210+1330+5985+20349+54264) / 2097152
    assert found.exact_p == pytest.approx(2 * 82160 / 2097152)
    assert p_text(found) == "exact McNemar p = 0.078"


def test_the_correction_does_not_make_a_difference_out_of_none():
    assert (mcnemar_test(7, 7).chi_squared, mcnemar_test(7, 7).exact_p) == (0.0, 1.0)
    assert mcnemar_test(4, 3).chi_squared == 0.0  # (1 - 1)^2 / 7


def test_no_discordant_debate_has_no_p():
    found = mcnemar_test(0, 0)
    assert (found.exact_p, found.chi_squared, found.chi_squared_p, found.odds_ratio) == (None, None, None, None)
    assert found.smoothed_odds_ratio == 1.0


def test_odds_are_infinite_where_only_one_is_ever_right():
    assert mcnemar_test(3, 0).odds_ratio == math.inf
    assert mcnemar_test(3, 0).smoothed_odds_ratio == 7.0  # 3.5 / 0.5


def test_negative_counts_are_refused():
    with pytest.raises(InvalidSetting, match="0 or more"):
        mcnemar_test(-1, 2)


@given(count, count)
def test_mcnemar_is_symmetric_and_agrees_with_the_binomial_and_the_chi_squared_distribution(b, c):
    one, two = mcnemar_test(b, c), mcnemar_test(c, b)
    assert (one.exact_p, one.chi_squared, one.chi_squared_p) == (two.exact_p, two.chi_squared, two.chi_squared_p)
    if b + c:
        assert one.exact_p == pytest.approx(binomtest(b, b + c, 0.5).pvalue)
        statistic = max(0, abs(b - c) - 1) ** 2 / (b + c)
        assert one.chi_squared == pytest.approx(statistic)
        assert one.chi_squared_p == pytest.approx(chi2.sf(statistic, 1))
        assert 0 <= known(one.exact_p) <= 1


def test_who_is_right_where_two_judges_differ():
    # labels TTFFT; A TTTTF, B TFFF?: they differ on d1..d4; A right on d1, B on d2 d3, neither on d4
    found = who_is_right(population("TTFFT", {"A": "TTTTF", "B": "TFFF?"}), 0, 1)
    assert (found.only_a, found.only_b, found.neither, found.same) == (("d1",), ("d2", "d3"), ("d4",), 1)
    assert (found.test.b, found.test.c) == (1, 2)
    assert found.sentence == ("A is right in 1 of 4 disagreements, B in 2, neither in 1; exact McNemar p = 1.000.")


def test_judges_that_never_differ_are_said_not_to():
    found = who_is_right(population("TF", {"A": "TT", "B": "TT"}), 0, 1)
    assert found.sentence == "A and B come to the same verdict on all 2 debates."


def test_who_is_right_needs_labels():
    with pytest.raises(InvalidSetting, match="labels"):
        who_is_right(population("TF", {"A": "TT", "B": "TT"}, labelled=False), 0, 1)
