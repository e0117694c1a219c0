from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.llm.replies import Problem, read_score, read_truth
from core.llm.request import ChatReply


def reply(text: str, **fields) -> ChatReply:
    return ChatReply(text, "m", **fields)


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ('{"score": 0.62}', 0.62),
        ('```json\n{"score": 0.62}\n```', 0.62),
        ('Here you are:\n{"score": 0.62}\nGood luck!', 0.62),
        ('{"reasoning": "a } in { a text", "score": 0.62}', 0.62),
        ('I weigh {pros} against {cons} and say {"score": 0.62}.', 0.62),
        ('First I thought {"score": 0.1}, but no: {"score": 0.62}', 0.62),
        ('<think>{"score": 0.1}</think>{"score": 0.62}', 0.62),
        ('{"note": "x"} {"score": 0.62} {"note": "y"}', 0.62),
        ('{"score": "0.62"}', 0.62),
        ('{"score": 1}', 1.0),
        ('{"score": -0.0}', 0.0),
        ('{"score": 6.2e-1, "extra": [1, {"score": 2}]}', 0.62),
        ('{ {"score": 0.62}', 0.62),
        ('\u201c{"score": 0.62}\u201d', 0.62),
    ],
)
def test_a_score_is_found_in_every_wrapping(text, score):
    reading = read_score(reply(text))
    assert reading.score == score
    assert math.copysign(1.0, reading.score or 0.0) == 1.0
    assert reading.problem is None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", Problem.EMPTY),
        ("  \n", Problem.EMPTY),
        ("0.62", Problem.NO_JSON),
        ("The score is 0.62.", Problem.NO_JSON),
        ("score: 0.62", Problem.NO_JSON),
        ('{"score": 0.62', Problem.NO_JSON),
        ("{'score': 0.62}", Problem.NO_JSON),
        ('{"score": NaN}', Problem.NO_JSON),
        ('["score", 0.62]', Problem.NO_JSON),
        ('{"Score": 0.62}', Problem.WRONG_KEY),
        ('{"rating": 0.62}', Problem.WRONG_KEY),
        ('{"result": {"score": 0.62}}', Problem.WRONG_KEY),
        ('{"score": 0.2, "score": 0.9}', Problem.REPEATED_KEY),
        ('{"score": null}', Problem.NOT_A_NUMBER),
        ('{"score": true}', Problem.NOT_A_NUMBER),
        ('{"score": "0,62"}', Problem.NOT_A_NUMBER),
        ('{"score": "62%"}', Problem.NOT_A_NUMBER),
        ('{"score": "likely"}', Problem.NOT_A_NUMBER),
        ('{"score": [0.62]}', Problem.NOT_A_NUMBER),
        ('{"score": {"value": 0.62}}', Problem.NOT_A_NUMBER),
        ('{"score": 62}', Problem.OUT_OF_RANGE),
        ('{"score": 1.0000001}', Problem.OUT_OF_RANGE),
        ('{"score": -0.01}', Problem.OUT_OF_RANGE),
        ('{"score": 1e999}', Problem.OUT_OF_RANGE),
        ('{"score": "1e999"}', Problem.OUT_OF_RANGE),
    ],
)
def test_what_is_not_clearly_a_score_is_none_and_the_problem_is_named(text, problem):
    reading = read_score(reply(text))
    assert reading.score is None
    assert reading.problem is problem
    assert reading.detail.endswith(".")


def test_a_refusal_is_told_from_an_empty_reply():
    assert read_score(reply("", refusal="I would rather not.")).problem is Problem.REFUSED
    assert read_score(reply("", finish_reason="content_filter")).problem is Problem.REFUSED
    assert read_score(reply("", finish_reason="length")).problem is Problem.CUT_OFF


def test_a_reply_that_was_cut_off_counts_only_if_its_object_was_the_last_thing_it_said():
    assert read_score(reply('{"score": 0.5}', finish_reason="length")).score == 0.5
    assert read_score(reply('```json\n{"score": 0.5}\n```', finish_reason="length")).score == 0.5
    for text in ('{"score": 0.', '<think>Say {"score": 0.5}? On the other hand', '{"score": 0.5} because'):
        assert read_score(reply(text, finish_reason="length")).problem is Problem.CUT_OFF


def test_reasons_are_kept_beside_the_score():
    assert read_score(reply('{"reasoning": "The pros are weak.", "score": 0.2}')).reasoning == "The pros are weak."
    assert read_score(reply('{"reasoning": ["no", "text"], "score": 0.2}')).reasoning == ""


def test_a_hostile_reply_is_read_in_bounded_work():
    assert read_score(reply("{" * 100_000)).problem is Problem.NO_JSON
    assert read_score(reply('{"a":' * 50_000)).problem is Problem.NO_JSON
    assert read_score(reply('{"score": ' + "9" * 10_000 + "}")).score is None


@given(st.floats(0, 1), st.text(alphabet=st.characters(exclude_characters="{"), max_size=40), st.text(max_size=40))
def test_text_before_and_a_fence_around_never_change_the_score(score, before, reason):
    text = f"{before}\n```json\n{json.dumps({'reasoning': reason, 'score': score})}\n```"
    reading = read_score(reply(text))
    assert reading.score == score
    assert reading.reasoning == reason


@given(st.text(max_size=200))
def test_no_text_whatever_is_an_error_of_ours_or_a_score_outside_the_range(text):
    reading = read_score(reply(text))
    assert (reading.score is None) == (reading.problem is not None)
    assert reading.score is None or 0.0 <= reading.score <= 1.0


def test_the_probability_of_true_sums_every_way_to_write_the_words():
    top = (
        ("true", math.log(0.3)), (" True", math.log(0.2)), ("\u0120TRUE", math.log(0.1)),
        ("false", math.log(0.15)), ("**False", math.log(0.05)), ("maybe", math.log(0.1)), ("untrue", math.log(0.05)),
    )  # fmt: skip
    reading = read_truth(reply("true", top=top))
    assert reading.score == pytest.approx(0.6 / 0.8)  # true 0.3 + 0.2 + 0.1, false 0.15 + 0.05
    assert reading.mass == pytest.approx(0.8)


def test_without_log_probabilities_or_either_word_there_is_no_score():
    assert read_truth(reply("true")).problem is Problem.NO_LOG_PROBABILITIES
    nothing = read_truth(reply("The", top=(("The", -0.1), ("A", -2.5))))
    assert nothing.problem is Problem.NO_TRUTH_WORD
    assert nothing.mass == 0.0
    assert read_truth(reply("", refusal="no")).problem is Problem.REFUSED
    assert read_truth(reply("x", top=(("true", float("-inf")),))).problem is Problem.NO_TRUTH_WORD


def test_a_word_that_is_not_among_the_alternatives_counts_as_nothing():
    reading = read_truth(reply("true", top=(("true", math.log(0.9)), ("The", math.log(0.1)))))
    assert reading.score == 1.0
    assert reading.mass == pytest.approx(0.9)
