"""What is to be said of a judge wherever its figures are shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from core.comparison.population import NONE, VERDICTS, JudgementGrid
from core.diagnostics import Diagnosis, diagnosis_of_scores
from core.judges.llm_judge import ScoreMode
from core.judges.votes import MajorityVote
from storage.database import Database
from storage.judge_catalogue import Candidate
from storage.judge_diagnosis import diagnose

MOST_PROMPTS = 300  # debates whose prompts are read to find copied scores; evenly chosen of more


def grid_diagnosis(database: Database, judge: Candidate, grid: JudgementGrid, place: int) -> Diagnosis:
    """Return what the scores of a judge of a grid look like.

    Args:
        database: Where the judge's prompts can be worked out.
        judge: The judge.
        grid: With its judgements.
        place: Its place there.
    """
    scored = ~np.isnan(grid.scores[place])
    decided = grid.verdicts[place] != NONE
    found = diagnosis_of_scores(
        grid.scores[place, scored].tolist(), [VERDICTS[code] for code in grid.verdicts[place, decided].tolist()]
    )
    if judge.settings.get("kind") != "llm" or judge.settings.get("score_mode") != ScoreMode.PRINTED:
        return found
    copied = diagnose(database, judge.id, _evenly(grid.debates[scored].tolist()))
    return replace(found, copied=copied.copied, comparable=copied.comparable, by_chance=copied.by_chance)


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


__all__ = ["grid_diagnosis", "remarks"]
