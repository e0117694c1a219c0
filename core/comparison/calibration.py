"""Whether scores can be read as probabilities: how often claims with a score of 0.7 are true."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import binned_statistic
from sklearn.metrics import brier_score_loss
from statsmodels.stats.proportion import proportion_confint

from core.comparison.population import Population
from core.errors import InvalidSetting

DIGITS = 12  # scores are rounded to this before binning, as before a verdict, so that 0.1 + 0.2 is 0.3
MOST_BINS = 100
RELIABILITY_COLUMNS = ("low", "high", "n", "mean_score", "share_true", "interval_low", "interval_high")


class Binning(StrEnum):
    """How scores are put into bins."""

    EQUAL_WIDTH = "equal width"
    EQUAL_MASS = "equal mass"


@dataclass(frozen=True, eq=False)
class Calibration:
    """How far scores and truth lie apart.

    Attributes:
        judge: The judge's name.
        table: One row per bin that holds a score, columns ``RELIABILITY_COLUMNS``; the interval is Wilson's.
        ece: Expected calibration error, in [0, 1]; None without scores.
        brier: Mean squared distance of score and label, in [0, 1]; None without scores.
        n: Scores counted.
        without_score: Members of the population for which the judge gives a verdict but no score.
        binning: How the bins were made.
        bins: How many were asked for. Equal scores stay together, so equal mass may give fewer.
    """

    judge: str
    table: pd.DataFrame
    ece: float | None
    brier: float | None
    n: int
    without_score: int
    binning: Binning
    bins: int


def bin_edges(scores: npt.NDArray[np.float64], bins: int, binning: Binning) -> npt.NDArray[np.float64]:
    """Return the edges of the bins, rising; for equal mass they are quantiles, equal ones only once.

    Where all scores are equal, equal mass has one bin from 0 to 1.
    """
    if binning is Binning.EQUAL_WIDTH:
        return np.asarray(np.round(np.linspace(0.0, 1.0, bins + 1), DIGITS))
    edges = np.unique(np.round(np.quantile(scores, np.linspace(0.0, 1.0, bins + 1)), DIGITS))
    return edges if len(edges) > 1 else np.array([0.0, 1.0])


def reliability_table(
    scores: npt.NDArray[np.float64],
    outcomes: npt.NDArray[np.bool_],
    bins: int = 10,
    binning: Binning = Binning.EQUAL_WIDTH,
) -> pd.DataFrame:
    """Return a row per bin that holds a score: its edges, count, mean score, share of true outcomes and interval.

    A bin holds its lower edge, the last one its upper edge too.

    Args:
        scores: In [0, 1], shape (n,).
        outcomes: What the scores foretell: a label for a truth score, being right for a confidence; shape (n,).
        bins: From 1 to 100.
        binning: Of equal width over [0, 1], or of equal mass.

    Raises:
        InvalidSetting: If bins lies outside 1..100, the shapes differ, or a score lies outside [0, 1].
    """
    if not 1 <= bins <= MOST_BINS:
        raise InvalidSetting(f"The number of bins is {bins}; it must lie in 1..{MOST_BINS}.")
    if scores.shape != outcomes.shape:
        raise InvalidSetting(f"There are {scores.shape} scores and {outcomes.shape} outcomes; they must be as many.")
    if not len(scores):
        return pd.DataFrame({name: pd.Series(dtype="float64") for name in RELIABILITY_COLUMNS})
    if not ((scores >= 0) & (scores <= 1)).all():
        raise InvalidSetting("A score is missing or lies outside [0, 1]; leave it out first.")
    rounded = np.round(scores, DIGITS)
    edges = bin_edges(rounded, bins, binning)
    values = [rounded, outcomes.astype(np.float64)]
    sums, _, _ = binned_statistic(rounded, [*values, np.ones(len(rounded))], "sum", edges)
    held = sums[2] > 0
    counts = sums[2][held]
    low, high = proportion_confint(sums[1][held], counts, method="wilson")
    return pd.DataFrame(
        {
            "low": edges[:-1][held],
            "high": edges[1:][held],
            "n": counts.astype(np.int64),
            "mean_score": sums[0][held] / counts,
            "share_true": sums[1][held] / counts,
            "interval_low": low,
            "interval_high": high,
        }
    )


def expected_calibration_error(table: pd.DataFrame) -> float | None:
    """Return the mean distance of score and truth over the bins of a reliability table, weighted by count.

    ECE = sum over bins of n / N * |share_true - mean_score|. None for an empty table.

    Source: Naeini, Cooper and Hauskrecht (2015).
    """
    if table.empty:
        return None
    return float(np.average((table["share_true"] - table["mean_score"]).abs(), weights=table["n"]))


def calibrate(
    population: Population, judge: int, bins: int = 10, binning: Binning = Binning.EQUAL_WIDTH
) -> Calibration:
    """Return the calibration of judge number ``judge`` on the common population.

    A score counts whatever its verdict is, so that an abstention's score counts too.

    Raises:
        InvalidSetting: If the population was not restricted to labelled debates, or bins lies outside 1..100.
    """
    if not population.labelled:
        raise InvalidSetting("Calibration needs gold labels; take the labelled population.")
    scores = population.scores[judge]
    scored = ~np.isnan(scores)
    truth = population.labels[scored].astype(bool)
    table = reliability_table(scores[scored], truth, bins, binning)
    n = int(scored.sum())
    brier = float(brier_score_loss(truth, scores[scored], pos_label=True, labels=[False, True])) if n else None
    name = population.judges[judge].name
    error = expected_calibration_error(table)
    return Calibration(name, table, error, brier, n, population.size - n, binning, bins)
