import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.contestation import Edit, EditKind
from core.judgement import DecisionRule, Verdict
from core.judges import SemanticsJudge, Setting, StanceVariant
from core.least import (
    Locks,
    OutcomeStatus,
    Question,
    at_least,
    least_one_score,
    least_topic_score,
    one_score_flips,
    verdict_goal,
)
from core.least.scorer import Scorer
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, Stance
from tests.core.generated import scores
from tests.core.least_questions import (
    ATTACK,
    CIRCLE,
    SUPPORT,
    flat,
    open_arguments,
    questions,
    reached,
    score_after,
    shuffled,
    with_scores,
)

JUDGE = SemanticsJudge()
TO_TRUE, TO_FALSE = (verdict_goal(JUDGE.rule, verdict) for verdict in (Verdict.TRUE, Verdict.FALSE))


def flips(profile, goal, judge=JUDGE, locks=Locks(topic=False)):  # noqa: B008
    return {flip.argument: flip for flip in one_score_flips(judge, profile, goal, locks)}


def test_every_argument_of_a_flat_debate_is_told_what_it_takes():
    # 0.5 + 0.5 (0.4 - 0.6) = 0.4; True from 0.5 - 5e-13 on, so a difference of 1e-12 in energy is let pass
    found = flips(flat(0.5, pros=[0.4], cons=[0.6]), TO_TRUE)
    assert found["p0"].needed == pytest.approx(0.6, abs=2e-12)
    assert found["c0"].needed == pytest.approx(0.4, abs=2e-12)
    assert found["topic"].needed == pytest.approx(0.625, abs=1e-11)  # 0.8 t >= 0.5
    assert list(found) == ["topic", "c0", "p0"]  # the smallest change first; p0 and c0 differ in the last bits
    assert all(flip.status is OutcomeStatus.LEAST and flip.verdict is Verdict.TRUE for flip in found.values())


def test_one_that_cannot_do_it_alone_is_proved_to_be_so():
    found = flips(flat(0.5, pros=[0.2, 0.1], cons=[1.0, 1.0]), TO_TRUE)
    # two cons of strength 1: without one of them the other still makes the attackers' product 0
    assert found["c0"].status is OutcomeStatus.IMPOSSIBLE
    assert found["p0"].needed == pytest.approx(1.0, abs=2e-12)  # then both products are 0
    assert list(found)[-3:] == ["c0", "c1", "topic"]


def test_nothing_is_listed_where_the_goal_is_reached_already():
    assert one_score_flips(JUDGE, flat(0.5), TO_TRUE) == ()


@given(question=questions())
def test_the_change_gives_what_is_wanted_and_a_smaller_one_does_not(question):
    random = np.random.default_rng(0)
    signs = Scorer(question.judge, question.profile).signs
    for flip in one_score_flips(question.judge, question.profile, question.goal, question.locks):
        if flip.edit is None or flip.change is None:
            continue
        # Where an argument works both ways, a score that only just touches the goal may be beyond what bounds prove.
        assert flip.status is OutcomeStatus.LEAST or len(signs[flip.argument]) == 2
        assert score_after(question, [flip.edit]) == flip.after
        assert reached(question, [flip.edit])
        assert flip.verdict is question.judge.rule.verdict(flip.after)
        reach = abs(flip.change)
        for share in (*random.random(8), 1 - 1e-9):
            for sign in (-1, 1):
                value = flip.base_score + sign * share * (reach - 4e-16)
                if 0 <= value <= 1 and reach > 1e-12:
                    assert not question.goal.reached(score_with(question, flip.argument, value))


@given(question=questions())
def test_one_step_less_does_not_do_it_where_the_score_is_monotone(question):
    for flip in one_score_flips(question.judge, question.profile, question.goal, question.locks):
        if flip.needed is not None and flip.change is not None and abs(flip.change) > 1e-9:
            nearer = flip.needed - np.sign(flip.change) * 2.0**-52
            assert not question.goal.reached(score_with(question, flip.argument, float(nearer)))


@given(question=questions(), values=st.lists(scores, min_size=5, max_size=5))
def test_what_is_proved_impossible_no_value_reaches(question, values):
    for flip in one_score_flips(question.judge, question.profile, question.goal, question.locks):
        if flip.status is OutcomeStatus.IMPOSSIBLE:
            for value in (0.0, 1.0, *values):
                assert not question.goal.reached(score_with(question, flip.argument, value))


@given(question=questions())
def test_only_what_is_judged_and_not_locked_is_listed(question):
    listed = {f.argument for f in one_score_flips(question.judge, question.profile, question.goal, question.locks)}
    allowed = {argument.id for argument in open_arguments(question)}
    if not question.locks.topic:
        allowed.add(TOPIC)
    assert listed in (set(), allowed)


@given(question=questions(), seed=st.integers(0, 99))
def test_the_order_of_the_profile_changes_nothing_not_even_the_last_bit(question, seed):
    def order(items):
        return random.Random(seed).sample(items, len(items))

    other = shuffled(question.profile, order)
    assert one_score_flips(question.judge, question.profile, question.goal, question.locks) == one_score_flips(
        question.judge, other, question.goal, question.locks
    )


def test_an_argument_that_works_both_ways_is_searched_with_proof():
    # x supports the topic and, more strongly from 0.5 on, attacks what supports it too
    profile = OpinionProfile(
        "a claim",
        (),
        (Argument("x", "text", None, 0.0), Argument("y", "text", None, 0.9)),
        (Relation("x", TOPIC, SUPPORT), Relation("x", "y", ATTACK), Relation("y", TOPIC, SUPPORT)),
    )
    # 1 - (1 - x) (1 - 0.9 (1 - x)) = 1 - (1 - x) (0.1 + 0.9 x): falls up to x = 4/9, then rises; score 0.5 + half of it
    found = flips(profile, verdict_goal(DecisionRule(0.9, strict=True), Verdict.FALSE), SemanticsJudge())["x"]
    # (1 - x) (0.1 + 0.9 x) = 0.2: 0.9 x^2 - 0.8 x + 0.1 = 0, x = (0.8 - sqrt(0.28)) / 1.8
    assert found.needed == pytest.approx((0.8 - 0.28**0.5) / 1.8, abs=1e-10)
    assert found.status is OutcomeStatus.LEAST
    lowest = flips(profile, verdict_goal(DecisionRule(0.8, strict=True), Verdict.FALSE), SemanticsJudge())["x"]
    assert lowest.status is OutcomeStatus.IMPOSSIBLE  # the least score is 0.5 + 0.5 (1 - 25/90) = 0.861


def test_in_a_cyclic_debate_nothing_is_called_proved():
    judge, profile = CIRCLE
    for flip in one_score_flips(judge, profile, TO_TRUE):
        assert flip.status in (OutcomeStatus.BEST, OutcomeStatus.NOT_FOUND)
        if flip.edit is not None:
            assert reached(Question(judge, profile, TO_TRUE), [flip.edit])


@given(question=questions(acyclic=False, most_arguments=3))
@settings(max_examples=15, deadline=None)
def test_a_change_found_in_a_cyclic_debate_holds_as_well(question):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("core.semantics.fixed_point.LONGEST", 60)
        for flip in one_score_flips(question.judge, question.profile, question.goal, question.locks):
            if flip.edit is not None:
                assert reached(question, [flip.edit])


def test_the_least_of_all_arguments_is_an_outcome_with_its_edit():
    outcome = least_one_score(Question(JUDGE, flat(0.5, pros=[0.4, 0.1], cons=[0.6]), TO_TRUE))
    # pros together 1 - 0.6 * 0.9 = 0.46: p0 needs 1 - 0.4 / 0.9 = 0.556, p1 needs 1/3, c0 needs 0.46
    assert outcome.edits == (Edit(EditKind.SET_BASE_SCORE, "c0", before=0.6, after=outcome.edits[0].after),)
    assert outcome.cost == pytest.approx(0.14, abs=2e-12)
    assert outcome.status is OutcomeStatus.LEAST
    assert outcome.before == pytest.approx(0.43)
    assert outcome.after == pytest.approx(0.5)
    assert (outcome.verdict_before, outcome.verdict_after) == (Verdict.FALSE, Verdict.TRUE)


def test_locked_arguments_and_agents_stay_as_they_are():
    profile = flat(0.5, pros=[0.4], cons=[0.6])
    locked = least_one_score(Question(JUDGE, profile, TO_TRUE, Locks(frozenset(["c0"]))))
    assert [edit.argument for edit in locked.edits] == ["p0"]
    all_locked = least_one_score(Question(JUDGE, profile, TO_TRUE, Locks(agents=frozenset(["A1"]))))
    assert all_locked.status is OutcomeStatus.IMPOSSIBLE


def test_a_missing_base_score_is_given_one():
    profile = OpinionProfile(
        "a claim",
        (),
        (Argument("pro", "text"), Argument("con", "text", None, 0.7)),
        (Relation("pro", TOPIC, SUPPORT), Relation("con", TOPIC, ATTACK)),
    )
    flip = flips(profile, TO_TRUE)["pro"]
    assert flip.base_score == 0.5  # what stands in for it
    assert flip.edit.before is None
    assert flip.needed == pytest.approx(0.7, abs=2e-12)


def test_the_topic_of_several_agents_is_moved_from_their_mean():
    profile = OpinionProfile(
        "a claim",
        (Stance("A1", 0.2), Stance("A2", 0.4)),
        (Argument("con", "text", "A1", 0.5),),
        (Relation("con", TOPIC, ATTACK),),
    )
    judge = SemanticsJudge(setting=Setting.SEPARATE, variant=StanceVariant.PRIOR)
    # (0.5 t + t) / 2 = 0.5 at t = 2/3
    outcome = least_topic_score(Question(judge, profile, TO_TRUE))
    assert outcome.edits[0].kind is EditKind.SET_TOPIC_BASE_SCORE
    assert outcome.edits[0].after == pytest.approx(2 / 3, abs=1e-11)
    assert outcome.cost == pytest.approx(2 / 3 - 0.3, abs=1e-11)
    assert outcome.status is OutcomeStatus.LEAST


@given(question=questions())
def test_the_least_change_of_the_topic_holds_and_a_smaller_one_does_not(question):
    outcome = least_topic_score(question)
    if outcome.found:
        assert reached(question, outcome.edits)
        start = topic_of(question)
        value = float(outcome.edits[0].after or 0.0)
        assert outcome.cost == pytest.approx(abs(value - start), abs=1e-15)
        if abs(value - start) > 1e-9:
            assert not question.goal.reached(score_with(question, TOPIC, start + (value - start) * (1 - 1e-6)))


def test_a_search_that_is_stopped_says_so():
    outcome = least_one_score(Question(JUDGE, flat(0.5, pros=[0.4], cons=[0.6]), TO_TRUE, stop=lambda: True))
    assert outcome.status is OutcomeStatus.NOT_FOUND
    assert outcome.stopped


def test_what_is_reached_already_needs_no_edit():
    outcome = least_one_score(Question(JUDGE, flat(0.7), at_least(0.6)))
    assert (outcome.status, outcome.edits, outcome.cost) == (OutcomeStatus.ALREADY, (), 0.0)


def test_a_verdict_that_no_score_gives_is_impossible():
    goal = verdict_goal(JUDGE.rule, Verdict.UNCERTAIN)
    assert least_one_score(Question(JUDGE, flat(0.7, pros=[0.5]), goal)).status is OutcomeStatus.IMPOSSIBLE


def score_with(question, name, value):
    return question.judge.judge(with_scores(question.profile, {name: value})).score


def topic_of(question):
    """Return the mean of the topics' base scores."""
    return float(np.mean([part.topic_base_score for part in question.judge.qbafs(question.profile)]))
