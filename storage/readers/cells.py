"""What single cells of a table mean."""

from __future__ import annotations

import re

from core.opinion import TOPIC, RelationKind

TOPIC_WORDS = frozenset({TOPIC, "claim", "root"})  # what stands for the claim where a target is due
PRO_WORDS = frozenset(
    {
        "pro", "pros", "support", "supports", "supporting", "supporter", "for", "+", "+1", "1", "1.0", "agree",
        "agrees", "positive", "affirmative", "aff", "in favour", "in favor", "favour", "favor", "proponent",
        "pro argument",
    }
)  # fmt: skip
CON_WORDS = frozenset(
    {
        "con", "cons", "attack", "attacks", "attacking", "attacker", "against", "-", "−", "-1", "-1.0", "disagree",
        "disagrees", "negative", "opposition", "opp", "oppose", "opposes", "opposing", "opponent", "con argument",
    }
)  # fmt: skip
_DIGITS = re.compile(r"-?\d{1,9}")


def is_missing(cell: object) -> bool:
    """Return whether a cell holds nothing: empty, blank or NaN. The text "N/A" is a text."""
    return cell is None or (isinstance(cell, str) and not cell.strip()) or cell != cell


def text_of(cell: object) -> str | None:
    """Return a cell's text, or None when it holds nothing. A whole number has no decimals: 12.0 is 12."""
    if isinstance(cell, str):
        return cell if cell.strip() else None
    if is_missing(cell):
        return None
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 1e15:
        return str(int(cell))
    return str(cell)


def polarity_of(cell: object) -> RelationKind | None:
    """Return whether a cell says pro or con, or None for neither."""
    word = (text_of(cell) or "").strip().casefold().replace("_", " ")
    if word in PRO_WORDS:
        return RelationKind.SUPPORT
    if word in CON_WORDS:
        return RelationKind.ATTACK
    return None


def round_of(cell: object) -> int | None:
    """Return the number of a round, as in 2, "2", "2.0" or "Round 2", or None when there is not exactly one."""
    if isinstance(cell, bool):
        return None
    if isinstance(cell, (int, float)):
        return int(cell) if abs(cell) < 1e9 and cell == int(cell) else None
    found = _DIGITS.findall((text_of(cell) or "").strip().removesuffix(".0"))
    return int(found[0]) if len(found) == 1 else None
