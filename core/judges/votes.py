"""Baselines that read the agents' stances and no argument."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.judgement import DecisionRule, Judgement, JudgementStatus, Verdict
from core.judges.framing import mean
from core.opinion import OpinionProfile


@dataclass(frozen=True)
class MajorityVote:
    """The score is the share of agents whose own stance is True, an Uncertain one counting half."""

    rule: DecisionRule = field(default_factory=DecisionRule)

    @property
    def name(self) -> str:
        """Return a readable name that no judge with other settings has."""
        return _name("Majority of stances", self.rule)

    def settings(self) -> dict[str, Any]:
        """Return the settings as plain JSON values."""
        return _settings("majority vote", self.rule)

    def judge(self, profile: OpinionProfile) -> Judgement:
        """Return the judgement; refused where no agent has a stance."""
        worth = {Verdict.TRUE: 1.0, Verdict.UNCERTAIN: 0.5, Verdict.FALSE: 0.0}

        def share(stances: Sequence[float]) -> float:
            return mean([worth[self.rule.verdict(stance)] for stance in stances])

        return _vote(self.name, self.settings(), self.rule, profile, share, "the share of agents whose stance is True")


@dataclass(frozen=True)
class MeanStance:
    """The score is the mean of the agents' stances."""

    rule: DecisionRule = field(default_factory=DecisionRule)

    @property
    def name(self) -> str:
        """Return a readable name that no judge with other settings has."""
        return _name("Mean stance", self.rule)

    def settings(self) -> dict[str, Any]:
        """Return the settings as plain JSON values."""
        return _settings("mean stance", self.rule)

    def judge(self, profile: OpinionProfile) -> Judgement:
        """Return the judgement; refused where no agent has a stance."""
        return _vote(self.name, self.settings(), self.rule, profile, mean, "the mean of the agents' stances")


def _vote(
    name: str,
    settings: dict[str, Any],
    rule: DecisionRule,
    profile: OpinionProfile,
    join: Callable[[Sequence[float]], float],
    meaning: str,
) -> Judgement:
    fallen_back = sorted(s.agent_id for s in profile.stances if s.posterior is None and s.prior is not None)
    silent = sorted(s.agent_id for s in profile.stances if s.posterior is None and s.prior is None)
    notes = []
    if fallen_back:
        notes.append(f"No posterior stance, the prior one used instead: {', '.join(map(repr, fallen_back))}.")
    if silent:
        notes.append(f"Left out for want of a stance: {', '.join(map(repr, silent))}.")
    given = [s.prior if s.posterior is None else s.posterior for s in profile.stances]
    stances = [stance for stance in given if stance is not None]
    if not stances:
        return Judgement(
            name,
            None,
            None,
            JudgementStatus.REFUSED,
            explanation="No agent has a stance, so there is nothing to vote with.",
            settings=settings,
            notes=tuple(notes),
        )
    score = join(stances)
    verdict = rule.verdict(score)
    return Judgement(
        name,
        score,
        verdict,
        JudgementStatus.ABSTAINED if verdict is Verdict.UNCERTAIN else JudgementStatus.OK,
        explanation=f"Score {score:.2f}: {meaning}, {len(stances)} in all.",
        settings=settings,
        notes=tuple(notes),
    )


def _name(label: str, rule: DecisionRule) -> str:
    return label if rule == DecisionRule() else f"{label}, {rule}"


def _settings(kind: str, rule: DecisionRule) -> dict[str, Any]:
    return {"kind": kind, "threshold": rule.threshold, "abstention": rule.abstention, "strict": rule.strict}
