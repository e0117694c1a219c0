"""Whether a judge says the same again: over repeats, and over orders of the agents."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import pandas as pd
from statsmodels.stats.proportion import proportion_confint

from core.comparison.population import (
    FALSE,
    NONE,
    TRUE,
    UNCERTAIN,
    Codes,
    ComparedJudge,
    Floats,
    Ids,
    Population,
    order_ranks,
    verdict_codes,
)
from core.errors import InvalidSetting

OWN_ORDER = "as recorded"
VARIATION_COLUMNS = (
    "debate",
    "label",
    "judgements",
    "true",
    "false",
    "uncertain",
    "no_verdict",
    "summary",
    "verdict_changed",
    "score_low",
    "score_high",
)
ACCURACY_COLUMNS = ("value", "n", "right", "accuracy", "low", "high")


class VariedBy(StrEnum):
    """What differs between a judge's judgements of one debate."""

    REPEAT = "repeat"
    ORDER = "order"


@dataclass(frozen=True, eq=False)
class Variation:
    """A judge's judgements of the same debates under several repeats or orders.

    Attributes:
        judge: The judge.
        by: What was varied.
        values: The repeats (from 1) or orders, as shown, V of them.
        debates: Members of the population that were judged at least twice, shape (n,).
        verdicts: Codes, shape (V, n); NONE where a judgement is missing or ended without a verdict.
        table: One row per debate, columns ``VARIATION_COLUMNS``.
        accuracy: One row per value, columns ``ACCURACY_COLUMNS``: all on the debates with a verdict under every
            value, so that rows can be compared; the interval is Wilson's. Empty without labels.
        complete: On how many debates there is a verdict under every value.
    """

    judge: ComparedJudge
    by: VariedBy
    values: tuple[str, ...]
    debates: Ids
    verdicts: Codes
    table: pd.DataFrame
    accuracy: pd.DataFrame
    complete: int

    @property
    def changed(self) -> pd.DataFrame:
        """Return the rows of the debates whose verdict changed."""
        return self.table[self.table["verdict_changed"]]

    @property
    def score_changes(self) -> int:
        """Return on how many debates the score changed."""
        return int((self.table["score_high"] > self.table["score_low"]).sum())

    @property
    def spread(self) -> float | None:
        """Return the highest accuracy minus the lowest, in [0, 1]; None without labels."""
        if self.accuracy.empty or not self.complete:
            return None
        return float(self.accuracy["accuracy"].max() - self.accuracy["accuracy"].min())

    @property
    def sentence(self) -> str:
        """Return the result in words."""
        many = "repeats" if self.by is VariedBy.REPEAT else "orders of the agents"
        if len(self.values) < 2:
            return f"{self.judge.name} has one {self.by.value} only."
        spread = "" if self.spread is None else f"; accuracy spreads over {100 * self.spread:.1f} points"
        return (
            f"Over {len(self.values)} {many}, {self.judge.name} changes its verdict on {len(self.changed)} of "
            f"{len(self.table)} debates and its score on {self.score_changes}{spread}."
        )


def variation(judgements: pd.DataFrame, population: Population, judge: int, by: VariedBy) -> Variation:
    """Return how the judgements of judge number ``judge`` vary over repeats or orders.

    Repeats are read in the debate's own order of agents, or else in the order that sorts first; orders are read in
    their first repeat. So only one thing varies at a time.

    Args:
        judgements: As for a judgement grid; a missing repeat is the first.
        population: The debates that count.
        judge: Place among the picked judges.
        by: What to look at.

    Raises:
        InvalidSetting: If the judgements have no column of that name.
    """
    if by.value not in judgements.columns:
        raise InvalidSetting(f"The judgements have no column {by.value!r}; they cannot be compared by it.")
    picked = population.judges[judge]
    rows = judgements[(judgements["judge"] == picked.id).to_numpy(dtype=bool, na_value=False)]
    places = pd.Index(population.debates).get_indexer(pd.Index(rows["debate"], dtype=object))
    ranks = _ranks(rows)
    kept = places >= 0
    other = ranks[VariedBy.ORDER if by is VariedBy.REPEAT else VariedBy.REPEAT]
    if kept.any():
        kept &= other == other[kept].min()
    present = np.unique(ranks[by][kept])
    verdicts, scores, judged = _by_value(rows[kept], places[kept], ranks[by][kept], present, population.size)
    twice = judged.sum(axis=0) >= 2
    return _variation(population, picked, by, _shown(rows, ranks[by], present, by), verdicts, scores, judged, twice)


def summary_text(true: int, judgements: int, uncertain: int = 0, no_verdict: int = 0) -> str:
    """Return how many of a debate's judgements are True, such as ``2 of 3 True, 1 without a verdict``."""
    text = f"{true} of {judgements} True"
    if uncertain:
        text += f", {uncertain} Uncertain"
    return f"{text}, {no_verdict} without a verdict" if no_verdict else text


def _ranks(rows: pd.DataFrame) -> dict[VariedBy, Floats]:
    unknown = np.zeros(len(rows))
    return {
        VariedBy.ORDER: order_ranks(rows["order"]) if "order" in rows.columns else unknown,
        VariedBy.REPEAT: rows["repeat"].to_numpy(dtype="float64", na_value=0.0)
        if "repeat" in rows.columns
        else unknown,
    }


def _by_value(
    rows: pd.DataFrame, places: np.ndarray, ranks: Floats, present: Floats, size: int
) -> tuple[Codes, Floats, np.ndarray]:
    """Return verdicts, scores and whether there is a judgement, each of shape (V, n)."""
    lines = np.searchsorted(present, ranks)
    verdicts = np.full((len(present), size), NONE, np.int8)
    scores = np.full((len(present), size), np.nan)
    judged = np.zeros((len(present), size), dtype=bool)
    verdicts[lines, places] = verdict_codes(rows["verdict"], rows["status"])[0]
    scores[lines, places] = rows["score"].to_numpy(dtype="float64", na_value=np.nan)
    judged[lines, places] = True
    return verdicts, np.where(verdicts == NONE, np.nan, scores), judged


def _shown(rows: pd.DataFrame, ranks: Floats, present: Floats, by: VariedBy) -> tuple[str, ...]:
    if by is VariedBy.REPEAT:
        return tuple(str(number + 1) for number in range(len(present)))
    names = dict(zip(ranks, rows["order"], strict=True))
    return tuple(OWN_ORDER if rank < 0 else str(names[rank] or OWN_ORDER) for rank in present)


def _variation(
    population: Population,
    judge: ComparedJudge,
    by: VariedBy,
    values: tuple[str, ...],
    verdicts: Codes,
    scores: Floats,
    judged: np.ndarray,
    twice: np.ndarray,
) -> Variation:
    verdicts, scores, judged = verdicts[:, twice], scores[:, twice], judged[:, twice]
    labels = population.labels[twice]
    counts = {code: (verdicts == code).sum(axis=0) for code in (TRUE, FALSE, UNCERTAIN)}
    number = judged.sum(axis=0)
    without = number - sum(counts.values())
    texts = map(summary_text, counts[TRUE], number, counts[UNCERTAIN], without)
    table = pd.DataFrame(
        {
            "debate": population.debates[twice].astype(str),
            "label": pd.array([None if label == NONE else bool(label) for label in labels], dtype="boolean"),
            "judgements": number,
            "true": counts[TRUE],
            "false": counts[FALSE],
            "uncertain": counts[UNCERTAIN],
            "no_verdict": without,
            "summary": list(texts),
            "verdict_changed": sum((count > 0).astype(int) for count in counts.values()) > 1,
            "score_low": _reduced(np.fmin, scores),
            "score_high": _reduced(np.fmax, scores),
        },
        columns=list(VARIATION_COLUMNS),
    )
    complete = (verdicts != NONE).all(axis=0) if len(values) else np.zeros(len(labels), dtype=bool)
    right = _accuracy(values, verdicts[:, complete], labels[complete]) if population.labelled else None
    empty = pd.DataFrame(columns=list(ACCURACY_COLUMNS))
    found = empty if right is None else right
    return Variation(judge, by, values, population.debates[twice], verdicts, table, found, int(complete.sum()))


def _reduced(reduce: np.ufunc, scores: Floats) -> Floats:
    """Return the lowest or highest known score of each debate; NaN where none is known."""
    return np.asarray(reduce.reduce(scores, axis=0, initial=np.nan))


def _accuracy(values: tuple[str, ...], verdicts: Codes, labels: Codes) -> pd.DataFrame:
    n = len(labels)
    right = (verdicts == labels).sum(axis=1)
    if not n:
        return pd.DataFrame(columns=list(ACCURACY_COLUMNS))
    low, high = proportion_confint(right, n, method="wilson")
    columns = {"value": list(values), "n": n, "right": right, "accuracy": right / n, "low": low, "high": high}
    return pd.DataFrame(columns, columns=list(ACCURACY_COLUMNS))
