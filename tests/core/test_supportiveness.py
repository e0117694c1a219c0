import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contestation import Edit, EditKind, contest
from core.judgement import Judgement, Verdict
from core.judges.semantics_judge import SemanticsJudge
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.perturbations.direction import Direction
from core.supportiveness import AGAINST, FOR, breach, direction, sides

S, A = RelationKind.SUPPORT, RelationKind.ATTACK
MORE, LESS, NEITHER = Direction.MORE_SUPPORTIVE, Direction.LESS_SUPPORTIVE, Direction.NEITHER


def a_profile(**scores):
    """A pro and a con of the topic, a con of the con, and one that both supports the topic and attacks the pro."""
    found = {"pro": 0.5, "con": 0.5, "rebuttal": 0.5, "both": 0.5, "lonely": 0.5} | scores
    return OpinionProfile(
        "A claim.",
        (Stance("A1", 0.5, 0.5),),
        tuple(Argument(name, name, "A1", score) for name, score in found.items()),
        (
            Relation("pro", TOPIC, S),
            Relation("con", TOPIC, A),
            Relation("rebuttal", "con", A),
            Relation("both", TOPIC, S),
            Relation("both", "pro", A),
        ),
    )


def test_sides_follow_the_attacks_on_the_way():
    assert sides(a_profile()) == {
        "pro": {FOR},
        "con": {AGAINST},
        "rebuttal": {FOR},
        "both": {FOR, AGAINST},
        "lonely": frozenset(),
    }


@pytest.mark.parametrize(
    ("edit", "expected"),
    [
        (Edit(EditKind.SET_BASE_SCORE, "pro", 0.5, 0.6), MORE),
        (Edit(EditKind.SET_BASE_SCORE, "pro", 0.5, 0.4), LESS),
        (Edit(EditKind.SET_BASE_SCORE, "con", 0.5, 0.6), LESS),
        (Edit(EditKind.SET_BASE_SCORE, "rebuttal", 0.5, 0.6), MORE),
        (Edit(EditKind.SET_BASE_SCORE, "both", 0.5, 0.6), NEITHER),
        (Edit(EditKind.SET_BASE_SCORE, "lonely", 0.5, 0.6), None),
        (Edit(EditKind.REMOVE_ARGUMENT, "con"), MORE),
        (Edit(EditKind.REMOVE_ARGUMENT, "pro"), LESS),
        (Edit(EditKind.REMOVE_ARGUMENT, "lonely"), None),
        (Edit(EditKind.FLIP_POLARITY, "con", "attack", "support", target=TOPIC), MORE),
        (Edit(EditKind.FLIP_POLARITY, "pro", "support", "attack", target=TOPIC), LESS),
        (Edit(EditKind.ADD_ARGUMENT, "new1", after=0.3, text="New.", target="con", relation=A), MORE),
        (Edit(EditKind.ADD_ARGUMENT, "new1", after=0.3, text="New.", target="con", relation=S), LESS),
        (Edit(EditKind.SET_TOPIC_BASE_SCORE, before=None, after=0.7), NEITHER),
        (Edit(EditKind.SHIFT_PROS, after=0.1), NEITHER),  # "both" is a pro of the topic that also attacks one
    ],
)
def test_one_edit_points_where_it_should(edit, expected):
    before = a_profile()
    assert direction(before, contest(before, [edit]).profile) is expected


def test_edits_that_pull_both_ways_point_nowhere():
    assert direction(a_profile(), a_profile(pro=0.6, con=0.6)) is NEITHER
    assert direction(a_profile(), a_profile(pro=0.6, con=0.4)) is MORE
    assert direction(a_profile(), a_profile()) is None


def test_a_stance_that_moves_counts_and_one_that_appears_says_nothing():
    before = OpinionProfile("A claim.", (Stance("A1", 0.5, None),))
    assert direction(before, OpinionProfile("A claim.", (Stance("A1", 0.6, None),))) is MORE
    assert direction(before, OpinionProfile("A claim.", (Stance("A1", 0.5, 0.5),))) is NEITHER
    assert direction(before, OpinionProfile("A claim.", ())) is NEITHER


@given(st.lists(st.floats(0, 1), min_size=4, max_size=4), st.lists(st.floats(0, 1), min_size=4, max_size=4))
def test_a_monotone_semantics_follows_the_direction(first, second):
    names = ("pro", "con", "rebuttal", "lonely")
    before = a_profile(**dict(zip(names, first, strict=True)))
    after = a_profile(**dict(zip(names, second, strict=True)))
    pointed = direction(before, after)
    judge = SemanticsJudge("df-quad")
    was, now = judge.judge(before).score, judge.judge(after).score
    assert was is not None
    assert now is not None
    if pointed is MORE:
        assert now >= was - 1e-12
    if pointed is LESS:
        assert now <= was + 1e-12


def said(score):
    return Judgement("a model", score, Verdict.TRUE if score >= 0.5 else Verdict.FALSE)


def test_a_breach_is_named_with_its_size_and_nothing_else_is():
    more, less = a_profile(pro=0.6), a_profile(pro=0.4)
    assert breach(a_profile(), more, said(0.7), said(0.66)) == (
        "The profile only gained support, and the score fell by 0.040: this breaks contestability."
    )
    assert "only lost support, and the score rose by 0.100" in breach(a_profile(), less, said(0.5), said(0.6))
    assert breach(a_profile(), more, said(0.7), said(0.7)) == ""
    assert breach(a_profile(), more, said(0.7), said(0.66), tolerance=0.05) == ""
    assert breach(a_profile(), a_profile(pro=0.6, con=0.6), said(0.7), said(0.2)) == ""
    assert breach(a_profile(), more, said(0.7), Judgement("a model", None, None)) == ""
