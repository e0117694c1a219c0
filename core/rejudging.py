"""Judging a profile again after edits: what every semantics says then, and what each edit did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from core.contestation import Edit, contest
from core.judgement import Judgement
from core.judges.semantics_judge import SemanticsJudge
from core.opinion import OpinionProfile
from core.semantics import SEMANTICS
from core.wording import judgement_chip


@dataclass(frozen=True)
class Rejudged:
    """What one judge said of the original profile and says of the contested one."""

    judge: SemanticsJudge
    before: Judgement
    after: Judgement

    @property
    def flipped(self) -> bool:
        """Return whether both judgements carry a verdict and these differ."""
        return (
            self.before.verdict is not None
            and self.after.verdict is not None
            and self.before.verdict is not self.after.verdict
        )

    @property
    def change(self) -> float | None:
        """Return the score's change, in [-1, 1]; None where either has no score."""
        if self.before.score is None or self.after.score is None:
            return None
        return self.after.score - self.before.score


def rejudged(
    original: OpinionProfile, contested: OpinionProfile, judges: Iterable[SemanticsJudge]
) -> tuple[Rejudged, ...]:
    """Return every judge's judgement before and after."""
    return tuple(Rejudged(judge, judge.judge(original), judge.judge(contested)) for judge in judges)


def comparison_table(results: Iterable[Rejudged]) -> pd.DataFrame:
    """Return one row per judge.

    Columns: Semantics, Original, After your edits (chip texts), Score before, Score after, Change, Flipped, Note.
    """
    frame = pd.DataFrame(
        [
            {
                "Semantics": SEMANTICS[result.judge.semantics].label,
                "Original": judgement_chip(result.before),
                "After your edits": judgement_chip(result.after),
                "Score before": result.before.score,
                "Score after": result.after.score,
                "Change": result.change,
                "Flipped": "⇄ flipped" if result.flipped else "",
                "Note": " ".join(result.after.notes),
            }
            for result in results
        ],
        columns=[
            "Semantics", "Original", "After your edits", "Score before", "Score after", "Change", "Flipped", "Note",
        ],
    )  # fmt: skip
    return frame.astype(dict.fromkeys(("Score before", "Score after", "Change"), "float64"))


def scores_by_edit(original: OpinionProfile, edits: Sequence[Edit], judge: SemanticsJudge) -> list[float | None]:
    """Return the judge's score of the original and after each edit; one more score than edits."""
    return [judge.judge(contest(original, edits[:count]).profile).score for count in range(len(edits) + 1)]


def judgement_record(judgement: Judgement) -> Mapping[str, Any]:
    """Return a judgement as plain JSON values, for a saved contestation."""
    return {
        "judge": judgement.judge,
        "score": judgement.score,
        "verdict": None if judgement.verdict is None else judgement.verdict.value,
        "status": judgement.status.value,
    }
