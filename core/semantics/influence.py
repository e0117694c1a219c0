"""Influences: how an energy moves a base score. An energy of 0 leaves it alone, to the last bit.

Every formula uses plain arithmetic that means the same for a number and for an array, so that one debate and a forest
of debates come out equal to the last bit.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from core.errors import InvalidSetting
from core.semantics.aggregation import Values

LARGEST_EXPONENT = 700.0  # e to the 710 is more than a float can hold; strengths are 0 or 1 long before


class Movement(Protocol):
    """The formula of an influence."""

    def __call__(self, base: Values, energy: Values, /) -> Values:
        """Return the strength, in [0, 1]."""
        ...


@dataclass(frozen=True)
class Influence:
    """An influence, named by what it does.

    Attributes:
        name: For people.
        formula: As text; w is the base score, E the energy, κ the conservativeness.
        conservativeness: By what the energy is divided, 1 or more.
    """

    name: str
    formula: str
    conservativeness: float
    move: Movement = field(repr=False, compare=False)


def linear(conservativeness: float = 1.0) -> Influence:
    """Return the influence that goes the energy's share of the way to 0 or 1. For energies in [-1, 1].

    Raises:
        InvalidSetting: If the conservativeness is below 1 or not finite.
    """
    k = checked_conservativeness(conservativeness)

    def move(base: Values, energy: Values, /) -> Values:
        up, down = _parts(energy)
        return base + (1.0 - base) * up / k - base * down / k

    return Influence("linear", "w + (1 − w)·max(E, 0)/κ + w·min(E, 0)/κ", k, move)


def quadratic(conservativeness: float = 1.0) -> Influence:
    """Return the 2-Max influence, where energies beyond 1 count less and less (Potyka, 2018).

    Raises:
        InvalidSetting: If the conservativeness is below 1 or not finite.
    """
    k = checked_conservativeness(conservativeness)

    def move(base: Values, energy: Values, /) -> Values:
        up, down = _parts(energy / k)
        up, down = up * up, down * down
        return base + (1.0 - base) * (up / (1.0 + up)) - base * (down / (1.0 + down))

    formula = "w + (1 − w)·h(E/κ) − w·h(−E/κ), h(x) = max(x, 0)²/(1 + max(x, 0)²)"
    return Influence("2-Max", formula, k, move)


def hyperbolic(conservativeness: float = 1.0) -> Influence:
    """Return the 1-Max influence, the quadratic one without its square.

    Raises:
        InvalidSetting: If the conservativeness is below 1 or not finite.
    """
    k = checked_conservativeness(conservativeness)

    def move(base: Values, energy: Values, /) -> Values:
        up, down = _parts(energy / k)
        return base + (1.0 - base) * (up / (1.0 + up)) - base * (down / (1.0 + down))

    return Influence("1-Max", "w + (1 − w)·h(E/κ) − w·h(−E/κ), h(x) = max(x, 0)/(1 + max(x, 0))", k, move)


def euler() -> Influence:
    """Return the Euler-based influence (Amgoud and Ben-Naim, 2018); it never falls below the base score squared."""

    def move(base: Values, energy: Values, /) -> Values:
        # The published 1 - (1 - w²)/(1 + w·exp(E)), rearranged so that E = 0 gives w exactly.
        grown = _bounded(np.expm1, energy)
        return base + (1.0 - base) * (base * grown / (1.0 + base * (1.0 + grown)))

    return Influence("Euler", "1 − (1 − w²)/(1 + w·exp(E))", 1.0, move)


def logistic() -> Influence:
    """Return the influence of a neuron (Potyka, 2021); base scores 0 and 1 are never moved."""

    def move(base: Values, energy: Values, /) -> Values:
        # logistic(logit(w) + E) without the logit, which 0 and 1 do not have.
        odds = base * _bounded(np.exp, energy)
        return odds / ((1.0 - base) + odds)

    return Influence("logistic", "1/(1 + exp(−(ln(w/(1 − w)) + E)))", 1.0, move)


def checked_conservativeness(value: float) -> float:
    """Return the conservativeness as a float.

    Raises:
        InvalidSetting: If it is not a finite number of at least 1: below 1, strengths would leave [0, 1].
    """
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value) or value < 1:
        raise InvalidSetting(f"The conservativeness is {value!r}; it must be a finite number of at least 1.")
    return float(value)


def _parts(energy: Values) -> tuple[Values, Values]:
    """Return the positive and the negative part of an energy, both at least 0; exact, and alike for arrays."""
    size = abs(energy)
    return (size + energy) / 2.0, (size - energy) / 2.0


def _bounded(function: Any, energy: Values) -> Values:
    # Always numpy's function, also for single numbers: that of the math module can differ in the last bit.
    result: Values = function(np.minimum(np.maximum(energy, -LARGEST_EXPONENT), LARGEST_EXPONENT))
    return result
