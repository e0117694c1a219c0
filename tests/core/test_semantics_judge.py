import json
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.contestation import Edit, EditKind, contest
from core.errors import InvalidSetting
from core.judgement import DecisionRule, JudgementStatus, Verdict
from core.judges import MajorityVote, MeanStance, ScoreAggregation, SemanticsJudge, Setting, StanceVariant
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.semantics import SEMANTICS
from tests.core.generated import inner_scores, profiles, scores

SUPPORT, ATTACK = RelationKind.SUPPORT, RelationKind.ATTACK
SEPARATE, COMBINED = Setting.SEPARATE, Setting.COMBINED
NONE, PRIOR, POSTERIOR = StanceVariant.NONE, StanceVariant.PRIOR, StanceVariant.POSTERIOR

judges = st.builds(
    SemanticsJudge,
    semantics=st.sampled_from(list(SEMANTICS)),
    setting=st.sampled_from(Setting),
    variant=st.sampled_from(StanceVariant),
    missing_base_score=st.sampled_from([0.5, 0.3, None]),
    aggregation=st.sampled_from(ScoreAggregation),
)


def single_turn(*agents, shared=False):
    """Return a profile of agents given as (prior, pro, con); each bears on the topic directly."""
    stances, arguments, relations = [], [], []
    for number, (prior, pro, con) in enumerate(agents, start=1):
        name = f"A{number}"
        stances.append(Stance(name, prior))
        for what, score, kind in (("pro", pro, SUPPORT), ("con", con, ATTACK)):
            if score is not None:
                arguments.append(Argument(f"{name}-{what}", f"a {what}", name, score))
                relations.append(Relation(f"{name}-{what}", TOPIC, kind))
    return OpinionProfile("a claim", tuple(stances), tuple(arguments), tuple(relations), shared)


TWO = single_turn((0.4, 0.8, 0.6), (0.8, 0.5, 0.2))


def test_combined_puts_all_arguments_into_one_qbaf():
    judgement = SemanticsJudge().judge(TWO)
    # (1 - 0.6)(1 - 0.2) - (1 - 0.8)(1 - 0.5) = 0.32 - 0.1
    assert judgement.score == pytest.approx(0.5 + 0.5 * 0.22)
    assert judgement.verdict is Verdict.TRUE
    assert judgement.status is JudgementStatus.OK
    assert judgement.strengths == pytest.approx(
        {TOPIC: 0.61, "A1-pro": 0.8, "A1-con": 0.6, "A2-pro": 0.5, "A2-con": 0.2}
    )
    assert judgement.parts == ()


def test_separate_gives_the_mean_of_the_agents_scores():
    judgement = SemanticsJudge(setting=SEPARATE).judge(TWO)
    # A1: 0.5 + 0.5 (0.4 - 0.2) = 0.6; A2: 0.5 + 0.5 (0.8 - 0.5) = 0.65
    assert judgement.score == pytest.approx(0.625)
    assert {part.judge: part.score for part in judgement.parts} == pytest.approx({"A1": 0.6, "A2": 0.65})
    assert judgement.strengths[TOPIC] == judgement.score
    assert judgement.strengths["A1-pro"] == 0.8
    assert judgement.parts[0].strengths[TOPIC] == judgement.parts[0].score


@pytest.mark.parametrize(
    ("setting", "variant", "expected"),
    [
        (COMBINED, NONE, [0.5]),
        (COMBINED, PRIOR, [0.6]),  # (0.4 + 0.8) / 2
        (COMBINED, POSTERIOR, [0.4]),  # (0.1 + 0.7) / 2
        (SEPARATE, NONE, [0.5, 0.5]),
        (SEPARATE, PRIOR, [0.4, 0.8]),
        (SEPARATE, POSTERIOR, [0.1, 0.7]),
    ],
)
def test_the_variant_gives_the_topic_its_base_score(setting, variant, expected):
    profile = replace(TWO, stances=(Stance("A1", 0.4, 0.1), Stance("A2", 0.8, 0.7)))
    parts = SemanticsJudge(setting=setting, variant=variant).qbafs(profile)
    assert [part.topic_base_score for part in parts] == pytest.approx(expected)
    assert [part.qbaf.base_scores[0] for part in parts] == [part.topic_base_score for part in parts]
    assert [part.agent for part in parts] == ([None] if setting is COMBINED else ["A1", "A2"])
    assert all(part.qbaf.names[0] == TOPIC for part in parts)


@pytest.mark.parametrize("setting", Setting)
@pytest.mark.parametrize("variant", StanceVariant)
def test_a_topic_base_score_set_by_a_contestation_comes_before_the_variant(setting, variant):
    profile = replace(TWO, topic_base_score=0.15)
    judge = SemanticsJudge(setting=setting, variant=variant)
    assert {part.topic_base_score for part in judge.qbafs(profile)} == {0.15}
    assert not any("stance" in note for note in judge.judge(profile).notes)


@pytest.mark.parametrize("key", ["df-quad", "qe"])
@given(
    agents=st.lists(scores, min_size=1, max_size=6),
    pros=st.lists(scores, max_size=4),
    cons=st.lists(scores, max_size=4),
)
def test_with_shared_arguments_separate_with_priors_equals_combined_with_the_mean_prior(key, agents, pros, cons):
    # Both semantics are affine in the topic's base score (judgement theory, section on semantics judges).
    sides = (*(("p", SUPPORT, s) for s in pros), *(("c", ATTACK, s) for s in cons))
    profile = OpinionProfile(
        "a claim",
        tuple(Stance(f"A{i}", prior) for i, prior in enumerate(agents)),
        tuple(Argument(f"{letter}{i}", "text", "A0", score) for i, (letter, _, score) in enumerate(sides)),
        tuple(Relation(f"{letter}{i}", TOPIC, kind) for i, (letter, kind, _) in enumerate(sides)),
        shared=True,
    )
    separate = SemanticsJudge(key, setting=SEPARATE, variant=PRIOR).judge(profile)
    combined = SemanticsJudge(key, setting=COMBINED, variant=PRIOR).judge(profile)
    assert separate.score == pytest.approx(combined.score, abs=1e-12)


hundredths = st.integers(0, 100).map(lambda n: n / 100)


@given(agents=st.lists(st.tuples(hundredths, hundredths), min_size=1, max_size=6))
def test_in_single_turn_debates_separate_df_quad_and_combined_qe_agree(agents):
    # Both come down to the sign of the sum of pros minus cons. Scores have two decimals, as agents give them.
    profile = single_turn(*((None, pro, con) for pro, con in agents))
    separate = SemanticsJudge("df-quad", setting=SEPARATE).judge(profile)
    combined = SemanticsJudge("qe", setting=COMBINED).judge(profile)
    balance = sum(round(100 * pro) - round(100 * con) for pro, con in agents)
    assert separate.verdict is combined.verdict
    assert separate.verdict is (Verdict.TRUE if balance >= 0 else Verdict.FALSE)


def test_the_two_agree_on_a_tie_that_rounding_would_break():
    profile = single_turn((None, 0.1, 0.3), (None, 0.2, 0.0))  # 0.1 + 0.2 is not quite 0.3 in floats
    for judge in (SemanticsJudge("df-quad", setting=SEPARATE), SemanticsJudge("qe")):
        assert judge.judge(profile).verdict is Verdict.TRUE


@given(judge=judges, profile=profiles(), random=st.randoms(use_true_random=False))
def test_the_order_of_agents_arguments_and_relations_does_not_matter(judge, profile, random):
    def shuffled(values):
        values = list(values)
        random.shuffle(values)
        return tuple(values)

    other = replace(
        profile,
        stances=shuffled(profile.stances),
        arguments=shuffled(profile.arguments),
        relations=shuffled(profile.relations),
    )
    one, two = judge.judge(profile), judge.judge(other)
    assert one.score == two.score
    assert one.verdict is two.verdict
    assert one.strengths == two.strengths
    assert one.explanation == two.explanation
    assert sorted(one.notes) == sorted(two.notes)
    assert {part.judge: part for part in one.parts} == {part.judge: part for part in two.parts}


@pytest.mark.parametrize("setting", Setting)
@pytest.mark.parametrize("aggregation", [ScoreAggregation.MEAN, ScoreAggregation.MEDIAN])
def test_no_order_of_five_agents_changes_the_last_bit(setting, aggregation):
    agents = ((0.1, 0.3, 0.2), (0.2, 0.7, 0.9), (0.3, 0.6, 0.1), (0.7, 0.15, 0.8), (0.55, 0.35, 0.45))
    judge = SemanticsJudge(setting=setting, variant=PRIOR, aggregation=aggregation)
    found = {judge.judge(single_turn(*order)).score for order in permutations(agents)}
    assert len(found) == 1
    assert {MeanStance().judge(single_turn(*order)).score for order in permutations(agents)} == {0.37}


@given(judge=judges, profile=profiles(acyclic=False, most_arguments=5))
def test_every_profile_gets_a_verdict_or_a_status_that_says_why_not(judge, profile):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.semantics.fixed_point.LONGEST", 100)
        judgement = judge.judge(profile)
    if judgement.status is JudgementStatus.NOT_CONVERGED:
        assert (judgement.score, judgement.verdict, judgement.strengths) == (None, None, {})
        assert any("fixed point" in note for note in judgement.notes)
    else:
        assert judgement.status is JudgementStatus.OK
        assert judgement.score is not None
        assert 0.0 <= judgement.score <= 1.0
        assert judgement.verdict is judge.rule.verdict(judgement.score)
    assert judgement.explanation
    json.dumps(judgement.settings, allow_nan=False)


def test_a_missing_base_score_is_replaced_and_noted():
    profile = single_turn((None, None, 0.5))
    unscored = replace(
        profile,
        arguments=(*profile.arguments, Argument("new", "text", "A1")),
        relations=(*profile.relations, Relation("new", TOPIC, SUPPORT)),
    )
    judgement = SemanticsJudge(missing_base_score=0.7).judge(unscored)
    assert judgement.score == pytest.approx(0.6)  # 0.5 + 0.5 (0.5 - 0.3)
    assert judgement.strengths["new"] == 0.7
    assert judgement.notes == ("1 argument is given the missing base score, 0.7: 'new'.",)


def test_arguments_without_a_base_score_can_be_left_out():
    profile = single_turn((None, 0.5, 0.5))
    unscored = replace(
        profile,
        arguments=(*profile.arguments, Argument("new", "text", "A1")),
        relations=(*profile.relations, Relation("new", TOPIC, SUPPORT)),
    )
    judgement = SemanticsJudge(missing_base_score=None).judge(unscored)
    assert judgement.score == 0.5
    assert "new" not in judgement.strengths
    assert judgement.notes == ("1 argument is left out for want of a base score: 'new'.",)


def test_a_failure_message_is_no_argument():
    profile = single_turn((None, 0.5, 0.5))
    failed = Argument("oops", "Error 429", "A1", 1.0, is_error_text=True)
    judged = SemanticsJudge().judge(
        replace(
            profile,
            arguments=(*profile.arguments, failed),
            relations=(*profile.relations, Relation("oops", TOPIC, ATTACK)),
        )
    )
    assert judged.score == 0.5
    assert judged.notes == ("1 argument is left out as a failure message: 'oops'.",)


def test_a_relation_with_a_missing_end_is_left_out_and_noted():
    dangling = Relation("A1-pro", "gone", ATTACK)
    judged = SemanticsJudge().judge(replace(TWO, relations=(*TWO.relations, dangling)))
    assert judged.score == SemanticsJudge().judge(TWO).score
    assert judged.notes == ("1 relation is left out because an end is missing: 'A1-pro' attacks 'gone'.",)


def test_a_missing_stance_counts_as_a_half_and_is_noted():
    profile = replace(TWO, stances=(Stance("A1", 0.9), Stance("A2")))
    combined = SemanticsJudge(variant=PRIOR)
    assert combined.qbafs(profile)[0].topic_base_score == pytest.approx(0.7)
    assert combined.judge(profile).notes == ("No prior stance, 0.5 used instead: 'A2'.",)
    separate = replace(combined, setting=SEPARATE)
    assert [part.topic_base_score for part in separate.qbafs(profile)] == [0.9, 0.5]
    assert separate.judge(profile).notes == ("No prior stance, 0.5 used instead: 'A2'.",)


def test_separate_leaves_out_and_notes_what_one_agent_says_against_another():
    attack = Relation("A2-con", "A1-pro", ATTACK)
    profile = replace(TWO, relations=(*TWO.relations, attack))
    separate = SemanticsJudge(setting=SEPARATE)
    assert separate.judge(profile).score == separate.judge(TWO).score
    assert separate.judge(profile).notes == (
        "1 relation is left out because different agents' arguments are judged separately: 'A2-con' attacks 'A1-pro'.",
    )
    assert SemanticsJudge().judge(profile).strengths["A1-pro"] == pytest.approx(0.64)  # 0.8 - 0.8 * 0.2


def test_in_a_shared_framework_every_agent_is_judged_on_all_arguments():
    profile = replace(TWO, shared=True)
    parts = SemanticsJudge(setting=SEPARATE, variant=PRIOR).qbafs(profile)
    assert [(part.agent, len(part.qbaf), part.topic_base_score) for part in parts] == [("A1", 5, 0.4), ("A2", 5, 0.8)]


def test_an_argument_that_a_person_adds_counts_for_every_agent():
    edit = Edit(EditKind.ADD_ARGUMENT, "mine", after=1.0, text="Look again.", relation=ATTACK)
    contested = contest(TWO, [edit]).profile
    judgement = SemanticsJudge(setting=SEPARATE).judge(contested)
    # A full-strength con leaves nothing of the attackers' product, so the energies are 0 - 0.2 and 0 - 0.5.
    assert {part.judge: part.score for part in judgement.parts} == pytest.approx({"A1": 0.4, "A2": 0.25})
    assert judgement.strengths["mine"] == 1.0


def test_without_agents_separate_judges_everything_together():
    profile = replace(TWO, stances=())
    judgement = SemanticsJudge(setting=SEPARATE).judge(profile)
    assert judgement.score == SemanticsJudge().judge(profile).score
    assert judgement.parts == ()
    assert "names no agents" in judgement.notes[0]


def test_without_agents_there_is_no_prior_to_start_from():
    judgement = SemanticsJudge(variant=PRIOR).judge(replace(TWO, stances=()))
    assert judgement.score == SemanticsJudge().judge(TWO).score
    assert "No agent has a prior stance" in judgement.notes[0]


@pytest.mark.parametrize("setting", Setting)
def test_a_claim_without_arguments_keeps_its_base_score(setting):
    profile = OpinionProfile("a claim", (Stance("A1", 0.7),))
    judgement = SemanticsJudge(setting=setting, variant=PRIOR).judge(profile)
    assert judgement.score == 0.7
    assert judgement.verdict is Verdict.TRUE


CREEPING = OpinionProfile(
    "a claim",
    (Stance("A1"), Stance("A2")),
    (Argument("x", "text", "A1", 1e-6), Argument("y", "text", "A2", 0.9)),
    (Relation("x", "x", SUPPORT), Relation("x", TOPIC, SUPPORT), Relation("y", TOPIC, SUPPORT)),
)


def test_a_cycle_without_a_fixed_point_that_could_be_found_gets_no_verdict():
    judgement = SemanticsJudge().judge(CREEPING)
    assert judgement.status is JudgementStatus.NOT_CONVERGED
    assert (judgement.score, judgement.verdict, judgement.strengths) == (None, None, {})
    assert "after 20000 steps" in judgement.explanation
    assert judgement.notes == (judgement.explanation,)


def test_one_agent_without_a_fixed_point_leaves_the_whole_without_a_verdict():
    judgement = SemanticsJudge(setting=SEPARATE).judge(CREEPING)
    assert judgement.status is JudgementStatus.NOT_CONVERGED
    assert (judgement.score, judgement.verdict) == (None, None)
    assert [(part.judge, part.status) for part in judgement.parts] == [
        ("A1", JudgementStatus.NOT_CONVERGED),
        ("A2", JudgementStatus.OK),
    ]
    assert judgement.parts[1].score == pytest.approx(0.95)
    assert "no fixed point was found for A1" in judgement.explanation


def test_the_abstention_band_gives_uncertain():
    judgement = SemanticsJudge(rule=DecisionRule(abstention=0.2)).judge(TWO)  # the score is 0.61
    assert judgement.verdict is Verdict.UNCERTAIN
    assert judgement.status is JudgementStatus.ABSTAINED
    assert judgement.score == pytest.approx(0.61)


def test_a_balanced_debate_is_true_unless_the_rule_is_strict():
    balanced = single_turn((None, 0.7, 0.7))
    assert SemanticsJudge().judge(balanced).verdict is Verdict.TRUE
    assert SemanticsJudge(rule=DecisionRule(strict=True)).judge(balanced).verdict is Verdict.FALSE


@pytest.mark.parametrize(
    ("aggregation", "expected"),
    [
        (ScoreAggregation.MEAN, 0.6375),
        (ScoreAggregation.MEDIAN, 0.6),  # between 0.55 and 0.65
        (ScoreAggregation.MIN, 0.45),
        (ScoreAggregation.MAX, 0.9),
        (ScoreAggregation.MAJORITY, 0.75),  # three of four are at least 0.5
    ],
)
def test_scores_of_separate_qbafs_can_be_aggregated_otherwise(aggregation, expected):
    profile = single_turn((None, 0.8, None), (None, None, 0.1), (None, 0.1, None), (None, 0.3, None))
    # scores 0.9, 0.45, 0.55, 0.65
    judgement = SemanticsJudge(setting=SEPARATE, aggregation=aggregation).judge(profile)
    assert judgement.score == pytest.approx(expected)


def test_in_a_majority_an_uncertain_agent_counts_half():
    judge = SemanticsJudge(setting=SEPARATE, aggregation=ScoreAggregation.MAJORITY, rule=DecisionRule(abstention=0.08))
    judgement = judge.judge(single_turn((None, 0.8, None), (None, 0.1, None)))  # 0.9 and 0.55
    assert judgement.score == 0.75


@given(judge=judges)
def test_a_judge_can_be_stored_by_its_settings(judge):
    stored = json.loads(json.dumps(judge.settings(), allow_nan=False))
    assert SemanticsJudge.from_settings(stored) == judge
    assert SemanticsJudge.from_settings(stored).name == judge.name


def test_absent_settings_take_their_defaults():
    assert SemanticsJudge.from_settings({}) == SemanticsJudge()


@pytest.mark.parametrize(
    "settings",
    [
        {"semantics": "grounded"},
        {"semantics": ["df-quad"]},
        {"conservativeness": 0.5},
        {"conservativeness": "1"},
        {"semantics": "euler", "conservativeness": 1.1},
        {"setting": "mixed"},
        {"variant": None},
        {"aggregation": "mode"},
        {"missing_base_score": 1.5},
        {"missing_base_score": "0.5"},
        {"threshold": 2},
        {"threshold": "0.5"},
    ],
)
def test_settings_outside_their_range_are_refused(settings):
    with pytest.raises(InvalidSetting):
        SemanticsJudge.from_settings(settings)


@given(one=judges, two=judges)
def test_judges_with_other_settings_have_other_names(one, two):
    assert (one == two) is (one.name == two.name)


@pytest.mark.parametrize(
    ("judge", "name"),
    [
        (SemanticsJudge(), "DF-QuAD, combined, topic 0.5"),
        (SemanticsJudge("qe", 1.1, SEPARATE, PRIOR), "Quadratic energy, κ 1.1, separate, prior"),
        (SemanticsJudge("df-quad", 1.00000001), "DF-QuAD, κ 1.00000001, combined, topic 0.5"),
        (
            SemanticsJudge(rule=DecisionRule(0.6, 0.05, True), missing_base_score=None),
            "DF-QuAD, combined, topic 0.5, unscored left out, threshold 0.6, uncertain ±0.05, strict",
        ),
    ],
)
def test_a_judge_says_its_settings_in_its_name(judge, name):
    assert judge.name == name


@pytest.mark.parametrize(
    ("agents", "expected"),
    [
        # 0.5 + 0.5 * 0.22 = 0.61; without A1-pro 0.5 + 0.5 (0.32 - 0.5) = 0.41
        (
            [(None, 0.8, 0.6), (None, 0.5, 0.2)],
            "Score 0.61: two pros outweigh two cons; without 'A1-pro' it would be 0.41.",
        ),
        (
            [(None, 0.2, 0.6)],
            "Score 0.30: one con outweighs one pro; without 'A1-con' it would be 0.60.",
        ),
        (
            [(None, 0.4, None)],
            "Score 0.70: one pro speaks for it and nothing against it; without 'A1-pro' it would be 0.50.",
        ),
        (
            [(None, None, 0.5), (None, None, 0.5)],
            "Score 0.12: two cons speak against it and nothing for it; without 'A1-con' it would be 0.25.",
        ),
        ([(None, 0.0, None)], "Score 0.50: one pro leaves the base score as it is."),
        (
            [(None, 0.7, 0.7)],
            "Score 0.50: one pro and one con leave the base score as it is; without 'A1-con' it would be 0.85.",
        ),
        ([], "Score 0.50: nobody argued for or against the claim itself, so it keeps its base score."),
    ],
)
def test_the_explanation_gives_the_facts(agents, expected):
    assert SemanticsJudge().judge(single_turn(*agents)).explanation == expected


def test_the_separate_explanation_names_the_agents_scores():
    assert SemanticsJudge(setting=SEPARATE).judge(TWO).explanation == (
        "Score 0.62, the mean of two agents: A2 0.65, A1 0.60."
    )


def test_a_strength_of_exactly_1_that_hides_others_is_noted_under_product_aggregations():
    profile = single_turn((None, 1.0, 0.6), (None, 0.5, 0.2))
    note = "'A1-pro' has a strength of exactly 1 and hides the other pros of the topic."
    assert SemanticsJudge("df-quad").judge(profile).notes == (note,)
    assert SemanticsJudge("qe").judge(profile).notes == ()
    assert SemanticsJudge("df-quad").judge(single_turn((None, 1.0, 0.6))).notes == ()  # there are no other pros


def test_many_notes_of_one_kind_are_counted():
    profile = single_turn(*[(None, 1.0, 0.5)] * 6)
    notes = SemanticsJudge().judge(profile).notes
    assert len(notes) == 4
    assert notes[-1] == "3 more strengths of exactly 1 hide others."


def test_an_argument_on_both_sides_is_noted():
    profile = replace(TWO, relations=(*TWO.relations, Relation("A1-pro", TOPIC, ATTACK)))
    assert SemanticsJudge().judge(profile).notes == ("'A1-pro' both supports and attacks the topic; both count.",)


def test_a_very_long_id_is_cut_in_the_explanation():
    name = "x" * 5000
    profile = OpinionProfile("a claim", (), (Argument(name, "text", None, 0.9),), (Relation(name, TOPIC, SUPPORT),))
    assert len(SemanticsJudge().judge(profile).explanation) < 150


@given(profile=profiles(acyclic=True, missing=False, shared=False), bump=inner_scores)
def test_a_more_supportive_profile_never_lowers_the_score(profile, bump):
    flat = replace(profile, relations=tuple(r for r in profile.relations if r.target == TOPIC))
    kinds: dict[str, set[RelationKind]] = {}
    for relation in flat.relations:
        kinds.setdefault(relation.source, set()).add(relation.kind)
    pros = {name for name, found in kinds.items() if found == {SUPPORT}}
    stronger = replace(
        flat,
        arguments=tuple(
            replace(a, base_score=min(1.0, a.base_score + bump)) if a.id in pros else a for a in flat.arguments
        ),
    )
    for key in SEMANTICS:
        for setting in Setting:
            judge = SemanticsJudge(key, setting=setting)
            before, after = judge.judge(flat).score, judge.judge(stronger).score
            assert before is not None
            assert after is not None
            assert after >= before - 1e-12


STANCES = (Stance("A1", 0.2, 0.9), Stance("A2", 0.3, 0.6), Stance("A3", 0.1))


def test_the_mean_stance_uses_the_posterior_and_falls_back_to_the_prior():
    judgement = MeanStance().judge(OpinionProfile("a claim", STANCES))
    assert judgement.score == pytest.approx((0.9 + 0.6 + 0.1) / 3)
    assert judgement.verdict is Verdict.TRUE
    assert judgement.notes == ("No posterior stance, the prior one used instead: 'A3'.",)


def test_the_majority_vote_counts_true_stances():
    judgement = MajorityVote().judge(OpinionProfile("a claim", STANCES))
    assert judgement.score == pytest.approx(2 / 3)
    assert judgement.verdict is Verdict.TRUE


@pytest.mark.parametrize("judge", [MajorityVote(), MeanStance()])
def test_votes_leave_out_agents_without_a_stance(judge):
    judgement = judge.judge(OpinionProfile("a claim", (Stance("A1", posterior=0.2), Stance("A2"))))
    assert judgement.verdict is Verdict.FALSE
    assert judgement.notes == ("Left out for want of a stance: 'A2'.",)


@pytest.mark.parametrize("judge", [MajorityVote(), MeanStance()])
def test_votes_without_any_stance_are_refused(judge):
    judgement = judge.judge(OpinionProfile("a claim", (Stance("A1"),)))
    assert judgement.status is JudgementStatus.REFUSED
    assert (judgement.score, judgement.verdict) == (None, None)


def test_votes_abstain_inside_the_band():
    judge = MeanStance(DecisionRule(abstention=0.1))
    judgement = judge.judge(OpinionProfile("a claim", (Stance("A1", posterior=0.55),)))
    assert judgement.verdict is Verdict.UNCERTAIN
    assert judgement.status is JudgementStatus.ABSTAINED
    assert judge.name != MeanStance().name
    assert MajorityVote(judge.rule).settings()["abstention"] == 0.1


@given(profile=profiles(), random=st.randoms(use_true_random=False))
def test_votes_do_not_depend_on_the_order_of_agents(profile, random):
    stances = list(profile.stances)
    random.shuffle(stances)
    for judge in (MajorityVote(), MeanStance()):
        one, two = judge.judge(profile), judge.judge(replace(profile, stances=tuple(stances)))
        assert (one.score, one.notes) == (two.score, two.notes)
