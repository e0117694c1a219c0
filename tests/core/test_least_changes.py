"""The fewest removals, the weakest addition, the nearest conservativeness: each the least, and honest about it."""

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.contestation import LONGEST_TEXT, Edit, EditKind, contest
from core.judgement import Verdict
from core.judges import SemanticsJudge, StanceVariant
from core.least import (
    LEAST,
    ChangeKind,
    Locks,
    OutcomeStatus,
    Question,
    additions,
    at_least,
    fewest_removals,
    least_addition,
    least_conservativeness,
    verdict_goal,
)
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from tests.core.generated import scores
from tests.core.least_questions import (
    ATTACK,
    CIRCLE,
    SUPPORT,
    flat,
    open_arguments,
    questions,
    reached,
    shuffled,
)

JUDGE = SemanticsJudge()
TO_TRUE = verdict_goal(JUDGE.rule, Verdict.TRUE)


def removing(names):
    return [Edit(EditKind.REMOVE_ARGUMENT, name) for name in names]


def test_the_strongest_cons_of_a_flat_debate_are_removed():
    question = Question(JUDGE, flat(0.5, pros=[0.3], cons=[0.2, 0.6, 0.5]), TO_TRUE)
    outcome = fewest_removals(question)  # without c1 and c2: pro 0.3 against con 0.2; without c1: 0.3 against 0.6
    assert [edit.argument for edit in outcome.edits] == ["c1", "c2"]
    assert (outcome.status, outcome.cost) == (OutcomeStatus.LEAST, 2.0)


@given(question=questions(most_arguments=6))
def test_no_smaller_set_does_it_and_an_impossible_goal_is_reached_by_none(question):
    outcome = fewest_removals(question)
    names = [argument.id for argument in open_arguments(question)]
    if outcome.status is OutcomeStatus.ALREADY:
        return
    assert outcome.status in (OutcomeStatus.LEAST, OutcomeStatus.IMPOSSIBLE)
    size = len(outcome.edits) if outcome.found else len(names) + 1
    assert {edit.argument for edit in outcome.edits} <= set(names)
    if outcome.found:
        assert reached(question, outcome.edits)
    for fewer in range(1, size):
        for chosen in combinations(names, fewer):
            assert not reached(question, removing(chosen))


def test_of_equally_many_those_that_move_the_score_least_are_removed():
    # two layers, so that sets are tried: without c0 0.5 + 0.5 (0.6 - 0.2) = 0.7, without c1 0.5 + 0.5 (0.6 - 0.5)
    profile = flat(0.5, pros=[0.6], cons=[0.5, 0.2])
    doubt = Argument("doubt", "text", "A1", 0.0)
    profile = replace(
        profile,
        arguments=(*profile.arguments, doubt),
        relations=(*profile.relations, Relation("doubt", "p0", ATTACK)),
    )
    outcome = fewest_removals(Question(JUDGE, profile, at_least(0.52)))
    assert [edit.argument for edit in outcome.edits] == ["c1"]


def test_a_removal_that_is_stopped_is_not_called_the_fewest():
    def asked_once(answers=[]):  # noqa: B006
        answers.append(None)
        return len(answers) > 1

    profile = OpinionProfile(
        "a claim",
        (),
        tuple(Argument(f"x{i}", "text", None, 0.5) for i in range(6)),
        (
            *(Relation(f"x{i}", TOPIC, ATTACK) for i in range(4)),
            Relation("x4", "x0", SUPPORT),
            Relation("x5", "x1", SUPPORT),
        ),
    )
    outcome = fewest_removals(Question(JUDGE, profile, TO_TRUE, stop=asked_once))
    assert outcome.status is OutcomeStatus.BEST  # only single ones were tried before; it takes all four
    assert outcome.stopped
    assert len(outcome.edits) == 4
    assert fewest_removals(Question(JUDGE, profile, TO_TRUE)).status is OutcomeStatus.LEAST


def test_an_added_argument_is_as_weak_as_can_be():
    # pro 0.4 against con 0.6: a further pro s has to bring (1 - 0.4)(1 - s) down to 0.4
    question = Question(JUDGE, flat(0.5, pros=[0.4], cons=[0.6]), TO_TRUE)
    outcome = least_addition(question, "Because.")
    (edit,) = outcome.edits
    # attacking the con: 0.6 (1 - s) = 0.4 needs 1/3 as well; the topic comes first by name or by the last bits
    assert outcome.cost == pytest.approx(1 / 3, abs=5e-12)
    assert (edit.kind, edit.argument, edit.text) == (EditKind.ADD_ARGUMENT, "new1", "Because.")
    assert edit.after == outcome.cost
    table = {(found.target, found.relation): found.base_score for found in additions(question)}
    assert set(table) == {(TOPIC, SUPPORT), ("c0", ATTACK), ("p0", SUPPORT)}
    assert table["p0", SUPPORT] == pytest.approx(1 / 3, abs=5e-12)  # 0.4 + 0.6 s = 0.6


@given(question=questions(), share=st.floats(0, 0.999))
def test_the_addition_holds_and_a_weaker_one_does_not(question, share):
    for found in additions(question, taken=frozenset(["new1"])):
        if found.edit is not None and found.base_score is not None:
            assert found.edit.argument == "new2"
            assert reached(question, [found.edit])
            if found.base_score > 1e-9:
                assert not reached(question, [replace(found.edit, after=share * found.base_score)])


@given(question=questions(), score=scores, data=st.data())
def test_where_no_addition_does_it_a_random_one_does_not(question, score, data):
    outcome = least_addition(question)
    if outcome.status is OutcomeStatus.IMPOSSIBLE:
        target = data.draw(st.sampled_from([TOPIC, *(a.id for a in open_arguments(question))]))
        kind = data.draw(st.sampled_from(RelationKind))
        for base in (score, 1.0):
            edit = Edit(EditKind.ADD_ARGUMENT, "other", after=base, text="text", target=target, relation=kind)
            assert not reached(question, [edit])


def test_nothing_is_added_to_a_locked_argument():
    profile = flat(0.5, pros=[0.4], cons=[0.6])
    found = additions(Question(JUDGE, profile, TO_TRUE, Locks(frozenset(["c0"]))))
    assert {addition.target for addition in found} == {TOPIC, "p0"}


def test_an_added_arguments_id_is_nobodys_and_its_text_fits():
    profile = replace(flat(0.5, cons=[0.6]), arguments=(Argument("new1", "x" * LONGEST_TEXT, "A1", 0.6),), relations=())
    profile = replace(profile, relations=(Relation("new1", TOPIC, ATTACK),))
    (edit,) = least_addition(Question(JUDGE, profile, TO_TRUE, Locks(agents=frozenset(["A1"])))).edits
    assert edit.argument == "new2"


PRIORS = OpinionProfile(
    "a claim",
    (Stance("A1", 0.4),),
    (Argument("pro", "text", "A1", 0.5), Argument("con", "text", "A1", 0.32)),
    (Relation("pro", TOPIC, SUPPORT), Relation("con", TOPIC, ATTACK)),
)


def test_the_nearest_conservativeness_is_a_judge():
    judge = SemanticsJudge(variant=StanceVariant.PRIOR)
    # 0.4 + 0.6 * 0.18 / k = 0.5 at k = 1.08; the argumentation notes have 0.508, 0.498 at 1.0 and 1.1
    outcome = least_conservativeness(Question(judge, PRIORS, verdict_goal(judge.rule, Verdict.FALSE)))
    assert outcome.judge is not None
    assert outcome.judge.conservativeness == pytest.approx(1.08, abs=1e-10)
    assert (outcome.status, outcome.edits) == (OutcomeStatus.LEAST, ())
    assert outcome.judge.judge(PRIORS).verdict is Verdict.FALSE
    assert outcome.cost == pytest.approx(0.08, abs=1e-10)


def test_at_a_threshold_of_a_half_none_flips_a_flat_debate():
    outcome = least_conservativeness(Question(JUDGE, flat(0.5, pros=[0.2], cons=[0.6]), TO_TRUE))
    assert outcome.status is OutcomeStatus.IMPOSSIBLE
    assert outcome.found is False


def test_a_semantics_without_conservativeness_says_so():
    judge = SemanticsJudge("euler")
    outcome = least_conservativeness(Question(judge, flat(0.5, cons=[0.6]), TO_TRUE))
    assert outcome.status is OutcomeStatus.IMPOSSIBLE
    assert outcome.proof == "Euler-based has no conservativeness."


@given(
    question=questions(judge=st.builds(SemanticsJudge, semantics=st.sampled_from(["df-quad", "qe", "product-1max"])))
)
@settings(deadline=None)
def test_no_nearer_conservativeness_does_it(question):
    outcome = least_conservativeness(question)
    if outcome.status is OutcomeStatus.ALREADY:
        return
    end = outcome.judge.conservativeness if outcome.judge else 10.0
    for kappa in np.linspace(1.0, end, 40)[:-1].tolist():
        score = replace(question.judge, conservativeness=kappa).judge(question.profile).score
        if outcome.status in (OutcomeStatus.LEAST, OutcomeStatus.IMPOSSIBLE):
            assert not question.goal.reached(score)


@pytest.mark.parametrize("kind", ChangeKind)
def test_a_cyclic_debate_is_searched_without_claims(kind):
    judge, profile = CIRCLE
    question = Question(judge, profile, verdict_goal(judge.rule, Verdict.TRUE))
    outcome = LEAST[kind](question)
    if outcome.found:
        found = outcome.judge or judge
        assert question.goal.reached(found.judge(contest(profile, outcome.edits).profile).score)
    if kind not in (ChangeKind.REMOVAL, ChangeKind.FEWEST_SCORES):  # these can be tried one and all
        assert outcome.status in (OutcomeStatus.BEST, OutcomeStatus.NOT_FOUND)


@pytest.mark.parametrize("kind", ChangeKind)
def test_every_kind_of_search_can_be_stopped_at_once(kind):
    judge, profile = CIRCLE
    question = Question(judge, profile, verdict_goal(judge.rule, Verdict.TRUE), stop=lambda: True)
    outcome = LEAST[kind](question)
    assert outcome.status in (OutcomeStatus.BEST, OutcomeStatus.NOT_FOUND)


@given(question=questions(most_arguments=5), kind=st.sampled_from(ChangeKind), seed=st.integers(0, 99))
@settings(deadline=None, max_examples=60)
def test_no_search_depends_on_the_order_of_the_profile(question, kind, seed):
    def order(items):
        return random.Random(seed).sample(items, len(items))

    other = replace(question, profile=shuffled(question.profile, order))
    assert LEAST[kind](question) == LEAST[kind](other)


@given(question=questions(most_arguments=5), kind=st.sampled_from(ChangeKind))
@settings(deadline=None, max_examples=60)
def test_every_outcome_is_what_the_judge_says_and_leaves_alone_what_is_locked(question, kind):
    outcome = LEAST[kind](question)
    before = question.judge.judge(question.profile)
    assert (outcome.before, outcome.verdict_before) == (before.score, before.verdict)
    if outcome.found:
        after = (outcome.judge or question.judge).judge(contest(question.profile, outcome.edits).profile)
        assert (outcome.after, outcome.verdict_after) == (after.score, after.verdict)
        assert question.goal.reached(after.score)
        allowed = {argument.id for argument in open_arguments(question)} | {"new1", ""}
        assert {edit.argument for edit in outcome.edits} <= allowed
    else:
        assert outcome.edits == ()
