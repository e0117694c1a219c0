import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import levels
from core.errors import InvalidGraph, InvalidScore
from core.levels import Level, Run
from core.qbaf import QBAF
from tests.core.generated import graphs


def test_a_qbaf_keeps_names_scores_and_relations():
    qbaf = QBAF.build([("t", 0.5), ("p", 0.8), ("c", 0.3)], attacks=[("c", "t")], supports=[("p", "t")])
    assert list(qbaf.names) == ["t", "p", "c"]
    assert qbaf.base_scores.tolist() == [0.5, 0.8, 0.3]
    assert qbaf.attacks == [("c", "t")]
    assert qbaf.supports == [("p", "t")]
    assert qbaf.index("c") == 2
    assert len(qbaf) == 3
    assert qbaf.acyclic


def test_a_relation_from_or_to_nobody_is_refused_by_name():
    with pytest.raises(InvalidGraph, match=r"attack from 'z' to 't' names 'z'"):
        QBAF.build([("t", 0.5)], attacks=[("z", "t")])
    with pytest.raises(InvalidGraph, match=r"support from 't' to 'z' names 'z'"):
        QBAF.build([("t", 0.5)], supports=[("t", "z")])


def test_a_repeated_name_is_refused():
    with pytest.raises(InvalidGraph, match="'t' is listed twice"):
        QBAF.build([("t", 0.5), ("t", 0.6)])


def test_a_name_that_is_no_text_is_refused():
    with pytest.raises(InvalidGraph, match="name is 7"):
        QBAF.build([(7, 0.5)])  # type: ignore[list-item]


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan"), float("inf"), "0.5", None, True, 10**400])
def test_a_base_score_that_is_no_number_in_the_unit_interval_is_refused_by_name(score):
    with pytest.raises(InvalidScore, match="'t'"):
        QBAF.build([("t", score)])
    with pytest.raises(InvalidScore, match="'t'"):
        QBAF.build([("t", 0.5)]).with_base_score(0, score)


@pytest.mark.parametrize("score", [-0.1, 1.1, float("nan"), float("inf")])
def test_a_bad_base_score_in_an_array_is_refused_by_name(score):
    with pytest.raises(InvalidScore, match="'b'"):
        QBAF.build([("a", 0.5), ("b", 0.5)]).with_base_scores([0.5, score])
    with pytest.raises(InvalidScore, match="'1/pro1'"):
        QBAF.flat([0.5, 0.5], [[0.2], [score]], np.empty((2, 0)))


def test_minus_zero_becomes_zero():
    assert not np.signbit(QBAF.build([("a", -0.0)]).base_scores).any()
    assert not np.signbit(QBAF.build([("a", 0.5)]).with_base_scores([-0.0]).base_scores).any()
    assert not np.signbit(QBAF.flat([-0.0], [[-0.0]], [[-0.0]]).base_scores).any()


def test_a_relation_listed_twice_counts_once():
    qbaf = QBAF.build([("t", 0.5), ("p", 0.5)], supports=[("p", "t"), ("p", "t")])
    assert qbaf.supports == [("p", "t")]


def test_attack_and_support_of_one_pair_are_both_kept_and_told():
    qbaf = QBAF.build([("t", 0.5), ("x", 0.5), ("y", 0.5)], [("x", "t"), ("y", "t")], [("x", "t")])
    assert qbaf.overlaps == [("x", "t")]
    assert qbaf.attacks == [("x", "t"), ("y", "t")]


def test_base_scores_cannot_be_changed_in_place():
    qbaf = QBAF.build([("t", 0.5)])
    with pytest.raises(ValueError, match="read-only"):
        qbaf.base_scores[0] = 0.7


def test_other_base_scores_share_the_structure():
    qbaf = QBAF.build([("t", 0.5), ("p", 0.8)], supports=[("p", "t")])
    other = qbaf.with_base_scores([0.1, 0.2])
    assert other.structure is qbaf.structure
    assert other.with_base_score(1, 0.9).structure is qbaf.structure
    assert qbaf.base_scores.tolist() == [0.5, 0.8]
    assert other.with_base_score(1, 0.9).base_scores.tolist() == [0.1, 0.9]


def test_as_many_base_scores_as_arguments_are_needed():
    with pytest.raises(InvalidGraph, match="2 arguments"):
        QBAF.build([("t", 0.5), ("p", 0.8)]).with_base_scores([0.5])


def test_asking_for_an_unknown_argument_names_it():
    with pytest.raises(InvalidGraph, match="'nobody'"):
        QBAF.build([("t", 0.5)]).index("nobody")


def test_without_an_argument_its_relations_are_gone():
    qbaf = QBAF.build([("t", 0.5), ("p", 0.8), ("c", 0.1)], [("c", "p")], [("p", "t")]).without(1)
    assert (qbaf.attacks, qbaf.supports) == ([], [])


@pytest.mark.parametrize(
    ("attacks", "supports", "acyclic"),
    [
        ([], [], True),
        ([("a", "a")], [], False),
        ([], [("a", "b"), ("b", "c"), ("c", "a")], False),
        ([("a", "b")], [("b", "a")], False),
        ([("a", "b")], [("a", "b"), ("b", "c"), ("a", "c")], True),
    ],
)
def test_a_cycle_is_seen(attacks, supports, acyclic):
    qbaf = QBAF.build([("a", 0.5), ("b", 0.5), ("c", 0.5)], attacks, supports)
    assert qbaf.acyclic is acyclic
    assert qbaf.structure.acyclic is acyclic


@given(graph=graphs(), narrow=st.sampled_from([0, 1, 2, 24]))
def test_every_source_lies_deeper_than_its_target(graph, narrow):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "NARROW_WIDTH", narrow)
        qbaf = graph.qbaf
        depth = qbaf.structure.depth
    assert depth is not None
    for source, target in [*qbaf.attacks, *qbaf.supports]:
        assert depth[qbaf.index(source)] < depth[qbaf.index(target)]


@given(graph=graphs(acyclic=False), narrow=st.sampled_from([0, 1, 2, 24]))
def test_a_graph_is_acyclic_when_arguments_without_sources_can_be_peeled_off_to_the_last(graph, narrow):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "NARROW_WIDTH", narrow)
        acyclic = graph.qbaf.acyclic
    left = {name for name, _ in graph.arguments}
    relations = {*graph.attacks, *graph.supports}
    while free := {a for a in left if not any(t == a and s in left for s, t in relations)}:
        left -= free
    assert acyclic is (not left)


@given(graph=graphs(largest=20), narrow=st.sampled_from([0, 1, 24]))
def test_every_argument_with_sources_is_in_exactly_one_step(graph, narrow):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "NARROW_WIDTH", narrow)
        qbaf = graph.qbaf
        plan = qbaf.structure.plan
    judged: list[int] = []
    for step in plan:
        match step:
            case Run(nodes):
                judged += [node[0] for node in nodes]
            case Level(targets):
                judged += np.arange(len(qbaf))[targets].tolist()
    assert sorted(judged) == sorted({qbaf.index(t) for _, t in [*qbaf.attacks, *qbaf.supports]})


def test_flat_debates_come_in_columns_with_the_topics_first():
    qbaf = QBAF.flat([0.5, 0.6], [[0.1, 0.2], [0.3, 0.4]], [[0.7], [0.8]])
    names = ["0/topic", "1/topic", "0/pro1", "1/pro1", "0/pro2", "1/pro2", "0/con1", "1/con1"]
    assert list(qbaf.names) == names
    assert qbaf.names[-1] == "1/con1"
    assert qbaf.names[2:4] == names[2:4]
    assert qbaf.base_scores.tolist() == [0.5, 0.6, 0.1, 0.3, 0.2, 0.4, 0.7, 0.8]
    assert sorted(qbaf.supports) == [
        ("0/pro1", "0/topic"),
        ("0/pro2", "0/topic"),
        ("1/pro1", "1/topic"),
        ("1/pro2", "1/topic"),
    ]
    assert sorted(qbaf.attacks) == [("0/con1", "0/topic"), ("1/con1", "1/topic")]
    assert qbaf.acyclic
    assert qbaf.index("1/con1") == 7


@pytest.mark.parametrize(
    "shapes", [((2,), (1, 3), (2, 3)), ((2,), (2,), (2, 3)), ((2, 1), (2, 3), (2, 3)), ((2,), (2, 3), (3, 3))]
)
def test_arrays_that_do_not_fit_together_are_refused_with_their_shapes(shapes):
    with pytest.raises(InvalidGraph, match="shapes"):
        QBAF.flat(*(np.full(shape, 0.5) for shape in shapes))


def test_a_forest_holds_its_members_one_after_the_other_and_can_be_split():
    one = QBAF.build([("t", 0.5), ("p", 0.8)], supports=[("p", "t")])
    two = QBAF.build([("t", 0.1)])
    forest = QBAF.forest([one, QBAF.build([]), two])
    assert list(forest.names) == ["0/t", "0/p", "2/t"]
    assert forest.supports == [("0/p", "0/t")]
    assert [part.tolist() for part in forest.split(forest.base_scores)] == [[0.5, 0.8], [], [0.1]]
    assert forest.acyclic
    assert [part.tolist() for part in one.split(one.base_scores)] == [[0.5, 0.8]]


def test_a_forest_of_nothing_is_empty():
    assert len(QBAF.forest([])) == 0
    assert QBAF.forest([]).acyclic


def test_a_forest_with_a_cyclic_member_is_cyclic():
    cyclic = QBAF.build([("a", 0.5)], supports=[("a", "a")])
    assert not QBAF.forest([QBAF.build([("t", 0.1)]), cyclic]).acyclic
