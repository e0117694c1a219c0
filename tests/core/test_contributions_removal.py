from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.contestation import Edit, EditKind, contest
from core.contributions import removal
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
