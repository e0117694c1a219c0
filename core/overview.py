"""Many debates at a glance: what two judges say of each, and which are worth a look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import pandas as pd

from core.judgement import DecisionRule, Judgement, JudgementStatus, Verdict
from core.wording import chip, label_word

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

    @classmethod
    def of(cls, judgement: Judgement) -> Scored:
        """Return what an overview needs of a judgement."""
        return cls(judgement.score, judgement.verdict, judgement.status)

    @property
    def chip(self) -> str:
        """Return sign, word and score."""
        return chip(self.verdict, self.score, self.status)


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
    rows = []
    for record in debates.to_dict("records"):
        name = str(record["id"])
        first, second = a[name], b[name]
        stances = _stances(record["stances"])
        breach = breaks_unanimity(stances, first.verdict, rule)
        standing = agreement(first, second)
        gap = None if first.score is None or second.score is None else abs(first.score - second.score)
        near = None if first.score is None else abs(first.score - rule.threshold)
        flags = [
            word
            for word, holds in (
                ("judges disagree", standing is Agreement.DISAGREE),
                ("no verdict", standing is Agreement.NO_VERDICT),
                ("unanimity breach", breach),
                ("near the threshold", near is not None and near < NEAR),
            )
            if holds
        ]
        label = record["label"]
        rows.append(
            {
                "Claim": record["claim"],
                "Stances": " ".join(_letter(stance, rule) for stance in stances),
                "Judge A": first.chip,
                "Judge B": second.chip,
                "Gap": gap,
                "Label": label_word(None if pd.isna(label) else bool(label)),
                "Rounds": int(record["rounds"]),
                "Pros/cons": f"{record['pros']}/{record['cons']}",
                "Flags": ", ".join(flags),
                "Contestations": int(record["contestations"]),
                "Protocol": record["protocol"],
                "Data set": record["dataset"],
                "Id": name,
                "score_a": first.score,
                "score_b": second.score,
                "verdict_a": first.verdict.value if first.verdict else None,
                "verdict_b": second.verdict.value if second.verdict else None,
                "agreement": standing.value,
                "near": near,
                "unanimity_breach": breach,
            }
        )
    frame = pd.DataFrame(
        rows,
        columns=[*COLUMNS, "score_a", "score_b", "verdict_a", "verdict_b", "agreement", "near", "unanimity_breach"],
    )
    for column in ("Gap", "score_a", "score_b", "near"):
        frame[column] = frame[column].astype("float64")
    return frame


def worth_a_look(frame: pd.DataFrame, most: int = 8) -> pd.DataFrame:
    """Return the rows to begin with: unanimity breaches, disagreements by gap, then the nearest to the threshold.

    Adds a column Reason.
    """
    breaches = frame[frame["unanimity_breach"]].assign(Reason="all agents agree, the judge does not")
    differing = frame[frame["agreement"] == Agreement.DISAGREE.value].sort_values("Gap", ascending=False)
    differing = differing.assign(Reason="the judges come to different verdicts")
    near = frame[frame["near"].notna()].sort_values("near").assign(Reason="a small edit may flip it")
    return pd.concat([breaches.head(2), differing, near]).drop_duplicates("Id").head(most)


def _letter(stance: float | None, rule: DecisionRule) -> str:
    if stance is None:
        return "–"
    return {Verdict.TRUE: "T", Verdict.FALSE: "F", Verdict.UNCERTAIN: "?"}[rule.verdict(stance)]


def _stances(values: Iterable[float | None] | None) -> list[float | None]:
    # DuckDB hands a list over as an array, in which a missing stance is NaN or a masked value.
    return [None if value is None or pd.isna(value) else float(value) for value in (() if values is None else values)]
