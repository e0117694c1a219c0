"""Two debaters and a judge: the NYU debates and ucl-dark's llm_debate."""

import json

import pytest

from core.judgement import JudgementStatus, Verdict
from tests.storage.readers.reading import codes, problems, read, relations

CLAIM = "“What did the keeper do?” — “He mended the lamp”, not “He left”"


def test_a_claims_for_its_answer_and_b_against_it(log):
    file = log("nyu.json")
    (debate,) = file.debates
    assert (file.format, debate.claim, debate.label) == ("nyu-debate", CLAIM, True)
    assert relations(debate) == ["A-r1 +", "B-r1 -", "A-r2 +"]
    assert [(a.name, a.model) for a in debate.agents if a.role == "debater"] == [("GPT-4", "GPT-4"), ("Wren", None)]


def test_a_quotation_is_shown_in_the_storys_words(log):
    file = log("nyu.json")
    first, second = file.debates[0].rounds[0].arguments
    assert (first.text, second.text) == ("It says  “keeper mended”", "He left. “[4-90]”")
    assert [code for code, _, _ in problems(file)] == ["quote_dangling"]


def test_the_judges_beliefs_over_the_rounds_are_judgements(log):
    (debate,) = log("nyu.json").debates
    assert [(j.judge, j.kind, j.score, j.verdict, j.status) for j in debate.judgements] == [
        ("Kite, after round 0", "human", 0.5, Verdict.UNCERTAIN, JudgementStatus.ABSTAINED),
        ("Kite, after round 1", "human", 0.30000000000000004, Verdict.FALSE, JudgementStatus.OK),
        ("Kite", "human", 0.9, Verdict.TRUE, JudgementStatus.OK),
        ("Tern, offline", "human", 0.2, Verdict.FALSE, JudgementStatus.OK),
    ]


def test_metadata_alone_say_what_the_judge_came_to(log):
    file = log("nyu_metadata.jsonl")
    first, second = file.debates
    assert (first.id, first.label, first.judgements[0].score) == ("lamp-1", False, 0.010000000000000009)
    assert (second.label, second.judgements) == (None, ())
    assert {"transcript_missing", "debate_unfinished"} <= set(codes(file))


def test_the_flattened_form_is_read_too():
    turns = [
        {"role": "Debater A", "index": 0, "text": "Mended.", "probabilities": None},
        {"role": "Judge", "index": None, "text": "Hm.", "probabilities": [0.6, 0.4]},
        {"role": "Debater B", "index": 1, "text": "Left.", "probabilities": None},
        {"role": "Judge", "index": None, "text": "No.", "probabilities": [0.3, 0.7]},
    ]
    record = {"storyTitle": "t", "debateId": "d", "story": "s", "question": "Q?", "answers": ["x", "y"],
              "correctAnswer": "y", "turns": turns, "isJudgeCorrect": True}  # fmt: skip
    (debate,) = read(json.dumps(record)).debates
    assert (debate.label, relations(debate)) == (False, ["A-r1 +", "B-r2 -"])
    assert [j.score for j in debate.judgements] == [0.6, 0.3]


def test_swapping_decides_whose_answer_is_right_and_only_the_label_tells(log):
    file = log("llm_debate.csv")
    first, second, third = file.debates
    assert (file.format, first.claim, first.label) == ("llm-debate", CLAIM, True)
    assert (second.claim, second.label) == ("“What did the keeper do?” — “He left”, not “He mended the lamp”", False)
    assert [a.text for a in second.rounds[0].arguments] == ["Left.", "Mended."]
    assert relations(third) == ["A-r0 +"]  # a consultancy
    for debate in file.debates:
        ids = {a.id for r in debate.rounds for a in r.arguments} | {a.id for a in debate.agents}
        assert not any("correct" in name for name in ids)


def test_a_judges_answer_and_confidence_are_turned_towards_the_claim(log):
    first, second, third = log("llm_debate.csv").debates
    assert [(j.judge, j.score, j.verdict) for j in first.judgements] == [
        ("judgement", None, Verdict.TRUE),
        ("answer_judge_human", 0.8, Verdict.TRUE),
    ]
    assert [(j.score, j.verdict) for j in second.judgements] == [
        (None, Verdict.FALSE),
        (pytest.approx(0.2), Verdict.FALSE),
    ]
    assert [(j.verdict, j.status) for j in third.judgements] == [(None, JudgementStatus.UNREADABLE)]


def test_what_is_missing_in_a_row_is_reported_with_its_line(log):
    assert problems(log("llm_debate.csv")) == [
        ("debate_unfinished", 6, "complete"),
        ("ruling_unreadable", 6, "judgement"),
        ("transcript_missing", 7, "transcript"),
    ]
    assert "quotes_unverified" in codes(log("llm_debate.csv"))


def test_the_oldest_transcripts_hold_rounds_as_lists():
    record = {
        "question": "Q?",
        "ans1": "x",
        "ans2": "y",
        "name1": "Ana",
        "name2": "Ben",
        "rounds": [["For x.", "For y."]],
    }
    (debate,) = read(json.dumps(record)).debates
    assert (debate.label, relations(debate)) == (None, ["A-r0 +", "B-r0 -"])
