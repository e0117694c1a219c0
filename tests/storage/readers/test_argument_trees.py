"""Argument trees: Kialo's text, Argdown and node-link graphs."""

import json

import pytest

from core.opinion import TOPIC
from tests.storage.readers.reading import arguments, codes, problems, read, relations


def test_a_kialo_export_becomes_a_graph_with_a_cross_reference_as_one_more_edge(log):
    file = log("kialo.txt")
    (debate,) = file.debates
    assert (file.format, debate.title) == ("kialo", "Should the harbour have a ferry?")
    assert debate.claim == "The harbour should have a ferry."
    assert arguments(debate) == [
        ("1.1", "It spares the walk around the bay (see the count).", None),
        ("1.1.1", "The walk takes only\nten minutes.", None),
        ("1.2", "Nobody would use it.", None),
        ("1.10", "Visitors like boats.", None),
    ]
    assert sorted(relations(debate)) == ["1.1 +", "1.1 -1.2", "1.1.1 -1.1", "1.10 +", "1.2 -"]
    assert debate.rounds[0].arguments[0].source == "https://example.org/count"
    assert problems(file) == [("reference_dangling", 9, None), ("argument_id_repeated", 11, None)]


def test_a_kialo_discussion_of_several_theses_has_one_debate_for_each():
    file = read(
        "Discussion Title: T\r\n\r\n1. Which?\r\n1.1. One.\r\n1.1.1. Pro: A.\r\n1.2. Two.\r\n1.2.1. Con: B.\r\n"
    )
    assert [(d.claim, d.title, relations(d)) for d in file.debates] == [
        ("One.", "T", ["1.1.1 +"]),
        ("Two.", "T", ["1.2.1 -"]),
    ]


def test_a_cross_reference_to_its_own_ancestor_is_a_cycle_that_loads():
    file = read("1. Thesis.\n1.1. Pro: A.\n1.1.1. Con: B.\n1.1.1.1. Con: -> See 1.1.\n")
    assert relations(file.debates[0]) == ["1.1 +", "1.1.1 -1.1", "1.1 -1.1.1"]


def test_a_kialo_parsers_json_without_the_thesis_is_refused_with_the_reason():
    file = read('[{"Tree": "1.1.", "Level": 1, "Stance": "Pro", "ToneInput": "A.\\r"}]')
    assert (file.refused, "parent_missing" in codes(file)) == (True, True)
    whole = read(
        '[{"Tree": "1.", "Stance": "", "ToneInput": "T."}, {"Tree": "1.1.", "Stance": "Pro", "ToneInput": "A.\\r"}]'
    )
    assert [(d.claim, arguments(d)) for d in whole.debates] == [("T.", [("1.1", "A.", None)])]


@pytest.mark.parametrize("key", ["links", "edges"])
def test_node_link_data_are_read_whichever_key_networkx_wrote(log, key):
    file = log("nodelink.json")
    text = json.dumps({**json.loads('{"nodes": [{"id": "r", "claim": "R."}, {"id": "p", "claim": "P."}]}'),
                       key: [{"source": "p", "target": "r", "valence": "PRO"}]})  # fmt: skip
    assert relations(read(text).debates[0]) == ["p +"]
    (debate,) = file.debates
    assert (debate.title, debate.tags) == ("Ferry", ("harbour",))
    assert arguments(debate) == [("1", "It spares the walk.", 0.7), ("2", "Nobody would use it.", None)]
    assert relations(debate) == ["1 +", "2 -"]


def test_a_link_without_a_sign_is_kept_aside_and_never_guessed(log):
    file = log("nodelink.json")
    assert file.debates[0].provenance["unsigned"] == [["2", "1"]]
    assert {"polarity_missing", "relation_repeated", "statements_alone"} <= set(codes(file))


def test_argdown_gives_statements_arguments_and_their_relations(log):
    file = log("ferry.argdown")
    (debate,) = [d for d in file.debates if d.id == "Ferry"]
    assert (file.format, debate.title, debate.claim) == (
        "argdown", "A ferry for the harbour", "The harbour should have a ferry.",
    )  # fmt: skip
    assert [(a.id, a.text, a.base_score) for a in debate.rounds[0].arguments] == [
        ("Walk", "It spares the long walk.", 0.7),
        ("statement-10", "The walk is short.", None),
        ("Cost", "(1) Boats are dear.\n(2) The town is poor.\n(3) The town cannot pay.", None),
        ("Grant", "The county pays.", None),
        ("Bridge", "There should be a bridge.", None),
        ("Dear", "Boats are dear.", None),
        ("Second-hand", "Old boats are cheap.", None),
        ("Walk2", "A note, with an [escape].", None),
    ]
    assert set(relations(debate)) == {
        "Walk +", "statement-10 -Walk", "Cost -", "Bridge -", "Dear +Cost", "Second-hand -Dear", "Walk2 +",
    }  # fmt: skip


def test_argdowns_own_json_gives_what_its_text_gives(log):
    file = log("argdown.json")
    (debate,) = file.debates
    assert (file.format, debate.id, debate.claim) == ("argdown-json", "Ferry", "The harbour should have a ferry.")
    assert [(a.id, a.text, a.base_score) for a in debate.rounds[0].arguments] == [
        ("Dear", "Boats are dear.", None),
        ("Untitled 1", "The town cannot pay.", None),
        ("Bridge", "There should be a bridge.", None),
        ("Walk", "It spares the walk.", 0.7),
        ("Cost", "(1) Boats are dear.\n(2) The town is poor.\n(3) The town cannot pay.", None),
        ("Grant", "The county pays.", None),
    ]
    assert set(relations(debate)) == {"Walk +", "Untitled 1 -", "Bridge -", "Dear +Cost", "Cost +Untitled 1"}
    assert debate.provenance["undercuts"] == [{"source": "Grant", "target": "Cost", "of": ""}]
    assert ("relation_unreadable", 51, "relations[4]") in problems(file)


def test_an_undercut_is_kept_aside(log):
    file = log("ferry.argdown")
    assert file.debates[0].provenance["undercuts"] == [{"source": "Grant", "target": "Cost", "of": ""}]
    assert "undercut_kept_aside" in codes(file)


@pytest.mark.parametrize(
    ("sign", "expected"),
    [("+", "B +"), ("<+", "B +"), ("-", "B -"), ("<-", "B -")],
)
def test_the_arrows_of_argdown_say_what_bears_on_what(sign, expected):
    assert relations(read(f"[A]: a\n  {sign} [B]: b\n").debates[0]) == [expected]


@pytest.mark.parametrize(("sign", "expected"), [("+>", "A +"), ("->", "A -")])
def test_an_outgoing_arrow_points_the_other_way(sign, expected):
    (debate,) = read(f"[A]: a\n  {sign} [B]: b\n").debates
    assert (debate.claim, relations(debate)) == ("b", [expected])


def test_a_contradiction_attacks_both_ways():
    file = read("[A]: a\n  >< [B]: b\n")
    assert relations(file.debates[0]) == ["B -"]
    assert {"claim_assumed", "relation_from_claim"} <= set(codes(file))


def test_prose_in_markdown_is_no_argdown():
    assert read("# Notes\n\nSome text:\n\n- one\n- two\n  - three\n").format is None


def test_a_deep_chain_and_a_wide_tree_load():
    chain = "1. T.\n" + "".join(f"{'.'.join(['1'] * n)}. Con: c{n}.\n" for n in range(2, 150))
    assert len(arguments(read(chain).debates[0])) == 148
    nodes = [{"id": i, "claim": f"<b>{i}</b>"} for i in range(5001)]
    links = [{"source": i, "target": 0, "valence": "CON"} for i in range(1, 5001)]
    (debate,) = read(json.dumps({"nodes": nodes, "links": links})).debates
    assert len(debate.rounds[0].arguments) == 5000
    deep = [{"source": i + 1, "target": i, "valence": "PRO"} for i in range(5000)]
    (debate,) = read(json.dumps({"nodes": nodes, "links": deep})).debates
    assert [r.target for r in debate.rounds[0].relations][:2] == [TOPIC, "1"]
