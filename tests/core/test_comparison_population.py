import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.comparison.coverage import counting_rule, coverage_sentence
from core.comparison.population import (
    FALSE,
    NONE,
    TRUE,
    UNCERTAIN,
    VERDICTS,
    Abstention,
    DecidedScores,
    LeftOut,
    common_population,
    decided_codes,
    judgement_grid,
    judgement_rows,
    with_scores,
)
from core.errors import InvalidSetting
from core.judgement import DecisionRule, JudgementStatus, Verdict
from core.overview import Scored
from tests.core.comparisons import judge, labels, population, rows


def test_a_debate_counts_only_where_every_judge_came_to_a_verdict():
    found = population("TFTFTF", {"A": "TTFFTF", "B": "TFu.TF"})
    assert list(found.debates) == ["d0", "d1", "d4", "d5"]
    assert found.verdicts.tolist() == [[TRUE, TRUE, TRUE, FALSE], [TRUE, FALSE, TRUE, FALSE]]
    assert found.right.tolist() == [[True, False, True, True], [True, True, True, True]]


def test_coverage_says_how_many_are_left_out_and_why_and_the_reasons_add_up():
    found = population("TFTF-TFT", {"A": "TTFFTue.", "B": "TFu.TFFF"})
    # d2 unreadable for B, d3 missing for B, d4 without a label, d5 unreadable for A, d6 error for A, d7 missing for A
    assert coverage_sentence(found) == (
        "All numbers use the 2 of 8 debates judged by every picked judge; 6 left out: 1 without a label; "
        "2 not judged by every judge (A: 1; B: 1); "
        "3 with a judgement that ended without a verdict (A: 1 unreadable, 1 error; B: 1 unreadable)."
    )
    assert sum(len(found.left_out(reason)) for reason in LeftOut) == 6
    assert found.left_out(LeftOut.NOT_JUDGED) == ["d3", "d7"]


def test_full_coverage_is_said_too():
    assert coverage_sentence(population("TF", {"A": "TF", "B": "TT"})) == (
        "All numbers use all 2 debates, each judged by every picked judge."
    )
    assert coverage_sentence(population("T", {"A": "T"})) == "All numbers use all 1 debate, each judged by A."


def test_debates_without_a_label_stay_where_labels_do_not_matter():
    assert population("T-", {"A": "TF"}, labelled=False).size == 2
    assert population("T-", {"A": "TF"}).size == 1


def test_abstentions_stay_as_not_right_or_are_left_out_for_all_judges():
    judged = {"A": "T?TF", "B": "TTTF"}
    kept = population("TTTF", judged)
    assert kept.size == 4
    assert kept.right[0].tolist() == [True, False, True, True]
    assert "it counts as not right" in counting_rule(kept)
    left = population("TTTF", judged, abstention=Abstention.LEFT_OUT)
    assert left.left_out(LeftOut.ABSTAINED) == ["d1"]
    assert "1 with an abstention (A: 1)" in coverage_sentence(left)
    assert "left out for all judges" in counting_rule(left)


@pytest.mark.parametrize("letter", ["u", "e", "r", "n"])
def test_an_error_is_never_a_verdict_even_if_one_is_written_beside_it(letter):
    frame = rows(f"T{letter}", "A").assign(verdict="true", score=0.9)
    grid = judgement_grid(frame, labels("TT"), [judge("A")])
    assert grid.verdicts.tolist() == [[TRUE, NONE]]
    assert common_population(grid).left_out(LeftOut.NO_VERDICT) == ["d1"]


def test_an_ok_judgement_without_a_verdict_is_left_out_and_said():
    grid = judgement_grid(rows("T", "A").assign(verdict=None), labels("T"), [judge("A")])
    assert "(A: 1 without one)" in coverage_sentence(common_population(grid))


def test_of_several_repeats_the_first_counts_and_the_debates_own_order_comes_before_others():
    frame = pd.concat(
        [
            rows("T", "A", repeat=1, order="A2 A1"),
            rows("F", "A", repeat=0, order="A2 A1"),
            rows("?", "A", repeat=0, order=None),
            rows("T", "A", repeat=0, order="A1 A2"),
        ],
        ignore_index=True,
    )
    for seed in range(5):
        shuffled = frame.sample(frac=1, random_state=seed)
        assert judgement_grid(shuffled, labels("T"), [judge("A")]).verdicts.tolist() == [[UNCERTAIN]]


def test_rows_of_other_judges_and_debates_are_ignored():
    frame = pd.concat([rows("TT", "A"), rows("FF", "B")])
    grid = judgement_grid(frame, labels("T"), [judge("A")])
    assert grid.verdicts.tolist() == [[TRUE]]


def test_judgements_in_memory_become_rows():
    frame = judgement_rows(
        "id-A",
        {
            "d0": Scored(0.7, Verdict.TRUE, JudgementStatus.OK),
            "d1": Scored(None, None, JudgementStatus.UNREADABLE),
        },
    )
    grid = judgement_grid(frame, labels("TT"), [judge("A")])
    assert grid.verdicts.tolist() == [[TRUE, NONE]]
    assert np.isnan(grid.scores[0, 1])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda frame: frame.drop(columns="status"), "no column 'status'"),
        (lambda frame: frame.assign(verdict="maybe"), "verdict 'maybe' is unknown"),
        (lambda frame: frame.assign(status="fine"), "status 'fine' is unknown"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_by_name(change, message):
    with pytest.raises(InvalidSetting, match=message):
        judgement_grid(change(rows("T", "A")), labels("T"), [judge("A")])


def test_a_choice_of_no_judge_or_of_one_judge_twice_is_refused():
    with pytest.raises(InvalidSetting, match="No judge"):
        judgement_grid(rows("T", "A"), labels("T"), [])
    with pytest.raises(InvalidSetting, match="twice"):
        judgement_grid(rows("T", "A"), labels("T"), [judge("A"), judge("A")])


def test_no_judgement_at_all_is_an_empty_population():
    found = population("TF", {"A": "..", "B": "TF"})
    assert found.size == 0
    assert "0 of 2 debates" in coverage_sentence(found)


judged = st.lists(st.tuples(*[st.sampled_from("TF?ue.")] * 3, st.sampled_from("TF-")), min_size=1, max_size=12)


@given(judged, st.randoms(use_true_random=False))
def test_the_population_does_not_depend_on_the_order_of_rows_or_debates(cases, chance):
    letters = {name: "".join(case[place] for case in cases) for place, name in enumerate("ABC")}
    gold = labels("".join(case[3] for case in cases))
    frame = pd.concat([rows(text, name) for name, text in letters.items()], ignore_index=True)
    order, shuffled_gold = list(range(len(frame))), list(gold.items())
    chance.shuffle(order)
    chance.shuffle(shuffled_gold)
    judges = [judge(name) for name in letters]
    one = common_population(judgement_grid(frame, gold, judges))
    two = common_population(judgement_grid(frame.iloc[order], dict(shuffled_gold), judges))
    assert list(one.debates) == list(two.debates)
    assert (one.verdicts == two.verdicts).all()
    assert coverage_sentence(one) == coverage_sentence(two)
    wanted = [place for place, case in enumerate(cases) if set(case[:3]) <= set("TF?") and case[3] != "-"]
    assert sorted(one.debates) == sorted(f"d{place}" for place in wanted)


@given(
    st.lists(st.sampled_from([0.0, 0.1, 0.3, 0.4, 0.5, 0.5 + 1e-13, 0.5 - 1e-13, 0.6, 0.7, 1.0]) | st.floats(0, 1)),
    st.sampled_from([0.0, 0.1, 0.2]),
    st.booleans(),
)
def test_many_scores_come_to_the_verdicts_of_the_rule(scores, abstention, strict):
    rule = DecisionRule(0.5, abstention, strict)
    codes = decided_codes(np.array(scores, dtype=float), rule)
    assert [VERDICTS[code] for code in codes] == [rule.verdict(score) for score in scores]


def test_scores_as_arrays_give_the_grid_that_rows_give():
    table = rows("TF?", "A")
    table["score"] = [0.9, 0.2, 0.5]
    whole = judgement_grid(
        pd.concat([table, rows("FFT", "B")], ignore_index=True), labels("TTF"), [judge("A"), judge("B")]
    )
    empty = judgement_grid(rows("FFT", "B"), labels("TTF"), [judge("A"), judge("B")])
    said = DecidedScores(
        0, ["d2", "elsewhere", "d0", "d1"], np.array([0.5, 0.1, 0.9, 0.2]), np.array([2, 0, 1, 0], np.int8)
    )
    filled = with_scores(empty, [said])
    for name in ("verdicts", "statuses", "scores"):
        np.testing.assert_array_equal(getattr(filled, name), getattr(whole, name))


def test_debates_are_found_by_their_ids_and_others_are_left_out():
    found = population("TFTF", {"A": "TF.T"})
    assert found.places(["d3", "nowhere", "d0", "d2", "zzz", ""]).tolist() == [2, 0]  # d2 is no member
    assert found.places([]).tolist() == []
