"""Quantitative bipolar argumentation frameworks: arguments with base scores, attacks and supports.

Arrays inside, names at the edge. A QBAF never changes; another one with other base scores shares its structure. Many
debates together are one big QBAF, a forest, so that the same evaluation serves one debate and a million.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from core.errors import InvalidGraph, InvalidScore
from core.levels import Dependants, IndexArray, Node, Relations, Step, depths, flat_plan, plan
from core.opinion import checked_score

FloatArray = NDArray[np.float64]


class Structure:
    """Who supports and attacks whom, by index, with the order of evaluation. Worked out once, shared by many QBAFs."""

    def __init__(self, supports: Relations, attacks: Relations, depth: IndexArray | None = None) -> None:
        self.size = supports.size
        self.supports = supports
        self.attacks = attacks
        if depth is not None:
            self.__dict__["depth"] = depth

    @cached_property
    def depth(self) -> IndexArray | None:
        """Return each argument's longest distance from an argument without sources; None for a cyclic graph."""
        return depths(self.supports, self.attacks, self.dependants)

    @cached_property
    def acyclic(self) -> bool:
        """Return whether no argument bears on itself, directly or through others."""
        return self.depth is not None

    @cached_property
    def plan(self) -> tuple[Step, ...]:
        """Return the steps of one evaluation; all at once for a cyclic graph, where each step is a round."""
        depth = np.zeros(self.size, dtype=np.int64) if self.depth is None else self.depth
        return plan(self.supports, self.attacks, depth)

    @cached_property
    def dependants(self) -> Dependants:
        """Return which arguments depend directly on which."""
        return Dependants(self.supports, self.attacks)

    def node(self, index: int) -> Node:
        """Return one argument with its supporters and attackers."""
        return index, self.supports.sources_of(index), self.attacks.sources_of(index)

    def without(self, index: int) -> Structure:
        """Return the structure without the relations from and to one argument, which stays as a bystander."""
        return Structure(self.supports.without(index), self.attacks.without(index))

    def isolating(self, index: int) -> Structure:
        """Return the structure without the relations that end at one argument, which then keeps its base score."""
        return Structure(self.supports.without_target(index), self.attacks.without_target(index))


class FlatStructure(Structure):
    """Many flat debates with equally many pros and cons, in columns: topics, first pros, second pros, ..., cons."""

    def __init__(self, debates: int, pros: int, cons: int) -> None:
        self.size = debates * (1 + pros + cons)
        self.debates, self.pros, self.cons = debates, pros, cons

    @cached_property
    def supports(self) -> Relations:  # type: ignore[override]  # worked out only where somebody asks
        """Return the supports, from every pro to its topic."""
        return self._columns(1, self.pros)

    @cached_property
    def attacks(self) -> Relations:  # type: ignore[override]
        """Return the attacks, from every con to its topic."""
        return self._columns(1 + self.pros, self.cons)

    @cached_property
    def depth(self) -> IndexArray | None:
        """Return 1 for topics with arguments, otherwise 0."""
        depth = np.zeros(self.size, dtype=np.int64)
        depth[: self.debates] = int(self.pros + self.cons > 0)
        return depth

    @cached_property
    def acyclic(self) -> bool:
        """Return True."""
        return True

    @cached_property
    def plan(self) -> tuple[Step, ...]:
        """Return steps that read whole columns."""
        return flat_plan(self.debates, self.pros, self.cons)

    def _columns(self, first: int, count: int) -> Relations:
        topics = np.arange(self.debates)
        sources = (np.arange(first, first + count) * self.debates)[None, :] + topics[:, None]
        return Relations(self.size, sources.ravel(), np.repeat(topics, count))


@dataclass(frozen=True, eq=False)
class QBAF:
    """A QBAF; any finite graph, cycles and self-relations included.

    Attributes:
        names: One per argument, unique, opaque.
        base_scores: In [0, 1], shape (arguments,), read-only.
        structure: Relations and order of evaluation, shared between QBAFs that differ in base scores only.
    """

    names: Sequence[str]
    base_scores: FloatArray
    structure: Structure

    @classmethod
    def build(
        cls,
        arguments: Sequence[tuple[str, float]],
        attacks: Iterable[tuple[str, str]] = (),
        supports: Iterable[tuple[str, str]] = (),
    ) -> QBAF:
        """Return the QBAF of named arguments with base scores and of (source, target) pairs.

        A pair listed twice counts once. An argument may both attack and support another (see ``overlaps``).

        Raises:
            InvalidGraph: If a name is repeated or not a text, or a relation names no argument.
            InvalidScore: If a base score is not a finite number in [0, 1].
        """
        index: dict[str, int] = {}
        for name, _ in arguments:
            if not isinstance(name, str):
                raise InvalidGraph(f"An argument's name is {name!r}; it must be a text.")
            if name in index:
                raise InvalidGraph(f"The argument {name!r} is listed twice; names must be unique.")
            index[name] = len(index)
        scores = np.array([_score(name, value) for name, value in arguments], dtype=np.float64)
        size = len(index)
        structure = Structure(_relations("support", supports, index, size), _relations("attack", attacks, index, size))
        qbaf = cls(tuple(index), _frozen(scores), structure)
        qbaf.__dict__["_index"] = index
        return qbaf

    @classmethod
    def flat(cls, topics: ArrayLike, pros: ArrayLike, cons: ArrayLike) -> QBAF:
        """Return a forest of flat debates from arrays.

        Args:
            topics: The topics' base scores, shape (n,).
            pros: Base scores of arguments that support their row's topic, shape (n, p); p may be 0.
            cons: Base scores of arguments that attack it, shape (n, c); c may be 0.

        Returns:
            A QBAF whose argument i < n is the topic of debate i, named ``"i/topic"``; then follow the first pros
            of all debates (``"i/pro1"``), the second ones, and so on, then the cons (``"i/con1"``).

        Raises:
            InvalidGraph: If the shapes do not fit together.
            InvalidScore: If a base score is not a finite number in [0, 1].
        """
        topic, pro, con = (np.asarray(values, dtype=np.float64) for values in (topics, pros, cons))
        if topic.ndim != 1 or pro.ndim != 2 or con.ndim != 2 or not len(topic) == len(pro) == len(con):
            raise InvalidGraph(
                f"Flat debates have base scores of shapes (n,), (n, pros) and (n, cons); these have "
                f"{topic.shape}, {pro.shape} and {con.shape}."
            )
        debates, columns = len(topic), (topic, *pro.T, *con.T)
        scores = np.empty(debates * len(columns))
        for place, column in enumerate(columns):
            np.add(column, 0.0, out=scores[place * debates : (place + 1) * debates])  # -0.0 becomes 0.0
        labels = ("topic", *_numbered("pro", pro.shape[1]), *_numbered("con", con.shape[1]))
        names = _LazyNames(scores.size, lambda i: f"{i % debates}/{labels[i // debates]}")
        _check_range(scores, names)
        return cls(names, _frozen(scores), FlatStructure(debates, pro.shape[1], con.shape[1]))

    @classmethod
    def forest(cls, qbafs: Sequence[QBAF]) -> QBAF:
        """Return many QBAFs as one, their arguments one QBAF after the other, named ``"number/name"``.

        ``split`` takes an array of the forest apart again. As one graph it is cyclic when any of its members is.
        """
        offsets = np.cumsum([0, *(len(qbaf) for qbaf in qbafs)])
        size = int(offsets[-1])

        def joined(kinds: Iterable[Relations]) -> Relations:
            moved = [(r.sources + o, r.targets + o) for r, o in zip(kinds, offsets, strict=False)]
            empty = np.zeros(0, dtype=np.int64)
            return Relations(
                size,
                np.concatenate([empty, *(sources for sources, _ in moved)]),
                np.concatenate([empty, *(targets for _, targets in moved)]),
            )

        parts = [qbaf.structure for qbaf in qbafs]
        known = [part.depth for part in parts if part.depth is not None]
        structure = Structure(
            joined(part.supports for part in parts),
            joined(part.attacks for part in parts),
            np.concatenate([np.zeros(0, dtype=np.int64), *known]) if len(known) == len(parts) else None,
        )

        def name(place: int) -> str:
            number = int(np.searchsorted(offsets, place, side="right")) - 1
            return f"{number}/{qbafs[number].names[place - int(offsets[number])]}"

        scores = np.concatenate([np.zeros(0), *(qbaf.base_scores for qbaf in qbafs)])
        qbaf = cls(_LazyNames(size, name), _frozen(scores), structure)
        qbaf.__dict__["offsets"] = offsets
        return qbaf

    @cached_property
    def offsets(self) -> IndexArray:
        """Return where each member of a forest starts, with the end as last entry; one member otherwise."""
        return np.array([0, len(self)])

    def split(self, values: FloatArray) -> list[FloatArray]:
        """Return the values of a forest's arguments, shape (arguments,), as one array for each member."""
        return np.split(values, self.offsets[1:-1])

    def __len__(self) -> int:
        return self.structure.size

    @property
    def acyclic(self) -> bool:
        """Return whether no argument bears on itself, directly or through others."""
        return self.structure.acyclic

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.names)}

    def index(self, name: str) -> int:
        """Return an argument's place.

        Raises:
            InvalidGraph: If there is no argument of that name.
        """
        try:
            return self._index[name]
        except KeyError:
            raise InvalidGraph(f"There is no argument {name!r} in this QBAF.") from None

    @property
    def supports(self) -> list[tuple[str, str]]:
        """Return the supports as (source, target) names, ordered by target."""
        return self._named(self.structure.supports)

    @property
    def attacks(self) -> list[tuple[str, str]]:
        """Return the attacks as (source, target) names, ordered by target."""
        return self._named(self.structure.attacks)

    @property
    def overlaps(self) -> list[tuple[str, str]]:
        """Return the (source, target) pairs where the source both supports and attacks the target.

        They are computed like any other relation; some tools refuse them, so callers may want to say so.
        """
        attacked = set(self.attacks)
        return [pair for pair in self.supports if pair in attacked]

    def with_base_scores(self, base_scores: ArrayLike) -> QBAF:
        """Return the same graph with other base scores, shape (arguments,); structure and order are shared.

        Raises:
            InvalidGraph: If there are not as many scores as arguments.
            InvalidScore: If one is not a finite number in [0, 1].
        """
        scores = np.array(base_scores, dtype=np.float64) + 0.0
        if scores.shape != (len(self),):
            raise InvalidGraph(f"{len(self)} arguments need base scores of shape ({len(self)},), not {scores.shape}.")
        _check_range(scores, self.names)
        return self._sharing(scores, self.structure)

    def with_base_score(self, index: int, base_score: float) -> QBAF:
        """Return the same graph with one argument's base score replaced.

        Raises:
            InvalidScore: If it is not a finite number in [0, 1].
        """
        scores = self.base_scores.copy()
        scores[index] = _score(self.names[index], base_score)
        return self._sharing(scores, self.structure)

    def without(self, index: int) -> QBAF:
        """Return the graph without one argument's relations; the argument itself stays, bearing on nothing."""
        return self._sharing(self.base_scores, self.structure.without(index))

    def isolating(self, index: int) -> QBAF:
        """Return the graph without the relations that end at one argument, which then keeps its base score."""
        return self._sharing(self.base_scores, self.structure.isolating(index))

    def _sharing(self, scores: FloatArray, structure: Structure) -> QBAF:
        other = QBAF(self.names, _frozen(scores), structure)
        for known in ("_index", "offsets"):
            if known in self.__dict__:
                other.__dict__[known] = self.__dict__[known]
        return other

    def _named(self, relations: Relations) -> list[tuple[str, str]]:
        pairs = zip(relations.sources.tolist(), relations.targets.tolist(), strict=True)
        return [(self.names[source], self.names[target]) for source, target in pairs]


class _LazyNames(Sequence[str]):
    """Names that are put together only where somebody asks: a million debates need seven million."""

    def __init__(self, size: int, name: Callable[[int], str]) -> None:
        self._size = size
        self._name = name

    def __len__(self) -> int:
        return self._size

    @overload
    def __getitem__(self, place: int) -> str: ...

    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...

    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return [self._name(i) for i in range(self._size)[place]]
        return self._name(range(self._size)[place])

    def __iter__(self) -> Iterator[str]:
        return map(self._name, range(self._size))


def _numbered(word: str, count: int) -> Iterator[str]:
    return (f"{word}{number}" for number in range(1, count + 1))


def _score(name: str, value: float | None) -> float:
    score = checked_score(f"Base score of {name!r}", value)
    if score is None:
        raise InvalidScore(f"Base score of {name!r}", value)
    return score


def _relations(kind: str, pairs: Iterable[tuple[str, str]], index: dict[str, int], size: int) -> Relations:
    sources, targets = [], []
    for source, target in pairs:
        for name in (source, target):
            if name not in index:
                raise InvalidGraph(f"The {kind} from {source!r} to {target!r} names {name!r}, which is no argument.")
        sources.append(index[source])
        targets.append(index[target])
    return Relations.of(size, np.array(sources, dtype=np.int64), np.array(targets, dtype=np.int64))


def _check_range(scores: FloatArray, names: Sequence[str]) -> None:
    # NaN makes both comparisons false, so it is caught as well.
    if scores.size and not (scores.min() >= 0.0 and scores.max() <= 1.0):
        place = int(np.flatnonzero(~((scores >= 0.0) & (scores <= 1.0)))[0])
        raise InvalidScore(f"Base score of {names[place]!r}", float(scores[place]))


def _frozen(scores: FloatArray) -> FloatArray:
    scores.flags.writeable = False
    return scores
