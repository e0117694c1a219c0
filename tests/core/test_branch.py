"""A branch of one debate under an argument of another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.branch import LARGEST, Branch, branch_of
from core.contestation import contest
from core.debate import Round
from core.errors import InvalidEdit
from core.history import History
from core.judges.semantics_judge import SemanticsJudge
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind

SUPPORT, ATTACK = RelationKind.SUPPORT, RelationKind.ATTACK
EMPTY = OpinionProfile(claim="C.", arguments=(), relations=(), stances=(), topic_base_score=0.5)


def held(*lines):
    """Return a round out of lines such as ("a", "+", "topic", 0.5)."""
    scores = {name: score for name, _, _, score in lines}
    return Round(
        0,
        arguments=tuple(Argument(name, f"Reason {name}.", None, score) for name, score in scores.items()),
        relations=tuple(Relation(name, target, SUPPORT if sign == "+" else ATTACK) for name, sign, target, _ in lines),
    )


def test_what_bears_on_the_claim_bears_on_the_chosen_argument():
    own = contest(EMPTY, branch_of(held(("x", "-", TOPIC, 0.4))).edits(TOPIC, (), 0.5)).profile
    branch = branch_of(held(("b", "-", "a", None), ("a", "+", TOPIC, 0.8), ("x", "+", "a", 0.2)))
    assert [argument.id for argument in branch.arguments] == ["a", "b", "x"]
    assert branch.without_score == 1
    edits = branch.edits("x", own.by_id, 0.3, "file.json")
    assert [(edit.argument, edit.target, edit.relation, edit.after, edit.source) for edit in edits] == [
        ("a", "x", SUPPORT, 0.8, "file.json"),
        ("b", "a", ATTACK, 0.3, "file.json"),
        ("x-2", "a", SUPPORT, 0.2, "file.json"),
    ]
    after = contest(own, edits).profile
    assert {(r.source, r.target) for r in after.relations} == {("x", TOPIC), ("a", "x"), ("b", "a"), ("x-2", "a")}


def test_what_an_edit_cannot_carry_is_counted():
    lines = [("a", "+", TOPIC, 0.5), ("b", "+", "a", 0.5), ("b", "-", TOPIC, 0.5), ("b", "-", "b", 0.5)]
    branch = branch_of(held(*lines, ("c", "+", "d", 0.5), ("d", "-", "c", 0.5)))
    assert [(relation.source, relation.target) for relation in branch.relations] == [("a", TOPIC), ("b", TOPIC)]
    assert (branch.relations_left_out, branch.arguments_left_out) == (2, 2)


def test_nothing_and_too_much_are_refused():
    with pytest.raises(InvalidEdit, match="Nothing in it supports or attacks"):
        branch_of(Round(0)).edits(TOPIC, (), 0.5)
    many = branch_of(held(*((f"a{n}", "+", TOPIC, 0.5) for n in range(LARGEST + 1))))
    with pytest.raises(InvalidEdit, match="at most 200"):
        many.edits(TOPIC, (), 0.5)


def test_new_names_are_free_everywhere():
    branch = branch_of(held(("a", "+", TOPIC, 0.5), ("a-2", "+", TOPIC, 0.5)))
    assert [edit.argument for edit in branch.edits(TOPIC, {"a", "a-3"}, 0.5)] == ["a-4", "a-2"]


@st.composite
def trees(draw):
    lines: list[tuple[str, str, str, float]] = []
    for number in range(draw(st.integers(1, 12))):
        target = draw(st.sampled_from([TOPIC, *(line[0] for line in lines)]))
        lines.append((f"a{number}", draw(st.sampled_from("+-")), target, draw(st.floats(0, 1))))
    return draw(st.permutations(lines))


@given(trees())
def test_a_tree_added_to_a_bare_claim_is_judged_as_the_tree_itself(lines):
    tree = held(*lines)
    whole = OpinionProfile(
        claim="C.", arguments=tree.arguments, relations=tree.relations, stances=(), topic_base_score=0.5
    )
    history = History()
    for edit in branch_of(tree).edits(TOPIC, (), 0.5):
        history = history.push(edit)
    added = contest(EMPTY, history.edits).profile
    judge = SemanticsJudge()
    assert judge.judge(added).strengths == judge.judge(whole).strengths
    for _ in lines:
        history = history.undo()
    assert contest(EMPTY, history.edits).profile == EMPTY


def test_an_empty_branch_says_so():
    assert Branch((), ()).without_score == 0
