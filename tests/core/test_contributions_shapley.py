import itertools
import math
import random as python_random
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.contributions import NO_AUTHOR, by_agent, every_coalition, sampled_orders, shapley
from core.contributions import closed_form as closed_form_module
from core.contributions.closed_form import closed_form, product_shapley
from core.contributions.every_coalition import from_every_coalition
from core.contributions.game import games
from core.contributions.shapley import TOO_MANY, UNKNOWN
from core.judges import ScoreAggregation, SemanticsJudge, Setting, StanceVariant
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.semantics import SEMANTICS
from tests.core.generated import profiles, scores

SUPPORT, ATTACK = RelationKind.SUPPORT, RelationKind.ATTACK

judges = st.builds(
    SemanticsJudge,
    semantics=st.sampled_from(list(SEMANTICS)),
    setting=st.sampled_from(Setting),
    variant=st.sampled_from(StanceVariant),
    missing_base_score=st.sampled_from([0.5, None]),
    aggregation=st.sampled_from(ScoreAggregation),
)
every_semantics = pytest.mark.parametrize("semantics", SEMANTICS)


def without(profile, names):
    return replace(
        profile,
        arguments=tuple(a for a in profile.arguments if a.id not in names),
        relations=tuple(r for r in profile.relations if r.source not in names and r.target not in names),
    )


def by_definition(judge, profile, players):
    """Return the mean of what each player adds over all orders, judging every coalition's profile anew.

    None where a coalition has no score.
    """
    everybody = frozenset().union(*players.values())

    def value(present):
        there = frozenset().union(*(players[player] for player in present))
        return judge.judge(without(profile, everybody - there)).score

    values = {present: value(present) for size in range(len(players) + 1) for present in subsets(players, size)}
    if None in values.values():
        return None
    shares = dict.fromkeys(players, 0.0)
    for order in itertools.permutations(players):
        for place, player in enumerate(order):
            shares[player] += values[frozenset(order[: place + 1])] - values[frozenset(order[:place])]
    return {player: share / math.factorial(len(players)) for player, share in shares.items()}


def subsets(players, size):
    return map(frozenset, itertools.combinations(players, size))


def way(found):
    """Return how far it is from the score without players to the score."""
    return found.score - found.start


def flat(topic, pros=(), cons=()):
    arguments = [Argument(f"p{i}", "text", None, s) for i, s in enumerate(pros)]
    arguments += [Argument(f"c{i}", "text", None, s) for i, s in enumerate(cons)]
    relations = [Relation(a.id, TOPIC, SUPPORT if a.id.startswith("p") else ATTACK) for a in arguments]
    return OpinionProfile("a claim", (), tuple(arguments), tuple(relations), topic_base_score=topic)


def layered(size, seed, attack_share=0.5):
    """Return a profile in which some arguments bear on the topic and the others on earlier arguments."""
    random = np.random.default_rng(seed)
    arguments = tuple(Argument(f"a{i:02}", "text", None, float(random.random())) for i in range(size))
    relations = tuple(
        Relation(
            f"a{i:02}",
            TOPIC if i < 4 else f"a{random.integers(0, i):02}",
            ATTACK if random.random() < attack_share else SUPPORT,
        )
        for i in range(size)
    )
    return OpinionProfile("a claim", (), arguments, relations)


def shuffled(profile, seed):
    random = python_random.Random(seed)
    return replace(
        profile,
        stances=tuple(random.sample(profile.stances, len(profile.stances))),
        arguments=tuple(random.sample(profile.arguments, len(profile.arguments))),
        relations=tuple(random.sample(profile.relations, len(profile.relations))),
    )


def test_two_pros_share_what_they_say_twice():
    # DF-QuAD from 0.5: alone 0.25 and 0.4, together 0.5 (1 - 0.5 * 0.2) = 0.45, so p0: (0.25 + 0.05) / 2
    found = shapley(SemanticsJudge(), flat(0.5, [0.5, 0.8]))
    assert found.amounts == pytest.approx({"p0": 0.15, "p1": 0.3})
    assert found.start == 0.5
    assert found.score == pytest.approx(0.95)
    assert found.exact


@settings(max_examples=60)
@given(judge=judges, profile=profiles(most_arguments=5))
def test_shapley_values_are_means_over_all_orders(judge, profile):
    found = shapley(judge, profile)
    judged = {a.id for a in profile.arguments if a.base_score is not None or judge.missing_base_score is not None}
    expected = by_definition(judge, profile, {name: frozenset([name]) for name in judged})
    assert found.amounts == pytest.approx(expected, abs=1e-12)


@settings(max_examples=60)
@given(judge=judges, profile=profiles(most_arguments=7))
def test_groups_are_single_players(judge, profile):
    groups = by_agent(profile)
    found = shapley(judge, profile, groups)
    assert found.amounts == pytest.approx(by_definition(judge, profile, groups), abs=1e-12)


@given(judge=judges, profile=profiles(most_arguments=6))
def test_who_is_in_no_group_is_always_there(judge, profile):
    groups = {"first": frozenset(a.id for a in profile.arguments[:2]), "third": frozenset(["x2"])}
    found = shapley(judge, profile, groups)
    assert found.amounts == pytest.approx(by_definition(judge, profile, groups), abs=1e-12)


@given(judge=judges, profile=profiles(most_arguments=10))
def test_shares_sum_up_to_the_way_from_the_start_to_the_score(judge, profile):
    found = shapley(judge, profile)
    assert math.fsum(found.amounts.values()) == pytest.approx(way(found), abs=1e-12)
    assert found.score == judge.judge(profile).score
    assert found.start == pytest.approx(judge.judge(replace(profile, arguments=(), relations=())).score, abs=1e-12)


@given(judge=judges, profile=profiles(most_arguments=8), seed=st.integers(0, 2**32))
def test_the_order_of_the_profile_does_not_change_the_last_bit(judge, profile, seed):
    assert shapley(judge, profile) == shapley(judge, shuffled(profile, seed))


@every_semantics
@given(base=scores, others=st.lists(scores, max_size=4))
def test_arguments_in_the_same_place_get_the_same(semantics, base, others):
    found = shapley(SemanticsJudge(semantics), flat(0.4, [base, *others, base], [0.5])).amounts
    assert found["p0"] == pytest.approx(found[f"p{len(others) + 1}"], abs=1e-15)


@given(judge=judges, profile=profiles(most_arguments=7))
def test_who_changes_nothing_gets_nothing(judge, profile):
    target = profile.arguments[0].id if profile.arguments else TOPIC
    idle = (Argument("zero", "text", None, 0.0), Argument("alone", "text", None, 0.9))
    with_idle = replace(
        profile,
        arguments=(*profile.arguments, *idle),
        relations=(*profile.relations, Relation("zero", target, ATTACK), Relation("zero", TOPIC, SUPPORT)),
    )
    found = shapley(judge, with_idle).amounts
    assert found["zero"] == 0.0
    assert found["alone"] == 0.0


def test_the_conservativeness_is_carried_into_every_coalition():
    found = shapley(SemanticsJudge("qe", conservativeness=1.2), flat(0.4, [0.8]))
    share = (0.8 / 1.2) ** 2 / (1 + (0.8 / 1.2) ** 2)
    assert found.amounts == pytest.approx({"p0": 0.6 * share})


@pytest.mark.parametrize("semantics", ["df-quad", "squared-product-linear"])
@given(
    topic=st.sampled_from([0.5, 0.3, 1.0]),
    pros=st.lists(scores, max_size=6),
    cons=st.lists(scores, max_size=6),
    kappa=st.sampled_from([1.0, 1.2]),
    groups=st.booleans(),
)
def test_the_closed_form_gives_what_every_coalition_gives(semantics, topic, pros, cons, kappa, groups):
    judge = SemanticsJudge(semantics, kappa)
    profile = flat(topic, pros, cons)
    players = {a.id: a.id for a in profile.arguments if not groups or a.id != "p1"}
    if groups:
        players |= {name: "both" for name in ("p0", "c0") if name in players}
    (game,) = games(judge, judge.qbafs(profile), players)
    closed = closed_form(game)
    assert (closed is None) == (topic != 0.5 and bool(pros) and bool(cons))
    if closed is not None:
        listed = from_every_coalition(game)
        assert listed is not None
        assert closed.amounts == pytest.approx(listed.amounts, abs=1e-14)
        assert closed.start == pytest.approx(listed.start, abs=1e-14)


def test_a_flat_debate_of_hundreds_of_arguments_is_still_exact():
    random = np.random.default_rng(3)
    profile = flat(0.5, random.random(300) / 100, random.random(300) / 100)
    found = shapley(SemanticsJudge(), profile)
    assert found.method == closed_form_module.METHOD
    assert math.fsum(found.amounts.values()) == pytest.approx(way(found), abs=1e-13)


@pytest.mark.parametrize("players", [1, 2, 7, 400, 1000])
def test_equal_factors_of_a_product_share_equally(players):
    factor = 0.25 ** (1 / players)
    assert product_shapley(np.full(players, factor)) == pytest.approx(np.full(players, -0.75 / players), abs=1e-14)


def test_20_arguments_are_exact_and_more_are_sampled():
    judge = SemanticsJudge("qe")
    assert shapley(judge, layered(20, 1)).method == every_coalition.METHOD
    found = shapley(judge, layered(30, 1), orders=100)
    assert found.method == "100 sampled orders"
    assert found.orders == 100
    assert set(found.standard_errors) == set(found.amounts)


@every_semantics
@pytest.mark.parametrize("shape", ["flat", "layered"])
def test_sampled_values_are_right_within_their_standard_errors(semantics, shape):
    random = np.random.default_rng(11)
    profile = flat(0.3, random.random(7), random.random(5)) if shape == "flat" else layered(12, 4)
    judge = SemanticsJudge(semantics)
    exact = shapley(judge, profile)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(every_coalition, "MOST_PLAYERS", 3)
        found = shapley(judge, profile, seed=5, orders=1000)
    assert found.orders == 1000
    assert math.fsum(found.amounts.values()) == pytest.approx(way(found), abs=1e-12)
    for player, amount in exact.amounts.items():
        error = found.standard_errors[player]
        assert error < 0.02
        assert abs(found.amounts[player] - amount) <= 5 * error + 1e-12


def test_the_same_seed_samples_the_same_orders_whatever_the_order_of_the_profile():
    profile = layered(26, 2)
    judge = SemanticsJudge()
    one = shapley(judge, profile, seed=1, orders=50)
    assert one == shapley(judge, shuffled(profile, 9), seed=1, orders=50)
    assert one.amounts != shapley(judge, profile, seed=2, orders=50).amounts


def test_sampling_in_small_portions_gives_the_same():
    profile = layered(26, 2)
    whole = shapley(SemanticsJudge(), profile, orders=40)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sampled_orders, "CHUNK_CELLS", 5000)
        assert shapley(SemanticsJudge(), profile, orders=40) == whole


def test_agents_sum_up_to_the_score_as_players_but_not_as_sums_of_their_arguments():
    profile = OpinionProfile(
        "a claim",
        (Stance("A1", 0.5),),
        (Argument("p", "text", "A1", 1.0), Argument("q", "text", "A1", 1.0), Argument("c", "text", None, 0.5)),
        (Relation("p", TOPIC, SUPPORT), Relation("q", TOPIC, SUPPORT), Relation("c", TOPIC, ATTACK)),
    )
    # A1 raises by 0.5 whether the con is there or not
    assert shapley(SemanticsJudge(), profile, by_agent(profile)).amounts == pytest.approx({"A1": 0.5, NO_AUTHOR: -0.25})


@settings(max_examples=30)
@given(profile=profiles(acyclic=False, most_arguments=4), semantics=st.sampled_from(list(SEMANTICS)))
def test_in_cyclic_graphs_every_coalition_has_its_own_fixed_point(profile, semantics):
    judge = SemanticsJudge(semantics)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.semantics.fixed_point.LONGEST", 300)
        patch.setattr("core.contributions.coalitions.LONGEST", 300)
        found = shapley(judge, profile)
        expected = by_definition(judge, profile, {a.id: frozenset([a.id]) for a in profile.arguments})
    if found.amounts and expected:
        assert found.amounts == pytest.approx(expected, abs=1e-9)
    elif profile.arguments:
        assert found.notes or expected is None


def test_a_cycle_too_large_for_every_coalition_is_sampled():
    profile = layered(14, 3)
    loop = replace(
        profile, relations=(*profile.relations, Relation("a00", "a13", SUPPORT), Relation("a13", "a00", ATTACK))
    )
    found = shapley(SemanticsJudge("qe"), loop, orders=20)
    assert found.orders == 20
    assert math.fsum(found.amounts.values()) == pytest.approx(way(found), abs=1e-9)


def test_a_coalition_without_a_fixed_point_is_said():
    creeping = OpinionProfile(
        "a claim",
        (),
        (Argument("x", "text", None, 1e-6), Argument("stop", "text", None, 1.0)),
        (Relation("x", "x", SUPPORT), Relation("x", TOPIC, SUPPORT), Relation("stop", "x", ATTACK)),
    )
    found = shapley(SemanticsJudge(), creeping)
    assert (found.amounts, found.notes) == ({}, (UNKNOWN,))


def test_what_would_take_too_long_is_said():
    found = shapley(SemanticsJudge("qe"), layered(1500, 1))
    assert (found.amounts, found.notes) == ({}, (TOO_MANY.format(players=1500),))
    wide = flat(0.3, np.random.default_rng(1).random(1500))
    assert shapley(SemanticsJudge("qe"), wide).orders > 0  # one running sum for each order


def test_a_claim_without_arguments_has_no_shares():
    found = shapley(SemanticsJudge(), OpinionProfile("a claim", topic_base_score=0.3))
    assert (found.amounts, found.score, found.start) == ({}, 0.3, 0.3)
