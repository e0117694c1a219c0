"""Gold labels out of what people and data sets write."""

from __future__ import annotations

TRUE_WORDS = frozenset(
    {"true", "t", "yes", "y", "1", "1.0", "supported", "supports", "support", "correct", "right", "entailment"}
)
FALSE_WORDS = frozenset(
    {
        "false", "f", "no", "n", "0", "0.0", "refuted", "refutes", "refute", "not supported", "unsupported",
        "incorrect", "wrong", "contradicted", "contradict", "contradiction",
    }
)  # fmt: skip
UNKNOWN_WORDS = frozenset(
    {
        "", "nei", "not enough info", "not enough information", "not enough evidence", "unknown", "neutral", "none",
        "null", "nan", "n/a", "na", "-", "?", "unverified", "unlabelled", "unlabeled", "inconclusive", "uncertain",
    }
)  # fmt: skip


def read_label(value: object) -> tuple[bool | None, bool]:
    """Return a label and whether it could be read.

    Returns:
        ``(True or False, True)`` for a decided label, ``(None, True)`` for one that says that it is unknown, and
        ``(None, False)`` for anything else.
    """
    if value is None or isinstance(value, bool):
        return value, True
    if isinstance(value, (int, float)):
        if value in (0, 1):
            return bool(value), True
        return None, value != value  # NaN is a missing value
    if isinstance(value, str):
        word = " ".join(value.replace("_", " ").split()).casefold()
        if word in TRUE_WORDS:
            return True, True
        if word in FALSE_WORDS:
            return False, True
        return None, word in UNKNOWN_WORDS
    return None, False


def plain_label(value: object) -> bool:
    """Return whether a label is written so plainly that nothing is lost by keeping true, false or nothing."""
    return (
        value is None
        or isinstance(value, (bool, int, float))
        or (isinstance(value, str) and value.strip().casefold() in ("true", "false", "1", "0", "1.0", "0.0", ""))
    )
