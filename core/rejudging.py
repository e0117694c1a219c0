"""Judging a profile again after edits: what every semantics says then, and what each edit did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from core.contestation import Edit, contest
from core.judgement import Judgement
from core.judges.framing import Framing
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
    judges: Sequence[SemanticsJudge], before: Iterable[Judgement], contested: OpinionProfile
) -> tuple[Rejudged, ...]:
    """Return every judge's judgement before and after.

    Args:
        judges: Who judges.
        before: Their ``judgements`` of the original profile, in the same order.
        contested: The profile after edits.
    """
    after = judgements(contested, judges)
    return tuple(Rejudged(*row) for row in zip(judges, before, after, strict=True))


def judgements(profile: OpinionProfile, judges: Iterable[SemanticsJudge]) -> tuple[Judgement, ...]:
    """Return every judge's judgement of one profile; its QBAFs are built once for judges that cut it alike."""
    frames: dict[Any, Framing] = {}
    found: list[Judgement] = []
    for judge in judges:
        if judge.framing_key not in frames:
            frames[judge.framing_key] = judge.framing(profile)
        found.append(judge.judge_framing(frames[judge.framing_key]))
    return tuple(found)


def comparison_table(results: Iterable[Rejudged]) -> pd.DataFrame:
    """Return one row per judge.

    Columns: Semantics, Original, After your edits (chip texts), Score before, Score after, Change, Flipped, Note.
    """
    rows = tuple(results)
    scores = {
        "Score before": [row.before.score for row in rows],
        "Score after": [row.after.score for row in rows],
        "Change": [row.change for row in rows],
    }
    return pd.DataFrame(
        {
            "Semantics": [SEMANTICS[row.judge.semantics].label for row in rows],
            "Original": [judgement_chip(row.before) for row in rows],
            "After your edits": [judgement_chip(row.after) for row in rows],
            **{name: np.array(column, dtype=np.float64) for name, column in scores.items()},
            "Flipped": ["⇄ flipped" if row.flipped else "" for row in rows],
            "Note": [" ".join(row.after.notes) for row in rows],
        }
    )


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
