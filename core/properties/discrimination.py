"""Whether a judge tells debates apart at all: one that does not looks robust without judging."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.comparison.population import VERDICTS
from core.diagnostics import FEWEST, MUCH_COPIED, DiagnosedCase, Diagnosis, diagnosis, diagnosis_of_scores
from core.judgement import DecisionRule
from core.judges.llm_judge import LlmJudge
from core.judges.recorded_judge import RecordedJudge
from core.perturbations.judge_edit import AnyKind
from core.properties.debate_set import DebateSet
from core.properties.outcomes import Outcomes


@dataclass(frozen=True)
class Discrimination:
    """What a judge's scores on the debates as recorded look like.

    Attributes:
        failing: In a few words, in what way it does not tell debates apart; empty where it does.
        warnings: What else should be said beside its figures, in sentences.
    """

    failing: str = ""
    warnings: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {"failing": self.failing, "warnings": list(self.warnings)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Discrimination:
        """Return what ``to_json`` wrote."""
        return cls(str(record["failing"]), tuple(record["warnings"]))


def discrimination(
    judge: AnyKind | RecordedJudge, debates: DebateSet, before: Outcomes, rule: DecisionRule
) -> Discrimination:
    """Return whether a judge tells the debates apart.

    A judge is said not to where all its scores are the same to hundredths, or where most are numbers that stand in its
    prompt.
    """
    scored = np.flatnonzero(before.known)
    if isinstance(judge, LlmJudge):
        cases = [
            DiagnosedCase(float(before.scores[place]), judge.visible_numbers(*debates.load(place)))
            for place in scored.tolist()
        ]
        found = diagnosis(cases, rule)
    else:
        verdicts = [VERDICTS[code] for code in before.verdicts[scored].tolist()]
        found = diagnosis_of_scores(before.scores[scored].tolist(), verdicts)
    return Discrimination(_failing(found), found.warnings())


def _failing(found: Diagnosis) -> str:
    if found.constant is not None:
        return f"always {found.constant:.2f}"
    if found.copied_share is not None and found.comparable >= FEWEST and found.copied_share >= MUCH_COPIED:
        return f"copies numbers of its prompt ({sum(found.copied.values())} of {found.comparable})"
    return ""
