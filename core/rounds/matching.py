"""Which argument of a round is which of the round before."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass

from core.opinion import Argument
from core.rounds.word_diff import words_in_common

SAME_ID_IN_COMMON = 0.3  # share of words from which two texts under one id are one argument, reworded
OTHER_ID_IN_COMMON = 0.6  # the same under two ids, as when a list of arguments is numbered anew
MOST_COMPARED = 60  # arguments of each side that are looked through for one another
MOST_LETTERS = 100_000  # of their texts together


@dataclass(frozen=True)
class Pair:
    """An argument in two rounds; None where it is not there."""

    before: Argument | None
    after: Argument | None


def pairs(before: Sequence[Argument], after: Sequence[Argument]) -> tuple[Pair, ...]:
    """Return the arguments of two rounds side by side: those of the later round in order, then those that are gone.

    Only arguments of one author are paired. First those of the same id and text, then those of the same text; then
    those of the same id with ``SAME_ID_IN_COMMON`` of their words in common, and those of different ids with
    ``OTHER_ID_IN_COMMON``, the closest first. Many logs number the arguments of each round anew, so that an id alone
    says little; what is left of one id is paired last, as one argument put in another's place.
    """
    found = _Matching(before, after)
    found.by(lambda one: (one.author, one.id, one.text))
    found.by(lambda one: (one.author, one.text))
    found.by(lambda one: (one.author, one.id), SAME_ID_IN_COMMON)
    found.closest()
    found.by(lambda one: (one.author, one.id))
    return found.pairs()


class _Matching:
    def __init__(self, before: Sequence[Argument], after: Sequence[Argument]) -> None:
        self._before = before
        self._after = after
        self._old = dict(enumerate(before))  # those without a partner, by place
        self._new = dict(enumerate(after))
        self._partner: dict[int, int] = {}  # place after -> place before

    def by(self, key: Callable[[Argument], Hashable], least: float = 0.0) -> None:
        """Pair arguments that have the same key, in order, where they have enough words in common."""
        waiting: defaultdict[Hashable, list[int]] = defaultdict(list)
        for place, one in self._old.items():
            waiting[key(one)].append(place)
        for place, one in list(self._new.items()):
            candidates = waiting.get(key(one), [])
            for candidate in candidates:
                if least == 0.0 or words_in_common(self._before[candidate].text, one.text) >= least:
                    candidates.remove(candidate)
                    self._pair(candidate, place)
                    break

    def closest(self) -> None:
        """Pair what is left by the words in common, the closest first."""
        letters = sum(len(one.text) for one in (*self._old.values(), *self._new.values()))
        if max(len(self._old), len(self._new)) > MOST_COMPARED or letters > MOST_LETTERS:
            return
        close = [
            (-words_in_common(one.text, other.text), old, new)
            for old, one in self._old.items()
            for new, other in self._new.items()
            if one.author == other.author
        ]
        for unlike, old, new in sorted(close):
            if -unlike >= OTHER_ID_IN_COMMON and old in self._old and new in self._new:
                self._pair(old, new)

    def pairs(self) -> tuple[Pair, ...]:
        """Return all arguments, paired or alone."""
        kept = (
            Pair(self._before[self._partner[place]] if place in self._partner else None, one)
            for place, one in enumerate(self._after)
        )
        return (*kept, *(Pair(one, None) for one in self._old.values()))

    def _pair(self, old: int, new: int) -> None:
        self._partner[new] = old
        del self._old[old], self._new[new]


__all__ = ["OTHER_ID_IN_COMMON", "SAME_ID_IN_COMMON", "Pair", "pairs"]
