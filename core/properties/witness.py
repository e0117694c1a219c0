"""A case that violates a property, kept so that anyone can ask the same again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.contestation import Edit
from core.errors import InvalidSetting
from core.judgement import Judge, Judgement, JudgementStatus, Verdict
from core.judges.llm_judge import LlmJudge
from core.llm.circumstances import Circumstances
from core.opinion import OpinionProfile
from core.overview import Scored
from core.perturbations.judge_edit import AnyKind, PromptFinder
from core.properties.debate_set import seed_of
from core.properties.judging import judge_under, profile_under
from core.properties.trial import Trial


@dataclass(frozen=True)
class Witness:
    """Two judgements that cannot stand side by side if the property holds.

    For a property of single judgements both are the judgement as recorded.

    Attributes:
        property_key: The property's key.
        judge: The judge's readable name.
        debate: The debate's id.
        first, second: What was asked.
        before, after: What the judge said.
        seed: Of everything that was drawn.
    """

    property_key: str
    judge: str
    debate: str
    first: Trial
    second: Trial
    before: Scored
    after: Scored
    seed: int = 0

    @property
    def change(self) -> float | None:
        """Return the score's change, in [-1, 1]; None where either has no score."""
        if self.before.score is None or self.after.score is None:
            return None
        return self.after.score - self.before.score

    @property
    def flipped(self) -> bool:
        """Return whether the two verdicts differ."""
        return self.before.verdict is not self.after.verdict

    def edits(self, profile: OpinionProfile) -> tuple[Edit, ...] | None:
        """Return the second question's change of the profile as edits of a contestation; None where it has none.

        Raises:
            InvalidEdit: If they do not fit the profile.
        """
        if self.second.profile is None:
            return ()
        return self.second.profile.edits(profile, seed_of(self.seed, self.second.sample, self.debate))

    def profiles(self, profile: OpinionProfile) -> tuple[OpinionProfile, OpinionProfile]:
        """Return the two profiles that the judge was asked about, from the debate's own.

        Raises:
            InvalidEdit: If the change does not fit the profile.
        """
        held = Circumstances.guessed(profile)
        first, second = (
            profile_under(trial, (profile, held), self.debate, self.seed)[0] for trial in (self.first, self.second)
        )
        return first, second

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {
            "property": self.property_key,
            "judge": self.judge,
            "debate": self.debate,
            "first": self.first.to_json(),
            "second": self.second.to_json(),
            "before": scored_to_json(self.before),
            "after": scored_to_json(self.after),
            "seed": self.seed,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Witness:
        """Return what ``to_json`` wrote.

        Raises:
            InvalidSetting: If it is none.
        """
        try:
            return cls(
                str(record["property"]),
                str(record["judge"]),
                str(record["debate"]),
                Trial.from_json(record["first"]),
                Trial.from_json(record["second"]),
                scored_from_json(record["before"]),
                scored_from_json(record["after"]),
                int(record["seed"]),
            )
        except InvalidSetting:
            raise
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidSetting(f"This is no witness of a violated property: {error!r}.") from error


def replayed(
    witness: Witness, judge: AnyKind, profile: OpinionProfile, prompts: PromptFinder | None = None
) -> tuple[Judgement, Judgement]:
    """Return the two judgements of a witness once more.

    Args:
        witness: What was found.
        judge: The judge it was found for, as it was before any change.
        profile: The debate's own profile.
        prompts: Finds other sets of prompts.

    Raises:
        InvalidSetting: If the judge is a language model, which has to be called.
        InvalidEdit: If the change does not fit the profile.
    """
    found = []
    for trial, asked in zip((witness.first, witness.second), witness.profiles(profile), strict=True):
        changed: Judge | LlmJudge = judge_under(trial, judge, prompts)
        if isinstance(changed, LlmJudge):
            raise InvalidSetting(f"{judge.name} is a language model; it has to be called.")
        found.append(changed.judge(asked))
    return found[0], found[1]


def scored_to_json(scored: Scored) -> dict[str, Any]:
    """Return a score with its verdict as plain JSON values."""
    verdict = None if scored.verdict is None else scored.verdict.value
    return {"score": scored.score, "verdict": verdict, "status": scored.status.value}


def scored_from_json(record: Mapping[str, Any]) -> Scored:
    """Return what ``scored_to_json`` wrote."""
    score, verdict = record["score"], record["verdict"]
    return Scored(
        None if score is None else float(score),
        None if verdict is None else Verdict(verdict),
        JudgementStatus(record["status"]),
    )
