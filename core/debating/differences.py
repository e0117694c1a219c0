"""What differs between two records of a debate, place by place."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from core.wording import shortened

MOST = 20  # differences that are listed
LONGEST = 200  # characters of a value that are shown
ABSENT = "not there"


@dataclass(frozen=True)
class Difference:
    """A place in a record, such as ``rounds[1].arguments[0].text``, and what stands there in each."""

    place: str
    first: str
    second: str


def differences(first: str, second: str, most: int = MOST) -> tuple[Difference, ...]:
    """Return where two records in the native format differ, in the order of the first; none where they do not.

    Args:
        first, second: Lines of JSON.
        most: So many differences at most.
    """
    if first == second:
        return ()
    try:
        found = tuple(islice(_compared("", json.loads(first), json.loads(second)), most))
    except (ValueError, RecursionError):
        found = ()
    return found or (Difference("the line as written", _shown(first), _shown(second)),)


def _compared(place: str, first: Any, second: Any) -> Iterator[Difference]:
    if isinstance(first, dict) and isinstance(second, dict):
        for name in dict.fromkeys([*first, *second]):
            where = f"{place}.{name}" if place else str(name)
            if name not in first or name not in second:
                yield Difference(where, *(_shown(one[name]) if name in one else ABSENT for one in (first, second)))
            else:
                yield from _compared(where, first[name], second[name])
    elif isinstance(first, list) and isinstance(second, list):
        for number in range(max(len(first), len(second))):
            where = f"{place}[{number}]"
            if number >= min(len(first), len(second)):
                held = (_shown(one[number]) if number < len(one) else ABSENT for one in (first, second))
                yield Difference(where, *held)
            else:
                yield from _compared(where, first[number], second[number])
    elif type(first) is not type(second) or first != second:
        yield Difference(place or "the whole", _shown(first), _shown(second))


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return shortened(text, LONGEST)


__all__ = ["MOST", "Difference", "differences"]
