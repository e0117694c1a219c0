import json
from dataclasses import replace

import pytest

from core.debate import Agent, DebateProtocol
from core.opinion import TOPIC
from core.provider_errors import is_provider_error
from core.score_text import Scale
from storage.readers import Layout, TableMapping
from tests.storage.readers.reading import arguments, codes, problems, read, relations, stances


def opinion(agent="A1", pros=(), cons=(), **fields):
    return {"agent_id": agent, "pros": list(pros), "cons": list(cons)} | fields


def pro(name="pro1", text="A reason.", score=0.5, **fields):
    return {"id": name, "argument": text, "base_score": score} | fields


def record(*opinions, **fields):
    return {
        "debate_id": "d",
        "scenario": "single_turn",
        "claim": "Ice floats.",
        "label": True,
        "opinions": list(opinions),
    } | fields


def read_records(*records, mapping=None):
    return read("\n".join(json.dumps(each) for each in records), mapping)


def test_single_turn_records_become_debates(log):
    file = log("post_hoc_single.jsonl")
    first, second = file.debates
    assert (file.format, file.refused, file.issues) == ("post-hoc", False, ())
    assert (first.id, first.claim_id, first.label) == ("rain-1", "rain", True)
    assert first.protocol is DebateProtocol.SINGLE_TURN
    assert first.agents == (Agent("A1", model="model-a"), Agent("A2", model="model-b"))
    assert arguments(first) == [
        ("A1-pro1", "Drops form where air cools.", 0.8),
        ("A1-con1", "Some rain dries up on its way.", 0.2),
        ("A2-pro1", "Radar shows it.", None),
    ]
    assert relations(first) == ["A1-pro1 +", "A1-con1 -", "A2-pro1 +"]
    assert stances(first) == {"A1": (0.9, 0.95), "A2": (1.0, 1.0)}
    assert first.rounds[0].arguments[0].source_id == "pro1"
    judgement = first.judgements[0]
    assert (judgement.judge, judgement.kind, judgement.score) == ("model-c", "llm", 0.9)
    assert judgement.settings == {"variant": "prior", "anonymised": False}
    assert (second.id, second.rounds[0].arguments) == ("rain-2", ())


def test_a_private_debate_keeps_all_rounds_and_targets_in_other_opinions(log):
    (debate,) = log("post_hoc_private.jsonl").debates
    assert debate.protocol is DebateProtocol.MULTI_TURN_PRIVATE
    assert [r.number for r in debate.rounds] == [0, 1]
    assert relations(debate, 0) == ["A1-pro1 +", "A2-con1 -A1-pro1"]
    assert relations(debate, 1) == ["A1-con1 -", "A2-con1 -"]
    assert stances(debate, 0) == {"A1": (0.3, 0.3), "A2": (0.1, 0.1)}
    assert stances(debate, 1) == {"A1": (None, 0.1), "A2": (None, 0.0)}
    assert [a.model for a in debate.agents] == ["model-a", "model-b"]


def test_a_shared_debate_keeps_ids_authors_editors_and_edits(log):
    (debate,) = log("post_hoc_shared.jsonl").debates
    assert debate.shared
    assert relations(debate, 0) == ["pro1 +", "con1 -pro1"]
    first, last = debate.rounds[0].arguments[0], debate.rounds[1].arguments[0]
    assert (first.author, first.last_edited_by, first.base_score) == ("A1", None, 0.5)
    assert (last.author, last.last_edited_by, last.base_score) == ("A1", "A1", 0.3)
    assert debate.rounds[1].edits[0]["edits"] == [{"id": "pro1", "base_score": 0.3}]
    assert [agent.id for agent in debate.agents] == ["A1", "A2"]


def test_a_broken_record_does_not_take_the_others_with_it(log):
    file = log("broken.jsonl")
    assert [debate.id for debate in file.debates] == ["ok-1", "ok-2"]
    assert problems(file) == [
        ("record_unreadable", 3, "claim"),
        ("text_outside_json", 4, None),
        ("trailing_text", 5, None),
        ("record_unreadable", 6, None),
        ("record_truncated", 7, None),
    ]


def test_the_scenario_is_told_by_the_shape_where_it_is_not_named():
    rounds = {"rounds": [{"round": 0, "opinions": [opinion()]}], "opinions": None}
    framework = {"rounds": [{"round": 0, "framework": {"pros": []}, "stances": []}], "opinions": None}
    for fields, protocol in (
        ({}, DebateProtocol.SINGLE_TURN),
        (rounds, DebateProtocol.MULTI_TURN_PRIVATE),
        (framework, DebateProtocol.MULTI_TURN_SHARED),
    ):
        file = read_records(record(opinion(), scenario=None) | fields)
        assert file.debates[0].protocol is protocol
        assert codes(file) == ["protocol_assumed"]


def test_an_unknown_scenario_is_reported():
    file = read_records(record(opinion(), scenario="duel"))
    assert file.debates[0].protocol is DebateProtocol.OTHER
    assert problems(file) == [("protocol_unknown", 1, "protocol")]


def test_a_repeated_id_in_one_opinion_gets_a_suffix_and_a_dangling_target_stays():
    file = read_records(
        record(
            opinion("A1", [pro(), pro(text="Another.")], [pro("con1", target="nowhere")]),
            opinion("A2", [pro()]),
        )
    )
    (debate,) = file.debates
    assert relations(debate) == ["A1-pro1 +", "A1-pro1-2 +", "A1-con1 -nowhere", "A2-pro1 +"]
    assert problems(file) == [
        ("argument_id_repeated", 1, "opinions[0].pros[1].id"),
        ("target_unknown", 1, "opinions[0].cons[0].target"),
    ]


@pytest.mark.parametrize("target", ["A2/con1", "A2-con1", "A2:con1"])
def test_a_target_may_name_another_agent(target):
    file = read_records(record(opinion("A1", [pro(target=target)]), opinion("A2", [], [pro("con1")])))
    assert relations(file.debates[0]) == ["A1-pro1 +A2-con1", "A2-con1 -"]
    assert problems(file) == []


def test_a_target_is_looked_for_in_the_same_opinion_first():
    opinions = [opinion(agent, [pro()], [pro("con1", target="pro1")]) for agent in ("A1", "A2")]
    assert relations(read_records(record(*opinions)).debates[0]) == [
        "A1-pro1 +",
        "A1-con1 -A1-pro1",
        "A2-pro1 +",
        "A2-con1 -A2-pro1",
    ]


def test_a_self_loop_and_a_target_both_supported_and_attacked_are_kept_and_reported():
    file = read_records(
        record(
            scenario="multi_turn_shared",
            opinions=None,
            rounds=[
                {
                    "round": 0,
                    "framework": {
                        "pros": [pro("a", target="a"), pro("b", target=["topic", "a"])],
                        "cons": [pro("b", target="a")],
                    },
                }
            ],
        )
    )
    assert relations(file.debates[0]) == ["a +a", "b +", "b +a", "b-2 -a"]
    assert problems(file) == [
        ("argument_id_repeated", 1, "rounds[0].framework.cons[0].id"),
        ("self_relation", 1, "rounds[0].framework.pros[0].target"),
    ]


def test_scores_and_labels_in_words_are_read_and_kept():
    file = read_records(
        record(
            opinion(
                "A1", [pro(score="85%"), pro("pro2", score=1.4), pro("pro3", score=-0.2)],
                prior_stance="Likelihood: 40%", posterior_stance="high",
            ),
            opinion("A2", [pro(score=0.7), pro("pro2", score=0.6)]),
            label="SUPPORTED",
        )
    )  # fmt: skip
    (debate,) = file.debates
    assert debate.label is True
    assert [(a.base_score, a.base_score_raw) for a in debate.rounds[0].arguments[:3]] == [
        (0.85, "85%"),
        (None, "1.4"),
        (None, "-0.2"),
    ]
    assert stances(debate)["A1"] == (0.4, None)
    assert debate.provenance["extra"] == {
        "label": "SUPPORTED",
        "opinions[0].prior_stance": "Likelihood: 40%",
        "opinions[0].posterior_stance": "high",
    }
    assert sorted(problems(file), key=str) == [
        ("score_out_of_range", 1, "opinions[0].pros[1].base_score"),
        ("score_out_of_range", 1, "opinions[0].pros[2].base_score"),
        ("score_unreadable", 1, "opinions[0].posterior_stance"),
    ]


def test_a_column_of_percentages_is_read_as_such_in_every_record():
    file = read_records(*(record(opinion("A1", [pro(score=score)], prior_stance=0.5)) for score in (85, 40, 1)))
    assert [debate.rounds[0].arguments[0].base_score for debate in file.debates] == [0.85, 0.4, 0.01]
    assert [debate.rounds[0].arguments[0].base_score_raw for debate in file.debates] == ["85", "40", "1"]
    assert [debate.rounds[0].stances[0].prior for debate in file.debates] == [0.5, 0.5, 0.5]
    scale = next(issue for issue in file.issues if issue.code == "score_scale_assumed")
    assert (scale.field, scale.severity) == ("base_score", "info")


def test_ratings_stay_missing_until_somebody_says_the_scale():
    records = [record(opinion("A1", [pro(score=score)])) for score in (4, 5, 2)]
    file = read_records(*records)
    assert [debate.rounds[0].arguments[0].base_score for debate in file.debates] == [None, None, None]
    assert [debate.rounds[0].arguments[0].base_score_raw for debate in file.debates] == ["4", "5", "2"]
    assert [problem for problem in problems(file) if problem[0] != "debate_id_repeated"] == [
        ("score_scale_unknown", None, "base_score")
    ]
    said = read_records(*records, mapping=TableMapping(Layout.LONG, scales={"base_score": Scale.FIVE}))
    assert [debate.rounds[0].arguments[0].base_score for debate in said.debates] == [0.75, 1.0, 0.25]


def test_repeated_debate_ids_are_two_debates():
    file = read_records(record(), record(claim="Another."), record(claim="A third."))
    assert [(debate.id, debate.claim) for debate in file.debates] == [
        ("d", "Ice floats."),
        ("d-2", "Another."),
        ("d-3", "A third."),
    ]
    assert problems(file) == [("debate_id_repeated", 2, "debate_id"), ("debate_id_repeated", 3, "debate_id")]


def test_a_failure_message_is_marked_and_stays():
    file = read_records(record(opinion("A1", [pro(text="Error: Empty response from provider.")])))
    assert file.debates[0].rounds[0].arguments[0].is_error_text
    assert problems(file) == [("provider_error", 1, "opinions[0].pros[0].argument")]


def test_agents_whose_model_changes_keep_the_first():
    rounds = [{"round": n, "opinions": [opinion("A1", model=model)]} for n, model in enumerate("ab")]
    file = read_records(record(scenario="multi_turn_private", opinions=None, rounds=rounds))
    assert file.debates[0].agents == (Agent("A1", model="a"),)
    assert problems(file) == [("model_disagrees", 1, "rounds[1].opinions[0].model")]


def test_what_has_no_place_is_kept_by_its_path():
    file = read_records(record(opinion("A1", [pro(mood="calm")], tokens=5), cost=1.5))
    assert file.debates[0].provenance["extra"] == {
        "cost": 1.5,
        "opinions[0].pros[0].mood": "calm",
        "opinions[0].tokens": 5,
    }
    assert codes(file) == ["unknown_key"] * 3


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"opinions": [5]}, "wrong_type", "opinions[0]"),
        ({"opinions": [{"pros": []}]}, "agent_id_missing", "opinions[0].agent_id"),
        ({"opinions": [opinion(), opinion(prior_stance=0.5)]}, "stance_repeated", "opinions[1]"),
        ({"opinions": [opinion(pros=[None])]}, "wrong_type", "opinions[0].pros[0]"),
        ({"opinions": [opinion(pros=[{"id": "x"}])]}, "argument_text_missing", "opinions[0].pros[0].argument"),
        ({"debate_id": None}, "debate_id_missing", "debate_id"),
        (
            {"scenario": "shared", "opinions": None, "rounds": [{"round": 0, "edits": [{"agent_id": "A1"}]}]},
            "framework_missing",
            "rounds[0].framework",
        ),
        (
            {"opinions": None, "rounds": [{"round": 0, "framework": {}, "opinions": [opinion()]}]},
            "opinions_beside_framework",
            "rounds[0].opinions",
        ),
    ],
)
def test_a_questionable_part_is_kept_and_named(fields, code, field):
    file = read_records(record() | fields)
    assert (code, 1, field) in problems(file)
    assert len(file.debates) == 1


def test_the_line_of_a_field_is_found_in_a_pretty_printed_file():
    text = json.dumps([record(), record(opinion("A1", [pro(score="high")]), debate_id="e")], indent=1)
    ((code, line, field),) = problems(read(text))
    assert (code, field) == ("score_unreadable", "opinions[0].pros[0].base_score")
    assert '"base_score": "high"' in text.splitlines()[line - 1]


def test_the_file_is_named_in_the_provenance_of_each_debate(log):
    file = log("post_hoc_single.jsonl")
    assert [debate.provenance["imported_from"] for debate in file.debates] == [
        {"file": "post_hoc_single.jsonl", "sha256": file.sha256, "format": "post-hoc", "line": line} for line in (1, 2)
    ]


def test_no_argument_is_ever_called_like_the_topic():
    framework = {"pros": [pro(TOPIC)], "cons": []}
    file = read_records(record(scenario="shared", opinions=None, rounds=[{"round": 0, "framework": framework}]))
    assert relations(file.debates[0]) == ["topic-2 +"]
    assert replace(file.debates[0].rounds[0].arguments[0], id="x").source_id == TOPIC


@pytest.mark.parametrize(
    "text",
    [
        "Error: Empty response from provider. Raw: {'error': {'code': 502}}",
        '{"error": {"message": "Rate limit reached", "code": 429}}',
        "{'type': 'error', 'error': {'type': 'overloaded_error'}}",
        "Error code: 429 - {'error': {'message': 'too many'}}",
        "openai.RateLimitError: Error code: 429",
        "Traceback (most recent call last):\n  File ...",
        "Rate limit reached for model-a in organization x",
        "502 Bad Gateway",
        "<html><head><title>503 Service Unavailable</title></head></html>",
        "[ERROR] request timed out after 60 s",
        "APIConnectionError: Connection error.",
    ],
)
def test_a_providers_failure_message_is_recognised(text):
    assert is_provider_error(text)


@pytest.mark.parametrize(
    "text",
    [
        "Error bars in the study overlap, so the effect may be chance.",
        "Error: the claim mistakes cause for effect.",
        "Error: a weak connection to the evidence, and a timeout rule in basketball.",
        "The provider of the data is not neutral.",
        "Rate limits on roads save lives.",
        "Terror: the http of history.",
        "In 502 cases the gateway was bad.",
        "Exceptions: platypus and echidna lay eggs.",
        "Failed to convince most voters.",
        "",
        "x" * 100_000,
    ],
)
def test_an_argument_about_errors_is_an_argument(text):
    assert not is_provider_error(text)
