"""AIF nodesets: flat, wrapped as xAIF, and as OVA2 laid them out."""

import json

from tests.storage.readers.conftest import LOGS
from tests.storage.readers.reading import arguments, codes, problems, read, relations

FLAT = json.loads((LOGS / "aif.json").read_text())


def test_inferences_support_and_conflicts_attack(log):
    file = log("aif.json")
    (debate,) = file.debates
    assert (file.format, debate.claim) == ("aif", "The ferry should run.")
    assert relations(debate) == ["2 +", "13 +", "4 -"]
    assert arguments(debate)[0] == ("2", "It spares the walk.", None)
    assert debate.rounds[0].arguments[0].author == "Ana Example"
    assert [(m.speaker, m.text) for m in debate.transcript] == [("Ana Example", "It spares the walk.")]


def test_what_a_qbaf_has_no_place_for_is_kept_aside_and_said(log):
    file = log("aif.json")
    (debate,) = file.debates
    assert debate.provenance["undercuts"] == [
        {"source": "6", "target": "2", "of": "topic"},
        {"source": "6", "target": "13", "of": "topic"},
    ]
    assert debate.provenance["rephrases"] == [{"text": "A ferry ought to run.", "of": "1"}]
    assert {"undercut_kept_aside", "rephrase_kept_aside", "linked_premises", "preference_left_out",
            "locution_dangling", "base_scores_missing"} <= set(codes(file))  # fmt: skip
    assert ("argument_id_missing", 73, "nodes[14]") in problems(file)
    assert ("relation_dangling", 134, "edges[11]") in problems(file)


def test_the_wrapper_of_xaif_is_taken_off(log):
    wrapped = {"AIF": FLAT, "text": "<span>x</span>", "dialog": False, "OVA": {}}
    assert read(json.dumps(wrapped)).debates[0].rounds == log("aif.json").debates[0].rounds


def test_the_layout_of_ova2_is_understood():
    nodes = [
        {"id": 1, "type": "I", "text": "C."},
        {"id": 2, "type": "I", "text": "P."},
        {"id": 3, "type": "RA", "text": ""},
    ]
    edges = [{"from": {"id": 2}, "to": {"id": 3}}, {"from": {"id": 3}, "to": {"id": 1}}]
    assert relations(read(json.dumps({"nodes": nodes, "edges": edges})).debates[0]) == ["2 +"]


def test_edges_without_nodes_are_refused_with_the_reason():
    file = read(json.dumps({"AIF": {"nodes": [], "edges": FLAT["edges"]}}))
    assert (file.refused, "nodes_missing" in codes(file)) == (True, True)


def test_statements_linked_without_a_scheme_have_no_polarity():
    nodes = [{"nodeID": 1, "type": "I", "text": "C."}, {"nodeID": "2", "type": "I", "text": "P."}]
    file = read(json.dumps({"AIF": {"version": "1.0"}, "nodes": nodes, "edges": [{"fromID": "2", "toID": 1}]}))
    (debate,) = file.debates
    assert (relations(debate), debate.provenance["unsigned"]) == ([], [["2", "topic"]])
    assert "polarity_missing" in codes(file)


def test_several_claims_give_several_debates():
    nodes = [{"nodeID": n, "type": "RA" if n > 10 else "I", "text": f"s{n}"} for n in (1, 2, 3, 11, 12)]
    edges = [{"fromID": a, "toID": b} for a, b in ((3, 11), (11, 1), (3, 12), (12, 2))]
    assert [d.claim for d in read(json.dumps({"nodes": nodes, "edges": edges})).debates] == ["s1", "s2"]
