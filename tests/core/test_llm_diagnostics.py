from __future__ import annotations

import pytest

from core.diagnostics import DiagnosedCase, copied_from, diagnosis, example_effects
from core.judges.llm_judge import VisibleNumber


def case(score: float, *visible: tuple[str, float]) -> DiagnosedCase:
    return DiagnosedCase(score, tuple(VisibleNumber(what, value) for what, value in visible))


def test_a_constant_judge_is_called_that():
    found = diagnosis([case(0.5)] * 28)
    assert (found.count, found.distinct, found.constant) == (28, 1, 0.5)
    assert found.warnings()[0].startswith("Constant: 0.50 for all 28 cases.")
    assert "One-sided: 100% of the verdicts are True." in found.warnings()


def test_one_judgement_is_not_constant_and_none_is_nothing():
    assert diagnosis([case(0.5)]).constant is None
    empty = diagnosis([])
    assert (empty.distinct_share, empty.true_share, empty.copied_share, empty.warnings()) == (None, None, None, ())


def test_scores_are_told_apart_to_hundredths():
    assert diagnosis([case(0.501), case(0.499)]).distinct == 1
    assert diagnosis([case(0.51), case(0.49)]).distinct_share == 1.0


def test_a_copied_score_is_traced_to_the_first_number_that_it_equals():
    visible = (("prior stance of agent 1", 0.7), ("base score of a pro", 0.7), ("base score of a con", 0.2))
    assert copied_from(case(0.7, *visible)) == "prior stance of agent 1"
    assert copied_from(case(0.2, *visible)) == "base score of a con"
    assert copied_from(case(0.3, *visible)) is None
    found = diagnosis([case(0.7, *visible), case(0.2, *visible), case(0.3, *visible), case(0.9)])
    assert found.copied == {"prior stance of agent 1": 1, "base score of a con": 1}
    assert found.comparable == 3
    assert found.copied_share == pytest.approx(2 / 3)
    assert found.by_chance == pytest.approx(3 * 2 / 101)  # two different numbers in each of three prompts


def test_much_copying_is_said_with_what_is_copied_most():
    cases = [case(n / 100, ("prior stance of agent 1", n / 100)) for n in range(20, 80, 2)]
    (warning,) = diagnosis(cases).warnings()
    assert warning == (
        "Copying: 30 of 30 scores are numbers that stand in the prompt (about 0 would be by chance), "
        "most often the prior stance of agent 1 (30)."
    )


def test_one_sidedness_is_said_of_either_side_and_only_of_enough_cases():
    high = [case(0.5 + n / 100) for n in range(20)]
    low = [case(0.4 - n / 100) for n in range(20)]
    assert diagnosis(high).warnings() == ("One-sided: 100% of the verdicts are True.",)
    assert diagnosis(low).warnings() == ("One-sided: 100% of the verdicts are False.",)
    assert diagnosis(high + low).warnings() == ()
    assert diagnosis(high[:9]).warnings() == ()


def test_few_values_are_said():
    assert diagnosis([case(0.2), case(0.8)] * 20).warnings() == ("Few values: 2 different scores in 40 cases.",)


def test_many_cases_cannot_have_more_values_than_there_are_hundredths():
    every = [case(number / 100) for number in range(101)]
    assert diagnosis(every * 20).warnings() == ()


def test_the_effect_of_an_example_is_measured_on_shared_debates():
    scores = [
        (None, {"a": 0.5, "b": 0.5, "c": 0.9}),
        (0.0, {"a": 0.0, "b": 0.4}),
        (1.0, {"a": 0.5, "b": 1.0}),
    ]
    plain, zero, one = example_effects(scores)
    assert (plain.count, plain.mean, plain.moved) == (2, 0.5, None)
    assert zero.equal == 1
    assert zero.mean == pytest.approx(0.2)
    assert zero.moved == pytest.approx((0.5 + 0.1) / 2)  # both went down, towards 0
    assert one.moved == pytest.approx(0.25)
    assert example_effects([]) == ()
    assert example_effects([(None, {"a": 0.1}), (0.5, {"b": 0.1})]) == ()
