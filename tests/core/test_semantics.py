"""Each semantics on small debates worked out by hand, and the choices around them."""

import math

import pytest

from core.errors import InvalidSetting
from core.qbaf import QBAF
from core.semantics import SEMANTICS, EvaluationStatus, semantics
from tests.core.generated import every_semantics, topic_strength

E_HALF = math.exp(0.5)

# topic 0.4, pros 0.5 and 0.8, con 0.6
#   product: (1 - 0.6) - (1 - 0.5)(1 - 0.8) = 0.4 - 0.1 = 0.3      sum: 1.3 - 0.6 = 0.7      top: 0.8 - 0.6 = 0.2
#   squared product: 0.16 - 0.25 * 0.04 = 0.15                      squared sum: 0.25 + 0.64 - 0.36 = 0.53
UP = {
    "df-quad": 0.4 + 0.6 * 0.3,
    "qe": 0.4 + 0.6 * 0.49 / 1.49,
    "euler": 1 - 0.84 / (1 + 0.4 * math.exp(0.7)),
    "mlp": 1 / (1 + math.exp(-(math.log(0.4 / 0.6) + 0.7))),
    "euler-top": 1 - 0.84 / (1 + 0.4 * math.exp(0.2)),
    "product-1max": 0.4 + 0.6 * 0.3 / 1.3,
    "squared-product-linear": 0.4 + 0.6 * 0.15,
    "squared-sum-1max": 0.4 + 0.6 * 0.53 / 1.53,
}
# topic 0.4, cons 0.5 and 0.8, pro 0.6: the same energies with the other sign
DOWN = {
    "df-quad": 0.4 - 0.4 * 0.3,
    "qe": 0.4 - 0.4 * 0.49 / 1.49,
    "euler": 1 - 0.84 / (1 + 0.4 * math.exp(-0.7)),
    "mlp": 1 / (1 + math.exp(-(math.log(0.4 / 0.6) - 0.7))),
    "euler-top": 1 - 0.84 / (1 + 0.4 * math.exp(-0.2)),
    "product-1max": 0.4 - 0.4 * 0.3 / 1.3,
    "squared-product-linear": 0.4 - 0.4 * 0.15,
    "squared-sum-1max": 0.4 - 0.4 * 0.53 / 1.53,
}
# the first debate again, with conservativeness 1.25
DAMPED = {
    "df-quad": 0.4 + 0.6 * 0.3 / 1.25,
    "qe": 0.4 + 0.6 * 0.56**2 / (1 + 0.56**2),  # 0.7 / 1.25 = 0.56
    "product-1max": 0.4 + 0.6 * 0.24 / 1.24,  # 0.3 / 1.25 = 0.24
    "squared-product-linear": 0.4 + 0.6 * 0.15 / 1.25,
    "squared-sum-1max": 0.4 + 0.6 * 0.424 / 1.424,  # 0.53 / 1.25 = 0.424
}


@pytest.mark.parametrize(("key", "expected"), UP.items())
def test_pros_that_outweigh_a_con_raise_the_topic(key, expected):
    assert topic_strength(semantics(key), 0.4, [0.5, 0.8], [0.6]) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(("key", "expected"), DOWN.items())
def test_cons_that_outweigh_a_pro_lower_the_topic(key, expected):
    assert topic_strength(semantics(key), 0.4, [0.6], [0.5, 0.8]) == pytest.approx(expected, abs=1e-15)


@pytest.mark.parametrize(("key", "expected"), DAMPED.items())
def test_conservativeness_divides_the_energy(key, expected):
    assert topic_strength(semantics(key, 1.25), 0.4, [0.5, 0.8], [0.6]) == pytest.approx(expected, abs=1e-15)


def test_a_con_of_a_pro_works_through_the_pro():
    qbaf = QBAF.build([("t", 0.5), ("p", 0.8), ("c", 0.5)], attacks=[("c", "p")], supports=[("p", "t")])
    strengths = semantics("df-quad").evaluate(qbaf).by_name
    assert strengths == pytest.approx({"c": 0.5, "p": 0.4, "t": 0.7})  # 0.8 - 0.8 * 0.5; 0.5 + 0.5 * 0.4


def test_an_argument_that_supports_and_attacks_the_same_target_cancels_itself_out():
    qbaf = QBAF.build([("t", 0.3), ("x", 0.9)], [("x", "t")], [("x", "t")])
    assert semantics("df-quad").evaluate(qbaf).by_name["t"] == 0.3


def test_with_another_topic_than_a_half_conservativeness_can_flip_a_verdict():
    strengths = [topic_strength(semantics("df-quad", k), 0.4, [0.5], [0.32]) for k in (1.0, 1.1, 1.2)]
    assert strengths == pytest.approx([0.508, 0.4 + 0.108 / 1.1, 0.49])


def test_euler_based_strengths_never_fall_below_the_base_score_squared():
    assert topic_strength(semantics("euler"), 0.6, cons=[1.0] * 2000) == pytest.approx(0.36)


def test_one_pro_and_one_con_of_1_hide_everything_else_under_df_quad_but_not_under_qe():
    assert topic_strength(semantics("df-quad"), 0.5, [1.0, 0.2], [1.0, 0.9]) == 0.5
    assert topic_strength(semantics("qe"), 0.5, [1.0, 0.2], [1.0, 0.9]) == pytest.approx(0.5 - 0.5 * 0.49 / 1.49)


@pytest.mark.parametrize("base", [0.0, 1.0])
@pytest.mark.parametrize("key", ["mlp", "euler", "euler-top"])
def test_base_scores_0_and_1_are_fixed_points(key, base):
    assert topic_strength(semantics(key), base, [1.0, 0.7]) == base
    assert topic_strength(semantics(key), base, cons=[1.0, 0.7]) == base


@every_semantics
def test_thousands_of_full_strength_arguments_do_not_overflow(semantics):
    for base in (0.0, 1e-9, 0.5, 1.0 - 1e-9, 1.0):
        up = topic_strength(semantics(), base, pros=[1.0] * 5000)
        down = topic_strength(semantics(), base, cons=[1.0] * 5000)
        assert 0.0 <= down <= base <= up <= 1.0


@every_semantics
def test_an_empty_graph_has_no_strengths(semantics):
    evaluation = semantics().evaluate(QBAF.build([]))
    assert evaluation.by_name == {}
    assert evaluation.status is EvaluationStatus.OK


@every_semantics
@pytest.mark.parametrize("conservativeness", [0.99, 0.0, -1.0, float("nan"), float("inf"), True, "1"])
def test_a_conservativeness_below_1_is_refused(semantics, conservativeness):
    with pytest.raises(InvalidSetting, match="at least 1"):
        semantics(conservativeness)


@every_semantics
def test_a_semantics_without_conservativeness_refuses_one_other_than_1(semantics):
    if semantics.has_conservativeness:
        assert semantics(1.5).conservativeness == 1.5
    else:
        with pytest.raises(InvalidSetting, match=f"{semantics.label} has no conservativeness"):
            semantics(1.5)


def test_an_unknown_semantics_is_refused_with_the_known_ones():
    with pytest.raises(InvalidSetting, match=r"'df-quad2'.*df-quad, qe, euler, mlp"):
        semantics("df-quad2")


def test_the_registry_has_the_published_names():
    assert {key: family.label for key, family in SEMANTICS.items()} == {
        "df-quad": "DF-QuAD",
        "qe": "Quadratic energy",
        "euler": "Euler-based",
        "mlp": "MLP-based",
        "euler-top": "Euler-based, top aggregation",
        "product-1max": "Product + 1-Max",
        "squared-product-linear": "Squared product + linear",
        "squared-sum-1max": "Squared sum + 1-Max",
    }


@every_semantics
def test_every_semantics_says_what_it_does(semantics):
    assert semantics.description.endswith(".")
    assert semantics.formula.startswith("E = ")
    assert ("κ" in semantics.formula) is semantics.has_conservativeness
    assert semantics() == semantics(1)
    assert semantics().label == semantics.label


@every_semantics
def test_strengths_are_read_only(semantics):
    evaluation = semantics().evaluate(QBAF.build([("t", 0.5)]))
    with pytest.raises(ValueError, match="read-only"):
        evaluation.strengths[0] = 0.6


@every_semantics
def test_a_chain_of_100_000_arguments_is_judged_without_recursion(semantics):
    size = 100_000
    arguments = [(f"a{i}", 0.25 + (i % 3) / 4) for i in range(size)]
    attacks = [(f"a{i}", f"a{i - 1}") for i in range(1, size)]
    gradual = semantics()
    strengths = gradual.evaluate(QBAF.build(arguments, attacks)).strengths
    assert strengths[-1] == arguments[-1][1]
    for i in (0, 1, size // 2, size - 2):
        expected = topic_strength(gradual, arguments[i][1], cons=[strengths[i + 1]])
        assert strengths[i] == expected


def test_3_000_attackers_in_a_row_alternate_between_beaten_and_standing():
    size = 3000
    qbaf = QBAF.build([(f"a{i}", 1.0) for i in range(size)], [(f"a{i}", f"a{i - 1}") for i in range(1, size)])
    strengths = semantics("df-quad").evaluate(qbaf).strengths
    assert strengths.tolist() == [0.0, 1.0] * (size // 2)  # the last one stands, so the one before falls, and so on
