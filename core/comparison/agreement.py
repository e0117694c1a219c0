"""How judges agree: pair by pair, verdict by verdict, and all together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
import pandas as pd
from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

from core.comparison.population import UNCERTAIN, VERDICTS, Codes, ComparedJudge, Population
from core.judgement import Verdict
from core.wording import VERDICT_SIGN, VERDICT_WORD, label_word

PAIR_COLUMNS = ("a", "b", "judge_a", "judge_b", "n", "same", "different", "agreement", "kappa")
Counts = npt.NDArray[np.int64]

SHOWN_VERDICTS = (Verdict.TRUE, Verdict.FALSE, Verdict.UNCERTAIN)


@dataclass(frozen=True)
class Outcomes:
    """The debates behind every pair of verdicts of two judges; without Uncertain where none abstains."""

    judge_a: ComparedJudge
    judge_b: ComparedJudge
    verdicts: tuple[Verdict, ...]
    cells: Mapping[tuple[Verdict, Verdict], tuple[str, ...]]

    @property
    def table(self) -> pd.DataFrame:
        """Return the counts: a row per verdict of A, a column per verdict of B."""
        rows = [
            {f"{self.judge_a.name} ↓ {self.judge_b.name} →": VERDICT_WORD[first]}
            | {VERDICT_WORD[second]: len(self.cells[first, second]) for second in self.verdicts}
            for first in self.verdicts
        ]
        return pd.DataFrame(rows)


@dataclass(frozen=True)
class PanelAgreement:
    """How all picked judges agree together.

    Attributes:
        judges: How many.
        n: Debates.
        unanimous: Share on which all come to one verdict; one minus it is the share of splits.
        three_way: Share on which all three verdicts occur.
        raw_agreement: Mean share of equal verdicts over all pairs.
        mean_kappa: Mean Cohen's kappa over the pairs where it is defined; None if there is none.
        fleiss_kappa: None where all judgements are one verdict.
    """

    judges: int
    n: int
    unanimous: float
    three_way: float
    raw_agreement: float
    mean_kappa: float | None
    fleiss_kappa: float | None


def contingency(first: Codes, second: Codes) -> Counts:
    """Return how often codes, shape (n,) each and none of them NONE, meet: a row per code of the first, shape (3, 3).

    All that is said of two judges, or of a judge and the labels, can be worked out from these few numbers.
    """
    size = len(VERDICTS)
    return np.bincount(size * first.astype(np.intp) + second, minlength=size * size).reshape(size, size)


def kappa(first: Codes, second: Codes) -> float | None:
    """Return Cohen's kappa of two judges' verdict codes, shape (n,) each, with Uncertain as a verdict of its own.

    None where it is undefined: no debate, or both give one and the same verdict throughout.
    """
    return kappa_of(contingency(first, second))


def kappa_of(table: Counts) -> float | None:
    """Return Cohen's kappa of two judges' verdicts as ``contingency`` counts them.

    None where it is undefined: no debate, or both give one and the same verdict throughout.

    Source: Cohen (1960). Computed by statsmodels.
    """
    if ((table.sum(axis=0) + table.sum(axis=1)) > 0).sum() < 2:
        return None
    return float(cohens_kappa(table, return_results=False))


def pair_table(population: Population) -> pd.DataFrame:
    """Return a row for every two judges.

    Columns: a and b (their places among the picked), judge_a and judge_b (names), n, same and different (counts),
    agreement (share), kappa (NaN where undefined).
    """
    rows = []
    for a, b in combinations(range(len(population.judges)), 2):
        table = contingency(population.verdicts[a], population.verdicts[b])
        same = int(table.trace())
        share = same / population.size if population.size else np.nan
        value = kappa_of(table)
        names = population.judges[a].name, population.judges[b].name
        defined = np.nan if value is None else value
        rows.append((a, b, *names, population.size, same, population.size - same, share, defined))
    kinds = {"judge_a": "str", "judge_b": "str", "agreement": "float64", "kappa": "float64"}
    return pd.DataFrame(rows, columns=list(PAIR_COLUMNS)).astype(
        {name: kinds.get(name, "int64") for name in PAIR_COLUMNS}
    )


def outcomes(population: Population, a: int, b: int) -> Outcomes:
    """Return which debates give which pair of verdicts of judges number a and b."""
    first, second = population.verdicts[a], population.verdicts[b]
    any_uncertain = bool(((first == UNCERTAIN) | (second == UNCERTAIN)).any())
    shown = SHOWN_VERDICTS if any_uncertain else SHOWN_VERDICTS[:2]
    cells = {
        (left, right): tuple(
            str(name)
            for name in population.debates[(first == VERDICTS.index(left)) & (second == VERDICTS.index(right))]
        )
        for left in shown
        for right in shown
    }
    return Outcomes(population.judges[a], population.judges[b], shown, cells)


def panel_agreement(population: Population, pairs: pd.DataFrame | None = None) -> PanelAgreement | None:
    """Return how all picked judges agree together; None below two judges or without a debate.

    Args:
        population: The debates that count.
        pairs: The population's pair table, where that was made before.

    For three judges raw agreement = unanimous + (split - three_way) / 3, where split = 1 - unanimous.

    Source: Fleiss (1971) for his kappa. Computed by statsmodels.
    """
    judges, n = population.verdicts.shape
    if judges < 2 or not n:
        return None
    counts = np.stack([(population.verdicts == code).sum(axis=0) for code in range(len(VERDICTS))], axis=1)
    by_pair = pair_table(population) if pairs is None else pairs
    defined = by_pair["kappa"].dropna()
    several = (counts.sum(axis=0) > 0).sum() > 1
    return PanelAgreement(
        judges,
        n,
        float((counts.max(axis=1) == judges).mean()),
        float((counts > 0).all(axis=1).mean()),
        float(by_pair["agreement"].mean()),
        float(defined.mean()) if len(defined) else None,
        float(fleiss_kappa(counts)) if several else None,
    )


def case_table(
    population: Population, debates: Sequence[str], claims: Mapping[str, str] | None = None, *, gold: bool = True
) -> pd.DataFrame:
    """Return one row per debate: id, claim, every judge's verdict and score, the widest gap of scores, the label.

    Args:
        population: Whose verdicts to show.
        debates: Ids of members, in the order to show; others are skipped.
        claims: Claims by id, if they are to be shown.
        gold: Whether to show the label.
    """
    places = population.places(debates)
    names = [str(name) for name in population.debates[places]]
    columns: dict[str, object] = {"Id": names}
    if claims is not None:
        columns["Claim"] = [claims.get(name, "") for name in names]
    chips = [f"{VERDICT_SIGN[verdict]} {VERDICT_WORD[verdict]}" for verdict in VERDICTS]
    for number, judge in enumerate(population.judges):
        columns[judge.name] = [chips[code] for code in population.verdicts[number, places]]
        columns[f"{judge.name} score"] = population.scores[number, places]
    columns["Gap"] = population.gaps[places]
    if gold:
        columns["Label"] = [label_word(None if label < 0 else bool(label)) for label in population.labels[places]]
    words = {name: "str" for name, values in columns.items() if isinstance(values, list)}
    return pd.DataFrame(columns).astype(words)
