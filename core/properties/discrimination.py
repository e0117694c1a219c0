"""Whether a judge tells debates apart at all: one that does not looks robust without judging."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.comparison.population import VERDICTS
from core.diagnostics import FEWEST, MUCH_COPIED, ONE_SIDED, DiagnosedCase, Diagnosis, diagnosis, diagnosis_of_scores
from core.judgement import DecisionRule
from core.judges.llm_judge import LlmJudge
from core.judges.recorded_judge import RecordedJudge
from core.judges.votes import MajorityVote
from core.judges.weighted_vote import WeightedVote
from core.perturbations.judge_edit import AnyKind
from core.properties.debate_set import DebateSet
from core.properties.outcomes import Outcomes

VERY_FEW = 3  # different scores up to which a judge that could give a hundred does not tell debates apart


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

    A judge is said not to where all its scores are the same to hundredths; where most are numbers that stand in its
    prompt; where, of ten judgements or more, 95 % come to the same verdict; and where they have no more than three
    different scores, unless it is a vote or a person, whose scores are few by their nature.
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
    few = isinstance(judge, MajorityVote | WeightedVote) or (isinstance(judge, RecordedJudge) and judge.kind != "llm")
    return Discrimination(_failing(found, few_expected=few), found.warnings())


def _failing(found: Diagnosis, *, few_expected: bool) -> str:
    if found.constant is not None:
        return f"always {found.constant:.2f}"
    if found.copied_share is not None and found.comparable >= FEWEST and found.copied_share >= MUCH_COPIED:
        return f"copies numbers of its prompt ({sum(found.copied.values())} of {found.comparable})"
    if found.count < FEWEST:
        return ""
    if found.true_share is not None and max(found.true_share, 1 - found.true_share) >= ONE_SIDED:
        side, share = ("True", found.true_share) if found.true_share > 0.5 else ("False", 1 - found.true_share)
        return f"{'all' if share == 1 else f'{share:.0%} of'} its verdicts are {side}"
    if found.distinct <= VERY_FEW and not few_expected:
        return f"only {found.distinct} different scores"
    return ""
