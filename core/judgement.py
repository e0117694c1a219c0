"""What a judge is, and what it returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from core.errors import InvalidSetting
from core.opinion import OpinionProfile


class Verdict(StrEnum):
    """The decision a score comes to."""

    TRUE = "true"
    FALSE = "false"
    UNCERTAIN = "uncertain"


class JudgementStatus(StrEnum):
    """How a judgement ended. Only OK and ABSTAINED carry a verdict: an error is never a verdict."""

    OK = "ok"
    ABSTAINED = "abstained"
    NOT_CONVERGED = "not converged"
    REFUSED = "refused"
    UNREADABLE = "unreadable"
    ERROR = "error"


@dataclass(frozen=True)
class DecisionRule:
    """From score to verdict: True from the threshold on, Uncertain inside the abstention band.

    Attributes:
        threshold: In [0, 1]; the published rule is 0.5, so a perfectly balanced debate is True.
        abstention: Half-width of the band around the threshold that gives Uncertain; 0 means no band.
        strict: True demands a score above the threshold (ArgLLMs' rule) instead of at least the threshold.

    Raises:
        InvalidSetting: If threshold or abstention lies outside [0, 1], or strict is neither True nor False.
    """

    threshold: float = 0.5
    abstention: float = 0.0
    strict: bool = False

    def __post_init__(self) -> None:
        if not 0.0 <= self.threshold <= 1.0:
            raise InvalidSetting(f"The decision threshold is {self.threshold}; it must lie in [0, 1].")
        if not 0.0 <= self.abstention <= 1.0:
            raise InvalidSetting(f"The abstention band is {self.abstention}; it must lie in [0, 1].")
        if not isinstance(self.strict, bool):
            raise InvalidSetting(f"The strictness of the rule is {self.strict!r}; it must be true or false.")

    def verdict(self, score: float) -> Verdict:
        """Return the verdict for a score in [0, 1].

        The score is rounded to 12 decimals first, so that rounding in the last bit cannot decide a verdict. The
        band is open on the side of a decision: a score exactly ``abstention`` away from the threshold is decided.
        """
        distance = round(round(score, 12) - self.threshold, 12)
        if self.abstention > 0 and abs(distance) < self.abstention:
            return Verdict.UNCERTAIN
        if self.strict:
            return Verdict.TRUE if distance > 0 else Verdict.FALSE
        return Verdict.TRUE if distance >= 0 else Verdict.FALSE

    def __str__(self) -> str:
        sign = ">" if self.strict else "≥"
        band = f", uncertain within ±{self.abstention:g}" if self.abstention else ""
        return f"score {sign} {self.threshold:.2f} → True{band}"


@dataclass(frozen=True)
class Judgement:
    """What a judge says of one profile.

    Attributes:
        judge: The judge's readable name.
        score: Truth score in [0, 1]; None unless the status is OK or ABSTAINED.
        verdict: The decision; None unless the status is OK or ABSTAINED.
        status: How the judging ended.
        strengths: Strength of every argument by id, ``TOPIC`` included, for semantics judges. In the separate
            setting the arguments' own strengths, and for ``TOPIC`` the final score.
        explanation: Why, in words.
        settings: The judge's settings, as plain JSON values.
        parts: In the separate setting, one judgement per agent, named by the agent's id.
        notes: What the judge had to decide by itself: missing base scores, relations left out.
    """

    judge: str
    score: float | None
    verdict: Verdict | None
    status: JudgementStatus = JudgementStatus.OK
    strengths: Mapping[str, float] = field(default_factory=dict)
    explanation: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)
    parts: tuple[Judgement, ...] = ()
    notes: tuple[str, ...] = ()


class Judge(Protocol):
    """Anything that turns a profile into a judgement. Judges are frozen values: settings are their identity."""

    @property
    def name(self) -> str:
        """Return the readable name, unique among judges with other settings."""
        ...

    def judge(self, profile: OpinionProfile) -> Judgement:
        """Return the judgement; what goes wrong is a status, not an exception."""
        ...
