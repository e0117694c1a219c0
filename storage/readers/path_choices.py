"""The paths that really occur in records, to choose from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from core.import_issue import quoted
from storage.readers.record_path import LONGEST, Every, RecordPath, Step

MOST_PATHS = 400
MOST_DEEP = 12  # steps
MOST_ENTRIES = 20  # of one list or object that are looked into
MOST_EXAMPLES = 200  # values of one path that are kept
ALIKE = 0.5  # share of keys that the values of an object have in common where its keys are names


@dataclass
class PathChoice:
    """One path that occurs.

    Attributes:
        path: From the record downwards.
        records: In how many of the records that were looked at it leads to a value.
        values: The first values, single ones only: texts, numbers, truth values and nulls.
        lists, objects: How often it led to a list or an object instead.
    """

    path: RecordPath
    records: int = 0
    values: list[Any] = field(default_factory=list)
    lists: int = 0
    objects: int = 0

    @property
    def is_single(self) -> bool:
        """Return whether it leads to single values."""
        return any(value is not None for value in self.values)

    @property
    def texts(self) -> list[str]:
        """Return the values that are texts."""
        return [value for value in self.values if isinstance(value, str) and value.strip()]

    @property
    def example(self) -> str:
        """Return the first value that there is, short, on one line."""
        return next((quoted(value) for value in self.values if value not in (None, "")), "")


def path_choices(records: Sequence[Any]) -> tuple[PathChoice, ...]:
    """Return the paths that lead to something in records, in the order in which they first come.

    The keys of an object whose values are all alike may be names, such as those of agents: then there are paths by
    ``*`` beside those by key. Paths that are too long to be written are left out.
    """
    choices: dict[RecordPath, PathChoice] = {}
    for record in records:
        seen: set[RecordPath] = set()
        _look(record, (), choices, seen)
        for path in seen:
            choices[path].records += 1
    return tuple(choice for choice in choices.values() if len(str(choice.path)) <= LONGEST)


def list_paths(values: Sequence[Any]) -> tuple[RecordPath, ...]:
    """Return the paths to objects in values: each may be where the records are, the value itself first."""
    found: Counter[RecordPath] = Counter()
    for choice in path_choices(values):
        steps = choice.path.steps
        if choice.objects and steps and isinstance(steps[-1], Every) and choice.path.repeats == 1:
            found[choice.path] += choice.objects
    return (RecordPath(()), *found)


def _look(value: Any, steps: tuple[Step, ...], choices: dict[RecordPath, PathChoice], seen: set[RecordPath]) -> None:
    choice = _noted(steps, choices, seen)
    if choice is None:
        return
    if isinstance(value, dict):
        choice.objects += 1
        if len(steps) >= MOST_DEEP:
            return
        for key, entry in list(value.items())[: MOST_ENTRIES * 5]:
            if isinstance(key, str):
                _look(entry, (*steps, key), choices, seen)
        if _keys_are_names(value):
            for key, entry in list(value.items())[:MOST_ENTRIES]:
                _look(entry, (*steps, Every.VALUE), choices, seen)
                named = _noted((*steps, Every.VALUE), choices, seen, name=True)
                if named is not None and len(named.values) < MOST_EXAMPLES:
                    named.values.append(key)
    elif isinstance(value, list):
        choice.lists += 1
        if len(steps) >= MOST_DEEP:
            return
        for entry in value[:MOST_ENTRIES]:
            _look(entry, (*steps, Every.ENTRY), choices, seen)
        if value and not isinstance(value[0], (list, dict)):
            _look(value[0], (*steps, 0), choices, seen)
    elif len(choice.values) < MOST_EXAMPLES:
        choice.values.append(value)


def _noted(
    steps: tuple[Step, ...], choices: dict[RecordPath, PathChoice], seen: set[RecordPath], *, name: bool = False
) -> PathChoice | None:
    path = RecordPath(steps, name)
    if path not in choices:
        if len(choices) >= MOST_PATHS:
            return None
        choices[path] = PathChoice(path)
    seen.add(path)
    return choices[path]


def _keys_are_names(value: dict[Any, Any]) -> bool:
    """Return whether the values of an object are objects, or lists, that are alike."""
    entries = list(value.values())[:MOST_ENTRIES]
    if len(entries) < 2:
        return False
    if all(isinstance(entry, list) for entry in entries):
        return True
    if not all(isinstance(entry, dict) for entry in entries):
        return False
    keys = [set(entry) for entry in entries]
    together = set.union(*keys)
    return bool(together) and len(set.intersection(*keys)) >= ALIKE * len(together)


__all__ = ["PathChoice", "list_paths", "path_choices"]
