"""A small change of the profile, or of the judge, does not turn the verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from core.errors import InvalidSetting
from core.perturbations.judge_edit import AnyKind, JudgeEdit, JudgeEditKind
from core.perturbations.perturbation import Perturbation, checked_number
from core.perturbations.registry import perturbation_of
from core.perturbations.scores import ShiftScores
from core.properties.property import Evidence, Examination, Property, examined
from core.properties.trial import Trial

MOST_SAMPLES = 100
STRONGER_PROS = ShiftScores(pros=0.1)  # the published perturbation
USUAL_EDITS = (
    JudgeEdit(JudgeEditKind.SHIFT_TEMPERATURE, -0.1),
    JudgeEdit(JudgeEditKind.SHIFT_TEMPERATURE, 0.1),
    JudgeEdit(JudgeEditKind.SHIFT_CONSERVATIVENESS, 0.1),
    JudgeEdit(JudgeEditKind.SHIFT_CONSERVATIVENESS, 0.2),
)


def steady(evidence: Evidence) -> Examination:
    """Return the debates on which a verdict changed under a trial; scores may move."""
    before = evidence.before
    turned = [asked.outcomes.verdicts != before.verdicts for asked in evidence.asked]
    size = [np.abs(np.nan_to_num(asked.outcomes.scores - before.scores)) for asked in evidence.asked]
    return examined(evidence, turned, turned, size)


@dataclass(frozen=True)
class ProfileRobustness(Property):
    """Asked about a profile that is a little different.

    Attributes:
        perturbations: What is changed, each by itself.
        samples: How often each is drawn where chance plays a part in it.
    """

    perturbations: tuple[Perturbation, ...] = (STRONGER_PROS,)
    samples: int = 1
    key: ClassVar[str] = "profile robustness"
    label: ClassVar[str] = "Profile robustness"
    definition: ClassVar[str] = "A small change of what the agents hold does not turn the verdict."

    def __post_init__(self) -> None:
        checked_number("The number of draws", self.samples, 1, MOST_SAMPLES)
        object.__setattr__(self, "perturbations", perturbations(self.perturbations))

    @property
    def method(self) -> str:
        """Return how it is tested here."""
        listed = "; ".join(one.label for one in self.perturbations)
        drawn = f", {self.samples} draws each" if self.samples > 1 else ""
        return f"Every debate is judged again with: {listed}{drawn}. A verdict that changes is a violation."

    def trials(self, judge: AnyKind) -> tuple[Trial, ...]:
        """Return each perturbation, as often as it is drawn."""
        return tuple(
            Trial(one, sample=sample)
            for one in self.perturbations
            for sample in range(self.samples if one.random else 1)
        )

    def examine(self, evidence: Evidence) -> Examination:
        """Return which debates violate it."""
        return steady(evidence)


@dataclass(frozen=True)
class JudgeRobustness(Property):
    """Asked of a judge that is a little different.

    Attributes:
        edits: What is changed, each by itself; what a judge has no setting for is left out.
    """

    edits: tuple[JudgeEdit, ...] = USUAL_EDITS
    key: ClassVar[str] = "judge robustness"
    label: ClassVar[str] = "Judge robustness"
    definition: ClassVar[str] = "A small change of the judge's own settings does not turn the verdict."

    def __post_init__(self) -> None:
        try:
            edits = tuple(one if isinstance(one, JudgeEdit) else JudgeEdit.from_json(one) for one in self.edits)
        except TypeError as error:
            raise InvalidSetting(f"These are no changes of a judge: {self.edits!r}.") from error
        object.__setattr__(self, "edits", edits)

    @property
    def method(self) -> str:
        """Return how it is tested here."""
        listed = "; ".join(one.label for one in self.edits)
        return f"Every debate is judged again by the judge with: {listed}. A verdict that changes is a violation."

    def trials(self, judge: AnyKind) -> tuple[Trial, ...]:
        """Return the changes that the judge can take; sets of prompts are looked for when they are needed."""
        return tuple(
            Trial(judge=edit)
            for edit in self.edits
            if edit.fits(judge) or (edit.kind is JudgeEditKind.SET_PROMPTS and hasattr(judge, "prompts"))
        )

    def examine(self, evidence: Evidence) -> Examination:
        """Return which debates violate it."""
        return steady(evidence)


def perturbations(given: object) -> tuple[Perturbation, ...]:
    """Return perturbations, which may be given as plain JSON values; at least one.

    Raises:
        InvalidSetting: If there is none, or one is none.
    """
    if not isinstance(given, (tuple, list)) or not given:
        raise InvalidSetting("A property that changes profiles needs a list of perturbations.")
    return tuple(one if isinstance(one, Perturbation) else perturbation_of(one) for one in given)
