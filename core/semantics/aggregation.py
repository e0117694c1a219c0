"""Aggregations: from the strengths of an argument's supporters and attackers to one energy.

Each maps every strength to a term, folds the terms of each side, and combines the two sides. Strengths are sorted
before they are folded, so that the order of arguments cannot change even the last bit: a product or sum of three or
more numbers depends on their order. Single values and arrays go through the same operations in the same order.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
Values = TypeVar("Values", float, FloatArray)

NETWORK_LIMIT = 8  # sources per argument up to which comparing columns is faster than sorting rows; measured


class Term(Protocol):
    """What one strength contributes."""

    def __call__(self, strength: Values, /) -> Values:
        """Return the term, for one strength or for an array of them."""
        ...


class Combination(Protocol):
    """What the two sides come to."""

    def __call__(self, supporters: Values, attackers: Values, /) -> Values:
        """Return the energy."""
        ...


@dataclass(frozen=True)
class Fold:
    """How terms are joined: the same operation for two numbers and for two arrays, and its neutral value."""

    numbers: Callable[[float, float], float]
    arrays: np.ufunc
    neutral: float


@dataclass(frozen=True)
class Aggregation:
    """An aggregation, named by what it does.

    Attributes:
        name: For people.
        formula: As text; s are supporters' strengths, a attackers'.
        saturates: True where one source of strength 1 hides all others on its side.
    """

    name: str
    formula: str
    saturates: bool
    term: Term = field(repr=False)
    fold: Fold = field(repr=False)
    combine: Combination = field(repr=False)

    def of_numbers(self, supporters: list[float], attackers: list[float]) -> float:
        """Return the energy of one argument. The lists are sorted in place."""
        return self.combine(self._fold_numbers(supporters), self._fold_numbers(attackers))

    def fold_arrays(self, strengths: Sequence[FloatArray]) -> FloatArray:
        """Return what one side of many arguments folds to.

        Args:
            strengths: Row j holds the j-th source's strength of every argument, shape (sources, arguments); at
                least one row.

        Returns:
            Shape (arguments,).
        """
        if len(strengths) > NETWORK_LIMIT:
            rows = np.sort(np.stack(strengths), axis=0)
            # accumulate goes through the rows strictly in order, which reduce does not promise.
            return np.asarray(self.fold.arrays.accumulate(self.term(rows), axis=0)[-1])
        rows_left = list(strengths)
        # The first two rows need no order between them: joining two numbers does not depend on it.
        for last in range(len(rows_left) - 1, 1, -1):
            for row in range(last):
                one, two = rows_left[row], rows_left[row + 1]
                rows_left[row], rows_left[row + 1] = np.minimum(one, two), np.maximum(one, two)
        result = self.term(rows_left[0])
        if len(rows_left) == 1:
            return result + 0.0  # a copy, in case the term is the strength itself
        result = np.asarray(self.fold.arrays(result, self.term(rows_left[1])))
        for values in rows_left[2:]:
            self.fold.arrays(result, self.term(values), out=result)
        return result

    def _fold_numbers(self, strengths: list[float]) -> float:
        strengths.sort()
        result = self.fold.neutral
        for strength in strengths:
            result = self.fold.numbers(result, self.term(strength))
        return result


def _itself(strength: Values, /) -> Values:
    return strength


def _rest(strength: Values, /) -> Values:
    return 1.0 - strength


def _squared(strength: Values, /) -> Values:
    return strength * strength


def _squared_rest(strength: Values, /) -> Values:
    rest = 1.0 - strength
    return rest * rest


def _supporters_minus_attackers(supporters: Values, attackers: Values, /) -> Values:
    return supporters - attackers


def _attackers_minus_supporters(supporters: Values, attackers: Values, /) -> Values:
    return attackers - supporters


_PRODUCT = Fold(operator.mul, np.multiply, 1.0)
_SUM = Fold(operator.add, np.add, 0.0)
_LARGEST = Fold(max, np.maximum, 0.0)

PRODUCT = Aggregation("product", "∏(1 − a) − ∏(1 − s)", True, _rest, _PRODUCT, _attackers_minus_supporters)
SUM = Aggregation("sum", "∑s − ∑a", False, _itself, _SUM, _supporters_minus_attackers)
TOP = Aggregation("top", "max s − max a", False, _itself, _LARGEST, _supporters_minus_attackers)
SQUARED_PRODUCT = Aggregation(
    "squared product", "∏(1 − a)² − ∏(1 − s)²", True, _squared_rest, _PRODUCT, _attackers_minus_supporters
)
SQUARED_SUM = Aggregation("squared sum", "∑s² − ∑a²", False, _squared, _SUM, _supporters_minus_attackers)
