import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidEdit
from core.judges import SemanticsJudge, Setting
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind
from core.semantics import SEMANTICS
from core.sensitivity import (
    base_score_curve,
    base_score_curves,
    by_semantics,
    conservativeness_curve,
    heat_map,
)
from tests.core.generated import profiles
from tests.core.least_questions import CIRCLE, flat, judges, with_scores

JUDGE = SemanticsJudge()
PROFILE = flat(0.5, pros=[0.4], cons=[0.6])


def test_a_curve_has_41_points_from_0_to_1():
    curve = base_score_curve(JUDGE, PROFILE, "p0")
    assert (len(curve.values), curve.values[0], curve.values[-1]) == (41, 0.0, 1.0)
    # 0.5 + 0.5 (p - 0.6)
    assert curve.scores == pytest.approx([0.2 + 0.5 * value for value in curve.values])


@given(judge=judges, profile=profiles(), data=st.data())
def test_every_point_is_the_judges_score_to_the_last_bit(judge, profile, data):
    name = data.draw(st.sampled_from([TOPIC, *(argument.id for argument in profile.arguments)]))
    curve = base_score_curve(judge, profile, name, points=5)
    assert list(curve.scores) == [judge.judge(with_scores(profile, {name: value})).score for value in curve.values]


@given(judge=judges, profile=profiles(), data=st.data())
def test_every_cell_of_a_heat_map_is_the_judges_score(judge, profile, data):
    names = [TOPIC, *(argument.id for argument in profile.arguments)]
    if len(names) < 2:
        return
    first, second = data.draw(st.permutations(names))[:2]
    found = heat_map(judge, profile, first, second, points=3)
    for row, y in enumerate(found.values.tolist()):
        for column, x in enumerate(found.values.tolist()):
            assert found.scores[row, column] == judge.judge(with_scores(profile, {first: x, second: y})).score


def test_several_judges_have_a_curve_each():
    curves = base_score_curves([SemanticsJudge(key) for key in SEMANTICS], PROFILE, "c0")
    assert [curve.judge.semantics for curve in curves] == list(SEMANTICS)
    assert all(curve.over == "c0" for curve in curves)


def test_a_conservativeness_curve_comes_nearer_to_the_topics_base_score():
    curve = conservativeness_curve(JUDGE, PROFILE, values=[1.0, 2.0, 4.0])
    assert curve.scores == pytest.approx([0.4, 0.45, 0.475])  # 0.5 - 0.5 * 0.2 / k
    assert conservativeness_curve(SemanticsJudge("euler"), PROFILE).values == ()


def test_every_semantics_judges_under_the_same_settings():
    judge = SemanticsJudge(conservativeness=1.5, setting=Setting.SEPARATE)
    results = by_semantics(judge, PROFILE)
    assert [other.semantics for other, _ in results] == list(SEMANTICS)
    assert all(other.setting is Setting.SEPARATE for other, _ in results)
    kappas = {other.semantics: other.conservativeness for other, _ in results}
    assert (kappas["qe"], kappas["euler"]) == (1.5, 1.0)
    assert all(judgement == other.judge(PROFILE) for other, judgement in results)


def test_an_argument_without_base_score_counts_once_it_is_given_one():
    profile = OpinionProfile("a claim", (), (Argument("pro", "text"),), (Relation("pro", TOPIC, RelationKind.SUPPORT),))
    curve = base_score_curve(SemanticsJudge(missing_base_score=None), profile, "pro", points=3)
    assert curve.scores == (0.5, 0.75, 1.0)


def test_a_failure_message_moves_nothing():
    oops = Argument("oops", "Error 429", None, 1.0, is_error_text=True)
    profile = OpinionProfile("a claim", (), (oops,), (Relation("oops", TOPIC, RelationKind.ATTACK),))
    assert set(base_score_curve(JUDGE, profile, "oops").scores) == {0.5}


def test_an_argument_that_is_not_there_is_refused():
    with pytest.raises(InvalidEdit, match="no argument 'x9'"):
        base_score_curve(JUDGE, PROFILE, "x9")
    with pytest.raises(InvalidEdit, match="both sides"):
        heat_map(JUDGE, PROFILE, "p0", "p0")


def test_a_curve_that_is_stopped_has_no_scores():
    judge, profile = CIRCLE
    assert set(base_score_curve(judge, profile, "x", points=3, stop=lambda: True).scores) == {None}
    assert None not in base_score_curve(judge, profile, "x", points=3).scores
