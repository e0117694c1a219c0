"""How sure a difference between two judges on the same debates is."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

LEVEL = 0.95
RESAMPLES = 10_000


@dataclass(frozen=True)
class Difference:
    """A difference in accuracy, in [-1, 1], with its interval."""

    value: float
    low: float
    high: float
    resamples: int = RESAMPLES
    level: float = LEVEL


def paired_difference(
    right: npt.NDArray[np.bool_], baseline: npt.NDArray[np.bool_], *, seed: int = 0, resamples: int = RESAMPLES
) -> Difference | None:
    """Return a judge's accuracy minus a baseline's, with a paired percentile bootstrap interval of 95 %.

    Each debate counts +1 where only the judge is right, -1 where only the baseline is, else 0. Drawing n debates with
    replacement draws these three counts from a multinomial distribution, so that is what is drawn: the interval is
    the one of ``scipy.stats.bootstrap(paired=True, method="percentile")``, at a cost that does not grow with n.

    Args:
        right: Where the judge is right, shape (n,).
        baseline: Where the baseline is right, shape (n,).
        seed: Of the resampling; the same seed gives the same interval.
        resamples: How many samples are drawn.

    Returns:
        None if n is 0.

    Source: Efron and Tibshirani (1993), percentile interval.
    """
    n = len(right)
    if not n:
        return None
    counts = np.array([(right & ~baseline).sum(), (~right & baseline).sum(), (right == baseline).sum()])
    draws = np.random.default_rng(seed).multinomial(n, counts / n, size=resamples)
    tail = 50 * (1 - LEVEL)
    low, high = np.percentile((draws[:, 0] - draws[:, 1]) / n, [tail, 100 - tail])
    return Difference(float(counts[0] - counts[1]) / n, float(low), float(high), resamples)
