import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score, confusion_matrix
from statsmodels.stats.inter_rater import cohens_kappa

from core.comparison.agreement import case_table, kappa, outcomes, pair_table, panel_agreement
from core.judgement import Verdict
from tests.core.comparisons import known, population, with_scores

verdict_lists = st.lists(st.tuples(*[st.sampled_from([0, 1, 2])] * 3), min_size=1, max_size=40)


def test_kappa_of_a_small_case():
    # 2x2 table 20 5 / 10 15: p_o = 35/50 = 0.7; p_e = (25*30 + 25*20) / 2500 = 0.5; kappa = 0.2 / 0.5 = 0.4
    first = np.array([1] * 25 + [0] * 25)
    second = np.array([1] * 20 + [0] * 5 + [1] * 10 + [0] * 15)
    assert kappa(first, second) == pytest.approx(0.4)


def test_kappa_of_three_verdicts():
    # A: T F ? T, B: T F T ?: p_o = 2/4; p_e = T 2/4*2/4 + F 1/4*1/4 + ? 1/4*1/4 = 0.375; kappa = 0.125 / 0.625 = 0.2
    assert kappa(np.array([1, 0, 2, 1]), np.array([1, 0, 1, 2])) == pytest.approx(0.2)


def test_kappa_is_undefined_where_both_say_the_same_throughout():
    assert kappa(np.array([1, 1]), np.array([1, 1])) is None
    assert kappa(np.array([], int), np.array([], int)) is None
    assert kappa(np.array([1, 1]), np.array([1, 0])) == 0.0  # p_o = p_e = 1/2


@given(verdict_lists)
def test_kappa_is_symmetric_at_most_one_and_the_libraries_agree(cases):
    first, second, _ = np.array(cases).T
    value = kappa(first, second)
    assert value == kappa(second, first) or value == pytest.approx(kappa(second, first))
    if value is not None:
        assert -1 <= value <= 1
        assert value == pytest.approx(cohen_kappa_score(first, second))
        table = confusion_matrix(first, second, labels=[0, 1, 2])
        assert value == pytest.approx(cohens_kappa(table, return_results=False))


@given(verdict_lists)
def test_a_judge_agrees_with_itself(cases):
    first = np.array(cases)[:, 0]
    assert kappa(first, first) == (pytest.approx(1.0) if len(set(first)) > 1 else None)


def test_pairs_are_counted_on_the_common_population():
    found = pair_table(population("TFTF-", {"A": "TFTFT", "B": "TFFFT", "C": "TFTFF"}))
    assert found[["judge_a", "judge_b", "n", "same", "different"]].values.tolist() == [
        ["A", "B", 4, 3, 1],
        ["A", "C", 4, 4, 0],
        ["B", "C", 4, 3, 1],
    ]
    assert found["kappa"].tolist() == pytest.approx([0.5, 1.0, 0.5])  # p_o = 3/4, p_e = 1/2*1/4 + 1/2*3/4 = 1/2


def test_outcomes_list_the_debates_behind_every_pair_of_verdicts():
    found = outcomes(population("TFTF", {"A": "TTFF", "B": "TFFT"}), 0, 1)
    true, false = Verdict.TRUE, Verdict.FALSE
    assert found.cells == {
        (true, true): ("d0",),
        (true, false): ("d1",),
        (false, true): ("d3",),
        (false, false): ("d2",),
    }
    assert found.table.values.tolist() == [["True", 1, 1], ["False", 1, 1]]


def test_outcomes_have_a_third_verdict_only_where_a_judge_abstains():
    found = outcomes(population("TFTF", {"A": "TT?F", "B": "TFFT"}), 0, 1)
    assert found.verdicts == (Verdict.TRUE, Verdict.FALSE, Verdict.UNCERTAIN)
    assert found.cells[Verdict.UNCERTAIN, Verdict.FALSE] == ("d2",)
    assert len(found.cells) == 9


@given(verdict_lists)
def test_outcome_counts_are_the_confusion_matrix(cases):
    letters = ["".join("FT?"[case[place]] for case in cases) for place in range(2)]
    found = population("T" * len(cases), {"A": letters[0], "B": letters[1]})
    cells = outcomes(found, 0, 1).cells
    expected = confusion_matrix(found.verdicts[0], found.verdicts[1], labels=[0, 1, 2])
    for (left, right), names in cells.items():
        place = [Verdict.FALSE, Verdict.TRUE, Verdict.UNCERTAIN]
        assert len(names) == expected[place.index(left), place.index(right)]
    assert sorted(name for names in cells.values() for name in names) == sorted(found.debates)


def test_a_panel_of_three_by_hand():
    # d0 TTT, d1 TTF, d2 FFF, d3 TF?
    found = known(panel_agreement(population("TTTT", {"A": "TTFT", "B": "TTFF", "C": "TFF?"})))
    assert found.unanimous == 0.5  # d0, d2
    assert found.three_way == 0.25  # d3
    assert found.raw_agreement == pytest.approx((3 / 4 + 2 / 4 + 2 / 4) / 3)
    # Fleiss: P_i = 1, 1/3, 1, 0, mean 7/12; shares T 6/12, F 5/12, ? 1/12; P_e = (36 + 25 + 1) / 144 = 62/144
    assert found.fleiss_kappa == pytest.approx((7 / 12 - 62 / 144) / (1 - 62 / 144))


@given(verdict_lists)
def test_raw_agreement_of_three_judges_follows_from_unanimity_and_three_way_splits(cases):
    letters = {name: "".join("FT?"[case[place]] for case in cases) for place, name in enumerate("ABC")}
    found = known(panel_agreement(population("T" * len(cases), letters)))
    split = 1 - found.unanimous
    assert found.raw_agreement == pytest.approx(found.unanimous + (split - found.three_way) / 3)


def test_a_panel_of_one_verdict_has_no_kappa():
    found = known(panel_agreement(population("TT", {"A": "TT", "B": "TT"})))
    assert (found.unanimous, found.mean_kappa, found.fleiss_kappa) == (1.0, None, None)
    assert panel_agreement(population("TT", {"A": "TT"})) is None


def test_the_case_table_shows_every_judge_in_the_order_asked_for_and_hides_labels_on_request():
    found = with_scores("TF", {"A": [0.9, 0.2], "B": [0.4, None]})
    table = case_table(found, ["d1", "d0", "nowhere"], {"d0": "zero", "d1": "one"})
    assert table.drop(columns="Gap").values.tolist()[1] == ["d0", "zero", "✓ True", 0.9, "✕ False", 0.4, "True"]
    assert table["Gap"].tolist()[1] == pytest.approx(0.5)
    assert np.isnan(table["Gap"][0])
    assert table["Id"].tolist() == ["d1", "d0"]
    assert "Label" not in case_table(found, ["d0"], gold=False)
