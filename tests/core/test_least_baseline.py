"""The least sum of changes against the results of CE-QArg (data folder beside the project)."""

import json
from pathlib import Path

import pytest

from core.contestation import contest
from core.judges import SemanticsJudge
from core.least import Locks, OutcomeStatus, Question, least_squares, least_sum, strength_goal
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind

VECTORS = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "qbaf-vectors" / "vectors.json"

pytestmark = pytest.mark.skipif(not VECTORS.exists(), reason="the reference vectors are not beside the project")

SEMANTICS = {"dfquad@1.0": "df-quad", "qe@1.0": "qe"}


def profile_of(graph):
    def named(name):
        return TOPIC if name == graph["topic"] else name

    return OpinionProfile(
        "a claim",
        arguments=tuple(Argument(name, "text", None, score) for name, score in graph["args"] if name != graph["topic"]),
        relations=tuple(
            Relation(named(source), named(target), kind)
            for kind, pairs in ((RelationKind.ATTACK, graph["attacks"]), (RelationKind.SUPPORT, graph["supports"]))
            for source, target in pairs
        ),
        topic_base_score=dict(graph["args"])[graph["topic"]],
    )


@pytest.fixture(scope="module")
def cases():
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    graphs = {graph["id"]: graph for graph in vectors["acyclic"]}
    return [(graphs[case["graph"]], case) for case in vectors["counterfactual_baseline"]]


def questions(cases):
    for graph, case in cases:
        judge, profile = SemanticsJudge(SEMANTICS[case["semantics"]]), profile_of(graph)
        score = judge.judge(profile).score
        assert score == pytest.approx(case["topic_strength"], abs=1e-12)
        goal = strength_goal(case["desired"], score)
        yield case, Question(judge, profile, goal, Locks(topic=False))


def test_the_least_sum_is_never_larger_and_never_overshoots(cases):
    compared = 0
    for case, question in questions(cases):
        found = least_sum(question)
        assert found.status in (OutcomeStatus.LEAST, OutcomeStatus.BEST)
        assert found.cost <= case["l1"]
        assert found.after == pytest.approx(case["desired"], abs=1e-9)
        assert question.judge.judge(contest(question.profile, found.edits).profile).score == found.after
        compared += 1
    assert compared == len(cases) > 50


def test_the_least_squares_are_never_larger_and_never_overshoot(cases):
    for case, question in questions(cases):
        found = least_squares(question)
        assert found.cost <= case["l2"]
        assert found.after == pytest.approx(case["desired"], abs=1e-9)
