import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.label_text import plain_label, read_label


@pytest.mark.parametrize(
    "written", [True, 1, 1.0, "TRUE", "true", "1", "1.0", "Yes", "SUPPORTED", "SUPPORT", "Supports", " true "]
)
def test_a_true_label_is_read(written):
    assert read_label(written) == (True, True)


@pytest.mark.parametrize(
    "written", [False, 0, 0.0, "FALSE", "0", "0.0", "no", "REFUTED", "REFUTES", "NOT SUPPORTED", "not_supported"]
)
def test_a_false_label_is_read(written):
    assert read_label(written) == (False, True)


@pytest.mark.parametrize("written", [None, "", "NEI", "not enough info", "Unknown", float("nan"), "N/A"])
def test_an_unknown_label_is_read(written):
    assert read_label(written) == (None, True)


@pytest.mark.parametrize("written", ["mostly false", 2, 0.5, [], {"a": 1}, "12"])
def test_anything_else_is_no_label(written):
    assert read_label(written) == (None, False)


@given(st.one_of(st.text(), st.floats(), st.integers(), st.lists(st.integers())))
def test_reading_a_label_never_fails(written):
    label, readable = read_label(written)
    assert label in (True, False, None)
    assert readable or label is None


def test_only_words_beyond_true_and_false_need_keeping():
    assert [plain_label(label) for label in (True, "TRUE", "0", "", None, "SUPPORTED", "NEI")] == [True] * 5 + [
        False
    ] * 2
