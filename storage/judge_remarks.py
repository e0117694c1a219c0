"""What is to be said of a judge wherever its figures are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.comparison.population import FALSE, TRUE, JudgementGrid
from core.diagnostics import Diagnosis, diagnosis_of_counts
from core.judges.llm_judge import ScoreMode
from core.judges.votes import MajorityVote
from storage.database import Database
from storage.judge_catalogue import Candidate
from storage.judge_diagnosis import diagnose_all

MOST_PROMPTS = 200  # debates whose prompts are read to find copied scores; evenly chosen of more


def grid_diagnoses(database: Database, judges: Sequence[Candidate], grid: JudgementGrid) -> tuple[Diagnosis, ...]:
    """Return what the scores of each judge of a grid look like.

    Args:
        database: Where the judges' prompts can be worked out.
        judges: The judges, in the grid's order.
        grid: With their judgements.
    """
    printing = {
        one.id: _evenly(grid.debates[~np.isnan(scores)].tolist())
        for one, scores in zip(judges, grid.scores, strict=True)
        if one.settings.get("kind") == "llm" and one.settings.get("score_mode") == ScoreMode.PRINTED
    }
    copying = diagnose_all(database, printing)
    found = []
    for one, scores, verdicts in zip(judges, grid.scores, grid.verdicts, strict=True):
        true, false = (int((verdicts == code).sum()) for code in (TRUE, FALSE))
        said = diagnosis_of_counts(scores[~np.isnan(scores)].tolist(), true, false)
        shown = copying.get(one.id)
        if shown is not None:
            said = replace(said, copied=shown.copied, comparable=shown.comparable, by_chance=shown.by_chance)
        found.append(said)
    return tuple(found)


def remarks(judge: Candidate, diagnosed: Diagnosis) -> tuple[str, ...]:
    """Return where a judge's judgements are from, where that needs saying, and what its scores look like."""
    origin = (f"{judge.origin[:1].upper()}{judge.origin[1:]}.",) if judge.origin else ()
    said = diagnosed.warnings()
    if isinstance(judge.judge, MajorityVote):  # a share of a few agents has few values by its nature
        said = tuple(text for text in said if not text.startswith("Few values"))
    return (*origin, *said)


def _evenly(debates: Sequence[str]) -> list[str]:
    if len(debates) <= MOST_PROMPTS:
        return list(debates)
    return [debates[place] for place in np.linspace(0, len(debates) - 1, MOST_PROMPTS).astype(int)]


__all__ = ["grid_diagnoses", "remarks"]
