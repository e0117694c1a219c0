"""What a property is: a value that knows what to ask of a judge, and which answers violate it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import StrEnum
from typing import Any, ClassVar

import numpy as np

from core.comparison.population import NONE, Codes, Floats, Mask
from core.judgement import DecisionRule
from core.judges.many import Places
from core.perturbations.judge_edit import AnyKind, JudgeEdit
from core.perturbations.perturbation import Perturbation, plain
from core.properties.debate_set import DebateSet
from core.properties.judging import Asked
from core.properties.outcomes import Outcomes
from core.properties.trial import Trial


class LeftOut(StrEnum):
    """Why a debate says nothing about a property."""

    NO_SCORE = "no score or no verdict"
    UNCHANGED = "nothing to change"
    UNCLEAR = "the change has no clear direction there"
    ABSTAINED = "the judge abstained"
    NO_STANCE = "an agent without a stance"
    NOT_UNANIMOUS = "the agents do not agree"


REASONS = tuple(LeftOut)  # a reason's code is its place here


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a judge said of D debates as recorded and under each of T trials.

    Attributes:
        debates: The debates.
        rule: From stance to verdict.
        tolerance: Up to which difference two scores count as the same.
        before: The judgements as recorded.
        trials: What was tried.
        asked: What came of each.
    """

    debates: DebateSet
    rule: DecisionRule
    tolerance: float
    before: Outcomes
    trials: tuple[Trial, ...] = ()
    asked: tuple[Asked, ...] = ()

    def compared(self, place: int) -> Mask:
        """Return where a trial can be held against the judgement as recorded, shape (D,)."""
        asked = self.asked[place]
        return asked.changed & asked.outcomes.known & self.before.known


@dataclass(frozen=True, eq=False)
class Examination:
    """Which debates violate a property.

    Attributes:
        tested: Where the property could be tested, shape (D,).
        violated: Where it is violated beyond the tolerance, shape (D,).
        strict: Where it is violated without any tolerance, shape (D,).
        reasons: Codes of why a debate was not tested, NONE where it was, shape (D,).
        first, second: Places of the trials that show it best, -1 for the judgement as recorded, shape (D,).
    """

    tested: Mask
    violated: Mask
    strict: Mask
    reasons: Codes
    first: Places
    second: Places


@dataclass(frozen=True)
class Property(ABC):
    """One of the seven properties, with how it is to be tested."""

    key: ClassVar[str]
    label: ClassVar[str]
    definition: ClassVar[str]

    @property
    @abstractmethod
    def method(self) -> str:
        """Return how it is tested here, in a sentence."""

    @abstractmethod
    def trials(self, judge: AnyKind) -> tuple[Trial, ...]:
        """Return what to ask the judge beside the debates as recorded."""

    @abstractmethod
    def examine(self, evidence: Evidence) -> Examination:
        """Return which debates violate it."""

    @property
    def needs_trials(self) -> bool:
        """Return whether the judgements as recorded are not enough."""
        return True

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values; ``property_of`` reads them."""
        return {"property": self.key} | {field.name: _plain(getattr(self, field.name)) for field in fields(self)}


def examined(
    evidence: Evidence,
    violated: Sequence[Mask],
    strict: Sequence[Mask],
    size: Sequence[Floats],
    barred: Mask | None = None,
) -> Examination:
    """Return an examination in which each trial is held against the judgement as recorded.

    Args:
        evidence: What was asked.
        violated, strict: For each trial, whether it shows a violation, shape (D,).
        size: For each trial, how bad it would be, shape (D,).
        barred: Debates in which the changes have no clear direction, shape (D,).
    """
    count = len(evidence.debates)
    compared = _stacked([evidence.compared(place) for place in range(len(evidence.trials))], count)
    changed = _stacked([asked.changed for asked in evidence.asked], count)
    bad = _stacked(violated, count) & compared
    reasons = np.full(count, NONE, dtype=np.int8)
    reasons[~compared.any(axis=0)] = REASONS.index(LeftOut.NO_SCORE)
    reasons[~changed.any(axis=0) & evidence.before.known] = REASONS.index(LeftOut.UNCHANGED)
    if barred is not None:
        reasons[barred & (reasons == NONE)] = REASONS.index(LeftOut.UNCLEAR)
    tested = reasons == NONE
    worst = np.where(bad, _stacked(size, count, float), -1.0)
    second = worst.argmax(axis=0) if len(worst) else np.full(count, -1)
    return Examination(
        tested,
        bad.any(axis=0) & tested,
        (_stacked(strict, count) & compared).any(axis=0) & tested,
        reasons,
        np.full(count, -1),
        second,
    )


def _stacked(rows: Sequence[np.ndarray], count: int, kind: type = bool) -> np.ndarray:
    return np.stack(rows) if rows else np.zeros((0, count), dtype=kind)


def _plain(value: Any) -> Any:
    if isinstance(value, Perturbation | JudgeEdit):
        return value.to_json()
    return [_plain(entry) for entry in value] if isinstance(value, tuple) else plain(value)
