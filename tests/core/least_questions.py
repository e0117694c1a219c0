"""What the tests of the least contestation draw and ask."""

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from core.contestation import contest
from core.judgement import DecisionRule, Verdict
from core.judges import ScoreAggregation, SemanticsJudge, Setting, StanceVariant
from core.least import Locks, Question, strength_goal, verdict_goal
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.semantics import SEMANTICS
from tests.core.generated import profiles

SUPPORT, ATTACK = RelationKind.SUPPORT, RelationKind.ATTACK

judges = st.builds(
    SemanticsJudge,
    semantics=st.sampled_from(list(SEMANTICS)),
    setting=st.sampled_from(Setting),
    variant=st.sampled_from(StanceVariant),
    rule=st.sampled_from([DecisionRule(), DecisionRule(0.4, 0.1), DecisionRule(strict=True)]),
    missing_base_score=st.sampled_from([0.5, None]),
    aggregation=st.sampled_from(ScoreAggregation),
)


# Two arguments that attack each other, one of which supports the topic.
CIRCLE = (
    SemanticsJudge(),
    OpinionProfile(
        "a claim",
        (),
        (Argument("x", "text", None, 0.6), Argument("y", "text", None, 0.7)),
        (Relation("x", "y", ATTACK), Relation("y", "x", ATTACK), Relation("x", TOPIC, ATTACK)),
    ),
)


@st.composite
def questions(draw, acyclic=True, most_arguments=7, judge=judges):
    """Draw a judge, a profile, a goal that is a verdict or a strength, and locks."""
    used, profile = draw(judge), draw(profiles(acyclic=acyclic, most_arguments=most_arguments))
    score = used.judge(profile).score
    goal = draw(
        st.one_of(
            st.sampled_from(Verdict).map(lambda verdict: verdict_goal(used.rule, verdict)),
            st.integers(0, 20).map(lambda n: strength_goal(n / 20, score)),
        )
    )
    names = [argument.id for argument in profile.arguments]
    locks = Locks(
        frozenset(draw(st.lists(st.sampled_from(names), max_size=2))) if names else frozenset(),
        frozenset(draw(st.lists(st.sampled_from(["A1", "A2"]), max_size=1))),
        draw(st.booleans()),
    )
    return Question(used, profile, goal, locks)


def flat(topic=0.5, pros=(), cons=(), **more):
    """Return a flat profile; pros are called p0, p1, ..., cons c0, c1, ..."""
    sides = [(f"p{i}", score, SUPPORT) for i, score in enumerate(pros)]
    sides += [(f"c{i}", score, ATTACK) for i, score in enumerate(cons)]
    return OpinionProfile(
        "a claim",
        (Stance("A1"),),
        tuple(Argument(name, "text", "A1", score) for name, score, _ in sides),
        tuple(Relation(name, TOPIC, kind) for name, _, kind in sides),
        topic_base_score=topic,
        **more,
    )


def shuffled(profile, order):
    """Return a profile with everything in another order."""
    return replace(
        profile,
        stances=tuple(order(profile.stances)),
        arguments=tuple(order(profile.arguments)),
        relations=tuple(order(profile.relations)),
    )


def score_after(question, edits):
    return question.judge.judge(contest(question.profile, edits).profile).score


def reached(question, edits) -> bool:
    return bool(question.goal.reached(score_after(question, edits)))


def open_arguments(question):
    """Return the arguments that a search may change."""
    return [
        argument
        for argument in question.profile.arguments
        if not question.locks.holds(argument)
        and not argument.is_error_text
        and (argument.base_score is not None or question.judge.missing_base_score is not None)
    ]


def topic_is_open(question) -> bool:
    """Return whether a search may change the topic's base score along with others."""
    topics = {part.topic_base_score for part in question.judge.qbafs(question.profile)}
    return len(topics) == 1 and not question.locks.topic


def with_scores(profile, scores):
    """Return a profile with other base scores, by id."""
    return replace(
        profile,
        arguments=tuple(replace(a, base_score=scores.get(a.id, a.base_score)) for a in profile.arguments),
        topic_base_score=scores.get(TOPIC, profile.topic_base_score),
    )


def random_profiles(question, count, seed=0):
    """Return the profile with random base scores of all that is not locked, extremes among them."""
    random = np.random.default_rng(seed)
    names = [argument.id for argument in open_arguments(question)] + ([TOPIC] if topic_is_open(question) else [])
    for _ in range(count):
        values = random.random(len(names))
        values = np.where(random.random(len(names)) < 0.4, np.round(values), values)
        yield with_scores(question.profile, dict(zip(names, values.tolist(), strict=True)))
