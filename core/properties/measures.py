"""Figures of a property test: rates with intervals, how scores moved, how often verdicts turned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from statsmodels.stats.proportion import proportion_confint

from core.comparison.metrics import accuracy
from core.comparison.population import FALSE, NONE, TRUE, Codes, Floats, Mask

QUANTILES = (0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0)
BIN_WIDTH = 0.05
_EDGES = np.linspace(-1.0, 1.0, round(2 / BIN_WIDTH) + 1)


@dataclass(frozen=True)
class Rate:
    """A share of cases.

    Attributes:
        count, total: How many of how many; at least one.
        low, high: Wilson's 95 % interval of the share.
    """

    count: int
    total: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """Return the share, in [0, 1]."""
        return self.count / self.total

    @classmethod
    def of(cls, count: int, total: int) -> Rate | None:
        """Return a rate; None without a case.

        Source: Wilson (1927) for the interval. Computed by statsmodels.
        """
        if not total:
            return None
        low, high = proportion_confint(count, total, method="wilson")
        return cls(count, total, float(low), float(high))


@dataclass(frozen=True)
class ScoreChanges:
    """How scores moved under a trial, each after minus before.

    Attributes:
        count: Debates with both scores.
        raised, lowered, same: How many moved beyond the tolerance, and how many did not.
        moved: How many moved at all.
        mean, mean_size: Of the changes, and of their sizes; 0 without any.
        quantiles: At ``QUANTILES``; empty without any change.
        bins: How many changes lie in each of 40 bins of width 0.05 from -1 to 1; those of size up to the tolerance are
            not in them.
    """

    count: int
    raised: int
    lowered: int
    same: int
    moved: int
    mean: float
    mean_size: float
    quantiles: tuple[float, ...]
    bins: tuple[int, ...]

    @classmethod
    def of(cls, before: Floats, after: Floats, tolerance: float) -> ScoreChanges:
        """Return how known scores moved, each of shape (n,)."""
        change = after - before
        if not len(change):
            return cls(0, 0, 0, 0, 0, 0.0, 0.0, (), (0,) * (len(_EDGES) - 1))
        raised, lowered = change > tolerance, change < -tolerance
        beyond = change[raised | lowered]
        return cls(
            len(change),
            int(raised.sum()),
            int(lowered.sum()),
            len(change) - len(beyond),
            int((change != 0).sum()),
            float(change.mean()),
            float(np.abs(change).mean()),
            tuple(float(value) for value in np.quantile(change, QUANTILES)),
            tuple(int(number) for number in np.histogram(beyond, _EDGES)[0]),
        )


@dataclass(frozen=True)
class Flips:
    """How often verdicts turned under a trial; ``other`` has those from or to Uncertain."""

    false_to_true: int
    true_to_false: int
    other: int

    @property
    def count(self) -> int:
        """Return how many verdicts turned."""
        return self.false_to_true + self.true_to_false + self.other

    @classmethod
    def of(cls, before: Codes, after: Codes) -> Flips:
        """Return how verdicts turned, each of shape (n,)."""
        up = int(((before == FALSE) & (after == TRUE)).sum())
        down = int(((before == TRUE) & (after == FALSE)).sum())
        return cls(up, down, int((before != after).sum()) - up - down)


@dataclass(frozen=True)
class Right:
    """How often verdicts are right, on the labelled debates that have a verdict.

    Attributes:
        rate: On all of them.
        on_true, on_false: Shares among claims labelled True and False; None where there is no such claim.
    """

    rate: Rate
    on_true: float | None
    on_false: float | None

    @classmethod
    def of(cls, verdicts: Codes, labels: Codes, counted: Mask) -> Right | None:
        """Return how often verdicts are right; None without a labelled debate.

        Args:
            verdicts, labels: Codes, shape (D,).
            counted: Which debates count, shape (D,); those without a label never do.
        """
        chosen = counted & (labels != NONE)
        found = accuracy(verdicts[chosen], labels[chosen])
        if found is None:
            return None
        count = int((verdicts[chosen] == labels[chosen]).sum())
        return cls(Rate(count, int(chosen.sum()), found.low, found.high), found.on_true, found.on_false)


def to_json(value: Any) -> Any:
    """Return figures as plain JSON values."""
    return None if value is None else asdict(value)


def rate_from_json(record: Mapping[str, Any] | None) -> Rate | None:
    """Return a rate from plain JSON values."""
    return None if record is None else Rate(**record)


def right_from_json(record: Mapping[str, Any] | None) -> Right | None:
    """Return accuracy figures from plain JSON values."""
    return None if record is None else Right(Rate(**record["rate"]), record["on_true"], record["on_false"])


def changes_from_json(record: Mapping[str, Any]) -> ScoreChanges:
    """Return score changes from plain JSON values."""
    return ScoreChanges(**{**record, "quantiles": tuple(record["quantiles"]), "bins": tuple(record["bins"])})
