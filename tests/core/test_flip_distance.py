import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.flip_distance import flip_distance
from core.flip_distances import flip_distances, profile_of
from core.judgement import DecisionRule
from core.judges import ScoreAggregation, SemanticsJudge, Setting
from core.least import OutcomeStatus
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.perturbations.profile_arrays import arrays_of
from tests.core.generated import profiles, scores
from tests.core.least_questions import CIRCLE, flat, judges, with_scores

JUDGE = SemanticsJudge()


@st.composite
def flat_profiles(draw):
    """Draw a flat debate of several agents, some of whose arguments are nobody's or lack a base score."""
    agents = draw(st.lists(st.sampled_from(["A1", "A2", "A3"]), unique=True, max_size=3))
    maybe = st.one_of(st.none(), scores)
    names = [f"x{number}" for number in range(draw(st.integers(0, 6)))]
    return OpinionProfile(
        "a claim",
        tuple(Stance(agent, draw(maybe), draw(maybe)) for agent in agents),
        tuple(Argument(name, "text", draw(st.sampled_from([*agents, None])), draw(maybe)) for name in names),
        tuple(Relation(name, TOPIC, draw(st.sampled_from(RelationKind))) for name in names),
        draw(st.booleans()),
    )


def agrees(found: float, alone: float | None, status: OutcomeStatus) -> bool:
    if status is OutcomeStatus.NOT_FOUND:
        return bool(np.isnan(found))
    if status is OutcomeStatus.IMPOSSIBLE:
        return bool(np.isinf(found))
    return alone is not None and found == pytest.approx(alone, abs=1e-9)


def test_the_nearest_argument_says_how_far_a_verdict_is_from_flipping():
    found = flip_distance(JUDGE, flat(0.5, pros=[0.4], cons=[0.6, 0.1]))
    # pros 0.4, cons 1 - 0.4 * 0.9 = 0.64; c0 needs 1 - 0.6 / 0.9 = 1/3, c1 cannot, p0 needs 0.64
    assert found.distance == pytest.approx(0.24, abs=2e-12)
    assert found.flip is not None
    assert found.flip.argument == "p0"
    assert found.status is OutcomeStatus.LEAST


def test_an_uncertain_verdict_flips_to_the_nearer_side():
    judge = SemanticsJudge(rule=DecisionRule(0.5, 0.1))
    found = flip_distance(judge, flat(0.5, pros=[0.12], cons=[0.0]))  # 0.56: 0.6 needs a pro of 0.2, 0.4 a con of 0.32
    assert found.distance == pytest.approx(0.08, abs=2e-12)


@given(judge=judges, profile=profiles(), share=st.floats(0, 0.999))
@settings(deadline=None)
def test_nothing_nearer_flips_the_verdict(judge, profile, share):
    found = flip_distance(judge, profile)
    reach = 1.0 if found.distance is None else found.distance
    if found.distance is not None and found.flip is not None:
        assert found.flip.verdict is not judge.judge(profile).verdict
    for argument in profile.arguments:
        base = judge.missing_base_score if argument.base_score is None else argument.base_score
        if base is not None and reach > 1e-9:
            for value in (base - share * reach, base + share * reach):
                changed = with_scores(profile, {argument.id: min(max(value, 0.0), 1.0)})
                assert judge.judge(changed).verdict is judge.judge(profile).verdict


@given(judge=judges, held=st.lists(st.one_of(flat_profiles(), profiles(most_arguments=4)), min_size=1, max_size=5))
@settings(deadline=None)
def test_many_distances_at_once_are_those_of_one_after_the_other(judge, held):
    found = flip_distances(judge, arrays_of([f"d{i}" for i in range(len(held))], held))
    for distance, profile in zip(found.tolist(), held, strict=True):
        alone = flip_distance(judge, profile)
        assert agrees(distance, alone.distance, alone.status)


def test_flat_debates_need_no_search_of_their_own():
    held = [flat(0.5, pros=[0.4], cons=[0.6]), flat(0.5, pros=[0.3], cons=[0.9, 0.2]), flat(0.5)]
    found = flip_distances(JUDGE, arrays_of(["a", "b", "c"], held), stop=lambda: True)
    assert found[0] == pytest.approx(0.2, abs=2e-12)
    # pros 0.3, cons 1 - 0.1 * 0.8 = 0.92: c0 down to 1 - 0.7 / 0.8 = 0.125 is 0.775, p0 up to 0.92 is 0.62
    assert found[1] == pytest.approx(0.62, abs=2e-12)
    assert np.isinf(found[2])


def test_what_is_not_looked_at_in_time_is_not_known():
    deep = OpinionProfile(
        "a claim",
        (),
        (Argument("x", "text", None, 0.5), Argument("y", "text", None, 0.5)),
        (Relation("x", TOPIC, RelationKind.SUPPORT), Relation("y", "x", RelationKind.ATTACK)),
    )
    arrays = arrays_of(["deep", "flat"], [deep, flat(0.5, cons=[0.3])])
    found = flip_distances(JUDGE, arrays, stop=lambda: True)
    assert np.isnan(found[0])
    assert found[1] == pytest.approx(0.3, abs=2e-12)
    assert not np.isnan(flip_distances(JUDGE, arrays)[0])


def test_a_cyclic_debate_is_looked_at_by_itself():
    judge, profile = CIRCLE
    alone = flip_distance(judge, profile)
    assert agrees(flip_distances(judge, arrays_of(["d"], [profile]))[0], alone.distance, alone.status)
    assert alone.status in (OutcomeStatus.BEST, OutcomeStatus.NOT_FOUND)


def test_other_ways_to_join_separate_scores_are_looked_at_one_by_one():
    judge = SemanticsJudge(setting=Setting.SEPARATE, aggregation=ScoreAggregation.MEDIAN)
    profile = flat(0.5, pros=[0.4], cons=[0.6])
    assert flip_distances(judge, arrays_of(["d"], [profile]))[0] == pytest.approx(0.2, abs=2e-12)


@given(profile=profiles(shared=None))
def test_a_profile_comes_back_out_of_arrays_as_it_is_judged(profile):
    again = profile_of(arrays_of(["d"], [profile]), 0)
    for judge in (JUDGE, SemanticsJudge("qe", setting=Setting.SEPARATE)):
        assert judge.judge(again).score == judge.judge(profile).score


def test_without_arguments_there_is_nothing_to_change():
    found = flip_distance(JUDGE, OpinionProfile("a claim"))
    assert (found.status, found.distance) == (OutcomeStatus.IMPOSSIBLE, None)
