"""Paths into records: ``turns[].response``, ``agents.*.name``, ``agents.*~``; small, and the same for every format.

A path is a row of steps from a record downwards: a key; ``[]`` for every entry of a list; ``[2]`` for one of them
(``[-1]`` for the last); ``*`` for every value of an object. A ``~`` at the end means the name instead of the value: the
key under which ``*`` found it, or the place at which ``[]`` did, from 0. Keys with other signs than letters, digits,
underscores, hyphens, blanks and signs such as ``/`` stand in double quotes. The empty path is the record itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from itertools import takewhile
from typing import Any

from core.errors import InvalidSetting
from core.import_issue import quoted

LONGEST = 1000  # characters of a path
MOST_STEPS = 30
MOST_FOUND = 1_000_000  # values of one path in one record; no debate has as many

_PLAIN_KEY = re.compile(r"[^\s.\[\]*~\"=](?:[^.\[\]*~\"]*[^\s.\[\]*~\"])?")
_INDEX = re.compile(r"\[(-?\d{1,6})?\]")
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')


class Every(Enum):
    """The steps that lead to several values."""

    ENTRY = "[]"
    VALUE = "*"


Step = str | int | Every
Place = tuple[str | int, ...]
"""Which entry each of a path's ``[]`` and ``*`` has taken."""


@dataclass(frozen=True)
class RecordPath:
    """A path, read.

    Attributes:
        steps: Keys, places in lists, and every entry or value.
        name: The path asks for the name of what it found last, not for the value.
    """

    steps: tuple[Step, ...]
    name: bool = False

    def __str__(self) -> str:
        text = ""
        for step in self.steps:
            if isinstance(step, str):
                text += ("." if text else "") + written_key(step)
            elif step is Every.VALUE:
                text += ("." if text else "") + "*"
            else:
                text += "[]" if isinstance(step, Every) else f"[{step}]"
        return text + ("~" if self.name else "")

    @property
    def repeats(self) -> int:
        """Return how many of its steps lead to several values."""
        return sum(isinstance(step, Every) for step in self.steps)

    def together(self, other: RecordPath) -> int:
        """Return how many steps two paths have in common, from the start."""
        pairs = zip(self.steps, other.steps, strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    def fits(self, text: RecordPath) -> bool:
        """Return whether it leads to one value at most for each value of another path.

        One repeating step beyond those in common is a list beside the other's, entry for entry.
        """
        shared = sum(isinstance(step, Every) for step in self.steps[: self.together(text)])
        return self.repeats <= shared + (text.repeats > shared)

    def at(self, place: Place) -> str:
        """Return the path of one value, with the entries and keys that it took, as issues name it."""
        taken = list(place)
        text = ""
        for step in self.steps:
            own: Step = step
            if isinstance(step, Every):
                own = taken.pop(0) if taken else "?"
            text += f"[{own}]" if isinstance(own, int) else ("." if text else "") + written_key(str(own))
        return text


@dataclass(frozen=True)
class Found:
    """One value that a path leads to, and which entries it took on the way."""

    place: Place
    value: Any


def written_key(key: str) -> str:
    """Return a key as it stands in a path, in quotes where it could be mistaken."""
    return key if _PLAIN_KEY.fullmatch(key) else json.dumps(key, ensure_ascii=False)


@lru_cache(maxsize=4096)
def record_path(text: str) -> RecordPath:
    """Return a path that somebody wrote.

    Raises:
        InvalidSetting: If it is no path; the message says from where on.
    """
    if len(text) > LONGEST:
        raise InvalidSetting(f"A path has at most {LONGEST} characters; this one has {len(text)}.")
    body = text.strip()
    steps: list[Step] = []
    place = 0
    named = False
    while place < len(body):
        if named:
            raise _unreadable(text, place, "nothing may follow ~")
        sign = body[place]
        if sign == "~":
            if not steps or not isinstance(steps[-1], Every):
                raise _unreadable(text, place, "~ must follow * or []")
            named = True
            place += 1
            continue
        if sign == "[":
            index = _INDEX.match(body, place)
            if index is None:
                raise _unreadable(text, place, "a bracket holds nothing, or a whole number")
            steps.append(Every.ENTRY if index[1] is None else int(index[1]))
            place = index.end()
            continue
        if sign == ".":
            if not steps or place + 1 == len(body) or body[place + 1] in ".[~":
                raise _unreadable(text, place, "a dot stands between two steps")
            place += 1
        elif steps:
            raise _unreadable(text, place, "a dot is missing")
        step, place = _named_step(body, place, text)
        steps.append(step)
    if len(steps) > MOST_STEPS:
        raise InvalidSetting(f"A path has at most {MOST_STEPS} steps; {quoted(text)} has {len(steps)}.")
    return RecordPath(tuple(steps), named)


def _named_step(body: str, place: int, text: str) -> tuple[Step, int]:
    if body[place] == "*":
        return Every.VALUE, place + 1
    if body[place] == '"':
        held = _QUOTED.match(body, place)
        try:
            return str(json.loads(held[0] if held else "")), held.end() if held else place
        except ValueError:
            raise _unreadable(text, place, "a quotation mark is not closed") from None
    key = _PLAIN_KEY.match(body, place)
    if key is None:
        raise _unreadable(text, place, "a key is due here")
    return key[0], key.end()


def _unreadable(text: str, place: int, why: str) -> InvalidSetting:
    return InvalidSetting(
        f"{quoted(text)} is no path from its sign {place + 1} on: {why}. Paths look like turns[].text or "
        "agents.*.name; a key with a dot, a bracket or a sign of its own like * or ~ stands in double quotes: "
        'turns[]."said.at".'
    )


def find(value: Any, path: RecordPath) -> Iterator[Found]:
    """Yield what a path leads to in a record, in the record's order; steps that lead nowhere yield nothing."""
    for number, found in enumerate(_follow(value, path.steps, ())):
        if number == MOST_FOUND:
            return
        yield Found(found.place, found.place[-1]) if path.name else found


def _follow(value: Any, steps: tuple[Step, ...], place: Place) -> Iterator[Found]:
    for position, step in enumerate(steps):
        if isinstance(step, str):
            if not isinstance(value, dict) or step not in value:
                return
            value = value[step]
        elif isinstance(step, int):
            if not isinstance(value, list) or not -len(value) <= step < len(value):
                return
            value = value[step]
        else:
            rest = steps[position + 1 :]
            if step is Every.ENTRY and isinstance(value, list):
                for index, entry in enumerate(value):
                    yield from _follow(entry, rest, (*place, index))
            elif step is Every.VALUE and isinstance(value, dict):
                for key, entry in value.items():
                    yield from _follow(entry, rest, (*place, key))
            return
    yield Found(place, value)


def first(value: Any, path: RecordPath) -> Any:
    """Return the first value that a path leads to, None for nothing."""
    return next((found.value for found in find(value, path)), None)


__all__ = ["LONGEST", "Every", "Found", "Place", "RecordPath", "find", "first", "record_path", "written_key"]
