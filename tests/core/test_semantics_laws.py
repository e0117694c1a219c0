"""What must hold for every semantics, and what each one claims, on generated graphs."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from core.qbaf import QBAF
from core.semantics import SEMANTICS, Method, Property
from tests.core.generated import (
    every_semantics,
    flat,
    flat_graphs,
    graphs,
    inner_scores,
    scores,
    topic_strength,
)

kappas = st.one_of(st.just(1.0), st.floats(1.0, 5.0))
some_scores = st.lists(scores, max_size=12)


def all_that(condition):
    """Run a test for the semantics that a condition holds for."""
    chosen = [family for family in SEMANTICS.values() if condition(family)]
    return pytest.mark.parametrize("semantics", chosen, ids=[family.key for family in chosen])


def all_that_claim(law):
    return all_that(lambda family: law in family.properties)


def conservative(semantics, kappa):
    return semantics(kappa if semantics.has_conservativeness else 1.0)


@every_semantics
@given(graph=graphs(), kappa=kappas)
def test_strengths_lie_in_the_unit_interval(semantics, graph, kappa):
    strengths = conservative(semantics, kappa).evaluate(graph.qbaf).strengths
    assert ((strengths >= 0.0) & (strengths <= 1.0)).all()


@every_semantics
@given(graph=graphs(acyclic=False, largest=6), method=st.sampled_from(Method))
def test_strengths_of_cyclic_graphs_lie_in_the_unit_interval_too(semantics, graph, method):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.semantics.fixed_point.LONGEST", 60)
        strengths = semantics().evaluate(graph.qbaf, method).strengths
    assert ((strengths >= 0.0) & (strengths <= 1.0)).all()


@all_that_claim(Property.STABILITY)
@given(graph=graphs())
def test_stability_an_argument_without_sources_keeps_its_base_score(semantics, graph):
    strengths = semantics().evaluate(graph.qbaf).by_name
    targets = {target for _, target in [*graph.attacks, *graph.supports]}
    for name, base in graph.arguments:
        if name not in targets:
            assert strengths[name] == base


@all_that_claim(Property.NEUTRALITY)
@given(graph=graphs(), data=st.data())
def test_neutrality_an_argument_of_strength_0_changes_nothing(semantics, graph, data):
    target = data.draw(st.sampled_from([name for name, _ in graph.arguments]))
    more = [("nobody", 0.0)]
    before = semantics().evaluate(graph.qbaf).strengths
    pro = type(graph)(graph.arguments + more, graph.attacks, [*graph.supports, ("nobody", target)])
    con = type(graph)(graph.arguments + more, [*graph.attacks, ("nobody", target)], graph.supports)
    assert np.array_equal(semantics().evaluate(pro.qbaf).strengths[:-1], before)
    assert np.array_equal(semantics().evaluate(con.qbaf).strengths[:-1], before)


@all_that_claim(Property.BALANCE)
@given(topic=scores, both=some_scores, kappa=kappas)
def test_balance_equal_pros_and_cons_cancel_out_exactly(semantics, topic, both, kappa):
    assert topic_strength(conservative(semantics, kappa), topic, both, both[::-1]) == topic


@all_that_claim(Property.MONOTONICITY)
@given(topic=scores, pros=some_scores, cons=some_scores, more=scores, data=st.data())
def test_monotonicity_a_stronger_pro_or_a_weaker_con_never_lowers_a_strength(semantics, topic, pros, cons, more, data):
    gradual = semantics()
    before = topic_strength(gradual, topic, pros, cons)
    assert topic_strength(gradual, topic, [*pros, more], cons) >= before - 1e-15
    assert topic_strength(gradual, topic, pros, [*cons, more]) <= before + 1e-15
    assert topic_strength(gradual, min(1.0, topic + more), pros, cons) >= before - 1e-15
    if pros:
        stronger = [max(pros[0], more), *pros[1:]]
        assert topic_strength(gradual, topic, stronger, cons) >= before - 1e-15
    if cons:
        stronger = [max(cons[0], more), *cons[1:]]
        assert topic_strength(gradual, topic, pros, stronger) <= before + 1e-15


@all_that_claim(Property.STRICTNESS)
@given(
    topic=st.floats(0.1, 0.9),
    pros=st.lists(scores, max_size=5),
    cons=st.lists(scores, max_size=5),
    low=st.floats(0, 0.9),
)
def test_strictness_a_stronger_pro_or_con_always_shows(semantics, topic, pros, cons, low):
    gradual, high = semantics(), low + 0.1
    # Energies within 0.001 of nothing move QE by less than floats show; strictness holds there, but not in floats.
    energy = gradual.aggregation.of_numbers([*pros, low], list(cons))
    assume(abs(energy) > 1e-3)
    assert topic_strength(gradual, topic, [*pros, high], cons) > topic_strength(gradual, topic, [*pros, low], cons)
    assert topic_strength(gradual, topic, cons, [*pros, high]) < topic_strength(gradual, topic, cons, [*pros, low])


@all_that_claim(Property.DUALITY)
@given(topic=scores, pros=some_scores, cons=some_scores, kappa=kappas)
def test_duality_swapping_sides_mirrors_the_strength(semantics, topic, pros, cons, kappa):
    gradual = conservative(semantics, kappa)
    mirrored = topic_strength(gradual, 1.0 - topic, cons, pros)
    assert 1.0 - topic_strength(gradual, topic, pros, cons) == pytest.approx(mirrored, abs=1e-12)


@all_that_claim(Property.OPEN_MINDEDNESS)
@given(topic=inner_scores, argument=st.floats(0.5, 1.0))
@settings(max_examples=5)
def test_open_mindedness_enough_arguments_convince(semantics, topic, argument):
    many, none = np.full((1, 10_000), argument), np.empty((1, 0))
    assert semantics().evaluate(QBAF.flat([topic], many, none)).strengths[0] > 0.999
    assert semantics().evaluate(QBAF.flat([topic], none, many)).strengths[0] < 0.001


def test_what_a_semantics_does_not_claim_it_does_not_have():
    euler = SEMANTICS["euler"]()
    assert 1.0 - topic_strength(euler, 0.5, [0.8]) != pytest.approx(topic_strength(euler, 0.5, cons=[0.8]), abs=0.01)
    assert topic_strength(SEMANTICS["euler-top"](), 0.5, [0.8, 0.3]) == topic_strength(
        SEMANTICS["euler-top"](), 0.5, [0.8]
    )
    assert topic_strength(SEMANTICS["df-quad"](), 0.5, [1.0, 0.3]) == topic_strength(SEMANTICS["df-quad"](), 0.5, [1.0])
    assert topic_strength(SEMANTICS["product-1max"](), 0.5, [1.0] * 1000) == 0.75


@all_that(lambda family: family.has_conservativeness)
@given(graph=flat_graphs(), kappa=st.floats(1.0, 10.0))
def test_conservativeness_pulls_towards_the_base_score(semantics, graph, kappa):
    base = graph.arguments[0][1]
    free = float(semantics().evaluate(graph.qbaf).strengths[0]) - base
    damped = float(semantics(kappa).evaluate(graph.qbaf).strengths[0]) - base
    assert abs(damped) <= abs(free) + 1e-15
    assert damped * free >= 0.0


@every_semantics
@given(topic=scores, pros=some_scores, cons=some_scores)
def test_only_the_strengths_count_not_the_names(semantics, topic, pros, cons):
    graph = flat(topic, pros, cons)
    renamed = {name: f"{name[::-1]}!" for name, _ in graph.arguments}
    other = type(graph)(
        [(renamed[name], score) for name, score in graph.arguments],
        [(renamed[s], renamed[t]) for s, t in graph.attacks],
        [(renamed[s], renamed[t]) for s, t in graph.supports],
    )
    assert np.array_equal(semantics().evaluate(graph.qbaf).strengths, semantics().evaluate(other.qbaf).strengths)
