"""Quotations in a turn, as the log marks them: found in the source, not found there, or not looked for."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_TAG = re.compile(r"<(/?)(v_|u_|)quote>")


class Mark(StrEnum):
    """What a log says of a quotation."""

    FOUND = "found in the source"
    NOT_FOUND = "not found in the source"
    UNCHECKED = "not checked"


_MARKS = {"v_": Mark.FOUND, "u_": Mark.NOT_FOUND, "": Mark.UNCHECKED}


@dataclass(frozen=True)
class Piece:
    """A part of a text; a quotation where there is a mark."""

    text: str
    mark: Mark | None = None


def pieces(text: str) -> tuple[Piece, ...]:
    """Return a text in pieces, quotations without their tags; a tag that opens or closes nothing stays text.

    The longest text takes one pass.
    """
    found: list[Piece] = []
    opened: re.Match[str] | None = None
    start = 0
    for tag in _TAG.finditer(text):
        if not tag[1]:
            opened = tag
        elif opened is not None and opened[2] == tag[2]:
            if opened.start() > start:
                found.append(Piece(text[start : opened.start()]))
            found.append(Piece(text[opened.end() : tag.start()], _MARKS[tag[2]]))
            start, opened = tag.end(), None
    if start < len(text):
        found.append(Piece(text[start:]))
    return tuple(found)


def has_marks(text: str) -> bool:
    """Return whether a text holds a quotation that the log marks."""
    return any(piece.mark is not None for piece in pieces(text))


def without_marks(text: str) -> str:
    """Return a text without the tags around quotations."""
    return "".join(piece.text for piece in pieces(text))


__all__ = ["Mark", "Piece", "has_marks", "pieces", "without_marks"]
