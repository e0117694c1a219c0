"""Many debates at a glance: what two judges say of each, and which are worth a look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import pandas as pd

from core.judgement import DecisionRule, Judgement, JudgementStatus, Verdict
from core.wording import HALF, chip, label_word, threshold_of

NEAR = 0.05  # a score this close to the threshold is "near the boundary"
COLUMNS = (
    "Claim",
    "Stances",
    "Judge A",
    "Judge B",
    "Gap",
    "Label",
    "Rounds",
    "Pros/cons",
    "Flags",
    "Contestations",
    "Protocol",
    "Data set",
    "Id",
)


@dataclass(frozen=True)
class Scored:
    """What an overview keeps of a judgement."""

    score: float | None
    verdict: Verdict | None
    status: JudgementStatus
    threshold: float = field(default=HALF, compare=False)  # only for how the score is written

    @classmethod
    def of(cls, judgement: Judgement) -> Scored:
        """Return what an overview needs of a judgement."""
        return cls(judgement.score, judgement.verdict, judgement.status, threshold_of(judgement.settings))

    @property
    def chip(self) -> str:
        """Return sign, word and score."""
        return chip(self.verdict, self.score, self.status, self.threshold)


class Agreement(StrEnum):
    """How the two judges shown stand to each other on one debate."""

    AGREE = "agree"
    DISAGREE = "disagree"
    NO_VERDICT = "no verdict"


def agreement(a: Scored, b: Scored) -> Agreement:
    """Return whether both come to the same verdict, to different ones, or one comes to none."""
    if a.verdict is None or b.verdict is None:
        return Agreement.NO_VERDICT
    return Agreement.AGREE if a.verdict is b.verdict else Agreement.DISAGREE


def breaks_unanimity(stances: Sequence[float | None], verdict: Verdict | None, rule: DecisionRule) -> bool:
    """Return whether all agents' stances come to one verdict and the judge's is another.

    An agent without a stance, or one that is uncertain, leaves the profile without unanimity.
    """
    if verdict is None or verdict is Verdict.UNCERTAIN or not stances:
        return False
    verdicts = {None if stance is None else rule.verdict(stance) for stance in stances}
    return len(verdicts) == 1 and verdicts <= {Verdict.TRUE, Verdict.FALSE} and verdict not in verdicts


def overview(
    debates: pd.DataFrame, a: Mapping[str, Scored], b: Mapping[str, Scored], rule: DecisionRule
) -> pd.DataFrame:
    """Return one row per debate: the columns of ``COLUMNS``, and plain ones to filter and sort by.

    Args:
        debates: As the debate repository lists them: id, claim, label, stances, rounds, pros, cons and so on.
        a: Judge A's judgements by debate id; every debate must have one.
        b: Judge B's.
        rule: From stance to verdict, for the stances and the unanimity flag.

    Further columns: score_a, score_b, verdict_a, verdict_b, agreement, near (distance of A's score from the
    threshold), unanimity_breach.
    """
    ids = [str(name) for name in debates["id"]]
    first, second = [a[name] for name in ids], [b[name] for name in ids]
    stances = [_stances(values) for values in debates["stances"]]
    breaches = [breaks_unanimity(held, said.verdict, rule) for held, said in zip(stances, first, strict=True)]
    standing = [agreement(one, other) for one, other in zip(first, second, strict=True)]
    scores_a = pd.Series([said.score for said in first], dtype="float64")
    scores_b = pd.Series([said.score for said in second], dtype="float64")
    near = (scores_a - rule.threshold).abs()
    labels = {True: label_word(True), False: label_word(False)}
    frame = pd.DataFrame(
        {
            "Claim": debates["claim"].to_list(),
            "Stances": [" ".join(_letter(stance, rule) for stance in held) for held in stances],
            "Judge A": [said.chip for said in first],
            "Judge B": [said.chip for said in second],
            "Gap": (scores_a - scores_b).abs(),
            "Label": [labels.get(label, label_word(None)) for label in debates["label"].astype(object)],
            "Rounds": debates["rounds"].astype("int64").to_list(),
            "Pros/cons": [f"{pros}/{cons}" for pros, cons in zip(debates["pros"], debates["cons"], strict=True)],
            "Flags": [
                ", ".join(_flags(*facts)) for facts in zip(standing, breaches, (near < NEAR).to_list(), strict=True)
            ],
            "Contestations": debates["contestations"].astype("int64").to_list(),
            "Protocol": debates["protocol"].to_list(),
            "Data set": debates["dataset"].to_list(),
            "Id": ids,
            "score_a": scores_a,
            "score_b": scores_b,
            "verdict_a": [said.verdict.value if said.verdict else None for said in first],
            "verdict_b": [said.verdict.value if said.verdict else None for said in second],
            "agreement": [one.value for one in standing],
            "near": near,
            "unanimity_breach": breaches,
        }
    )
    return frame.astype({"unanimity_breach": bool})


def worth_a_look(frame: pd.DataFrame, most: int = 8) -> pd.DataFrame:
    """Return the rows to begin with: unanimity breaches, disagreements by gap, then the nearest to the threshold.

    Adds a column Reason.
    """
    breaches = frame[frame["unanimity_breach"]].assign(Reason="all agents agree, the judge does not")
    differing = frame[frame["agreement"] == Agreement.DISAGREE.value].sort_values("Gap", ascending=False)
    differing = differing.assign(Reason="the judges come to different verdicts")
    near = frame[frame["near"].notna()].sort_values("near").assign(Reason="a small edit may flip it")
    return pd.concat([breaches.head(2), differing, near]).drop_duplicates("Id").head(most)


def _flags(standing: Agreement, breach: bool, near: bool) -> list[str]:
    return [
        word
        for word, holds in (
            ("judges disagree", standing is Agreement.DISAGREE),
            ("no verdict", standing is Agreement.NO_VERDICT),
            ("unanimity breach", breach),
            ("near the threshold", near),
        )
        if holds
    ]


def _letter(stance: float | None, rule: DecisionRule) -> str:
    if stance is None:
        return "–"
    return {Verdict.TRUE: "T", Verdict.FALSE: "F", Verdict.UNCERTAIN: "?"}[rule.verdict(stance)]


def _stances(values: Iterable[float | None] | None) -> list[float | None]:
    # DuckDB hands a list over as an array, in which a missing stance is masked or NaN, which equals nothing.
    if values is None or isinstance(values, float):
        return []
    plain = values.tolist() if isinstance(values, np.ndarray) else list(values)
    return [None if value is None or value != value else float(value) for value in plain]
