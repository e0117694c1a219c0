import json
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given

from core.debate import Agent, Debate, DebateProtocol, Round, profile
from core.errors import UnreadableRecord
from core.import_issue import IssueLog, Severity
from core.judgement import JudgementStatus, Verdict
from core.native import debate_from_json, debate_to_json, debate_to_line, debates_to_native
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from tests.core.generated_debates import NASTY, debates

SCHEMA = Path(__file__).resolve().parents[2] / "assets" / "schema" / "moot-debate-1.schema.json"


def strict(line):
    """Parse one line as strict JSON: NaN and infinity are errors."""

    def refuse(word):
        raise AssertionError(f"{word} is not JSON")

    return json.loads(line, parse_constant=refuse)


def read(record, line=7):
    """Return the debate of a record and the issues as (code, field)."""
    issues = IssueLog()
    debate = debate_from_json(record, issues, line)
    assert all(issue.line == line for issue in issues.issues)
    return debate, [(issue.code, issue.field) for issue in issues.issues]


def record(**fields):
    return {"format": "moot-debate/1", "debate_id": "d", "claim": "Ice floats.", "label": True} | fields


def with_arguments(*arguments, **fields):
    return record(rounds=[{"round": 0, "arguments": list(arguments), **fields}])


# -- there and back ----------------------------------------------------------------------------------------------


@given(debates())
def test_export_import_and_export_again_give_the_same_bytes(debate):
    first = debates_to_native([debate])
    again = debate_from_json(strict(first), IssueLog(), 1)
    assert debates_to_native([again]) == first


@given(debates())
def test_every_line_is_strict_json_in_one_line_of_utf_8_and_fits_the_schema(debate):
    line = debate_to_line(debate)
    assert len(line.splitlines()) == 1
    assert line.encode("utf-8").decode("utf-8") == line
    assert "\x00" not in line
    jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text())).validate(strict(line))


@pytest.mark.parametrize("text", NASTY, ids=range(len(NASTY)))
def test_a_text_comes_back_as_it_was_save_for_what_no_database_holds(text):
    debate = Debate("d", text, rounds=(Round(0, (), (Argument("a", text, "A1", 0.5),)),))
    back, issues = read(strict(debate_to_line(debate)))
    kept = "".join("\ufffd" if c == "\x00" or "\ud800" <= c <= "\udfff" else c for c in text)
    assert back.claim == back.rounds[0].arguments[0].text == kept
    assert issues == []


def test_values_come_back_equal():
    debate = Debate(
        "d",
        "Ice floats.",
        False,
        DebateProtocol.MULTI_TURN_SHARED,
        agents=(Agent("A1", temperature=0.0),),
        rounds=(
            Round(
                0,
                (Stance("A1", 0.0, 1.0),),
                (Argument("x", "t", "A1", 0.0), Argument("y", "u", None, 1.0, "pro1", "100%", "A1", True, "a book")),
                (Relation("x", TOPIC, RelationKind.SUPPORT), Relation("y", "x", RelationKind.ATTACK)),
                ({"agent_id": "A1"},),
            ),
        ),
    )
    back, issues = read(debate_to_json(debate))
    assert back == debate
    assert issues == []


def test_keys_come_in_one_order_and_empty_ones_are_left_out():
    debate = Debate("d", "Ice floats.", rounds=(Round(0, (Stance("A1"),), (Argument("a", ""),)),))
    assert debate_to_line(debate) == (
        '{"format": "moot-debate/1", "debate_id": "d", "protocol": "other", "claim": "Ice floats.", "label": null, '
        '"rounds": [{"round": 0, "stances": [{"agent_id": "A1"}], "arguments": [{"id": "a", "text": ""}]}]}'
    )


def test_free_json_that_strict_json_cannot_say_is_mended_on_the_way_out():
    deep: dict[str, object] = {}
    for _ in range(500):
        deep = {"deeper": deep}
    debate = Debate("d", "c", provenance={"n": float("nan"), "i": float("-inf"), "deep": deep, "set": {1}})
    first = debates_to_native([debate])
    written = strict(first)["provenance"]
    assert (written["n"], written["i"], written["set"]) == (None, None, "{1}")
    assert debates_to_native([debate_from_json(strict(first), IssueLog(), 1)]) == first


def test_relations_that_start_at_no_argument_are_kept():
    ghost = (Relation("gone", TOPIC, RelationKind.ATTACK), Relation(TOPIC, "a", RelationKind.SUPPORT))
    debate = Debate("d", "c", rounds=(Round(0, (), (Argument("a", "t"),), ghost),))
    back, _ = read(debate_to_json(debate))
    assert back.rounds[0].relations == ghost
    assert profile(back).dangling == ghost[:1]


# -- what is not quite right -------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", [None, 5, "text", [], ["claim"], True])
def test_what_is_no_object_holds_no_debate(what):
    with pytest.raises(UnreadableRecord, match="must be a JSON object"):
        debate_from_json(what, IssueLog(), 1)


@pytest.mark.parametrize("claim", [None, "", "  ", [], {}, True, {"text": "c"}])
def test_a_record_without_a_claim_holds_no_debate(claim):
    with pytest.raises(UnreadableRecord, match="needs a claim"):
        debate_from_json(record(claim=claim), IssueLog(), 1)


@pytest.mark.parametrize(
    ("fields", "code", "field"),
    [
        ({"format": "moot-debate/2"}, "format_version", "format"),
        ({"debate_id": None}, "debate_id_missing", "debate_id"),
        ({"debate_id": 1.5}, "wrong_type", "debate_id"),
        ({"protocol": "brawl"}, "protocol_unknown", "protocol"),
        ({"label": "perhaps"}, "label_unreadable", "label"),
        ({"title": ["t"]}, "wrong_type", "title"),
        ({"tags": "food"}, "wrong_type", "tags"),
        ({"tags": [1]}, "wrong_type", "tags[0]"),
        ({"agents": [{"name": "x"}]}, "agent_id_missing", "agents[0].agent_id"),
        ({"agents": [5]}, "wrong_type", "agents[0]"),
        ({"agents": [{"agent_id": "A"}, {"agent_id": "A"}]}, "agent_repeated", "agents[1]"),
        ({"agents": [{"agent_id": "A", "temperature": "hot"}]}, "wrong_type", "agents[0].temperature"),
        ({"rounds": {"round": 0}}, "wrong_type", "rounds"),
        ({"rounds": [7]}, "wrong_type", "rounds[0]"),
        ({"rounds": [{"round": "first"}]}, "round_unreadable", "rounds[0].round"),
        ({"rounds": [{"round": 1}, {"round": 1}]}, "round_repeated", "rounds[1].round"),
        ({"rounds": [{"round": 1}, {"round": 0}]}, "rounds_out_of_order", "rounds"),
        ({"judgements": [{"score": 0.5}]}, "judge_missing", "judgements[0].judge"),
        ({"judgements": [{"judge": "j", "verdict": "maybe so"}]}, "verdict_unreadable", "judgements[0].verdict"),
        ({"judgements": [{"judge": "j", "status": "asleep"}]}, "status_unknown", "judgements[0].status"),
        ({"judgements": [{"judge": "j", "score": 7}]}, "score_out_of_range", "judgements[0].score"),
        ({"transcript": [{"speaker": "A", "text": "t", "round": "late"}]}, "round_unreadable", "transcript[0].round"),
        ({"transcript": [{"speaker": "A"}]}, "argument_text_missing", "transcript[0].text"),
        ({"exhibits": [3]}, "wrong_type", "exhibits[0]"),
        ({"provenance": "a book"}, "wrong_type", "provenance"),
        ({"provenance": {"n": float("nan")}}, "not_strict_json", "provenance"),
        ({"mood": "good"}, "unknown_key", "mood"),
    ],
)
def test_a_questionable_field_is_mended_and_named(fields, code, field):
    _, issues = read(record(**fields))
    assert issues == [(code, field)]


@pytest.mark.parametrize(
    ("arguments", "code", "field"),
    [
        ([5], "wrong_type", "rounds[0].arguments[0]"),
        ([{"text": "t"}], "argument_id_missing", "rounds[0].arguments[0].id"),
        ([{"id": "topic", "text": "t"}], "argument_id_reserved", "rounds[0].arguments[0].id"),
        ([{"id": "a", "text": "t"}, {"id": "a", "text": "u"}], "argument_id_repeated", "rounds[0].arguments[1].id"),
        ([{"id": "a"}], "argument_text_missing", "rounds[0].arguments[0].text"),
        ([{"id": "a", "text": 5}], "wrong_type", "rounds[0].arguments[0].text"),
        ([{"id": "a", "text": "t", "author": ["A"]}], "wrong_type", "rounds[0].arguments[0].author"),
        ([{"id": "a", "text": "t", "base_score": 1.4}], "score_out_of_range", "rounds[0].arguments[0].base_score"),
        ([{"id": "a", "text": "t", "base_score": "high"}], "score_unreadable", "rounds[0].arguments[0].base_score"),
        ([{"id": "a", "text": "t", "base_score": True}], "score_unreadable", "rounds[0].arguments[0].base_score"),
        (
            [{"id": "a", "text": "t", "base_score": float("inf")}],
            "score_not_finite",
            "rounds[0].arguments[0].base_score",
        ),
        ([{"id": "a", "text": "t", "supports": "topic"}], "wrong_type", "rounds[0].arguments[0].supports"),
        ([{"id": "a", "text": "t", "supports": [None]}], "wrong_type", "rounds[0].arguments[0].supports[0]"),
        (
            [{"id": "a", "text": "t", "supports": ["topic", "topic"]}],
            "relation_repeated",
            "rounds[0].arguments[0].supports[1]",
        ),
        ([{"id": "a", "text": "t", "attacks": ["b"]}], "target_unknown", "rounds[0].arguments[0].attacks"),
        ([{"id": "a", "text": "t", "attacks": ["a"]}], "self_relation", "rounds[0].arguments[0]"),
        (
            [{"id": "a", "text": "t", "attacks": ["topic"], "supports": ["topic"]}],
            "supports_and_attacks",
            "rounds[0].arguments[0]",
        ),
        ([{"id": "a", "text": "t", "colour": "red"}], "unknown_key", "rounds[0].arguments[0].colour"),
        ([{"id": "a", "text": "t", "is_error_text": "x"}], "wrong_type", "rounds[0].arguments[0].is_error_text"),
    ],
)
def test_a_questionable_argument_is_kept_and_named(arguments, code, field):
    debate, issues = read(with_arguments(*arguments))
    assert issues == [(code, field)]
    assert len(debate.rounds[0].arguments) == len([a for a in arguments if isinstance(a, dict)])


@pytest.mark.parametrize(
    ("stances", "code", "field"),
    [
        ([{"prior": 0.5}], "agent_id_missing", "rounds[0].stances[0].agent_id"),
        ([{"agent_id": "A", "prior": -0.2}], "score_out_of_range", "rounds[0].stances[0].prior"),
        ([{"agent_id": "A"}, {"agent_id": "A"}], "stance_repeated", "rounds[0].stances[1]"),
        (["A"], "wrong_type", "rounds[0].stances[0]"),
        ([{"agent_id": "A", "mood": 1}], "unknown_key", "rounds[0].stances[0].mood"),
    ],
)
def test_a_questionable_stance_is_named(stances, code, field):
    _, issues = read(with_arguments(stances=stances))
    assert issues == [(code, field)]


def test_nothing_that_has_no_place_disappears():
    debate, _ = read(
        record(
            mood="good",
            rounds=[{"round": 0, "arguments": [{"id": "a", "text": "t", "colour": "red"}], "stances": ["odd"]}],
            provenance={"extra": "mine"},
        )
    )
    assert debate.provenance["extra"] == {
        "extra": "mine",
        "mood": "good",
        "rounds[0].arguments[0].colour": "red",
        "rounds[0].stances[0]": "odd",
    }


def test_what_the_source_said_of_a_score_is_kept_beside_the_number():
    debate, _ = read(
        with_arguments(
            {"id": "a", "text": "t", "base_score": "85 %"},
            {"id": "b", "text": "t", "base_score": 1.4},
            {"id": "c", "text": "t", "base_score": "0.25"},
            stances=[{"agent_id": "A", "prior": "Likelihood: 40%"}],
        )
    )
    kept = [(a.base_score, a.base_score_raw) for a in debate.rounds[0].arguments]
    assert kept == [(0.85, "85 %"), (None, "1.4"), (0.25, None)]
    assert debate.rounds[0].stances == (Stance("A", 0.4, None),)
    assert debate.provenance["extra"] == {"rounds[0].stances[0].prior": "Likelihood: 40%"}


def test_a_repeated_id_gets_a_suffix_and_the_first_keeps_the_relations_to_it():
    debate, _ = read(
        with_arguments(
            {"id": "a", "text": "first", "supports": ["topic"]},
            {"id": "a", "text": "second", "attacks": ["topic"]},
            {"id": "b", "text": "third", "attacks": ["a"]},
        )
    )
    first, second, _ = debate.rounds[0].arguments
    assert (first.id, second.id, second.source_id) == ("a", "a-2", "a")
    assert Relation("b", "a", RelationKind.ATTACK) in debate.rounds[0].relations
    assert Relation("a-2", TOPIC, RelationKind.ATTACK) in debate.rounds[0].relations


def test_a_dangling_target_stays_in_the_debate_and_judges_leave_it_out():
    debate, _ = read(with_arguments({"id": "a", "text": "t", "attacks": ["nowhere"]}))
    assert profile(debate).dangling == (Relation("a", "nowhere", RelationKind.ATTACK),)


def test_a_recorded_judgement_keeps_what_it_says_beyond_the_known_keys():
    debate, _ = read(record(judgements=[{"judge": "j", "verdict": "SUPPORTED", "score": "85%", "seat": 2}]))
    judgement = debate.judgements[0]
    assert (judgement.verdict, judgement.score, judgement.status) == (Verdict.TRUE, 0.85, JudgementStatus.OK)
    assert judgement.settings == {"score_raw": "85%", "verdict_raw": "SUPPORTED", "seat": 2}


def test_a_deeply_nested_value_is_kept_as_text_beyond_a_depth():
    deep: dict[str, object] = {"end": 1}
    for _ in range(3000):
        deep = {"deeper": deep}
    debate, issues = read(record(provenance={"deep": deep}))
    assert issues == [("not_strict_json", "provenance")]
    assert "nested too deep" in debate_to_line(debate)


def test_a_debate_without_an_id_is_named_by_its_line():
    debate, _ = read({"claim": "Ice floats."}, line=12)
    assert debate.id == "debate-12"


def test_only_what_is_left_out_is_an_error():
    issues = IssueLog()
    debate_from_json(with_arguments({"id": "a"}, {"id": "a"}), issues, 1)
    assert {issue.severity for issue in issues.issues} == {Severity.WARNING}
