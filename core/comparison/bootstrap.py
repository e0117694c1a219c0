"""How sure a difference between two judges on the same debates is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import stats

LEVEL = 0.95
MOST_RESAMPLES = 9_999
FEWEST_RESAMPLES = 1_000
BUDGET = 100_000_000  # resampled outcomes of all judges together; about half a second
BATCH = 25  # resamples drawn at once, so that memory stays small


@dataclass(frozen=True)
class Difference:
    """A difference in accuracy, in [-1, 1], with its interval; low and high are None below two debates."""

    value: float
    low: float | None
    high: float | None
    resamples: int
    level: float = LEVEL


def resamples_for(judges: int, debates: int) -> int:
    """Return how many resamples keep the work bounded: 9,999 for small sets, at least 1,000 for large ones."""
    return int(np.clip(BUDGET // max(1, judges * debates), FEWEST_RESAMPLES, MOST_RESAMPLES))


def paired_differences(
    right: npt.NDArray[np.bool_], baseline: npt.NDArray[np.bool_], *, seed: int = 0, resamples: int | None = None
) -> tuple[Difference, ...]:
    """Return each judge's accuracy minus the baseline's, with a paired percentile bootstrap interval.

    Debates are resampled, and every judge is read on the same resampled debates: for the mean of a difference,
    pairing is resampling the differences of each debate.

    Args:
        right: Where each judge is right, shape (J, n).
        baseline: Where the baseline is right, shape (n,).
        seed: Of the resampling; the same seed gives the same interval.
        resamples: Number of resamples; chosen by the size of the data if None.

    Source: Efron and Tibshirani (1993), percentile interval. Computed by scipy.stats.bootstrap.
    """
    judges, debates = right.shape
    if not judges or not debates:
        return ()
    differences = right.astype(np.float32) - baseline.astype(np.float32)
    values = differences.sum(axis=1, dtype=np.float64) / debates
    if debates < 2:
        return tuple(Difference(float(value), None, None, 0) for value in values)
    number = resamples_for(judges, debates) if resamples is None else resamples
    interval = stats.bootstrap(
        (differences,),
        _mean,
        n_resamples=number,
        batch=BATCH,
        axis=-1,
        vectorized=True,
        confidence_level=LEVEL,
        method="percentile",
        rng=np.random.default_rng(seed),
    ).confidence_interval
    return tuple(
        Difference(float(value), float(low), float(high), number)
        for value, low, high in zip(values, interval.low, interval.high, strict=True)
    )


def _mean(sample: npt.NDArray[np.float32], axis: int = -1) -> npt.NDArray[np.float64]:
    # Sums of -1, 0 and 1 are exact in float32 up to 16 million; only the division needs the longer type.
    return np.asarray(sample.sum(axis=axis).astype(np.float64) / sample.shape[axis])
