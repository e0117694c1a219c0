"""Cyclic graphs: fixed points worked out by hand, and honest answers where none is found."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.qbaf import QBAF
from core.semantics import SEMANTICS, EvaluationStatus, Method, semantics
from core.semantics.fixed_point import LONGEST
from tests.core.generated import every_semantics, graphs, scores

DAMPED_OR_CONTINUOUS = [Method.DAMPED, Method.CONTINUOUS]


def mutual(kind, *bases):
    names = [f"a{i}" for i in range(len(bases))]
    pairs = [(one, two) for one in names for two in names if one != two]
    return QBAF.build([*zip(names, bases, strict=True)], **{kind: pairs})


@pytest.mark.parametrize("method", DAMPED_OR_CONTINUOUS)
@pytest.mark.parametrize(
    ("key", "qbaf", "expected"),
    [
        # s = 1 - s
        ("df-quad", mutual("attacks", 1.0, 1.0), 0.5),
        # s = w (1 - s), so s = w / (1 + w)
        ("df-quad", QBAF.build([("a", 0.6)], attacks=[("a", "a")]), 0.375),
        # s = w + (1 - w) s, so s = 1
        ("df-quad", QBAF.build([("a", 0.6)], supports=[("a", "a")]), 1.0),
        # s = w - w s / (1 + s), so s² + s - w = 0
        ("product-1max", QBAF.build([("a", 0.75)], attacks=[("a", "a")]), 0.5),
        # s = 1 / (1 + s²), so s³ + s - 1 = 0
        ("qe", mutual("attacks", 1.0, 1.0), 0.6823278038280193),
    ],
)
def test_a_fixed_point_is_found(key, qbaf, expected, method):
    evaluation = semantics(key).evaluate(qbaf, method)
    assert evaluation.status is EvaluationStatus.OK
    assert evaluation.method == method.value
    assert evaluation.strengths == pytest.approx(np.full(len(qbaf), expected), abs=1e-11)
    assert evaluation.residual <= 1e-12
    assert 0 < evaluation.iterations < LONGEST


@every_semantics
@given(graph=graphs(acyclic=False, largest=6))
@settings(max_examples=40)
def test_a_result_is_a_fixed_point(semantics, graph):
    gradual = semantics()
    evaluation = gradual.evaluate(graph.qbaf)
    if evaluation.converged:
        strengths = evaluation.by_name
        for name, base in graph.arguments:
            pros = [strengths[s] for s in sorted({s for s, t in graph.supports if t == name})]
            cons = [strengths[s] for s in sorted({s for s, t in graph.attacks if t == name})]
            moved = gradual.influence.move(base, gradual.aggregation.of_numbers(pros, cons))
            assert strengths[name] == pytest.approx(moved, abs=2e-12)


@every_semantics
@given(graph=graphs(acyclic=False, largest=5), data=st.data())
@settings(max_examples=20)
def test_an_edit_and_its_undo_restore_every_bit(semantics, graph, data):
    gradual = semantics()
    index = data.draw(st.integers(0, len(graph.arguments) - 1))
    before = gradual.evaluate(graph.qbaf)
    there = gradual.update(before, index, data.draw(scores))
    back = gradual.update(there, index, graph.arguments[index][1])
    assert np.array_equal(before.strengths, back.strengths)
    assert before.status is back.status


def test_discrete_iteration_that_flips_for_ever_is_not_converged():
    evaluation = semantics("df-quad").evaluate(mutual("attacks", 1.0, 1.0), Method.DISCRETE)
    assert evaluation.status is EvaluationStatus.NOT_CONVERGED
    assert not evaluation.converged
    assert evaluation.residual == 1.0
    assert evaluation.iterations == LONGEST


def test_a_search_that_creeps_is_not_converged_and_says_how_far_it_still_moves():
    # s = w + (1 - w) s creeps to 1 at a pace of w
    evaluation = semantics("df-quad").evaluate(QBAF.build([("a", 1e-6)], supports=[("a", "a")]))
    assert evaluation.status is EvaluationStatus.NOT_CONVERGED
    assert 1e-12 < evaluation.residual <= 1e-6
    assert 0.0 < evaluation.strengths[0] < 1.0
    assert evaluation.iterations == 2 * LONGEST  # both step sizes were tried


def test_a_smaller_step_is_tried_where_the_large_one_swings(monkeypatch):
    monkeypatch.setattr("core.semantics.fixed_point.LONGEST", 500)
    # With 300 mutual attackers f falls so steeply near its fixed point that half steps overshoot.
    qbaf = mutual("attacks", *[1.0] * 300)
    evaluation = semantics("df-quad").evaluate(qbaf)
    assert evaluation.status is EvaluationStatus.OK
    assert evaluation.iterations > 500
    s = float(evaluation.strengths[0])
    assert s == pytest.approx((1 - s) ** 299, abs=1e-11)
    assert len(set(evaluation.strengths.tolist())) == 1


def test_equals_stay_equal():
    # Four against four; the even split is a fixed point that the smallest rounding error would leave.
    sides = [[f"{side}{i}" for i in range(4)] for side in "ab"]
    pairs = [(x, y) for one, two in (sides, sides[::-1]) for x in one for y in two]
    qbaf = QBAF.build([(name, 0.9) for side in sides for name in side], attacks=pairs)
    for key in SEMANTICS:
        evaluation = semantics(key).evaluate(qbaf)
        assert evaluation.converged
        assert len(set(evaluation.strengths.tolist())) == 1


@every_semantics
def test_what_hangs_on_a_cycle_is_judged_with_it(semantics):
    gradual = semantics()
    qbaf = QBAF.build(
        [("t", 0.5), ("a", 0.9), ("b", 0.6), ("leaf", 0.7)], [("a", "b"), ("b", "a")], [("a", "t"), ("leaf", "b")]
    )
    strengths = gradual.evaluate(qbaf).by_name
    assert strengths["leaf"] == 0.7
    assert strengths["t"] == pytest.approx(
        gradual.influence.move(0.5, gradual.aggregation.of_numbers([strengths["a"]], [])), abs=1e-11
    )


def test_an_acyclic_graph_needs_no_search():
    evaluation = semantics("qe").evaluate(QBAF.build([("t", 0.5), ("p", 0.5)], supports=[("p", "t")]))
    assert (evaluation.method, evaluation.iterations, evaluation.residual) == ("one pass", 0, 0.0)


def test_removing_an_argument_can_break_the_cycle():
    gradual = semantics("df-quad")
    qbaf = QBAF.build([("t", 0.5), ("a", 0.8), ("b", 0.5)], [("a", "b"), ("b", "a")], [("a", "t")])
    left = gradual.without(gradual.evaluate(qbaf), qbaf.index("b"))
    assert left.by_name == pytest.approx({"t": 0.9, "a": 0.8, "b": 0.0})
    assert left.method == "one pass"


def test_the_methods_agree_where_all_of_them_converge():
    qbaf = QBAF.build([("t", 0.4), ("a", 0.6), ("b", 0.7)], [("a", "b"), ("b", "a"), ("t", "b")], [("a", "t")])
    for key in SEMANTICS:
        found = [semantics(key).evaluate(qbaf, method) for method in Method]
        assert all(evaluation.converged for evaluation in found)
        for evaluation in found:
            assert evaluation.strengths == pytest.approx(found[0].strengths, abs=1e-11)
            assert not math.isnan(evaluation.residual)
