"""What became of a text, word by word."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum

MOST_TOKENS = 6_000  # of two texts that are compared word by word; longer ones are compared at their ends alone
MOST_PAIRS = 30_000  # places at which the same word stands in both; more would take seconds
FEWEST_KEPT = 2  # words or signs between two changes that are shown as kept
_TOKEN = re.compile(r"\s*\w+|\s*[^\w\s]+|\s+")  # a word, or signs, with the blanks before
_WORD = re.compile(r"\w+")


class PieceKind(StrEnum):
    """What became of a piece of text."""

    KEPT = "kept"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True)
class Piece:
    """A stretch of text and what became of it."""

    kind: PieceKind
    text: str


def word_diff(before: str, after: str) -> tuple[Piece, ...]:
    """Return how one text became another: whole words and signs, with the blanks before them, kept, removed or added.

    The kept and removed pieces together are the text before, the kept and added ones the text after, each to the
    letter. No two neighbouring pieces are of one kind, and what was removed stands before what was added in its place.
    """
    old, new = _TOKEN.findall(before), _TOKEN.findall(after)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    inner = (old[start : len(old) - end], new[start : len(new) - end])
    steps = [(old[:start], old[:start]), *_steps(*inner), (old[len(old) - end :], old[len(old) - end :])]
    return _pieces(_closed(steps))


def words_in_common(before: str, after: str) -> float:
    """Return the share of words that two texts have in common, in [0, 1], whatever their order and case.

    Twice the number of common words over the number of words of both: 1 for the same words, and for two texts without
    any. Source: Dice (1945), on words with their numbers.
    """
    old, new = (Counter(_WORD.findall(text.casefold())) for text in (before, after))
    total = old.total() + new.total()
    return 2 * (old & new).total() / total if total else 1.0


Step = tuple[Sequence[str], Sequence[str]]  # tokens before and after; the same where they were kept


def _common(old: Sequence[str], new: Sequence[str]) -> int:
    """Return how many tokens two texts begin with together."""
    count = 0
    for one, other in zip(old, new, strict=False):
        if one != other:
            break
        count += 1
    return count


def _steps(old: Sequence[str], new: Sequence[str]) -> list[Step]:
    here, there = Counter(old), Counter(new)
    pairs = sum(count * there[token] for token, count in here.items())
    if len(old) + len(new) > MOST_TOKENS or pairs > MOST_PAIRS:
        return [(old, new)]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [(old[a:b], new[c:d]) for _, a, b, c, d in matcher.get_opcodes()]


def _closed(steps: Sequence[Step]) -> list[Step]:
    """Return the steps with a single kept word between two changes made part of them: alone it would say little."""
    closed: list[Step] = []
    for place, (old, new) in enumerate(steps):
        kept = old == new
        between = 0 < place < len(steps) - 1 and all(one != two for one, two in (steps[place - 1], steps[place + 1]))
        if kept and between and sum(not token.isspace() for token in old) < FEWEST_KEPT:
            closed.append((["", *old], new))  # no longer the same, so it counts as changed
        else:
            closed.append((old, new))
    return closed


def _pieces(steps: Sequence[Step]) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    removed: list[str] = []
    added: list[str] = []

    def flush() -> None:
        for kind, tokens in ((PieceKind.REMOVED, removed), (PieceKind.ADDED, added)):
            if text := "".join(tokens):
                pieces.append(Piece(kind, text))
            tokens.clear()

    for old, new in steps:
        if not old and not new:
            continue
        if old != new:
            removed += old
            added += new
            continue
        flush()
        text = "".join(old)
        if pieces and pieces[-1].kind is PieceKind.KEPT:
            text = pieces.pop().text + text
        pieces.append(Piece(PieceKind.KEPT, text))
    flush()
    return tuple(pieces)


__all__ = ["Piece", "PieceKind", "word_diff", "words_in_common"]
