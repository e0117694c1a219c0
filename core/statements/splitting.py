"""Statements in a turn: its sentences, or its lines where it is written in lines."""

from __future__ import annotations

import re
from itertools import islice

MOST = 200  # statements of one turn; what comes after the last but one belongs to the last
MOST_ENDS = 5_000  # places that are looked at, so that a hostile text cannot take long

# A sentence ends at its mark, with what closes behind it, before a blank; a line at its end.
_END = re.compile(r"""[.!?…]["'”’»)\]]{0,3}(?=\s)|[。！？]|\n""")
# Behind these a full stop ends no sentence.
_SHORT = re.compile(
    r"(?:^|[\s(])(?:[A-Za-z]|[Mm]r|Mrs|[Mm]s|[Dd]r|Prof|St|vs|etc|e\.g|i\.e|cf|approx|al|[Ff]ig|[Nn]o|\d{1,3})$"
)


def statements_in(text: str) -> tuple[str, ...]:
    """Return the statements of a text in order, each as it stands there, without blanks around it.

    Together they hold everything in the text but blanks, and a statement never crosses a line's end except the last of
    very many.
    """
    found: list[str] = []
    start = 0
    for end in islice(_END.finditer(text), MOST_ENDS):
        mark = end.group()
        if len(found) >= MOST - 1:
            break
        if mark[0] == "." and _SHORT.search(text[max(start, end.start() - 8) : end.start()]):
            continue
        _add(found, text[start : end.end()])
        start = end.end()
    _add(found, text[start:])
    return tuple(found)


def _add(found: list[str], piece: str) -> None:
    if piece.strip():
        found.append(piece.strip())


__all__ = ["MOST", "statements_in"]
