"""Small mendings of JSON that is nearly right, aware of texts in quotes."""

from __future__ import annotations

import json
import re
from typing import Any

_TOKEN = re.compile(r'"(?:[^"\\\n]++|\\.)*+"|[{\[]++|[}\]]++', re.DOTALL)
_PYTHON_TOKEN = re.compile(r"""["](?:[^"\\\n]++|\\.)*+["]|'(?:[^'\\\n]++|\\.)*+'|[{\[(]++|[}\])]++""", re.DOTALL)
_TRAILING_COMMA = re.compile(r'("(?:[^"\\]++|\\.)*+")|,(\s*+[}\]])', re.DOTALL)
_MOST_DIGITS = 4000  # Python refuses to turn more than 4,300 digits into an integer


def balanced_end(text: str, start: int, limit: int, *, python: bool = False) -> int | None:
    """Return the place after the bracket that closes the one at ``start``, or None when none does before ``limit``.

    Args:
        text: The text; brackets inside its quoted parts do not count.
        start: The place of an opening bracket.
        limit: Where to stop looking.
        python: Single quotes and round brackets count as well.
    """
    depth = 0
    for token in (_PYTHON_TOKEN if python else _TOKEN).finditer(text, start, limit):
        sign = text[token.start()]
        if sign in "{[(":
            depth += token.end() - token.start()
        elif sign in "}])":
            depth -= token.end() - token.start()
            if depth <= 0:
                return token.end() + depth
    return None


def without_trailing_commas(text: str) -> str | None:
    """Return the text without the commas that stand before a closing bracket, or None when there are none."""
    mended, _ = _TRAILING_COMMA.subn(lambda found: found[1] or found[2], text)
    return mended if len(mended) < len(text) else None


def read_with_long_numbers(text: str, start: int) -> tuple[Any, int]:
    """Return the JSON value at a place and its end; whole numbers too long for Python become text.

    Raises:
        ValueError: If it is no JSON.
    """
    decoder = json.JSONDecoder(parse_int=lambda digits: int(digits) if len(digits) <= _MOST_DIGITS else digits)
    value: tuple[Any, int] = decoder.raw_decode(text, start)
    return value
