"""Where the list of records begins in a JSON object that is too large to be read at once."""

from __future__ import annotations

import re
from collections.abc import Container

from storage.readers.json_repair import balanced_end

_BLANK = re.compile(r"[\s,]*+")
_KEY = re.compile(r'"((?:[^"\\\n]++|\\.)*+)"\s*+:\s*+')
_TEXT = re.compile(r'"(?:[^"\\]++|\\.)*+"', re.DOTALL)
_WORD = re.compile(r"[^\s,{}\[\]]++")
_OBJECTS = re.compile(r"\[\s*+\{")


def list_of_records(text: str, keys: Container[str]) -> tuple[str, int, frozenset[str]] | None:
    """Return the key and the place of the first list of objects under one of the keys, and the keys before it.

    Args:
        text: The beginning of a JSON object.
        keys: Under which a list of records may stand.
    """
    start = re.match(r"\ufeff?\s*+\{", text)
    place = 0 if start is None else start.end()
    before: set[str] = set()
    while start is not None:
        place = _BLANK.match(text, place).end()  # type: ignore[union-attr]  # it matches nothing at least
        named = _KEY.match(text, place)
        if named is None:
            return None
        place = named.end()
        if named[1] in keys and _OBJECTS.match(text, place):
            return named[1], place, frozenset(before)
        before.add(named[1])
        if text[place : place + 1] in ("{", "["):
            end = balanced_end(text, place, len(text))
        else:
            found = _TEXT.match(text, place) or _WORD.match(text, place)
            end = None if found is None else found.end()
        if end is None:
            return None
        place = end
    return None


__all__ = ["list_of_records"]
