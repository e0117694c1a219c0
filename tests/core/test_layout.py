"""The picture of a graph is the same for the same debate, readable, and quick to compute."""

from itertools import combinations, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.layout import LEVEL_SPACING, depths, layered_layout
from core.opinion import TOPIC, Relation, RelationKind

PRO, CON = RelationKind.SUPPORT, RelationKind.ATTACK
HALF_WIDTH = 69  # of a label
ABOVE, BELOW = 29, 75  # the largest disc upwards, disc and three lines of label downwards

few_names = st.lists(st.sampled_from([f"a{n}" for n in range(14)]), unique=True)
any_relations = st.lists(
    st.builds(
        Relation,
        st.sampled_from([f"a{n}" for n in range(14)]),
        st.sampled_from([TOPIC, *(f"a{n}" for n in range(14))]),
        st.sampled_from([PRO, CON]),
    ),
    max_size=40,
)


def on_topic(pros: int, cons: int) -> tuple[list[str], list[Relation]]:
    names = [f"p{n}" for n in range(pros)] + [f"c{n}" for n in range(cons)]
    return names, [Relation(name, TOPIC, PRO if name[0] == "p" else CON) for name in names]


def overlaps(positions: dict[str, tuple[float, float]]) -> list[tuple[str, str]]:
    """Pairs whose disc or label would cover each other; the topic's box is wider than any label."""
    half = {name: 120 if name == TOPIC else HALF_WIDTH for name in positions}
    by_row: dict[float, list[str]] = {}
    for name, (_, y) in positions.items():
        by_row.setdefault(y, []).append(name)
    rows = sorted(by_row)
    assert all(below - above >= ABOVE + BELOW for above, below in pairwise(rows))  # rows never touch
    return [
        (one, other)
        for members in by_row.values()
        for one, other in combinations(members, 2)
        if abs(positions[one][0] - positions[other][0]) < half[one] + half[other]
    ]


def test_supporters_stand_left_of_attackers_under_the_topic():
    positions = layered_layout(*on_topic(3, 3), TOPIC)
    assert positions[TOPIC] == (0, 0)
    assert {y for name, (_, y) in positions.items() if name != TOPIC} == {LEVEL_SPACING}
    assert max(positions[f"p{n}"][0] for n in range(3)) < 0 < min(positions[f"c{n}"][0] for n in range(3))


def test_one_supporter_and_one_attacker_stand_beside_the_middle():
    positions = layered_layout(*on_topic(1, 1), TOPIC)
    assert positions["p0"][0] == -positions["c0"][0]


def test_names_with_numbers_are_ordered_by_the_number():
    positions = layered_layout(*on_topic(12, 0), TOPIC, columns=12)
    assert sorted(positions.keys() - {TOPIC}, key=lambda name: positions[name][0]) == [f"p{n}" for n in range(12)]


def test_a_level_is_the_longest_path_to_the_topic():
    relations = [Relation("a", TOPIC, PRO), Relation("b", "a", CON), Relation("b", TOPIC, CON), Relation("c", "b", PRO)]
    assert depths("abc", relations, TOPIC) == {TOPIC: 0, "a": 1, "b": 2, "c": 3}
    assert layered_layout("abc", relations, TOPIC)["c"][1] == 3 * LEVEL_SPACING


def test_a_child_stands_under_what_it_bears_on():
    names, relations = on_topic(2, 2)
    positions = layered_layout([*names, "x"], [*relations, Relation("x", "p0", CON)], TOPIC)
    assert positions["x"][0] == positions["p0"][0]


def test_children_are_ordered_like_their_parents_so_that_lines_do_not_cross():
    names, relations = on_topic(2, 2)
    children = {"z": "p0", "y": "p1", "x": "c0", "w": "c1"}
    relations += [Relation(child, parent, CON) for child, parent in children.items()]
    positions = layered_layout([*names, *children], relations, TOPIC)
    assert sorted(children, key=lambda name: positions[name][0]) == ["z", "y", "x", "w"]


def test_two_arguments_that_attack_each_other_stay_beside_each_other():
    relations = [Relation(a, b, CON) for a, b in [("a", TOPIC), ("b", TOPIC), ("a", "b"), ("b", "a")]]
    assert depths("ab", relations, TOPIC) == {TOPIC: 0, "a": 1, "b": 1}


def test_what_does_not_reach_the_topic_comes_last():
    relations = [Relation("a", TOPIC, PRO), Relation("b", "a", PRO), Relation("x", "y", CON), Relation("y", "x", CON)]
    levels = depths(["a", "b", "x", "y", "alone"], relations, TOPIC)
    assert levels == {TOPIC: 0, "a": 1, "b": 2, "x": 3, "alone": 3, "y": 4}


def test_an_argument_whose_target_is_not_there_comes_last():
    relations = [Relation("a", TOPIC, PRO), Relation("lost", "nowhere", PRO)]
    assert depths(["a", "lost"], relations, TOPIC)["lost"] == 2


@pytest.mark.parametrize(("pros", "cons"), [(30, 30), (60, 0), (0, 60), (59, 1), (1, 59), (1250, 1250), (8, 8), (5, 4)])
def test_a_wide_level_is_wrapped_without_overlap(pros, cons):
    positions = layered_layout(*on_topic(pros, cons), TOPIC)
    assert overlaps(positions) == []
    rows = {y for _, y in positions.values()}
    columns = {x for x, _ in positions.values()}
    assert len(columns) <= max(9, 2 * len(rows))
    assert len(rows) <= 17 * len(columns)


@pytest.mark.parametrize("columns", [1, 2, 4, 8])
def test_narrow_screens_get_fewer_columns(columns):
    positions = layered_layout(*on_topic(3, 3), TOPIC, columns=columns)
    rows = {y for name, (_, y) in positions.items() if name != TOPIC}
    assert overlaps(positions) == []
    assert len({x for name, (x, _) in positions.items() if name != TOPIC}) <= max(2, columns)
    assert len(rows) == {1: 3, 2: 3, 4: 2, 8: 1}[columns]


@given(few_names, any_relations, st.integers(1, 9))
def test_nothing_overlaps_in_any_graph(names, relations, columns):
    positions = layered_layout(names, relations, TOPIC, columns=columns)
    assert positions.keys() == {TOPIC, *names}
    assert overlaps(positions) == []


@given(few_names, any_relations, st.randoms(use_true_random=False))
def test_the_order_of_names_and_relations_does_not_matter(names, relations, random):
    before = layered_layout(names, relations, TOPIC)
    shuffled_names, shuffled_relations = list(names), list(relations)
    random.shuffle(shuffled_names)
    random.shuffle(shuffled_relations)
    assert layered_layout(shuffled_names, shuffled_relations, TOPIC) == before


@given(few_names, any_relations)
def test_every_argument_with_a_path_to_the_topic_bears_on_something_higher_up(names, relations):
    levels = depths(names, relations, TOPIC)
    reaching = {TOPIC}
    for _ in names:
        reaching |= {r.source for r in relations if r.target in reaching and r.source in levels}
    for name in reaching - {TOPIC}:
        assert any(r.source == name and levels.get(r.target, 99) < levels[name] for r in relations)
    assert all(levels[name] > max(levels[other] for other in reaching) for name in levels.keys() - reaching)


def test_a_chain_of_three_thousand_needs_no_recursion():
    names = [f"a{n}" for n in range(3000)]
    relations = [Relation(name, target, CON) for target, name in pairwise([TOPIC, *names])]
    positions = layered_layout(names, relations, TOPIC)
    assert positions["a2999"] == (0, 3000 * LEVEL_SPACING)


def test_thousands_of_arguments_on_a_few_levels_do_not_overlap():
    names = [f"a{n}" for n in range(2500)]
    relations = [
        Relation(name, TOPIC if n < 40 else names[n % 40], PRO if n % 3 else CON) for n, name in enumerate(names)
    ]
    assert overlaps(layered_layout(names, relations, TOPIC)) == []


def test_an_empty_debate_shows_its_topic():
    assert layered_layout([], [], TOPIC) == {TOPIC: (0, 0)}
