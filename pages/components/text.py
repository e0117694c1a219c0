"""Text from debates, made safe where Streamlit reads Markdown (labels, captions, badges)."""

from __future__ import annotations

import re

# Every ASCII punctuation mark may be escaped in CommonMark; with all of them escaped no construct can start: no
# emphasis, link, HTML, formula ($), colour or icon directive (:), list or heading.
_PUNCTUATION = re.compile(r"([!-/:-@\[-`{-~])")

# What Streamlit still replaces after parsing, escaped or not: bare addresses become links, -> an arrow, -- a dash.
# A word joiner (U+2060, no width, no break) inside keeps them as they are.
_REPLACED_LATER = re.compile(r"(?<=[:.\-<>=@])(?=[/\-<>=a-z])|(?<=www)(?=\.)", re.IGNORECASE)


def plain(text: str) -> str:
    """Return text as Markdown that shows exactly that text, on one line."""
    one_line = " ".join(text.split())
    return _PUNCTUATION.sub(r"\\\1", _REPLACED_LATER.sub("\u2060", one_line))
