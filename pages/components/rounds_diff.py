"""What became of a text, drawn word by word; the texts are from debates, and stay text."""

from __future__ import annotations

import re
from collections.abc import Sequence

import streamlit as st

from core.rounds.word_diff import Piece, PieceKind
from pages.components.text import plain

LEGEND = "−~~removed~~ and +**added** words; what is plain was kept."
_EDGES = re.compile(r"^(\s*)(.*?)(\s*)$", re.DOTALL)


def show(pieces: Sequence[Piece]) -> None:
    """Draw a text with what was removed struck through after a minus, and what was added bold after a plus."""
    st.markdown(markdown(pieces))


def markdown(pieces: Sequence[Piece]) -> str:
    """Return the pieces as Markdown in which every text of a debate is escaped."""
    return "".join(_piece(one) for one in pieces)


def _piece(piece: Piece) -> str:
    found = _EDGES.match(piece.text)
    before, inner, after = found.groups() if found else ("", piece.text, "")
    text = plain(inner)
    lead, trail = (" " if edge else "" for edge in (before, after))
    if not text:
        return lead or trail
    match piece.kind:
        case PieceKind.REMOVED:
            return f"{lead}:orange-background[−~~{text}~~]{trail}"
        case PieceKind.ADDED:
            return f"{lead}:blue-background[+**{text}**]{trail}"
        case PieceKind.KEPT:
            return f"{lead}{text}{trail}"


__all__ = ["LEGEND", "markdown", "show"]
