from dataclasses import replace

import pytest
from hypothesis import given

from core.errors import InvalidGraph, InvalidScore
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance, checked_score
from tests.core.generated import profiles, scores

SUPPORT, ATTACK = RelationKind.SUPPORT, RelationKind.ATTACK


@given(score=scores)
def test_a_score_in_the_unit_interval_is_kept_as_it_is(score):
    assert checked_score("Score", score) == score


@pytest.mark.parametrize(("value", "kept"), [(0, 0.0), (1, 1.0), (-0.0, 0.0), (None, None)])
def test_whole_numbers_become_floats_and_missing_ones_stay_missing(value, kept):
    found = checked_score("Score", value)
    assert (found, str(found)) == (kept, str(kept))


@pytest.mark.parametrize(
    "value", [-0.1, 1.0000001, float("nan"), float("inf"), float("-inf"), "0.5", True, 10**400, []]
)
def test_anything_else_is_refused_with_its_name_and_value(value):
    with pytest.raises(InvalidScore, match=r"Prior stance of 'A1' is .* must be a number in"):
        checked_score("Prior stance of 'A1'", value)


def test_arguments_stances_and_topics_check_their_scores():
    with pytest.raises(InvalidScore, match="Base score of 'x'"):
        Argument("x", "text", base_score=1.5)
    with pytest.raises(InvalidScore, match="Prior stance of 'A1'"):
        Stance("A1", prior=-1.0)
    with pytest.raises(InvalidScore, match="Posterior stance of 'A1'"):
        Stance("A1", posterior=2.0)
    with pytest.raises(InvalidScore, match="Base score of the topic"):
        OpinionProfile("a claim", topic_base_score=3.0)


@pytest.mark.parametrize("name", ["", TOPIC])
def test_an_argument_needs_an_id_of_its_own(name):
    with pytest.raises(InvalidGraph, match="must be a text other than 'topic'"):
        Argument(name, "text")


def test_ids_are_unique_within_a_profile():
    with pytest.raises(InvalidGraph, match="argument 'x' is listed twice"):
        OpinionProfile("a claim", arguments=(Argument("x", "one"), Argument("x", "two")))
    with pytest.raises(InvalidGraph, match="agent 'A1' is listed twice"):
        OpinionProfile("a claim", (Stance("A1"), Stance("A1")))


def test_the_opposite_of_the_opposite_is_the_same():
    assert (SUPPORT.opposite, ATTACK.opposite) == (ATTACK, SUPPORT)


def test_dangling_relations_are_told():
    kept = Relation("x", TOPIC, SUPPORT)
    lost = (Relation("x", "gone", ATTACK), Relation("gone", TOPIC, ATTACK))
    profile = OpinionProfile("a claim", arguments=(Argument("x", "text"),), relations=(kept, *lost))
    assert profile.dangling == lost


PROFILE = OpinionProfile(
    "a claim",
    (Stance("A1", 0.3), Stance("A2", 0.7)),
    (Argument("x", "text", "A1"), Argument("y", "text", "A2"), Argument("z", "text"), Argument("w", "text", "person")),
    (
        Relation("x", TOPIC, SUPPORT),
        Relation("y", "x", ATTACK),
        Relation("z", "x", ATTACK),
        Relation("w", "y", SUPPORT),
    ),
)


def test_an_opinion_has_the_agents_own_arguments_and_those_of_nobody_in_particular():
    opinion = PROFILE.opinion("A1")
    assert opinion.stance == Stance("A1", 0.3)
    assert [a.id for a in opinion.arguments] == ["x", "z", "w"]
    assert opinion.relations == (Relation("x", TOPIC, SUPPORT), Relation("z", "x", ATTACK))


def test_in_a_shared_framework_every_opinion_has_everything():
    shared = replace(PROFILE, shared=True)
    assert all(o.arguments == shared.arguments and o.relations == shared.relations for o in shared.opinions)


def test_there_is_one_opinion_per_agent_in_order():
    assert [o.stance.agent_id for o in PROFILE.opinions] == ["A1", "A2"]


def test_the_opinion_of_nobody_is_refused():
    with pytest.raises(InvalidGraph, match="no agent 'A9'"):
        PROFILE.opinion("A9")


@given(profile=profiles(acyclic=False))
def test_opinions_together_hold_every_argument_and_no_relation_beyond_the_profiles(profile):
    held = {a.id for opinion in profile.opinions for a in opinion.arguments}
    assert held == set(profile.by_id)
    for opinion in profile.opinions:
        names = {TOPIC, *(a.id for a in opinion.arguments)}
        assert all(r in profile.relations and {r.source, r.target} <= names for r in opinion.relations)


def test_replacing_an_argument_keeps_its_place():
    changed = PROFILE.replacing(replace(PROFILE.arguments[1], base_score=0.9))
    assert [a.id for a in changed.arguments] == [a.id for a in PROFILE.arguments]
    assert changed.by_id["y"].base_score == 0.9
    assert PROFILE.by_id["y"].base_score is None
