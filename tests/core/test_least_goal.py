import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.judgement import DecisionRule, Verdict
from core.least import at_least, at_most, flip_goals, strength_goal, verdict_goal
from tests.core.generated import scores

rules = st.builds(
    DecisionRule,
    threshold=st.one_of(st.sampled_from([0.0, 0.5, 1.0]), st.floats(0, 1)),
    abstention=st.sampled_from([0.0, 0.05, 0.3]),
    strict=st.booleans(),
)


@given(rule=rules, verdict=st.sampled_from(Verdict), score=scores)
def test_a_score_is_wanted_exactly_when_the_rule_gives_the_verdict(rule, verdict, score):
    assert verdict_goal(rule, verdict).reached(score) == (rule.verdict(score) is verdict)


@given(rule=rules, verdict=st.sampled_from(Verdict))
def test_the_ends_of_a_goal_are_the_last_floats_that_give_the_verdict(rule, verdict):
    goal = verdict_goal(rule, verdict)
    if not goal.empty:
        assert rule.verdict(goal.low) is verdict
        assert rule.verdict(goal.high) is verdict
        for outside in (math.nextafter(goal.low, -1), math.nextafter(goal.high, 2)):
            assert not 0 <= outside <= 1 or rule.verdict(outside) is not verdict


@given(rule=rules, score=scores, other=scores)
def test_a_verdict_flips_to_any_other(rule, score, other):
    goals = flip_goals(rule, rule.verdict(score))
    assert any(goal.reached(other) for goal in goals) == (rule.verdict(other) is not rule.verdict(score))


def test_true_is_reached_as_soon_as_the_score_rounds_to_the_threshold():
    goal = verdict_goal(DecisionRule(), Verdict.TRUE)
    assert goal.low == pytest.approx(0.5 - 5e-13, abs=1e-15)  # half of the twelfth decimal
    assert goal.high == 1.0


def test_uncertain_is_never_wanted_without_a_band():
    assert verdict_goal(DecisionRule(), Verdict.UNCERTAIN).empty


def test_a_strength_is_reached_from_the_side_of_the_present_score():
    assert strength_goal(0.7, 0.6) == at_least(0.7)
    assert strength_goal(0.7, 0.8) == at_most(0.7)
    assert at_least(0.7).reached(0.7)
    assert at_most(0.7).reached(0.7)
    assert not at_least(0.7).reached(0.7 - 1e-11)


def test_no_score_is_never_wanted():
    assert not at_least(0.0).reached(None)
