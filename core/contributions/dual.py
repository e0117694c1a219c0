"""Numbers that carry their one-sided derivatives, so that a semantics' own formulas give exact slopes.

A dual number is a value with its derivatives along several directions. Any formula of sums, products, quotients,
absolute values, maxima, minima and exponentials of dual numbers gives the derivatives of the formula. At a kink, such
as the 0 of an absolute value, the derivative along a direction is the one-sided one: chains of one-sided derivatives
are exact for such formulas, while no gradient exists there.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]

KINK = 1e-14  # nearer than this to a kink counts as on it: rounding cannot tell them apart


class Dual:
    """A number with its derivatives.

    Attributes:
        value: The number.
        along: One derivative for each direction, shape (directions,).
    """

    __slots__ = ("along", "value")

    def __init__(self, value: float, along: FloatArray) -> None:
        self.value = value
        self.along = along

    def __add__(self, other: Dual | float) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value + other.value, self.along + other.along)
        return Dual(self.value + other, self.along)

    __radd__ = __add__

    def __neg__(self) -> Dual:
        return Dual(-self.value, -self.along)

    def __sub__(self, other: Dual | float) -> Dual:
        return self + -other

    def __rsub__(self, other: float) -> Dual:
        return -self + other

    def __mul__(self, other: Dual | float) -> Dual:
        if isinstance(other, Dual):
            return Dual(self.value * other.value, self.along * other.value + other.along * self.value)
        return Dual(self.value * other, self.along * other)

    __rmul__ = __mul__

    def __truediv__(self, other: Dual | float) -> Dual:
        if isinstance(other, Dual):
            ratio = self.value / other.value
            return Dual(ratio, (self.along - ratio * other.along) / other.value)
        return Dual(self.value / other, self.along / other)

    def __rtruediv__(self, other: float) -> Dual:
        return Dual(other, np.zeros_like(self.along)) / self

    def __abs__(self) -> Dual:
        return _larger(self, -self)

    def __array_ufunc__(self, function: np.ufunc, method: str, *inputs: Any, **settings: Any) -> Any:
        """Do what NumPy's functions do to numbers, where formulas use those."""
        known = _FUNCTIONS.get(function)
        if known is None or method != "__call__" or settings:
            return NotImplemented
        return known(*inputs)


def _larger(one: Dual | float, two: Dual | float) -> Dual:
    first, second = _dual(one, two), _dual(two, one)
    if abs(first.value - second.value) <= KINK:
        return Dual(max(first.value, second.value), np.maximum(first.along, second.along))
    return first if first.value > second.value else second


def _smaller(one: Dual | float, two: Dual | float) -> Dual:
    return -_larger(-one, -two)


def _dual(number: Dual | float, other: Dual | float) -> Dual:
    """Return a number as a dual one that does not move, with as many directions as the other."""
    if isinstance(number, Dual):
        return number
    assert isinstance(other, Dual)  # noqa: S101  # NumPy calls here only where at least one is a dual number
    return Dual(float(number), np.zeros_like(other.along))


def _exponential(number: Dual) -> Dual:
    value = float(np.exp(number.value))
    return Dual(value, number.along * value)


def _exponential_minus_1(number: Dual) -> Dual:
    return Dual(float(np.expm1(number.value)), number.along * float(np.exp(number.value)))


_FUNCTIONS: dict[np.ufunc, Callable[..., Dual]] = {
    np.add: operator.add,
    np.subtract: operator.sub,
    np.multiply: operator.mul,
    np.divide: operator.truediv,
    np.negative: operator.neg,
    np.absolute: operator.abs,
    np.maximum: _larger,
    np.minimum: _smaller,
    np.exp: _exponential,
    np.expm1: _exponential_minus_1,
}
