"""How often agents and judges are right after each round, over many debates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from statsmodels.stats.proportion import proportion_confint

from core.comparison.population import NONE, Codes
from core.rounds.trajectory import LineKind
from core.wording import several

ACCURACY_COLUMNS = ("series", "kind", "moment", "n", "right", "accuracy", "low", "high")


@dataclass(frozen=True, eq=False)
class VerdictLine:
    """One agent's or judge's verdicts on D debates at M moments.

    Attributes:
        name: What to call it.
        kind: ``STANCE``, ``JUDGE`` or ``RECORDED``.
        verdicts: Codes of verdicts, shape (M, D); NONE where there is none.
    """

    name: str
    kind: LineKind
    verdicts: Codes


@dataclass(frozen=True, eq=False)
class RoundAccuracy:
    """How often each is right at each moment.

    Attributes:
        table: Columns ``ACCURACY_COLUMNS``. All moments of a series rest on the same debates: those labelled ones on
            which it has a verdict at each of its moments.
        moments: What the moments are called.
        debates: How many labelled debates there are.
        left_out: By series, how many of them it lacks a verdict on at some moment.
        silent: The series without any debate that counts.
    """

    table: pd.DataFrame
    moments: tuple[str, ...]
    debates: int
    left_out: dict[str, int]
    silent: tuple[str, ...]

    @property
    def sentence(self) -> str:
        """Return which debates count, in words."""
        said = f"{several(self.debates, 'labelled debate')}; every point of a line rests on the same ones"
        missing = {name: count for name, count in self.left_out.items() if count and name not in self.silent}
        if missing:
            worst = max(missing.values())
            said += f", up to {worst:,} left out where there is no verdict after some round"
        return f"{said}."


def accuracy_by_round(lines: Sequence[VerdictLine], labels: Codes, moments: Sequence[str]) -> RoundAccuracy:
    """Return how often each line is right at each moment, with Wilson's 95 % interval.

    A moment at which a line has no verdict on any debate, such as a judge's before the first round, is none of its
    moments. An abstention is a verdict that is never right.

    Args:
        lines: Verdicts, each of shape (M, D).
        labels: TRUE, FALSE or NONE, shape (D,).
        moments: What the M moments are called.

    Source: Wilson (1927), computed by statsmodels.
    """
    labelled = labels != NONE
    rows: list[pd.DataFrame] = []
    left_out: dict[str, int] = {}
    silent: list[str] = []
    for line in lines:
        verdicts = line.verdicts[:, labelled]
        held = (verdicts != NONE).any(axis=1)
        complete = (verdicts[held] != NONE).all(axis=0)
        n = int(complete.sum()) if held.any() else 0
        left_out[line.name] = int(labelled.sum()) - n
        if not n:
            silent.append(line.name)
            continue
        right = (verdicts[held][:, complete] == labels[labelled][complete]).sum(axis=1)
        low, high = proportion_confint(right, n, method="wilson")
        rows.append(
            pd.DataFrame(
                {
                    "series": line.name,
                    "kind": line.kind.value,
                    "moment": [name for name, there in zip(moments, held, strict=True) if there],
                    "n": n,
                    "right": right,
                    "accuracy": right / n,
                    "low": np.asarray(low),
                    "high": np.asarray(high),
                },
                columns=list(ACCURACY_COLUMNS),
            )
        )
    table = pd.concat(rows, ignore_index=True) if rows else pd.DataFrame(columns=list(ACCURACY_COLUMNS))
    return RoundAccuracy(table, tuple(moments), int(labelled.sum()), left_out, tuple(silent))


__all__ = ["ACCURACY_COLUMNS", "RoundAccuracy", "VerdictLine", "accuracy_by_round"]
