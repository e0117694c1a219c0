"""One line of figures per judge: how often it is right, how it stands to a baseline, and what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from statsmodels.stats.proportion import proportion_confint

from core.comparison.agreement import contingency, kappa
from core.comparison.bootstrap import Difference, paired_difference
from core.comparison.population import FALSE, NONE, TRUE, UNCERTAIN, ComparedJudge, Floats, Population
from core.judgement import Verdict

MEASURED = "measured here"
COST = "Cost"  # in whatever currency the price table is in; whoever shows it says which
SUMMARY_COLUMNS = (
    "Judge",
    "Family",
    "Debates",
    "Accuracy %",
    "Accuracy low %",
    "Accuracy high %",
    "True accuracy %",
    "False accuracy %",
    "Macro-F1",
    "Difference pp",
    "Difference low pp",
    "Difference high pp",
    "Agreement %",
    "Kappa",
    "Abstained %",
    "Errors %",
    "Mean tokens",
    COST,
    "Source",
)
SUMMARY_DECIMALS = {
    **dict.fromkeys((name for name in SUMMARY_COLUMNS if name.endswith((" %", " pp"))), 1),
    "Debates": 0,
    "Macro-F1": 3,
    "Kappa": 2,
    "Mean tokens": 0,
    COST: 4,
}
SUMMARY_SIGNS = frozenset(name for name in SUMMARY_COLUMNS if name.endswith(" pp"))


@dataclass(frozen=True)
class Accuracy:
    """How often a judge is right, each share in [0, 1].

    Attributes:
        value: Share of debates where the verdict is the label.
        low, high: Wilson's 95 % interval of the value.
        on_true, on_false: The same among claims labelled True and False (recall); None where there is no such claim.
        macro_f1: Mean of the F1 of True and of False. The F1 of a class that is neither foretold nor there is 0.
        absent: Classes without any claim, which make the figures above less telling.
    """

    value: float
    low: float
    high: float
    on_true: float | None
    on_false: float | None
    macro_f1: float
    absent: tuple[Verdict, ...] = ()


@dataclass(frozen=True)
class JudgeSummary:
    """The figures of one judge on the common population; None means unknown or not defined.

    Attributes:
        judge: The judge.
        n: Debates in the population.
        accuracy: None where labels are hidden or missing.
        difference: Accuracy minus the baseline's; None for the baseline itself.
        agreement: Share of verdicts equal to the baseline's; None for the baseline itself.
        kappa: Cohen's, to the baseline.
        abstained, errors: Shares of all debates that the judge was given; None if it was given none.
        mean_tokens: Over the members with a known number.
        cost: Of the members' judgements together; None if that of any is unknown.
    """

    judge: ComparedJudge
    n: int
    accuracy: Accuracy | None
    difference: Difference | None
    agreement: float | None
    kappa: float | None
    abstained: float | None
    errors: float | None
    mean_tokens: float | None
    cost: float | None


def accuracy(verdicts: np.ndarray, labels: np.ndarray) -> Accuracy | None:
    """Return how often verdict codes, shape (n,), are the label codes, shape (n,); None without a debate.

    An abstention is a verdict that is never right. F1 = 2 tp / (claims of the class + verdicts for the class).

    Source: Wilson (1927) for the interval, computed by statsmodels. The tests hold everything else to scikit-learn,
    which would read the debates again for each figure.
    """
    n = len(labels)
    if not n:
        return None
    table = contingency(labels, verdicts)
    right = int(table.trace())
    low, high = proportion_confint(right, n, method="wilson")
    hits, claims, said = (counts[[TRUE, FALSE]] for counts in (table.diagonal(), table.sum(axis=1), table.sum(axis=0)))
    on_true, on_false = (
        hit / count if count else None for hit, count in zip(hits.tolist(), claims.tolist(), strict=True)
    )
    absent = tuple(verdict for verdict, count in zip((Verdict.TRUE, Verdict.FALSE), claims, strict=True) if not count)
    macro_f1 = float((2 * hits / np.maximum(claims + said, 1)).mean())
    return Accuracy(right / n, float(low), float(high), on_true, on_false, macro_f1, absent)


def summaries(population: Population, *, baseline: int = 0, seed: int = 0) -> tuple[JudgeSummary, ...]:
    """Return the figures of every picked judge.

    Args:
        population: The debates that count; unless it is labelled, the figures that need labels are None.
        baseline: Place of the judge that the others are held against.
        seed: Of the bootstrap.
    """
    return tuple(_summary(population, place, baseline, seed) for place in range(len(population.judges)))


def summary_table(found: Sequence[JudgeSummary], source: str = MEASURED) -> pd.DataFrame:
    """Return the figures as a table with the columns ``SUMMARY_COLUMNS``: shares in percent, differences in points."""
    return typed([_row(summary, source) for summary in found])


def typed(rows: Sequence[dict[str, object]]) -> pd.DataFrame:
    """Return rows as a summary table: missing columns are missing values, and numbers are numbers."""
    words = ("Judge", "Family", "Source")
    listed = {name: [row.get(name) for row in rows] for name in SUMMARY_COLUMNS}
    return pd.DataFrame(
        {
            name: pd.Series(values, dtype="str") if name in words else np.array(values, dtype=np.float64)
            for name, values in listed.items()
        }
    )


def _summary(population: Population, place: int, baseline: int, seed: int) -> JudgeSummary:
    grid, verdicts = population.grid, population.verdicts
    given = grid.statuses[place] != NONE
    agrees = None
    if place != baseline and population.size:
        agrees = float((verdicts[place] == verdicts[baseline]).mean())
    difference = None
    if place != baseline and population.labelled:
        difference = paired_difference(population.right[place], population.right[baseline], seed=seed)
    return JudgeSummary(
        judge=population.judges[place],
        n=population.size,
        accuracy=accuracy(verdicts[place], population.labels) if population.labelled else None,
        difference=difference,
        agreement=agrees,
        kappa=None if place == baseline else kappa(verdicts[place], verdicts[baseline]),
        abstained=_share(grid.verdicts[place] == UNCERTAIN, given),
        errors=_share(grid.verdicts[place] == NONE, given),
        mean_tokens=_mean_of_known(grid.tokens[place, population.members]),
        cost=_complete_sum(grid.costs[place, population.members]),
    )


def _share(holds: np.ndarray, among: np.ndarray) -> float | None:
    return float((holds & among).sum() / among.sum()) if among.any() else None


def _mean_of_known(values: Floats) -> float | None:
    known = values[~np.isnan(values)]
    return float(known.mean()) if len(known) else None


def _complete_sum(values: Floats) -> float | None:
    return float(values.sum()) if len(values) and not np.isnan(values).any() else None


def _row(summary: JudgeSummary, source: str) -> dict[str, object]:
    row: dict[str, object] = {
        "Judge": summary.judge.name,
        "Family": summary.judge.family,
        "Debates": summary.n,
        "Agreement %": _percent(summary.agreement),
        "Kappa": summary.kappa,
        "Abstained %": _percent(summary.abstained),
        "Errors %": _percent(summary.errors),
        "Mean tokens": summary.mean_tokens,
        COST: summary.cost,
        "Source": source,
    }
    if summary.accuracy is not None:
        row |= {
            "Accuracy %": _percent(summary.accuracy.value),
            "Accuracy low %": _percent(summary.accuracy.low),
            "Accuracy high %": _percent(summary.accuracy.high),
            "True accuracy %": _percent(summary.accuracy.on_true),
            "False accuracy %": _percent(summary.accuracy.on_false),
            "Macro-F1": summary.accuracy.macro_f1,
        }
    if summary.difference is not None:
        row |= {
            "Difference pp": _percent(summary.difference.value),
            "Difference low pp": _percent(summary.difference.low),
            "Difference high pp": _percent(summary.difference.high),
        }
    return row


def _percent(share: float | None) -> float | None:
    return None if share is None else 100 * share
