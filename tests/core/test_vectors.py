"""Strengths and contributions that public argumentation tools computed (data folder beside the project)."""

import json
from pathlib import Path

import numpy as np
import pytest

from core.judges.semantics_judge import SemanticsJudge
from core.qbaf import QBAF
from core.semantics import Method, semantics

VECTORS = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "qbaf-vectors" / "vectors.json"

pytestmark = pytest.mark.skipif(not VECTORS.exists(), reason="the reference vectors are not beside the project")

KEYS = {
    "dfquad": ("df-quad", 1e-12),
    "qe": ("qe", 1e-12),
    "euler": ("euler", 1e-12),
    "mlp": ("mlp", 1e-12),
    "euler_top": ("euler-top", 1e-12),
    "product_1max1": ("product-1max", 1e-12),
    "sqdfquad_squared_factors": ("squared-product-linear", 1e-9),  # the peer stops a differential equation here
    "squared_energy": ("squared-sum-1max", 1e-9),
}


@pytest.fixture(scope="module")
def vectors():
    return json.loads(VECTORS.read_text(encoding="utf-8"))


def qbaf_of(graph):
    return QBAF.build([tuple(a) for a in graph["args"]], graph["attacks"], graph["supports"])


def semantics_of(key):
    name, _, kappa = key.partition("@")
    return semantics(KEYS[name][0], float(kappa or 1)), KEYS[name][1]


@pytest.mark.parametrize("name", KEYS)
def test_acyclic_strengths_agree(vectors, name):
    compared = 0
    for graph in vectors["acyclic"]:
        for key, expected in graph["strengths"].items():
            if key.partition("@")[0] == name and expected is not None:
                gradual, tolerance = semantics_of(key)
                found = gradual.evaluate(qbaf_of(graph)).strengths
                assert found == pytest.approx(np.array(expected), abs=tolerance, rel=0), (graph["id"], key)
                compared += 1
    assert compared > 50


def test_all_acyclic_graphs_agree_as_one_forest(vectors):
    graphs = vectors["acyclic"]
    forest = QBAF.forest([qbaf_of(graph) for graph in graphs])
    for key in ("dfquad@1.0", "qe@1.1", "euler"):
        gradual, tolerance = semantics_of(key)
        for graph, found in zip(graphs, forest.split(gradual.evaluate(forest).strengths), strict=True):
            assert found == pytest.approx(np.array(graph["strengths"][key]), abs=tolerance, rel=0), graph["id"]


def test_where_a_peer_fails_at_base_scores_0_and_1_the_mlp_keeps_them(vectors):
    failed = [graph for graph in vectors["acyclic"] if graph["strengths"].get("mlp", 0) is None]
    assert failed
    for graph in failed:
        strengths = semantics("mlp").evaluate(qbaf_of(graph)).by_name
        extremes = {name: score for name, score in graph["args"] if score in (0, 1)}
        assert extremes
        assert {name: strengths[name] for name in extremes} == extremes


@pytest.mark.parametrize("method", [Method.DAMPED, Method.CONTINUOUS])
def test_cyclic_strengths_agree_with_every_peer_that_converged(vectors, method):
    compared = 0
    for graph in vectors["cyclic"]:
        for key, peers in graph["results"].items():
            evaluation = semantics_of(key)[0].evaluate(qbaf_of(graph), method)
            for peer in peers.values():
                if isinstance(peer, dict) and peer["converged"]:
                    assert evaluation.converged, (graph["id"], key)
                    expected = np.array(peer["strengths"])
                    assert evaluation.strengths == pytest.approx(expected, abs=1e-8, rel=0), (graph["id"], key)
                    compared += 1
    assert compared > 50


def test_discrete_iteration_ends_as_the_peers_does(vectors):
    outcomes = set()
    for graph in vectors["cyclic"]:
        for key, peers in graph["results"].items():
            peer = peers.get("qbafpy_discrete")
            if peer is not None:
                evaluation = semantics_of(key)[0].evaluate(qbaf_of(graph), Method.DISCRETE)
                assert evaluation.converged is peer["converged"], (graph["id"], key)
                outcomes.add(evaluation.converged)
                if evaluation.converged:
                    assert evaluation.strengths == pytest.approx(np.array(peer["strengths"]), abs=1e-8, rel=0)
    assert outcomes == {True, False}


def test_removal_contributions_agree(vectors):
    graphs = {graph["id"]: graph for graph in vectors["acyclic"]}
    compared = 0
    for entry in vectors["contributions"]:
        graph = graphs[entry["graph"]]
        qbaf = qbaf_of(graph)
        topic = qbaf.index(entry["topic"])
        for key, values in entry["values"].items():
            gradual, _ = semantics_of(key)
            evaluation = gradual.evaluate(qbaf)
            for name, expected in zip(entry["contributors"], values["removal"], strict=True):
                without = gradual.without(evaluation, qbaf.index(name)).strengths[topic]
                found = evaluation.strengths[topic] - without
                assert found == pytest.approx(expected, abs=1e-12), (entry["graph"], key, name)
                compared += 1
    assert compared > 100


def test_the_judges_know_every_semantics_of_the_vectors():
    for key, _ in KEYS.values():
        assert SemanticsJudge(key).gradual.key == key
