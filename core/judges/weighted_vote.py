"""A vote in which some stances count for more than others."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.errors import InvalidSetting
from core.judgement import DecisionRule, Judgement, JudgementStatus, Verdict
from core.opinion import OpinionProfile

NEUTRAL = 0.5


@dataclass(frozen=True)
class WeightedVote:
    """The score is the weighted mean of the agents' stances.

    Attributes:
        weights: A weight of 0 or more by agent id, as pairs; an agent that is not named weighs 1. Without any, a stance
            weighs as much as it is far from 0.5: those who are sure count more.
        rule: From score to verdict.

    Raises:
        InvalidSetting: If a weight is no finite number of 0 or more.
    """

    weights: tuple[tuple[str, float], ...] = ()
    rule: DecisionRule = field(default_factory=DecisionRule)

    def __post_init__(self) -> None:
        for agent, weight in self.weights:
            if type(weight) not in (int, float) or not 0.0 <= weight < math.inf:
                raise InvalidSetting(f"The weight of {agent!r} is {weight!r}; it must be a number of 0 or more.")
        object.__setattr__(self, "weights", tuple(sorted((agent, float(weight)) for agent, weight in self.weights)))

    @property
    def name(self) -> str:
        """Return a readable name that no judge with other settings has."""
        how = ", ".join(f"{agent} {weight:g}" for agent, weight in self.weights) or "by distance from 0.5"
        rule = "" if self.rule == DecisionRule() else f", {self.rule}"
        return f"Weighted stances ({how}){rule}"

    def settings(self) -> dict[str, Any]:
        """Return the settings as plain JSON values."""
        return {
            "kind": "weighted vote",
            "weights": dict(self.weights),
            "threshold": self.rule.threshold,
            "abstention": self.rule.abstention,
            "strict": self.rule.strict,
        }

    @classmethod
    def from_weights(cls, weights: Mapping[str, float], rule: DecisionRule) -> WeightedVote:
        """Return the vote with these weights."""
        return cls(tuple(weights.items()), rule)

    def judge(self, profile: OpinionProfile) -> Judgement:
        """Return the judgement; refused where no agent has a stance that weighs anything.

        Stances that all lie at 0.5 weigh nothing by distance: then the score is 0.5.
        """
        given = [(s.agent_id, s.prior if s.posterior is None else s.posterior) for s in profile.stances]
        held = [(agent, stance) for agent, stance in given if stance is not None]
        weight = dict(self.weights)
        pairs = [(weight.get(a, 1.0) if self.weights else abs(s - NEUTRAL), s) for a, s in held]
        total = math.fsum(sorted(w for w, _ in pairs))
        if not held or (total == 0 and self.weights):
            why = "No agent has a stance that counts, so there is nothing to vote with."
            return Judgement(self.name, None, None, JudgementStatus.REFUSED, explanation=why, settings=self.settings())
        score = min(1.0, max(0.0, math.fsum(sorted(w * s for w, s in pairs)) / total)) if total else NEUTRAL
        verdict = self.rule.verdict(score)
        return Judgement(
            self.name,
            score,
            verdict,
            JudgementStatus.ABSTAINED if verdict is Verdict.UNCERTAIN else JudgementStatus.OK,
            explanation=f"Score {score:.2f}: the weighted mean of the agents' stances, {len(held)} in all.",
            settings=self.settings(),
        )
