import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.secret_text import KEY_MARK, MOST_ESCAPES, without_key

KEY = "my/own-key+1234=="

asciis = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=60)
texts = st.text(max_size=40)


@given(key=asciis, before=texts, after=texts)
def test_a_key_is_found_in_any_text_and_the_rest_of_it_stays(key, before, after):
    cleaned = without_key(key)(f"{before}{key} {after}")
    assert key not in cleaned
    assert KEY_MARK in cleaned
    if "\\" not in before + key:  # backslashes before a key count as its own
        assert cleaned.startswith(without_key(key)(before))


@given(key=asciis.filter(lambda key: "\\" not in key), ascii_only=st.booleans(), times=st.integers(1, 3))
def test_a_key_in_json_within_json_never_comes_out_when_that_is_read(key, ascii_only, times):
    text = f"As you sent it: {key}"
    for _ in range(times):
        text = json.dumps(text, ensure_ascii=ascii_only)
    text = without_key(key)(text)
    for _ in range(times):
        text = json.loads(text)
    assert key not in text
    assert KEY_MARK in text


@pytest.mark.parametrize(
    "spelled",
    [
        KEY,
        "my\\/own-key+1234==",
        "my%2Fown-key%2B1234%3D%3D",
        "my%2fown-key%2b1234%3d%3d",
        "".join(f"\\u{ord(character):04x}" for character in KEY),
        "".join(f"\\u{ord(character):04X}" for character in KEY),
    ],
)
def test_a_key_is_found_however_it_is_escaped(spelled):
    assert without_key(KEY)(f"<{spelled}>") == f"<{KEY_MARK}>"


@given(text=texts)
@pytest.mark.parametrize("key", [None, "", "none", "EMPTY", "ollama"])
def test_without_a_key_and_for_a_mere_word_texts_stay_as_they_are(key, text):
    assert without_key(key)(f"none {text} EMPTY ollama") == f"none {text} EMPTY ollama"


def test_many_escapes_take_no_more_than_linear_time_and_hide_no_key():
    text = "\\" * 200_000 + "\\u006d" + KEY
    assert KEY not in without_key(KEY)(text)
    assert MOST_ESCAPES >= 7
