"""The same to the last bit: whatever the order, one debate or many, in one go or bit by bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import levels
from core.qbaf import QBAF
from core.semantics import SEMANTICS
from tests.core.generated import every_semantics, graphs, scores, topic_strength


def permuted(graph, random):
    """Return the same graph with arguments and relations in another order."""
    arguments, attacks, supports = list(graph.arguments), list(graph.attacks), list(graph.supports)
    for part in (arguments, attacks, supports):
        random.shuffle(part)
    return type(graph)(arguments, attacks, supports)


@every_semantics
@given(graph=graphs(), random=st.randoms(use_true_random=False))
def test_the_order_of_arguments_and_relations_does_not_matter(semantics, graph, random):
    gradual = semantics()
    assert gradual.evaluate(graph.qbaf).by_name == gradual.evaluate(permuted(graph, random).qbaf).by_name


@every_semantics
@given(graph=graphs(acyclic=False, largest=5), random=st.randoms(use_true_random=False))
def test_nor_does_it_in_cyclic_graphs(semantics, graph, random):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.semantics.fixed_point.LONGEST", 200)
        one = semantics().evaluate(graph.qbaf)
        two = semantics().evaluate(permuted(graph, random).qbaf)
    assert one.by_name == two.by_name
    assert (one.status, one.iterations, one.residual) == (two.status, two.iterations, two.residual)


@every_semantics
@given(
    pros=st.lists(scores, min_size=50, max_size=300),
    cons=st.lists(scores, min_size=7, max_size=20),
    random=st.randoms(use_true_random=False),
)
@settings(max_examples=20)
def test_nor_does_it_among_hundreds_of_pros(semantics, pros, cons, random):
    gradual = semantics()
    found = set()
    for _ in range(4):
        random.shuffle(pros)
        random.shuffle(cons)
        found.add(float(gradual.evaluate(QBAF.flat([0.37], [pros], [cons])).strengths[0]))
    assert len(found) == 1


@every_semantics
@given(graph=graphs(largest=14), narrow=st.sampled_from([0, 1, 2, 3]))
def test_wide_and_narrow_levels_are_judged_alike(semantics, graph, narrow):
    gradual = semantics()
    one_by_one = gradual.evaluate(graph.qbaf).by_name
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "NARROW_WIDTH", narrow)
        assert gradual.evaluate(graph.qbaf).by_name == one_by_one


@every_semantics
def test_a_wide_level_with_many_sources_is_judged_as_each_of_its_arguments_alone(semantics):
    gradual = semantics()
    random = np.random.default_rng(9)
    sources, targets = [f"s{i}" for i in range(40)], [f"t{i}" for i in range(60)]
    base = {name: float(random.random()) for name in [*sources, *targets]}
    kinds = random.integers(0, 3, (40, 60))
    attacks, supports = (
        [
            (source, target)
            for i, source in enumerate(sources)
            for j, target in enumerate(targets)
            if kinds[i, j] == kind
        ]
        for kind in (1, 2)
    )
    together = gradual.evaluate(QBAF.build([*base.items()], attacks, supports)).by_name
    for target in targets:
        cons = [base[s] for s, t in attacks if t == target]
        pros = [base[s] for s, t in supports if t == target]
        assert topic_strength(gradual, base[target], pros, cons) == together[target]


@every_semantics
def test_a_topic_with_a_thousand_pros_is_judged_alike_by_name_and_from_arrays(semantics):
    gradual = semantics()
    pros = np.random.default_rng(10).random(1000) * 0.01
    named = topic_strength(gradual, 0.4, pros.tolist(), [0.9])
    assert gradual.evaluate(QBAF.flat([0.4], [pros], [[0.9]])).strengths[0] == named
    # One argument at a time, with plain numbers.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(levels, "NARROW_RELATIONS", 10_000)
        assert topic_strength(gradual, 0.4, pros[::-1].tolist(), [0.9]) == named


@every_semantics
@given(members=st.lists(graphs(), max_size=40))
@settings(max_examples=30)
def test_a_forest_gives_every_member_what_it_gets_alone(semantics, members):
    gradual = semantics()
    qbafs = [graph.qbaf for graph in members]
    forest = QBAF.forest(qbafs)
    together = forest.split(gradual.evaluate(forest).strengths)
    assert all(
        np.array_equal(gradual.evaluate(qbaf).strengths, strengths)
        for qbaf, strengths in zip(qbafs, together, strict=bool(qbafs))
    )


@every_semantics
@pytest.mark.parametrize(("pros", "cons"), [(3, 3), (0, 2), (1, 0), (0, 0), (2, 5), (8, 9), (12, 1)])
def test_flat_debates_from_arrays_get_what_each_gets_alone(semantics, pros, cons):
    gradual = semantics()
    random = np.random.default_rng(7)
    topics, pro, con = (random.random(shape) for shape in ((300,), (300, pros), (300, cons)))
    together = gradual.evaluate(QBAF.flat(topics, pro, con)).strengths[:300]
    alone = [
        float(gradual.evaluate(QBAF.flat(topics[i : i + 1], pro[i : i + 1], con[i : i + 1])).strengths[0])
        for i in range(300)
    ]
    assert together.tolist() == alone
    named = QBAF.build(
        [("t", topics[5]), *((f"p{j}", pro[5, j]) for j in range(pros)), *((f"c{j}", con[5, j]) for j in range(cons))],
        [(f"c{j}", "t") for j in range(cons)],
        [(f"p{j}", "t") for j in range(pros)],
    )
    assert gradual.evaluate(named).strengths[0] == alone[5]


def test_more_debates_than_fit_in_one_block_are_all_judged():
    size = 2 * levels.BLOCK + 3
    random = np.random.default_rng(8)
    topics, pros, cons = random.random(size), random.random((size, 2)), random.random((size, 1))
    strengths = SEMANTICS["df-quad"]().evaluate(QBAF.flat(topics, pros, cons)).strengths[:size]
    energies = (1 - cons[:, 0]) - (1 - pros[:, 0]) * (1 - pros[:, 1])
    expected = np.where(energies > 0, topics + (1 - topics) * energies, topics + topics * energies)
    assert strengths == pytest.approx(expected, abs=1e-15)


def test_flat_debates_and_built_ones_may_share_a_forest():
    gradual = SEMANTICS["qe"]()
    flat = QBAF.flat([0.5, 0.3], [[0.2], [0.9]], [[0.7], [0.1]])
    built = QBAF.build([("t", 0.5), ("p", 0.8)], supports=[("p", "t")])
    forest = QBAF.forest([built, flat])
    one, two = forest.split(gradual.evaluate(forest).strengths)
    assert np.array_equal(one, gradual.evaluate(built).strengths)
    assert np.array_equal(two, gradual.evaluate(flat).strengths)


@every_semantics
@given(graph=graphs(largest=14), data=st.data())
def test_an_updated_evaluation_equals_a_new_one(semantics, graph, data):
    gradual = semantics()
    evaluation = gradual.evaluate(graph.qbaf)
    for _ in range(3):
        index = data.draw(st.integers(0, len(graph.arguments) - 1))
        evaluation = gradual.update(evaluation, index, data.draw(scores))
        assert np.array_equal(evaluation.strengths, gradual.evaluate(evaluation.qbaf).strengths)


def test_updating_a_cyclic_graph_starts_again_from_the_base_scores():
    gradual = SEMANTICS["df-quad"]()
    qbaf = QBAF.build([("a", 0.9), ("b", 0.6)], [("a", "b"), ("b", "a")])
    before = gradual.evaluate(qbaf)
    there = gradual.update(before, 0, 0.1)
    back = gradual.update(there, 0, 0.9)
    assert not np.array_equal(before.strengths, there.strengths)
    assert np.array_equal(before.strengths, back.strengths)


@every_semantics
@given(graph=graphs(), data=st.data())
def test_without_an_argument_the_rest_is_as_if_it_had_never_been(semantics, graph, data):
    gradual = semantics()
    gone = data.draw(st.sampled_from(graph.arguments))
    left = type(graph)(
        [argument for argument in graph.arguments if argument != gone],
        [pair for pair in graph.attacks if gone[0] not in pair],
        [pair for pair in graph.supports if gone[0] not in pair],
    )
    evaluation = gradual.evaluate(graph.qbaf)
    found = gradual.without(evaluation, graph.qbaf.index(gone[0])).by_name
    assert found.pop(gone[0]) == 0.0
    assert found == gradual.evaluate(left.qbaf).by_name
