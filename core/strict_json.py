"""JSON that every reader takes: no NaN, no lone surrogates, no NUL, one record one line."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

REPLACEMENT = "\ufffd"
DEEPEST = 64  # levels of free JSON (settings, exhibits, provenance) that are kept as JSON

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")  # DuckDB and UTF-8 have no place for these
_ESCAPED_UNSTORABLE = re.compile(r"\\u(?:0000|[dD][89a-fA-F])")  # finds pairs too; that only costs time
_LINE_BREAKS = re.compile("[\x85\u2028\u2029]")  # ends a line for some readers, though not for JSON

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def dumps(value: Any) -> str:
    """Return a value as one line of strict JSON, key order kept.

    What JSON cannot say is mended: NaN and infinities become null, NUL and lone surrogates the replacement
    character, keys and values of other types text. The result is always valid UTF-8 once encoded.
    """
    try:
        line = _encode(value)
    except (TypeError, ValueError, RecursionError):
        line = _encode(cleaned(value))
    if line.isascii():  # known without looking, and then only an escape can stand for what is unstorable
        return line if "\\u" not in line or not _ESCAPED_UNSTORABLE.search(line) else _encode(cleaned(value))
    if _ESCAPED_UNSTORABLE.search(line) or _UNSTORABLE.search(line):
        line = _encode(cleaned(value))
    return one_line(line)


def one_line(text: str) -> str:
    """Return JSON without line breaks of its own in such a way that no reader sees one in its texts either."""
    if text.isascii():
        return text
    return _LINE_BREAKS.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def storable(text: str) -> str:
    """Return the text with NUL and lone surrogates replaced, which neither DuckDB nor UTF-8 can hold."""
    return _UNSTORABLE.sub(REPLACEMENT, text)


def may_escape_unstorable(text: str) -> bool:
    """Return whether JSON may hold a NUL or a lone surrogate as an escape; quick, and never a false no."""
    return "\\u" in text and _ESCAPED_UNSTORABLE.search(text) is not None


def cleaned(value: Any, depth: int = DEEPEST) -> Any:
    """Return a plain JSON value like the given one, without what JSON cannot say.

    Args:
        value: Anything.
        depth: How many levels to keep; what lies deeper becomes text.
    """
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return storable(value)
    if isinstance(value, int):
        return int(value) if abs(value) < 10**400 else f"an integer of {value.bit_length()} bits"
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else None
    if depth == 0:
        return f"a {type(value).__name__} nested too deep to keep"
    if isinstance(value, Mapping):
        return {storable(str(key)): cleaned(entry, depth - 1) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [cleaned(entry, depth - 1) for entry in value]
    return storable(str(value))


def trouble(value: object) -> str | None:
    """Return what a value holds that ``cleaned`` would change, in words; None for plain strict JSON.

    NUL and lone surrogates in texts are not looked for: ``dumps`` mends them.
    """
    waiting: list[tuple[object, int]] = [(value, DEEPEST)]  # a list, so that depth cannot exhaust the stack
    while waiting:
        entry, depth = waiting.pop()
        if isinstance(entry, float):
            if not math.isfinite(entry):
                return "NaN or infinity"
        elif isinstance(entry, (dict, list)):
            if depth == 0:
                return f"more than {DEEPEST} levels"
            inner = entry.values() if isinstance(entry, dict) else entry
            waiting.extend((value, depth - 1) for value in inner)
        elif entry is not None and not isinstance(entry, (str, int)):
            return f"a {type(entry).__name__}"
    return None


def strict(value: Any) -> Any:
    """Return the value itself where it is plain strict JSON, else ``cleaned``."""
    return value if trouble(value) is None else cleaned(value)


__all__ = [
    "DEEPEST",
    "REPLACEMENT",
    "cleaned",
    "dumps",
    "may_escape_unstorable",
    "one_line",
    "storable",
    "strict",
    "trouble",
]
