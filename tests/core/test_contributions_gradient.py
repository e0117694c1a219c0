import random as python_random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.contributions import Slope, gradient
from core.contributions.differentiation import Differentiation
from core.contributions.gradient import UNKNOWN
from core.judges import ScoreAggregation, SemanticsJudge, Setting, StanceVariant
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.semantics import SEMANTICS
from tests.core.generated import profiles

SUPPORT, ATTACK = RelationKind.SUPPORT, RelationKind.ATTACK
TINY = 1e-8

every_semantics = pytest.mark.parametrize("semantics", SEMANTICS)
smooth_judges = st.builds(
    SemanticsJudge,
    semantics=st.sampled_from(list(SEMANTICS)),
    setting=st.sampled_from(Setting),
    variant=st.sampled_from(StanceVariant),
    aggregation=st.sampled_from([a for a in ScoreAggregation if a is not ScoreAggregation.MAJORITY]),
)


def flat(topic, pros=(), cons=(), stances=()):
    """Return a profile of pros p0, p1, ... and cons c0, c1, ..., all of agent A1."""
    arguments = [Argument(f"p{i}", "text", "A1", s) for i, s in enumerate(pros)]
    arguments += [Argument(f"c{i}", "text", "A1", s) for i, s in enumerate(cons)]
    relations = [Relation(a.id, TOPIC, SUPPORT if a.id.startswith("p") else ATTACK) for a in arguments]
    return OpinionProfile("a claim", stances, tuple(arguments), tuple(relations), topic_base_score=topic)


def near(left, right):
    """Return the slope with these sides, up to rounding; None for a side that is not there."""

    def side(value: Any) -> Any:
        return value if value is None else pytest.approx(value, abs=1e-12)

    return Slope(side(left), side(right))


def with_quarters(profile):
    """Return the profile with all scores rounded to quarters, so that none lies just beside a kink."""

    def quarter(score):
        return None if score is None else round(score * 4) / 4

    return replace(
        profile,
        stances=tuple(Stance(s.agent_id, quarter(s.prior), quarter(s.posterior)) for s in profile.stances),
        arguments=tuple(replace(a, base_score=quarter(a.base_score)) for a in profile.arguments),
    )


def moved(judge, profile, name, step):
    """Return the score after a base score was moved by a step."""
    argument = profile.by_id[name]
    before = judge.missing_base_score if argument.base_score is None else argument.base_score
    return judge.judge(profile.replacing(replace(argument, base_score=before + step))).score


def test_the_slope_of_a_pro_is_what_the_other_arguments_leave_open():
    # E = (1 - 0.5) - (1 - 0.8)(1 - 0.4) > 0, so d score / d p0 = (1 - 0.6) (1 - 0.4) and for the con (1 - 0.6) (-1)
    found = gradient(SemanticsJudge(), flat(0.6, [0.8, 0.4], [0.5]))
    assert found.amounts == pytest.approx({"p0": 0.24, "p1": 0.08, "c0": -0.4})
    assert found.topic == near(1 - 0.38, 1 - 0.38)
    assert found.method == Differentiation.BACKWARDS


@pytest.mark.parametrize(
    ("name", "slope"),
    [("p0", near(0.7, 0.3)), ("c0", near(-0.3, -0.7))],
)
def test_at_a_kink_both_slopes_are_given_and_no_one_number(name, slope):
    found = gradient(SemanticsJudge(), flat(0.7, [0.5], [0.5]))
    assert found.slopes[name] == slope
    assert found.slopes[name].kinked
    assert found.amounts == {}
    assert found.method == Differentiation.FORWARDS


def test_a_kink_is_found_although_rounding_hides_it():
    # 1 - (1 - 0.2)(1 - 0.3) = 0.44, but not to the last bit
    profile = flat(0.7, [0.2, 0.3], [0.44])
    assert gradient(SemanticsJudge(), profile).slopes["p0"] == near(0.49, 0.21)


def test_there_is_no_kink_where_both_sides_have_the_same_slope():
    found = gradient(SemanticsJudge(), flat(0.5, [0.5], [0.5]))
    assert found.amounts == pytest.approx({"p0": 0.5, "c0": -0.5})


def test_tied_arguments_have_a_kink_where_only_the_strongest_counts():
    found = gradient(SemanticsJudge("euler-top"), flat(0.5, [0.4, 0.4]))
    e = 1.4918246976412703  # exp(0.4); the right one is the derivative of 1 - (1 - 0.25) / (1 + 0.5 exp(E))
    assert found.slopes["p0"] == near(0.0, 0.75 * 0.5 * e / (1 + 0.5 * e) ** 2)


def test_at_the_ends_of_the_range_there_is_one_slope():
    found = gradient(SemanticsJudge(), flat(0.5, [0.0], [1.0]))
    assert found.slopes["p0"] == near(None, 0.5)
    assert found.slopes["c0"] == near(-0.5, None)
    assert found.amounts == pytest.approx({"p0": 0.5, "c0": -0.5})


@pytest.mark.parametrize("base", [0.0, 1.0])
def test_the_mlp_has_a_slope_where_its_logarithms_have_none(base):
    slope = gradient(SemanticsJudge("mlp"), flat(base, [0.5])).topic
    e = 1.6487212707001282  # exp(0.5); d/dw (w e / (1 - w + w e)) is e at w = 0 and 1 / e at w = 1
    assert slope == (near(None, e) if base == 0 else near(1 / e, None))


def test_the_conservativeness_is_in_the_slope():
    found = gradient(SemanticsJudge(conservativeness=1.2), flat(0.5, [0.8]))
    assert found.amounts == pytest.approx({"p0": 0.5 / 1.2})


@given(judge=smooth_judges, profile=profiles(most_arguments=7).map(with_quarters))
def test_slopes_are_what_a_tiny_move_of_the_base_score_does(judge, profile):
    found = gradient(judge, profile)
    score = judge.judge(profile).score
    assert set(found.slopes) == {a.id for a in profile.arguments}
    for name, slope in found.slopes.items():
        if slope.right is not None:
            assert slope.right == pytest.approx((moved(judge, profile, name, TINY) - score) / TINY, abs=1e-5)
        if slope.left is not None:
            assert slope.left == pytest.approx((score - moved(judge, profile, name, -TINY)) / TINY, abs=1e-5)
        base = profile.by_id[name].base_score
        assert (slope.left is None, slope.right is None) == (base == 0, base == 1)


def test_many_arguments_are_differentiated_in_portions():
    profile = flat(0.6, [0.02] * 20, [0.01] * 20)
    whole = gradient(SemanticsJudge(), profile)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.contributions.differentiation.CHUNK", 7)
        assert gradient(SemanticsJudge(), profile) == whole
        kinked = gradient(SemanticsJudge(), flat(0.7, [0.5, 0.0], [0.5, 0.0]))
    assert kinked.slopes["p0"] == near(0.7, 0.3)
    assert kinked.slopes["p1"] == near(None, 0.3 * 0.5)


@given(judge=smooth_judges, profile=profiles(most_arguments=8), seed=st.integers(0, 2**32))
def test_the_order_of_the_profile_does_not_change_the_last_bit(judge, profile, seed):
    random = python_random.Random(seed)
    shuffled = replace(
        profile,
        stances=tuple(random.sample(profile.stances, len(profile.stances))),
        arguments=tuple(random.sample(profile.arguments, len(profile.arguments))),
        relations=tuple(random.sample(profile.relations, len(profile.relations))),
    )
    one, two = gradient(judge, profile), gradient(judge, shuffled)
    assert one.slopes == two.slopes
    assert one.topic == two.topic


@given(judge=smooth_judges, profile=profiles(most_arguments=8))
def test_what_does_not_bear_on_the_topic_has_the_slope_0(judge, profile):
    alone = replace(profile, arguments=(*profile.arguments, Argument("alone", "text", None, 0.5)))
    assert gradient(judge, alone).slopes["alone"] == Slope(0.0, 0.0)


@every_semantics
def test_in_a_cycle_the_fixed_point_is_differentiated(semantics):
    profile = OpinionProfile(
        "a claim",
        (),
        (Argument("a", "text", None, 0.7), Argument("b", "text", None, 0.4), Argument("c", "text", None, 0.6)),
        (
            Relation("a", "b", ATTACK),
            Relation("b", "a", ATTACK),
            Relation("c", "b", SUPPORT),
            Relation("a", TOPIC, SUPPORT),
        ),
        topic_base_score=0.3,
    )
    judge = SemanticsJudge(semantics)
    found = gradient(judge, profile)
    assert found.method == Differentiation.IMPLICIT
    for name, amount in found.amounts.items():
        step = 1e-5
        central = (moved(judge, profile, name, step) - moved(judge, profile, name, -step)) / (2 * step)
        assert amount == pytest.approx(central, abs=1e-6)
    assert abs(found.amounts["c"]) > 1e-4


def test_a_kink_behind_a_cycle_has_both_slopes():
    # x and y attack each other: both 0.6 (1 - 0.375) = 0.375, so the topic's energy is 0. With y's base score raised
    # by e, y - x rises by 1.5625 e; the topic follows with 1 - 0.7 upwards and 0.7 downwards.
    profile = OpinionProfile(
        "a claim",
        (),
        (Argument("x", "text", None, 0.6), Argument("y", "text", None, 0.6)),
        (
            Relation("x", "y", ATTACK),
            Relation("y", "x", ATTACK),
            Relation("x", TOPIC, ATTACK),
            Relation("y", TOPIC, SUPPORT),
        ),
        topic_base_score=0.7,
    )
    found = gradient(SemanticsJudge(), profile)
    assert found.slopes["y"] == near(0.7 * 1.5625, 0.3 * 1.5625)
    assert found.method == Differentiation.ITERATED


def test_a_fixed_point_that_jumps_with_its_base_score_has_no_slope_and_says_so():
    # x = w + (1 - w) x: 0 for w = 0, but 1 for every w above
    profile = OpinionProfile(
        "a claim",
        (),
        (Argument("x", "text", None, 0.0), Argument("y", "text", None, 0.5)),
        (Relation("x", "x", SUPPORT), Relation("x", TOPIC, SUPPORT)),
    )
    found = gradient(SemanticsJudge(), profile)
    assert found.slopes["x"] == Slope(None, None)
    assert found.notes == (UNKNOWN,)


def test_without_a_score_there_are_no_slopes():
    creeping = OpinionProfile(
        "a claim",
        (),
        (Argument("x", "text", None, 1e-6),),
        (Relation("x", "x", SUPPORT), Relation("x", TOPIC, SUPPORT)),
    )
    found = gradient(SemanticsJudge(), creeping)
    assert (found.amounts, found.slopes) == ({}, {})
    assert "no fixed point" in found.notes[0]


@settings(max_examples=50)
@given(judge=smooth_judges, profile=profiles(acyclic=False, most_arguments=5))
def test_any_graph_has_slopes_or_a_note(judge, profile):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.semantics.fixed_point.LONGEST", 300)
        patch.setattr("core.contributions.differentiation.LONGEST", 300)
        found = gradient(judge, profile)
    for name, slope in found.slopes.items():
        base = profile.by_id[name].base_score
        expected = (base == 0, base == 1)
        assert (slope.left is None, slope.right is None) == expected or found.notes


# Two agents, topics 0.5: A1 has a pro of 0.4 (score 0.7, slope 0.5), A2 a con of 0.6 (score 0.2, slope -0.5).
TWO = OpinionProfile(
    "a claim",
    (Stance("A1"), Stance("A2")),
    (Argument("pro", "text", "A1", 0.4), Argument("con", "text", "A2", 0.6)),
    (Relation("pro", TOPIC, SUPPORT), Relation("con", TOPIC, ATTACK)),
)


@pytest.mark.parametrize(
    ("aggregation", "pro", "con"),
    [
        (ScoreAggregation.MEAN, 0.25, -0.25),
        (ScoreAggregation.MEDIAN, 0.25, -0.25),
        (ScoreAggregation.MIN, 0.0, -0.5),
        (ScoreAggregation.MAX, 0.5, 0.0),
        (ScoreAggregation.MAJORITY, 0.0, 0.0),
    ],
)
def test_slopes_go_through_the_aggregation_of_separate_scores(aggregation, pro, con):
    judge = SemanticsJudge(setting=Setting.SEPARATE, aggregation=aggregation)
    assert gradient(judge, TWO).amounts == pytest.approx({"pro": pro, "con": con})


def test_equal_scores_of_two_agents_are_a_kink_of_the_lowest():
    equal = replace(TWO, arguments=(Argument("pro", "text", "A1", 0.4), Argument("con", "text", "A2", 0.0)))
    equal = equal.replacing(Argument("pro", "text", "A1", 0.0))
    judge = SemanticsJudge(setting=Setting.SEPARATE, aggregation=ScoreAggregation.MIN)
    found = gradient(judge, equal)
    assert found.slopes["pro"] == Slope(None, 0.0)
    assert found.slopes["con"] == near(None, -0.5)


def test_a_score_at_the_threshold_makes_the_majority_jump_and_this_is_said():
    balanced = TWO.replacing(Argument("con", "text", "A2", 0.0))
    judge = SemanticsJudge(setting=Setting.SEPARATE, aggregation=ScoreAggregation.MAJORITY)
    found = gradient(judge, balanced)
    assert found.slopes["con"] == Slope(None, None)
    assert found.slopes["pro"] == Slope(0.0, 0.0)
    assert "'con'" in found.notes[0]
