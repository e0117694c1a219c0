"""Judging by a gradual semantics: the score is the strength of the topic."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from core.errors import InvalidScore, InvalidSetting
from core.judgement import DecisionRule, Judgement, JudgementStatus, Verdict
from core.judges.explanation import hidden_notes, mean_sentence, overlap_notes, sentence
from core.judges.framing import Framing, JudgedPart, Setting, StanceVariant, framing, mean
from core.opinion import TOPIC, OpinionProfile, checked_score
from core.semantics import Evaluation, GradualSemantics, semantics


class ScoreAggregation(StrEnum):
    """How the scores of separate QBAFs become one. The mean is the paper's; the others go beyond it."""

    MEAN = "mean"
    MEDIAN = "median"
    MIN = "min"
    MAX = "max"
    MAJORITY = "majority"


_DONE = {
    ScoreAggregation.MEAN: "the mean",
    ScoreAggregation.MEDIAN: "the median",
    ScoreAggregation.MIN: "the lowest",
    ScoreAggregation.MAX: "the highest",
    ScoreAggregation.MAJORITY: "the share of True verdicts",
}
_TOPIC_WORDS = {
    (Setting.COMBINED, StanceVariant.NONE): "topic 0.5",
    (Setting.COMBINED, StanceVariant.PRIOR): "mean prior",
    (Setting.COMBINED, StanceVariant.POSTERIOR): "mean posterior",
    (Setting.SEPARATE, StanceVariant.NONE): "topic 0.5",
    (Setting.SEPARATE, StanceVariant.PRIOR): "prior",
    (Setting.SEPARATE, StanceVariant.POSTERIOR): "posterior",
}


@dataclass(frozen=True)
class SemanticsJudge:
    """A judge whose score is the topic's strength; its settings are its identity.

    Attributes:
        semantics: A key of ``core.semantics.SEMANTICS``.
        conservativeness: 1 or more; 1 for semantics that have none.
        setting: One QBAF for all agents, or one for each.
        variant: Where the topic's base score comes from.
        rule: From score to verdict.
        missing_base_score: Stands in for a missing base score; None leaves such arguments out.
        aggregation: How the scores of separate QBAFs become one.

    Raises:
        InvalidSetting: If the semantics is unknown, or a number lies outside its range.
    """

    semantics: str = "df-quad"
    conservativeness: float = 1.0
    setting: Setting = Setting.COMBINED
    variant: StanceVariant = StanceVariant.NONE
    rule: DecisionRule = field(default_factory=DecisionRule)
    missing_base_score: float | None = 0.5
    aggregation: ScoreAggregation = ScoreAggregation.MEAN

    def __post_init__(self) -> None:
        semantics(self.semantics, self.conservativeness)
        try:
            checked_score("The missing base score", self.missing_base_score)
        except InvalidScore as error:
            raise InvalidSetting(str(error)) from error

    @property
    def gradual(self) -> GradualSemantics:
        """Return the semantics with its conservativeness."""
        return semantics(self.semantics, self.conservativeness)

    @property
    def name(self) -> str:
        """Return a readable name that no judge with other settings has."""
        words = [self.gradual.label, self.setting.value, _TOPIC_WORDS[self.setting, self.variant]]
        if self.conservativeness != 1:
            words.insert(1, f"κ {_number(self.conservativeness)}")
        if self.aggregation is not ScoreAggregation.MEAN:
            words.append(self.aggregation.value)
        if self.missing_base_score is None:
            words.append("unscored left out")
        elif self.missing_base_score != 0.5:
            words.append(f"missing {_number(self.missing_base_score)}")
        if self.rule.threshold != 0.5:
            words.append(f"threshold {_number(self.rule.threshold)}")
        if self.rule.abstention:
            words.append(f"uncertain ±{_number(self.rule.abstention)}")
        if self.rule.strict:
            words.append("strict")
        return ", ".join(words)

    def settings(self) -> dict[str, Any]:
        """Return the settings as plain JSON values; ``from_settings`` reads them."""
        return {
            "kind": "semantics",
            "semantics": self.semantics,
            "conservativeness": self.conservativeness,
            "setting": self.setting.value,
            "variant": self.variant.value,
            "aggregation": self.aggregation.value,
            "missing_base_score": self.missing_base_score,
            "threshold": self.rule.threshold,
            "abstention": self.rule.abstention,
            "strict": self.rule.strict,
        }

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> SemanticsJudge:
        """Return the judge that ``settings`` described; what is absent takes its default.

        Raises:
            InvalidSetting: If a value is of the wrong kind or outside its range.
        """
        choices = {"setting": Setting, "variant": StanceVariant, "aggregation": ScoreAggregation}
        plain = ("semantics", "conservativeness", "missing_base_score")
        try:
            values: dict[str, Any] = {key: settings[key] for key in plain if key in settings}
            values |= {key: choice(settings[key]) for key, choice in choices.items() if key in settings}
            rule = {key: settings[key] for key in ("threshold", "abstention", "strict") if key in settings}
            return cls(**values, rule=DecisionRule(**rule))
        except InvalidSetting:
            raise
        except (TypeError, ValueError) as error:
            raise InvalidSetting(f"These are not settings of a semantics judge: {dict(settings)!r}.") from error

    def qbafs(self, profile: OpinionProfile) -> tuple[JudgedPart, ...]:
        """Return the QBAFs that the judge evaluates for a profile: one, or one for each agent."""
        return self.framing(profile).parts

    def framing(self, profile: OpinionProfile) -> Framing:
        """Return the QBAFs of a profile with the notes on them, the same for judges of one ``framing_key``."""
        return framing(profile, *self.framing_key)

    @property
    def framing_key(self) -> tuple[Setting, StanceVariant, float | None]:
        """Return the settings that decide on the QBAFs; the rest decides on what is made of them."""
        return self.setting, self.variant, self.missing_base_score

    def judge(self, profile: OpinionProfile) -> Judgement:
        """Return the judgement; independent of the order of agents and arguments, to the last bit.

        Where a cyclic QBAF has no fixed point that could be found, the status says so and there is no verdict.
        """
        return self.judge_framing(self.framing(profile))

    def judge_framing(self, frame: Framing) -> Judgement:
        """Return the judgement of a profile whose QBAFs are built already, by a judge of the same ``framing_key``."""
        gradual = self.gradual
        evaluations = [gradual.evaluate(part.qbaf) for part in frame.parts]
        notes = [*frame.notes]
        for part, evaluation in zip(frame.parts, evaluations, strict=True):
            notes += overlap_notes(part.qbaf)
            notes += hidden_notes(gradual, evaluation) if evaluation.converged else [_not_converged(part, evaluation)]
        unique_notes = tuple(dict.fromkeys(notes))
        judged = [
            self._part(gradual, part, evaluation) for part, evaluation in zip(frame.parts, evaluations, strict=True)
        ]
        if frame.parts[0].agent is None:
            return Judgement(
                self.name,
                judged[0].score,
                judged[0].verdict,
                judged[0].status,
                judged[0].strengths,
                judged[0].explanation,
                self.settings(),
                notes=unique_notes,
            )
        return self._joined(judged, unique_notes)

    def final_score(self, scores: Sequence[float]) -> float:
        """Return what the scores of separate QBAFs come to, in [0, 1]; at least one is needed.

        For MAJORITY it is the share of scores whose own verdict is True, an Uncertain one counting half.
        """
        match self.aggregation:
            case ScoreAggregation.MEAN:
                return mean(scores)
            case ScoreAggregation.MEDIAN:
                return statistics.median(scores)
            case ScoreAggregation.MIN:
                return min(scores)
            case ScoreAggregation.MAX:
                return max(scores)
            case ScoreAggregation.MAJORITY:
                worth = {Verdict.TRUE: 1.0, Verdict.UNCERTAIN: 0.5, Verdict.FALSE: 0.0}
                return mean([worth[self.rule.verdict(score)] for score in scores])

    def _part(self, gradual: GradualSemantics, part: JudgedPart, evaluation: Evaluation) -> Judgement:
        name = self.name if part.agent is None else part.agent
        if not evaluation.converged:
            return Judgement(
                name, None, None, JudgementStatus.NOT_CONVERGED, explanation=_not_converged(part, evaluation)
            )
        score = evaluation.by_name[TOPIC]
        return Judgement(
            name,
            score,
            *_decided(self.rule, score),
            evaluation.by_name,
            sentence(gradual, part, evaluation),
        )

    def _joined(self, parts: Sequence[Judgement], notes: tuple[str, ...]) -> Judgement:
        scores = [(part.judge, part.score) for part in parts if part.score is not None]
        if len(scores) < len(parts):
            failed = sorted(part.judge for part in parts if part.score is None)
            return Judgement(
                self.name,
                None,
                None,
                JudgementStatus.NOT_CONVERGED,
                explanation=f"No score, because no fixed point was found for {', '.join(failed)}.",
                settings=self.settings(),
                parts=tuple(parts),
                notes=notes,
            )
        score = self.final_score([score for _, score in scores])
        return Judgement(
            self.name,
            score,
            *_decided(self.rule, score),
            {**_joined_strengths(parts), TOPIC: score},
            mean_sentence(score, _DONE[self.aggregation], scores),
            self.settings(),
            tuple(parts),
            notes,
        )


def _joined_strengths(parts: Sequence[Judgement]) -> dict[str, float]:
    """Return every argument's strength; the mean where agents who share it differ."""
    found: dict[str, list[float]] = {}
    for part in parts:
        for name, strength in part.strengths.items():
            found.setdefault(name, []).append(strength)
    return {name: mean(strengths) for name, strengths in found.items()}


def _decided(rule: DecisionRule, score: float) -> tuple[Verdict, JudgementStatus]:
    verdict = rule.verdict(score)
    return verdict, JudgementStatus.ABSTAINED if verdict is Verdict.UNCERTAIN else JudgementStatus.OK


def _not_converged(part: JudgedPart, evaluation: Evaluation) -> str:
    whose = "The arguments" if part.agent is None else f"The arguments of {part.agent!r}"
    return (
        f"{whose} form a cycle without a fixed point that could be found: after {evaluation.iterations} steps "
        f"strengths still moved by {evaluation.residual:.2g}."
    )


def _number(value: float) -> str:
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


__all__ = ["JudgedPart", "ScoreAggregation", "SemanticsJudge", "Setting", "StanceVariant"]
