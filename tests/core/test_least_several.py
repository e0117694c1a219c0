"""The least change of several base scores."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.contestation import EditKind
from core.judgement import Verdict
from core.judges import SemanticsJudge
from core.least import (
    Locks,
    OutcomeStatus,
    Question,
    at_least,
    at_most,
    fewest_scores,
    least_one_score,
    least_squares,
    least_sum,
    verdict_goal,
)
from core.opinion import TOPIC, Argument, OpinionProfile, Relation
from core.semantics import SEMANTICS
from tests.core.generated import flat_graphs
from tests.core.least_questions import (
    ATTACK,
    SUPPORT,
    flat,
    open_arguments,
    questions,
    random_profiles,
    reached,
    topic_is_open,
    with_scores,
)

JUDGE = SemanticsJudge()
TO_TRUE = verdict_goal(JUDGE.rule, Verdict.TRUE)
every_semantics = pytest.mark.parametrize("semantics", SEMANTICS)


def changed(outcome):
    return {edit.argument or TOPIC: edit.after for edit in outcome.edits}


def test_the_least_sum_in_a_flat_debate_under_df_quad_goes_to_the_strongest():
    # pros 0.5 and 0.2: what is left of the gap is 0.5 * 0.8 = 0.4; the con leaves 0.3: raise 0.5 to 1 - 0.3 / 0.8
    outcome = least_sum(Question(JUDGE, flat(0.5, pros=[0.5, 0.2], cons=[0.7]), TO_TRUE))
    # or lower the con from 0.7 to 0.6, which is 0.1 and less than 0.125
    assert changed(outcome) == {"c0": pytest.approx(0.6, abs=2e-12)}
    assert outcome.cost == pytest.approx(0.1, abs=2e-12)
    assert outcome.status is OutcomeStatus.LEAST


def test_equally_strong_cons_are_lowered_together():
    # cons a, a leave (1 - a)^2: with the pro at its end already 0.36 is wanted, so both go down to 0.4
    question = Question(JUDGE, flat(0.5, pros=[0.64], cons=[0.7, 0.7]), TO_TRUE, Locks(frozenset(["p0"])))
    outcome = least_sum(question)
    assert changed(outcome) == {"c0": pytest.approx(0.4, abs=1e-11), "c1": pytest.approx(0.4, abs=1e-11)}
    assert outcome.status is OutcomeStatus.LEAST


def test_under_a_sum_every_change_counts_the_same_and_few_are_made():
    judge = SemanticsJudge("qe")
    outcome = least_sum(Question(judge, flat(0.5, pros=[0.9, 0.8], cons=[0.9, 0.9, 0.2]), TO_TRUE))
    # energy 1.7 - 2.0 = -0.3; a score of 0.5 - 5e-13 lets the energy be about 1e-6 short
    assert outcome.cost == pytest.approx(0.3, abs=2e-6)
    assert list(changed(outcome)) == ["c0"]
    assert outcome.status is OutcomeStatus.LEAST


def test_the_least_squares_under_a_sum_are_spread_evenly():
    judge = SemanticsJudge("qe")
    outcome = least_squares(Question(judge, flat(0.5, pros=[0.5, 0.2], cons=[0.9, 0.4]), TO_TRUE))
    # energy -0.6 over four arguments: 0.15 each
    assert changed(outcome) == {
        name: pytest.approx(value, abs=1e-6) for name, value in (("p0", 0.65), ("p1", 0.35), ("c0", 0.75), ("c1", 0.25))
    }
    assert outcome.cost == pytest.approx(0.3, abs=1e-6)
    assert outcome.status is OutcomeStatus.LEAST


@given(question=questions(most_arguments=6), search=st.sampled_from([least_sum, least_squares, fewest_scores]))
@settings(deadline=None, max_examples=120)
def test_what_is_called_impossible_random_base_scores_do_not_reach(question, search):
    outcome = search(question)
    if outcome.status is OutcomeStatus.IMPOSSIBLE:
        for profile in random_profiles(question, 60):
            assert not question.goal.reached(question.judge.judge(profile).score)


@given(question=questions(most_arguments=6))
@settings(deadline=None)
def test_costs_are_what_the_edits_come_to(question):
    known = question.profile.by_id
    stand_in = question.judge.missing_base_score
    for search, size in (
        (least_sum, lambda moves: sum(moves)),
        (least_squares, lambda moves: sum(move**2 for move in moves) ** 0.5),
        (fewest_scores, len),
    ):
        outcome = search(question)
        if outcome.found and not any(edit.kind is EditKind.SET_TOPIC_BASE_SCORE for edit in outcome.edits):
            before = [known[edit.argument].base_score for edit in outcome.edits]
            moves = [
                abs(edit.after - (stand_in if base is None else base))
                for edit, base in zip(outcome.edits, before, strict=True)
            ]
            assert outcome.cost == pytest.approx(size(moves), abs=1e-12)


@given(question=questions(most_arguments=6))
@settings(deadline=None)
def test_several_scores_never_need_more_than_one(question):
    one = least_one_score(question)
    if one.found and one.status is OutcomeStatus.LEAST:
        assert one.cost is not None
        for search in (least_sum, least_squares):
            several = search(question)
            assert several.cost is not None
            assert several.cost <= one.cost + 1e-9
        assert fewest_scores(question).cost == 1


@given(graph=flat_graphs(most=4), semantics=st.sampled_from(list(SEMANTICS)), wanted=st.integers(1, 19))
@settings(deadline=None)
def test_no_smaller_sum_is_found_by_chance_where_it_is_proved_least(graph, semantics, wanted):
    profile = flat(
        graph.arguments[0][1],
        [score for name, score in graph.arguments if name.startswith("p")],
        [score for name, score in graph.arguments if name.startswith("c")],
    )
    judge = SemanticsJudge(semantics)
    score = judge.judge(profile).score
    question = Question(judge, profile, at_least(wanted / 20) if score < wanted / 20 else at_most(wanted / 20))
    outcome = least_sum(question)
    if outcome.status is not OutcomeStatus.LEAST or outcome.cost is None:
        return
    present = np.array([argument.base_score for argument in profile.arguments])
    rising = question.goal.low > 0
    better = np.array([(argument.id[0] == "p") == rising for argument in profile.arguments])
    random = np.random.default_rng(1)
    for _ in range(40):
        shares = random.dirichlet(np.full(len(present), 0.3)) * outcome.cost * 0.999
        values = np.clip(present + np.where(better, shares, -shares), 0, 1)
        names = [argument.id for argument in profile.arguments]
        assert not question.goal.reached(
            judge.judge(with_scores(profile, dict(zip(names, values.tolist(), strict=True)))).score
        )


@every_semantics
def test_the_least_sum_of_a_deep_debate_is_not_beaten_by_chance(semantics):
    profile = OpinionProfile(
        "a claim",
        (),
        tuple(Argument(f"x{i}", "text", None, score) for i, score in enumerate([0.3, 0.8, 0.6, 0.4, 0.7, 0.5])),
        (
            Relation("x0", TOPIC, SUPPORT),
            Relation("x1", TOPIC, ATTACK),
            Relation("x2", "x1", ATTACK),
            Relation("x3", "x0", SUPPORT),
            Relation("x4", "x2", SUPPORT),
            Relation("x5", "x3", ATTACK),
        ),
    )
    judge = SemanticsJudge(semantics)
    score = judge.judge(profile).score or 0.0
    question = Question(judge, profile, at_least(round(score + 0.1, 3)))
    start = np.array([argument.base_score for argument in profile.arguments])
    for search, power in ((least_sum, 1), (least_squares, 2)):
        outcome = search(question)
        assert outcome.cost is not None
        assert reached(question, outcome.edits)
        assert outcome.after == pytest.approx(round(score + 0.1, 3), abs=1e-9)  # no overshooting
        random = np.random.default_rng(2)
        for _ in range(300):
            step = random.normal(size=6) * random.choice([0, 1], size=6)
            size = np.sum(np.abs(step) ** power) ** (1 / power)
            values = np.clip(start + step / max(size, 1e-9) * outcome.cost * 0.99, 0, 1)
            names = [argument.id for argument in profile.arguments]
            assert not question.goal.reached(
                judge.judge(with_scores(profile, dict(zip(names, values.tolist(), strict=True)))).score
            )


@given(question=questions(most_arguments=5))
@settings(deadline=None)
def test_fewer_base_scores_than_the_fewest_cannot_do_it(question):
    outcome = fewest_scores(question)
    if outcome.status is not OutcomeStatus.LEAST or len(outcome.edits) < 2:
        return
    others = [argument.id for argument in open_arguments(question)] + ([TOPIC] if topic_is_open(question) else [])
    random = np.random.default_rng(3)
    for _ in range(40):
        chosen = random.choice(others, size=len(outcome.edits) - 1, replace=False).tolist()
        values = dict(zip(chosen, np.round(random.random(len(chosen)), 1).tolist(), strict=True))
        assert not question.goal.reached(question.judge.judge(with_scores(question.profile, values)).score)


def test_two_that_hide_each_other_are_found_together():
    # two cons of strength 1: no single change of a con does anything; the pros are locked
    profile = flat(0.5, pros=[0.5], cons=[1.0, 1.0])
    question = Question(JUDGE, profile, TO_TRUE, Locks(frozenset(["p0"])))
    assert least_one_score(question).status is OutcomeStatus.IMPOSSIBLE
    outcome = fewest_scores(question)
    assert (outcome.status, outcome.cost) == (OutcomeStatus.LEAST, 2.0)
    sum_of_all = least_sum(question)
    assert sum_of_all.cost == pytest.approx(2 * 0.5**0.5, abs=1e-11)  # both 1 - a = sqrt 0.5


def test_the_topic_may_be_moved_along():
    profile = flat(0.3, cons=[0.2])
    # alone 0.5 / 0.8 - 0.3 = 0.325 for the topic; of the con 0.2 is not enough
    locked = least_sum(Question(JUDGE, profile, TO_TRUE))
    assert locked.status is OutcomeStatus.IMPOSSIBLE
    free = least_sum(Question(JUDGE, profile, TO_TRUE, Locks(topic=False)))
    # t (1 - a) = 0.5 with the least t - 0.3 + 0.2 - a: one for one at t = 1 - a, beyond which a ends at 0
    assert free.cost is not None
    assert free.cost <= 0.325 + 1e-9
    assert reached(Question(JUDGE, profile, TO_TRUE), free.edits)


def test_a_search_that_is_stopped_returns_the_best_so_far():
    profile = replace(flat(0.3, pros=[0.2, 0.3], cons=[0.2]), topic_base_score=0.3)
    question = Question(SemanticsJudge("squared-sum-1max"), profile, TO_TRUE, Locks(topic=False), stop=lambda: True)
    outcome = least_sum(question)
    assert (outcome.status, outcome.stopped) == (OutcomeStatus.BEST, True)
    assert reached(question, outcome.edits)
    assert outcome.proof.startswith("Stopped early")
