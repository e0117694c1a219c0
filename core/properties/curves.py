"""How a judge bears changes of growing size."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import pandas as pd

from core.errors import InvalidSetting
from core.perturbations.noise import Distance, Noise
from core.perturbations.perturbation import Perturbation
from core.perturbations.scores import ShiftScores, ShiftStances
from core.properties.measures import Rate
from core.properties.result import PropertyResult
from core.properties.robustness import ProfileRobustness

SIZES = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
COLUMNS = (
    "judge", "size", "debates", "turned", "turned_low", "turned_high", "false_to_true", "true_to_false", "mean_change",
    "mean_size_of_change", "accuracy", "accuracy_low", "accuracy_high", "accuracy_change",
)  # fmt: skip


class Curve(StrEnum):
    """What grows."""

    STRONGER_PROS = "stronger pros"
    WEAKER_PROS = "weaker pros"
    STRONGER_CONS = "stronger cons"
    WEAKER_CONS = "weaker cons"
    MORE_SUPPORT = "stronger pros and weaker cons"
    LESS_SUPPORT = "weaker pros and stronger cons"
    HIGHER_STANCES = "higher stances"
    LOWER_STANCES = "lower stances"
    NOISE_L1 = "noise, L1"
    NOISE_L2 = "noise, L2"
    NOISE_LINF = "noise, Linf"

    def of_size(self, size: float) -> Perturbation:
        """Return the change of one size."""
        match self:
            case Curve.STRONGER_PROS:
                return ShiftScores(pros=size)
            case Curve.WEAKER_PROS:
                return ShiftScores(pros=-size)
            case Curve.STRONGER_CONS:
                return ShiftScores(cons=size)
            case Curve.WEAKER_CONS:
                return ShiftScores(cons=-size)
            case Curve.MORE_SUPPORT:
                return ShiftScores(size, -size)
            case Curve.LESS_SUPPORT:
                return ShiftScores(-size, size)
            case Curve.HIGHER_STANCES:
                return ShiftStances(size)
            case Curve.LOWER_STANCES:
                return ShiftStances(-size)
            case Curve.NOISE_L1:
                return Noise(size, Distance.L1)
            case Curve.NOISE_L2:
                return Noise(size, Distance.L2)
            case Curve.NOISE_LINF:
                return Noise(size, Distance.LINF)


def along(curve: Curve, sizes: Sequence[float] = SIZES) -> ProfileRobustness:
    """Return the property to test for a curve: profile robustness, with one trial for each size.

    Raises:
        InvalidSetting: If there is no size, or one is not above 0 and at most 1.
    """
    if not sizes or not all(0.0 < size <= 1.0 for size in sizes):
        raise InvalidSetting(f"The sizes of a curve lie above 0 and are at most 1, not {list(sizes)}.")
    return ProfileRobustness(tuple(curve.of_size(size) for size in sizes))


def curve_table(result: PropertyResult, sizes: Sequence[float] = SIZES) -> pd.DataFrame:
    """Return one row per size, with the columns ``COLUMNS``: of a result of the property that ``along`` returned.

    Shares lie in [0, 1], with Wilson's interval of the share of turned verdicts; they are missing without a case.
    """
    rows = []
    for size, trial in zip(sizes, result.trials, strict=True):
        turned = Rate.of(trial.flips.count, trial.compared)
        right = trial.right
        rows.append(
            {
                "judge": result.judge,
                "size": size,
                "debates": trial.compared,
                "turned": None if turned is None else turned.value,
                "turned_low": None if turned is None else turned.low,
                "turned_high": None if turned is None else turned.high,
                "false_to_true": trial.flips.false_to_true,
                "true_to_false": trial.flips.true_to_false,
                "mean_change": trial.changes.mean,
                "mean_size_of_change": trial.changes.mean_size,
                "accuracy": None if right is None else right.rate.value,
                "accuracy_low": None if right is None else right.rate.low,
                "accuracy_high": None if right is None else right.rate.high,
                "accuracy_change": trial.accuracy_change,
            }
        )
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    whole = ("judge", "debates", "false_to_true", "true_to_false")
    return table.astype({name: "float64" for name in COLUMNS if name not in whole})
