"""Judges that need no language model: gradual semantics, and votes as baselines."""

from __future__ import annotations

from core.judges.semantics_judge import JudgedPart, ScoreAggregation, SemanticsJudge, Setting, StanceVariant
from core.judges.votes import MajorityVote, MeanStance

__all__ = [
    "JudgedPart",
    "MajorityVote",
    "MeanStance",
    "ScoreAggregation",
    "SemanticsJudge",
    "Setting",
    "StanceVariant",
]
