import json

import pytest
from hypothesis import given

from core.strict_json import DEEPEST, cleaned, dumps, may_escape_unstorable, storable, strict, trouble
from tests.core.generated_debates import free_json, texts


@given(free_json)
def test_any_value_becomes_one_line_of_json_that_any_reader_takes(value):
    line = dumps(value)
    json.loads(line, parse_constant=pytest.fail)
    assert len(line.splitlines()) <= 1
    assert "\x00" not in line.encode("utf-8").decode("utf-8")


@given(free_json)
def test_writing_and_reading_reaches_a_fixed_point_at_once(value):
    once = dumps(value)
    assert dumps(json.loads(once)) == once


@given(free_json)
def test_a_value_without_trouble_is_the_value_itself(value):
    assert trouble(cleaned(value)) is None
    if trouble(value) is None:
        assert strict(value) is value


@pytest.mark.parametrize("line", [r'"\u0000"', r'"\ud800"', r'"\uDFFF x"', r'"\ud83d\ude00"'])
def test_escapes_that_may_be_unstorable_are_noticed(line):
    assert may_escape_unstorable(line)


@pytest.mark.parametrize("line", ['"plain"', r'"é"', r'"\u202e"', r'"\n"'])
def test_other_escapes_are_left_alone(line):
    assert not may_escape_unstorable(line)


def test_a_backslash_before_u_is_not_an_escape():
    assert json.loads(dumps("\\u0000")) == "\\u0000"


@given(texts)
def test_a_storable_text_is_valid_utf_8_of_the_same_length(text):
    kept = storable(text)
    assert len(kept) == len(text)
    assert "\x00" not in kept.encode("utf-8").decode("utf-8")


def nested(levels):
    value: object = 1
    for _ in range(levels):
        value = [value]
    return value


def test_what_lies_deeper_than_the_limit_becomes_text():
    assert trouble(nested(DEEPEST)) is None
    assert trouble(nested(DEEPEST + 1)) == f"more than {DEEPEST} levels"
    assert dumps(nested(100_000)).count("[") == DEEPEST
