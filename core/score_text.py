"""Scores out of what logs write: 0.85, "0.85", "85 %", "Likelihood: 85%", "0,72"; one parser for all of them.

A bare number's scale is never guessed here from the number alone: the caller says which scale its column has
(``core.score_scale`` decides that), and anything that does not fit stays missing, with what was written beside it.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache


class Scale(StrEnum):
    """What the bare numbers of a column mean."""

    UNIT = "0-1"
    PERCENT = "0-100"
    FIVE = "1-5"
    TEN = "0-10"


RANGES = {Scale.UNIT: (0.0, 1.0), Scale.PERCENT: (0.0, 100.0), Scale.FIVE: (1.0, 5.0), Scale.TEN: (0.0, 10.0)}

MISSING_WORDS = frozenset({"", "-", "–", "n/a", "na", "none", "null", "missing", "?", "unknown"})

_NUMBER = r"[+-]?(?:\d{1,30}(?:[.,]\d{0,40})?|[.,]\d{1,40})(?:[eE][+-]?\d{1,3})?"
_SCORE = re.compile(
    rf"(?:[A-Za-z][A-Za-z _-]{{0,40}}[:=]\s*)?"  # Likelihood:
    rf"(?P<number>{_NUMBER})"
    rf"(?:\s*(?P<percent>%|per ?cent)|\s*(?:/|of|out of)\s*(?P<whole>{_NUMBER}))?"
    rf"\.?",
    re.IGNORECASE,
)
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)


@dataclass(frozen=True)
class ReadScore:
    """One score as read.

    Attributes:
        value: In [0, 1], or None when missing or unreadable.
        raw: What stood there, as text, where that is not the number kept; None otherwise.
        problem: An issue code when it could not be taken, else None.
        why: The problem in words, to follow "Base score is 'high'"; empty without a problem.
    """

    value: float | None
    raw: str | None = None
    problem: str | None = None
    why: str = ""


MISSING = ReadScore(None)


def read_score(value: object, scale: Scale | None = Scale.UNIT) -> ReadScore:
    """Return what a score in a log stands for.

    Args:
        value: A JSON value or a table cell.
        scale: What a bare number means; None when that is unclear, and then it stays missing until somebody says.
            A percent sign or a denominator ("4 of 5") settles it in any case.
    """
    if value is None:
        return MISSING
    if isinstance(value, bool):
        return ReadScore(None, str(value), "score_unreadable", "it is no number")
    if isinstance(value, (int, float)):
        return _on_scale(_as_float(value), _as_text(value), scale)
    if not isinstance(value, str):
        return ReadScore(None, _as_text(value), "score_unreadable", "it is no number")
    return _read_text(value, scale)


def bare_number(value: object) -> float | None:
    """Return the number whose scale its column decides, or None for a missing, unreadable or explicit one."""
    if value is None or isinstance(value, bool):
        return None
    if isinstance(value, (int, float)):
        number = _as_float(value)
        return number if math.isfinite(number) else None
    return _bare_number_of_text(value) if isinstance(value, str) else None


@lru_cache(maxsize=8192)
def _bare_number_of_text(text: str) -> float | None:
    found = _SCORE.fullmatch(text.strip())
    if found is None or found["percent"] or found["whole"]:
        return None
    return _parsed(found["number"])


@lru_cache(maxsize=8192)  # a table of a million rows has a few hundred different scores
def _read_text(text: str, scale: Scale | None) -> ReadScore:
    plain = text.strip()
    raw = _as_text(text)
    if plain.casefold() in MISSING_WORDS:
        return ReadScore(None, raw if plain else None)
    found = _SCORE.fullmatch(plain)
    if found is None:
        if _NOT_FINITE.fullmatch(plain):
            return ReadScore(None, raw, "score_not_finite", "it is not a finite number")
        return ReadScore(None, raw, "score_unreadable", "it is no number")
    number = _parsed(found["number"])
    if found["percent"]:
        return _in_range(number / 100, raw, "percentages lie between 0% and 100%")
    if found["whole"]:
        whole = _parsed(found["whole"])
        if whole <= 0:
            return ReadScore(None, raw, "score_unreadable", "nothing can be divided by it")
        return _in_range(number / whole, raw, "a part cannot be larger than the whole")
    read = _on_scale(number, raw, scale)
    if read.problem is None and read.value == number:
        says_more = plain != found["number"] or "," in plain  # "0.85" says no more than 0.85
        return ReadScore(read.value, raw if says_more else None)
    return read


def _on_scale(number: float, raw: str, scale: Scale | None) -> ReadScore:
    if not math.isfinite(number):
        return ReadScore(None, raw, "score_not_finite", "it is not a finite number")
    if scale is None:
        return ReadScore(None, raw, "score_scale_unknown", "nothing says which scale it is on")
    low, high = RANGES[scale]
    if not low <= number <= high:
        return ReadScore(None, raw, "score_out_of_range", f"the scale is {scale.value}")
    if scale is Scale.UNIT:
        return ReadScore(number + 0.0)
    return ReadScore((number - low) / (high - low), raw)


def _in_range(number: float, raw: str, why: str) -> ReadScore:
    if not 0.0 <= number <= 1.0:
        return ReadScore(None, raw, "score_out_of_range", why)
    return ReadScore(number + 0.0, raw)


def _parsed(digits: str) -> float:
    return float(digits.replace(",", "."))


def _as_float(number: int | float) -> float:
    try:
        return float(number)
    except OverflowError:  # an integer beyond the largest float
        return math.inf


def _as_text(value: object) -> str:
    try:
        return value if isinstance(value, str) else repr(value)
    except (RecursionError, ValueError):
        return f"a very large {type(value).__name__}"


__all__ = ["MISSING", "RANGES", "ReadScore", "Scale", "bare_number", "read_score"]
