from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.contestation import Edit, EditKind, contest
from core.contributions import NO_AUTHOR, Definition, by_agent, by_round, intrinsic_removal, removal
from core.debate import Debate, Round
from core.errors import InvalidSetting
from core.judges import ScoreAggregation, SemanticsJudge, Setting, StanceVariant
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.semantics import SEMANTICS
from tests.core.generated import profiles

SUPPORT, ATTACK = RelationKind.SUPPORT, RelationKind.ATTACK

PROFILE = OpinionProfile(
    "a claim",
    (Stance("A1", 0.4), Stance("A2", 0.6)),
    (
        Argument("pro", "text", "A1", 0.8),
        Argument("con", "text", "A2", 0.6),
        Argument("doubt", "text", "A1", 0.5),
        Argument("aside", "text", "A1", 0.9),
    ),
    (Relation("pro", TOPIC, SUPPORT), Relation("con", TOPIC, ATTACK), Relation("doubt", "pro", ATTACK)),
)

judges = st.builds(
    SemanticsJudge,
    semantics=st.sampled_from(list(SEMANTICS)),
    setting=st.sampled_from(Setting),
    variant=st.sampled_from(StanceVariant),
    missing_base_score=st.sampled_from([0.5, None]),
    aggregation=st.sampled_from(ScoreAggregation),
)


def test_removal_is_the_score_minus_the_score_without_the_argument():
    # pro 0.8 - 0.8 * 0.5 = 0.4; score 0.5 - 0.5 (0.6 - 0.4) = 0.4
    assert removal(SemanticsJudge(), PROFILE).amounts == pytest.approx(
        {
            "pro": 0.4 - 0.2,  # only the con is left: 0.5 - 0.5 * 0.6
            "con": 0.4 - 0.7,  # only the pro is left: 0.5 + 0.5 * 0.4
            "doubt": 0.4 - 0.6,  # the pro is back at 0.8
            "aside": 0.0,
        }
    )


def test_separate_contributions_are_shared_among_the_agents():
    # A1: 0.5 + 0.5 * 0.4 = 0.7; A2: 0.5 - 0.5 * 0.6 = 0.2; mean 0.45
    contributions = removal(SemanticsJudge(setting=Setting.SEPARATE), PROFILE).amounts
    assert contributions == pytest.approx({"pro": 0.1, "con": -0.15, "doubt": -0.1, "aside": 0.0})


def test_how_separate_scores_would_be_aggregated_does_not_matter_when_combined():
    majority = SemanticsJudge(aggregation=ScoreAggregation.MAJORITY)
    assert removal(majority, PROFILE) == removal(SemanticsJudge(), PROFILE)


@given(judge=judges, profile=profiles(most_arguments=7))
def test_removal_equals_judging_the_contested_profile(judge, profile):
    score = judge.judge(profile).score
    contributions = removal(judge, profile).amounts
    judged = {a.id for a in profile.arguments if a.base_score is not None or judge.missing_base_score is not None}
    assert set(contributions) == judged
    for name in judged:
        without = contest(profile, [Edit(EditKind.REMOVE_ARGUMENT, name)]).profile
        assert contributions[name] == score - judge.judge(without).score


@given(judge=judges, profile=profiles(acyclic=False, most_arguments=4))
@settings(max_examples=25)
def test_removal_does_so_in_cyclic_graphs_too(judge, profile):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.semantics.fixed_point.LONGEST", 300)
        score = judge.judge(profile).score
        contributions = removal(judge, profile).amounts
        if score is None:
            assert contributions == {}
        for name, contribution in contributions.items():
            without = contest(profile, [Edit(EditKind.REMOVE_ARGUMENT, name)]).profile
            assert contribution == pytest.approx(score - judge.judge(without).score, abs=1e-15)


def test_a_failure_message_contributes_nothing_and_is_not_listed():
    failed = Argument("oops", "Error 429", "A1", 1.0, is_error_text=True)
    profile = replace(
        PROFILE,
        arguments=(*PROFILE.arguments, failed),
        relations=(*PROFILE.relations, Relation("oops", TOPIC, ATTACK)),
    )
    assert removal(SemanticsJudge(), profile) == removal(SemanticsJudge(), PROFILE)


def test_without_a_score_there_are_no_contributions():
    creeping = OpinionProfile(
        "a claim",
        (),
        (Argument("x", "text", None, 1e-6),),
        (Relation("x", "x", SUPPORT), Relation("x", TOPIC, SUPPORT)),
    )
    assert removal(SemanticsJudge(), creeping).amounts == {}


def test_a_claim_without_arguments_has_no_contributions():
    assert removal(SemanticsJudge(), OpinionProfile("a claim")).amounts == {}


def test_intrinsic_removal_strips_the_argument_of_what_was_said_about_it_first():
    # without the doubt the pro is back at 0.8: score 0.5 + 0.5 (0.8 - 0.6) = 0.6
    assert intrinsic_removal(SemanticsJudge(), PROFILE).amounts == pytest.approx(
        {"pro": 0.6 - 0.2, "con": 0.4 - 0.7, "doubt": 0.4 - 0.6, "aside": 0.0}
    )


@given(judge=judges, profile=profiles(acyclic=False, most_arguments=5))
@settings(max_examples=60)
def test_intrinsic_removal_equals_removal_after_the_relations_to_the_argument_are_dropped(judge, profile):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.semantics.fixed_point.LONGEST", 300)
        found = intrinsic_removal(judge, profile).amounts
        for name, amount in found.items():
            stripped = replace(profile, relations=tuple(r for r in profile.relations if r.target != name))
            without = contest(profile, [Edit(EditKind.REMOVE_ARGUMENT, name)]).profile
            expected = judge.judge(stripped).score - judge.judge(without).score
            assert amount == pytest.approx(expected, abs=1e-15)


def test_the_conservativeness_is_carried_into_every_graph_that_is_judged_again():
    judge = SemanticsJudge(conservativeness=1.2)
    profile = OpinionProfile("a claim", (), (Argument("pro", "text", None, 0.8),), (Relation("pro", TOPIC, SUPPORT),))
    for contributions in (removal(judge, profile), intrinsic_removal(judge, profile)):
        assert contributions.amounts == pytest.approx({"pro": 0.5 * 0.8 / 1.2})


def test_a_group_is_taken_out_as_one_player():
    twins = OpinionProfile(
        "a claim",
        (Stance("A1", 0.5),),
        (Argument("p", "text", "A1", 1.0), Argument("q", "text", "A1", 1.0), Argument("c", "text", None, 0.5)),
        (Relation("p", TOPIC, SUPPORT), Relation("q", TOPIC, SUPPORT), Relation("c", TOPIC, ATTACK)),
    )
    # either pro alone hides the other: 0.5 + 0.5 (1 - 0.5) = 0.75 with one or both, 0.5 - 0.5 * 0.5 without
    assert removal(SemanticsJudge(), twins).amounts == {"p": 0.0, "q": 0.0, "c": 0.75 - 1.0}
    assert removal(SemanticsJudge(), twins, by_agent(twins)).amounts == {"A1": 0.5, NO_AUTHOR: -0.25}


@given(judge=judges, profile=profiles(most_arguments=7))
def test_groups_of_one_argument_contribute_what_the_arguments_do(judge, profile):
    alone = removal(judge, profile).amounts
    assert removal(judge, profile, {name: frozenset([name]) for name in alone}).amounts == alone


def test_arguments_are_grouped_by_the_round_that_first_had_them():
    def step(number, *names):
        return Round(number, arguments=tuple(Argument(name, "text", "A1", 0.5) for name in names))

    debate = Debate("d", "a claim", rounds=(step(0, "a", "b"), step(1, "b", "c"), step(2, "b", "c", "d")))
    contested = OpinionProfile(
        "a claim", arguments=tuple(Argument(name, "text", "A1", 0.5) for name in ("b", "c", "d", "new1"))
    )
    assert by_round(debate, contested) == {
        "round 0": frozenset(["b"]),
        "round 1": frozenset(["c"]),
        "round 2": frozenset(["d"]),
        "added": frozenset(["new1"]),
    }


def test_an_argument_in_two_groups_is_refused():
    with pytest.raises(InvalidSetting, match="'pro' is in the groups 'one' and 'two'"):
        removal(SemanticsJudge(), PROFILE, {"one": frozenset(["pro"]), "two": frozenset(["pro"])})


def test_what_has_no_number_is_said():
    creeping = OpinionProfile(
        "a claim",
        (),
        (Argument("x", "text", None, 1e-6), Argument("stop", "text", None, 1.0)),
        (Relation("x", "x", SUPPORT), Relation("x", TOPIC, SUPPORT), Relation("stop", "x", ATTACK)),
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.semantics.fixed_point.LONGEST", 300)
        found = removal(SemanticsJudge(), creeping)
        groups = removal(SemanticsJudge(), creeping, {"stopper": frozenset(["stop"])})
    assert set(found.amounts) == {"x"}
    assert found.notes == ("'stop' has no number: without it no fixed point was found.",)
    assert groups.amounts == {}
    assert groups.notes == ("'stopper' has no number: without it no fixed point was found.",)


@pytest.mark.parametrize("definition", Definition)
def test_every_definition_says_in_a_sentence_what_it_means(definition):
    assert definition.label[0].isupper()
    assert definition.meaning.endswith(".")
