"""What is no text is said to be none, with the file's name."""

from __future__ import annotations

import pytest

from core.errors import UnreadableFile
from storage.text_file import utf8_text


def test_text_comes_back_without_the_mark_that_some_programs_begin_it_with():
    assert utf8_text("\ufeffjudges: ü".encode(), "judges.yaml") == "judges: ü"


@pytest.mark.parametrize("content", [b"judges: \xff\xfe", b"PAR1\x00\x00", "ü".encode("utf-16")])
def test_what_is_no_text_is_refused_by_its_name(content):
    with pytest.raises(UnreadableFile, match=r"judges\.yaml cannot be read: it is no text"):
        utf8_text(content, "judges.yaml")
