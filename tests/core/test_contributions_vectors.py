"""Contributions that a public argumentation tool computed (data folder beside the project)."""

import json
from pathlib import Path

import pytest

from core.contributions import gradient, intrinsic_removal, removal, shapley
from core.judges import SemanticsJudge
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind

VECTORS = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "qbaf-vectors" / "vectors.json"
JUDGES = {"dfquad@1.0": SemanticsJudge(), "qe@1.0": SemanticsJudge("qe"), "euler": SemanticsJudge("euler")}

pytestmark = pytest.mark.skipif(not VECTORS.exists(), reason="the reference vectors are not beside the project")


@pytest.fixture(scope="module")
def cases():
    """Return (profile, judge, contributors, peer's values) of every graph and semantics."""
    vectors = json.loads(VECTORS.read_text(encoding="utf-8"))
    graphs = {graph["id"]: graph for graph in vectors["acyclic"]}
    found = [
        (profile_of(graphs[entry["graph"]], entry["topic"]), JUDGES[key], entry["contributors"], values)
        for entry in vectors["contributions"]
        for key, values in entry["values"].items()
    ]
    assert len(found) > 50
    return found


def rightwards(slope):
    """Return the slope that a step upwards meets; at 1 such a step leaves the range, and the left one goes on."""
    return slope.left if slope.right is None else slope.right


def profile_of(graph, topic):
    def name(argument):
        return TOPIC if argument == topic else argument

    base = dict(graph["args"])
    kinds = ((RelationKind.ATTACK, graph["attacks"]), (RelationKind.SUPPORT, graph["supports"]))
    return OpinionProfile(
        "a claim",
        arguments=tuple(Argument(a, "text", None, score) for a, score in graph["args"] if a != topic),
        relations=tuple(Relation(name(s), name(t), kind) for kind, pairs in kinds for s, t in pairs),
        topic_base_score=base[topic],
    )


@pytest.mark.parametrize(
    ("contributions", "key"), [(removal, "removal"), (intrinsic_removal, "intrinsic_removal"), (shapley, "shapley")]
)
def test_contributions_agree(cases, contributions, key):
    for profile, judge, contributors, values in cases:
        expected = dict(zip(contributors, values[key], strict=True))
        assert contributions(judge, profile).amounts == pytest.approx(expected, abs=1e-12)


def test_right_hand_slopes_agree(cases):
    for profile, judge, contributors, values in cases:
        found = gradient(judge, profile)
        slopes = {name: rightwards(slope) for name, slope in found.slopes.items()}
        expected = dict(zip(contributors, values["gradient_forward_diff"], strict=True))
        assert slopes == pytest.approx(expected, abs=2e-7)
        assert rightwards(found.topic) == pytest.approx(values["gradient_forward_diff_topic_itself"], abs=2e-7)


def test_shapley_values_sum_up(cases):
    for profile, judge, _, _ in cases:
        found = shapley(judge, profile)
        assert found.start == profile.topic_base_score
        assert sum(found.amounts.values(), profile.topic_base_score) == pytest.approx(found.score, abs=1e-13)
