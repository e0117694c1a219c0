"""Short names for judges side by side: what tells them apart, without what all of one kind have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import count

LONGEST_HEAD = 20  # characters of a model's name
LONGEST_WHOLE = 34  # a name up to this length stays as it is
LEAST_HEAD = 5  # characters; less of a head says nothing
MOST_PARTS = 2  # of a judge that is alone in its family


def short_names(names: Sequence[str], families: Sequence[str]) -> tuple[str, ...]:
    """Return a short name for each judge, all different.

    A name is a head and parts, divided by commas. Where a name of a family is long, its members keep the parts that
    not all of them have, and a long head before parts is cut; a member that is alone keeps its first parts. Names that
    would read the same are kept whole.

    Args:
        names: Whole names, all different.
        families: Each judge's family.
    """
    shortened = dict(enumerate(names))
    for family in set(families):
        places = [place for place, kind in enumerate(families) if kind == family]
        split = {place: [part.strip() for part in names[place].split(",")] for place in places}
        if all(len(names[place]) <= LONGEST_WHOLE for place in places):
            continue
        common = set.intersection(*(set(parts[1:]) for parts in split.values())) if len(places) > 1 else set()
        for place, (head, *parts) in split.items():
            told = parts[:MOST_PARTS] if len(places) == 1 else [part for part in parts if part not in common]
            shortened[place] = ", ".join([_cut(head) if parts else head, *told])
    taken = Counter(shortened.values())
    return tuple(name if taken[shortened[place]] > 1 else shortened[place] for place, name in enumerate(names))


def fitted_names(names: Sequence[str], length: int) -> tuple[str, ...]:
    """Return names of up to ``length`` characters, for judges that stand side by side: different names stay different.

    What is cut is the head, or else the beginning: the end tells judges of one model apart. Names that would still read
    the same get a number, and may be longer by it.
    """
    return distinct([_fitted(name, length) for name in names], names)


def distinct(labels: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return labels of names, with a number after those that read like the label of another name."""
    of_name = dict(zip(names, labels, strict=True))
    taken = Counter(of_name.values())
    found = {name: label for name, label in of_name.items() if taken[label] == 1}
    used = set(found.values())
    for name, label in of_name.items():
        if name not in found:
            found[name] = next(text for n in count(1) if (text := f"{label} ({n})") not in used)
            used.add(found[name])
    return tuple(found[name] for name in names)


def _fitted(name: str, length: int) -> str:
    whole = " ".join(name.split())
    if len(whole) <= length:
        return whole
    head, _, tail = whole.partition(", ")
    room = length - len(tail) - 3
    if tail and room >= LEAST_HEAD:
        return f"{head[:room].rstrip(' -_.…')}…, {tail}"
    return f"…{tail if tail and len(tail) < length else whole[1 - length :].lstrip(' ,')}"


def _cut(head: str) -> str:
    return head if len(head) <= LONGEST_HEAD else head[: LONGEST_HEAD - 1].rstrip(" -_.") + "…"


__all__ = ["distinct", "fitted_names", "short_names"]
