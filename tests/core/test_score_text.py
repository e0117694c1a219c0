import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.score_scale import ColumnOfScores
from core.score_text import MISSING, Scale, bare_number, read_score


@pytest.mark.parametrize(
    ("written", "value", "raw"),
    [
        (0.85, 0.85, None),
        (1, 1.0, None),
        (0, 0.0, None),
        ("0.85", 0.85, None),
        (" 0.85 ", 0.85, None),
        (".5", 0.5, None),
        ("1", 1.0, None),
        ("1e-2", 0.01, None),
        ("0,72", 0.72, "0,72"),
        ("85%", 0.85, "85%"),
        ("85 %", 0.85, "85 %"),
        ("46 percent", 0.46, "46 percent"),
        ("100%", 1.0, "100%"),
        ("0 %", 0.0, "0 %"),
        ("Likelihood: 85%", 0.85, "Likelihood: 85%"),
        ("Likelihood: 40%.", 0.4, "Likelihood: 40%."),
        ("score = 0.3", 0.3, "score = 0.3"),
        ("4 of 5", 0.8, "4 of 5"),
        ("7/10", 0.7, "7/10"),
        ("24 out of 40", 0.6, "24 out of 40"),
    ],
)
def test_a_score_is_read_as_people_and_models_write_it(written, value, raw):
    read = read_score(written)
    assert (read.value, read.raw, read.problem) == (value, raw, None)


@pytest.mark.parametrize(
    ("written", "raw", "problem"),
    [
        ("high", "high", "score_unreadable"),
        ("certain", "certain", "score_unreadable"),
        (True, "True", "score_unreadable"),
        ([0.5], "[0.5]", "score_unreadable"),
        ("0.5 or 0.6", "0.5 or 0.6", "score_unreadable"),
        ("5 of 0", "5 of 0", "score_unreadable"),
        (1.4, "1.4", "score_out_of_range"),
        (-0.2, "-0.2", "score_out_of_range"),
        ("-0.2", "-0.2", "score_out_of_range"),
        ("140%", "140%", "score_out_of_range"),
        ("6 of 5", "6 of 5", "score_out_of_range"),
        (10**400, str(10**400), "score_not_finite"),
        (math.nan, "nan", "score_not_finite"),
        ("NaN", "NaN", "score_not_finite"),
        ("-Infinity", "-Infinity", "score_not_finite"),
    ],
)
def test_what_is_no_score_stays_missing_with_what_was_written(written, raw, problem):
    read = read_score(written)
    assert (read.value, read.raw, read.problem) == (None, raw, problem)
    assert read.why


@pytest.mark.parametrize("written", [None, "", "   "])
def test_nothing_is_a_missing_score(written):
    assert read_score(written) == MISSING


@pytest.mark.parametrize("written", ["N/A", "none", "-", "Unknown"])
def test_a_word_for_nothing_is_a_missing_score_and_kept(written):
    read = read_score(written)
    assert (read.value, read.raw, read.problem) == (None, written, None)


@pytest.mark.parametrize(
    ("written", "scale", "value"),
    [
        (85, Scale.PERCENT, 0.85),
        ("85", Scale.PERCENT, 0.85),
        (1, Scale.PERCENT, 0.01),
        (1, Scale.FIVE, 0.0),
        (4, Scale.FIVE, 0.75),
        (5, Scale.FIVE, 1.0),
        (7, Scale.TEN, 0.7),
        ("85%", Scale.TEN, 0.85),
        ("4 of 5", None, 0.8),
    ],
)
def test_a_bare_number_is_read_on_the_scale_of_its_column(written, scale, value):
    read = read_score(written, scale)
    assert read.value == pytest.approx(value, abs=1e-15)
    assert read.raw == str(written)


def test_a_bare_number_without_a_known_scale_stays_missing():
    read = read_score(4, None)
    assert (read.value, read.raw, read.problem) == (None, "4", "score_scale_unknown")


@given(st.one_of(st.text(), st.floats(), st.integers(), st.binary(), st.lists(st.integers())), st.sampled_from(Scale))
def test_any_value_gives_a_score_in_range_or_none(written, scale):
    read = read_score(written, scale)
    assert read.value is None or 0.0 <= read.value <= 1.0
    number = bare_number(written)
    assert number is None or math.isfinite(number)


@given(st.floats(0, 1))
def test_a_written_float_is_read_to_the_last_bit(number):
    assert read_score(repr(number)).value == read_score(number).value == number


def scale_of(*numbers):
    column = ColumnOfScores()
    for number in numbers:
        column.add(number)
    return column.decide().scale


@pytest.mark.parametrize(
    ("numbers", "scale"),
    [
        ([], Scale.UNIT),
        ([0.2, 0.9], Scale.UNIT),
        ([1, 0, 1, 0], Scale.UNIT),  # a lone 1 is 1.0
        ([0.3, 1], Scale.UNIT),
        ([1.4, 0.5, 0.67, -0.2, 0.77, 0.48], Scale.UNIT),  # a slip
        ([0.9, 85, 0.7, 0.6], Scale.UNIT),
        ([85, 40, 100, 0], Scale.PERCENT),
        ([85], Scale.PERCENT),
        ([85, 12.5], Scale.PERCENT),
        ([50, 1, 80], Scale.PERCENT),
        ([0, 0, 0, 45], Scale.PERCENT),
        ([*range(11, 31), 0.5], Scale.PERCENT),
        ([*range(11, 51), 850], Scale.PERCENT),  # one slip among forty
        ([4, 5, 3], None),
        ([3.5, 4.5], None),
        ([0, 10, 7], None),
        ([1.4], None),
        ([1, 1, 1, 1, 85], None),
        ([150, 300], None),
    ],
)
def test_a_scale_is_decided_by_the_whole_column(numbers, scale):
    assert scale_of(*numbers) is scale


@given(st.lists(st.floats(0, 200), min_size=1), st.randoms())
def test_the_order_of_a_column_does_not_matter(numbers, random):
    shuffled = list(numbers)
    random.shuffle(shuffled)
    assert scale_of(*numbers) is scale_of(*shuffled)


@given(st.lists(st.floats(0, 1)))
def test_a_column_within_0_and_1_is_never_taken_for_another_scale(numbers):
    assert scale_of(*numbers) is Scale.UNIT
