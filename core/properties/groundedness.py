"""A verdict is one that the agents hold."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar

import numpy as np

from core.comparison.population import FALSE, NONE, TRUE, UNCERTAIN, VERDICTS, Mask
from core.judges.many import Floats, ProfileArrays
from core.perturbations.judge_edit import AnyKind
from core.properties.property import REASONS, Evidence, Examination, LeftOut, Property
from core.properties.trial import Trial


class StanceSource(StrEnum):
    """Which stance of an agent counts."""

    LATEST = "latest"  # the posterior one, or the prior one where there is none
    PRIOR = "prior"
    POSTERIOR = "posterior"


@dataclass(frozen=True, eq=False)
class Held:
    """Which verdicts the agents of each debate hold, each of shape (D,)."""

    true: Mask
    false: Mask
    uncertain: Mask
    missing: Mask

    @property
    def anybody(self) -> Mask:
        """Return where any agent holds a verdict."""
        return self.true | self.false | self.uncertain

    @property
    def unanimous(self) -> Mask:
        """Return where all agents hold the same verdict, True or False."""
        return (self.true ^ self.false) & ~self.uncertain & ~self.missing


def held_verdicts(evidence: Evidence, source: StanceSource) -> Held:
    """Return which verdicts the agents hold, by the judge's own rule."""
    arrays = evidence.debates.arrays
    stances = _stances(arrays, source)
    codes = {verdict: code for code, verdict in enumerate(VERDICTS)}
    values, which = np.unique(stances, return_inverse=True)  # few different ones: people and models say hundredths
    coded = [NONE if s != s else codes[evidence.rule.verdict(s)] for s in values.tolist()]
    verdicts = np.array(coded, dtype=np.int8)[which]

    def some(code: int) -> Mask:
        found = np.zeros(len(evidence.debates), dtype=bool)
        found[arrays.stance_debates[verdicts == code]] = True
        return found

    return Held(some(TRUE), some(FALSE), some(UNCERTAIN), some(NONE))


def _stances(arrays: ProfileArrays, source: StanceSource) -> Floats:
    match source:
        case StanceSource.PRIOR:
            return arrays.priors
        case StanceSource.POSTERIOR:
            return arrays.posteriors
        case StanceSource.LATEST:
            return np.where(np.isnan(arrays.posteriors), arrays.priors, arrays.posteriors)


@dataclass(frozen=True)
class _Grounded(Property):
    """A property of single judgements.

    Attributes:
        stance: Which stance of an agent counts.
    """

    stance: StanceSource = StanceSource.LATEST

    def __post_init__(self) -> None:
        object.__setattr__(self, "stance", StanceSource(self.stance))

    @property
    def needs_trials(self) -> bool:
        """Return that the judgements as recorded are enough."""
        return False

    def trials(self, judge: AnyKind) -> tuple[Trial, ...]:
        """Return nothing: the judgement as recorded is what counts."""
        return ()


def _examination(evidence: Evidence, applies: Mask, violated: Mask, otherwise: LeftOut, silent: Mask) -> Examination:
    verdicts = evidence.before.verdicts
    reasons = np.full(len(verdicts), NONE, dtype=np.int8)
    reasons[~applies] = REASONS.index(otherwise)
    reasons[silent & ~applies] = REASONS.index(LeftOut.NO_STANCE)
    reasons[verdicts == UNCERTAIN] = REASONS.index(LeftOut.ABSTAINED)
    reasons[verdicts == NONE] = REASONS.index(LeftOut.NO_SCORE)
    tested = reasons == NONE
    nowhere = np.full(len(verdicts), -1)
    return Examination(tested, tested & violated, tested & violated, reasons, nowhere, nowhere)


@dataclass(frozen=True)
class NonHallucination(_Grounded):
    """The verdict is that of at least one agent."""

    key: ClassVar[str] = "non-hallucination"
    label: ClassVar[str] = "Non-hallucination"
    definition: ClassVar[str] = "The verdict is one that at least one agent holds."

    @property
    def method(self) -> str:
        """Return how it is tested here."""
        return (
            f"Each verdict is held against the verdicts that the agents' {self.stance.value} stances come to. Where an "
            "agent has no stance, a verdict that nobody else holds counts neither way."
        )

    def examine(self, evidence: Evidence) -> Examination:
        """Return which debates violate it."""
        held = held_verdicts(evidence, self.stance)
        verdicts = evidence.before.verdicts
        shared = ((verdicts == TRUE) & held.true) | ((verdicts == FALSE) & held.false)
        applies = shared | (held.anybody & ~held.missing)
        return _examination(evidence, applies, ~shared, LeftOut.NO_STANCE, ~applies)


@dataclass(frozen=True)
class JudgeUnanimity(_Grounded):
    """Where all agents agree, so does the judge."""

    key: ClassVar[str] = "judge unanimity"
    label: ClassVar[str] = "Judge unanimity"
    definition: ClassVar[str] = "Where all agents come to one verdict, the judge comes to it too."

    @property
    def method(self) -> str:
        """Return how it is tested here."""
        return (
            f"Among the debates in which all agents' {self.stance.value} stances come to one verdict, True or False, "
            "each verdict of the judge is held against it. Agreement is not always wanted: agents can share a mistake."
        )

    def examine(self, evidence: Evidence) -> Examination:
        """Return which debates violate it."""
        held = held_verdicts(evidence, self.stance)
        common = np.where(held.true, TRUE, FALSE)
        silent = held.missing | ~held.anybody
        violated = evidence.before.verdicts != common
        return _examination(evidence, held.unanimous, violated, LeftOut.NOT_UNANIMOUS, silent)
