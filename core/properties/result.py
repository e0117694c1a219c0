"""What a test of a property comes to: for a cell of the grid, for charts and tables, and to be kept."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from core.errors import InvalidSetting
from core.properties.discrimination import Discrimination
from core.properties.measures import (
    Flips,
    Rate,
    Right,
    ScoreChanges,
    changes_from_json,
    rate_from_json,
    right_from_json,
    to_json,
)
from core.properties.proof import Proof
from core.properties.property import LeftOut, Property
from core.properties.registry import property_of
from core.properties.trial import Trial
from core.properties.witness import Witness

NOT_ASKED = "not tested yet: the model has to be asked"  # the note of a test that needs calls


class Standing(StrEnum):
    """How a judge stands to a property."""

    NOT_TESTED = "not tested"
    VIOLATED = "violated"
    INDISCRIMINATE = "does not discriminate"  # no violation, but the judge does not tell debates apart
    SATISFIED = "no violation found"
    PROVED = "proved"


@dataclass(frozen=True)
class TrialResult:
    """What one trial comes to.

    Attributes:
        trial: What was tried.
        compared: Debates on which it can be held against the judgement as recorded.
        unchanged: Debates in which there was nothing to change.
        violations: Debates on which it shows a violation by itself.
        changes, flips: How scores and verdicts moved.
        right, right_before: How often the verdict is right under the trial and as recorded, on the same debates: all
            those with both verdicts, changed or not. None without labels.
    """

    trial: Trial
    compared: int
    unchanged: int
    changes: ScoreChanges
    flips: Flips
    right: Right | None
    right_before: Right | None

    @property
    def accuracy_change(self) -> float | None:
        """Return accuracy under the trial minus that as recorded, in [-1, 1]; None without labels."""
        if self.right is None or self.right_before is None:
            return None
        return self.right.rate.value - self.right_before.rate.value

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {
            "trial": self.trial.to_json(),
            "compared": self.compared,
            "unchanged": self.unchanged,
            **{name: to_json(getattr(self, name)) for name in ("changes", "flips", "right", "right_before")},
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> TrialResult:
        """Return what ``to_json`` wrote."""
        return cls(
            Trial.from_json(record["trial"]),
            record["compared"],
            record["unchanged"],
            changes_from_json(record["changes"]),
            Flips(**record["flips"]),
            right_from_json(record["right"]),
            right_from_json(record["right_before"]),
        )


@dataclass(frozen=True)
class PropertyResult:
    """What a test of one property of one judge comes to.

    Attributes:
        checked: The property, with how it was tested.
        judge: The judge's readable name.
        settings: The judge's settings, as plain JSON values; empty for a judge that has none to show.
        debates: How many there were.
        seed, tolerance: In force.
        tested: Debates that say something about the property.
        violations: Those that violate it, beyond the tolerance.
        strict_violations: The same without any tolerance.
        verdict_changes: Those on which the verdict changed under any trial; for properties of single judgements, those
            that violate it.
        score_changes, strict_score_changes: Those on which the score changed under any trial, beyond the tolerance and
            at all.
        left_out: How many debates say nothing about it, by reason.
        rate: Share of tested debates that satisfy it; None without any.
        right: How often the judgements as recorded are right; None without labels.
        trials: What each trial comes to.
        witnesses: Violations, the worst first; perhaps not all of them, as ``violations`` tells.
        discrimination: Whether the judge tells debates apart.
        proof: Why the judge has the property, where that is known.
        proved_debates: Tested debates that the proof covers.
        note: Why the test is incomplete; empty where it is not.
        origin: What is to be said of the judgements wherever the result is shown; empty for nothing.
    """

    checked: Property
    judge: str
    settings: Mapping[str, Any]
    debates: int
    seed: int
    tolerance: float
    tested: int
    violations: int
    strict_violations: int
    verdict_changes: int
    score_changes: int
    strict_score_changes: int
    left_out: Mapping[LeftOut, int]
    rate: Rate | None
    right: Right | None
    trials: tuple[TrialResult, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    discrimination: Discrimination = field(default_factory=Discrimination)
    proof: Proof | None = None
    proved_debates: int = 0
    note: str = ""
    origin: str = ""

    @property
    def satisfied(self) -> int:
        """Return how many tested debates satisfy the property."""
        return self.tested - self.violations

    @property
    def judged(self) -> int:
        """Return how many debates were judged as far as the test needs."""
        return self.debates - self.left_out.get(LeftOut.NO_SCORE, 0)

    @property
    def standing(self) -> Standing:
        """Return how the judge stands to the property.

        What is proved stays so however alike the verdicts are; else a judge that does not tell debates apart never
        stands well.
        """
        if not self.tested:
            return Standing.NOT_TESTED
        if self.violations:
            return Standing.VIOLATED
        if self.proof is not None and self.proved_debates == self.tested:
            return Standing.PROVED
        if self.discrimination.failing:
            return Standing.INDISCRIMINATE
        return Standing.SATISFIED

    @property
    def accuracy_spread(self) -> float | None:
        """Return the highest accuracy minus the lowest, of the judgements as recorded and of each trial, in [0, 1].

        None without labels or trials.
        """
        found = [t.right.rate.value for t in self.trials if t.right is not None]
        if self.right is None or not found:
            return None
        return max(*found, self.right.rate.value) - min(*found, self.right.rate.value)

    @property
    def contradicts_proof(self) -> bool:
        """Return whether there are violations of what is said to be proved: then the proof or the program is wrong."""
        return bool(self.violations) and self.proof is not None and self.proved_debates == self.tested

    @property
    def cell(self) -> str:
        """Return the result in a few words, n included."""
        if self.rate is None:
            return self.note or Standing.NOT_TESTED.value
        count = f"{self.satisfied:,}/{self.tested:,}"
        share = f"{count} · {_percent(self.rate)} %"
        if self.standing is Standing.PROVED:
            return f"proved · {count}"
        return f"{share} · {self.caveat}" if self.caveat else share

    @property
    def caveat(self) -> str:
        """Return in a few words that the judge does not tell debates apart, and how; empty where it does."""
        if not self.discrimination.failing or self.rate is None or self.standing is Standing.PROVED:
            return ""
        return f"{Standing.INDISCRIMINATE.value}: {self.discrimination.failing}"

    @property
    def remark(self) -> str:
        """Return what is to be said wherever a figure of this result stands by itself; empty for nothing."""
        note = self.note if self.rate is not None else ""
        return "; ".join(part for part in (self.origin, self.caveat, note) if part)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        words = ("judge", "note", "origin") if self.origin else ("judge", "note")
        plain = (*words, "debates", "seed", "tolerance", "tested", "violations", "strict_violations")
        counts = ("verdict_changes", "score_changes", "strict_score_changes", "proved_debates")
        return {
            "property": self.checked.to_json(),
            "settings": dict(self.settings),
            **{name: getattr(self, name) for name in (*plain, *counts)},
            "left_out": {reason.value: count for reason, count in self.left_out.items()},
            "rate": to_json(self.rate),
            "right": to_json(self.right),
            "trials": [one.to_json() for one in self.trials],
            "witnesses": [one.to_json() for one in self.witnesses],
            "discrimination": self.discrimination.to_json(),
            "proof": None if self.proof is None else self.proof.to_json(),
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> PropertyResult:
        """Return what ``to_json`` wrote.

        Raises:
            InvalidSetting: If it is none.
        """
        try:
            values = dict(record)
            values["checked"] = property_of(values.pop("property"))
            values["left_out"] = {LeftOut(reason): count for reason, count in record["left_out"].items()}
            values["rate"] = rate_from_json(record["rate"])
            values["right"] = right_from_json(record["right"])
            values["trials"] = tuple(TrialResult.from_json(one) for one in record["trials"])
            values["witnesses"] = tuple(Witness.from_json(one) for one in record["witnesses"])
            values["discrimination"] = Discrimination.from_json(record["discrimination"])
            values["proof"] = None if record["proof"] is None else Proof.from_json(record["proof"])
            return cls(**values)
        except InvalidSetting:
            raise
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise InvalidSetting(f"This is no result of a property test: {error!r}.") from error


def _percent(rate: Rate) -> str:
    """Return a share in percent, never 100.0 or 0.0 where it is not."""
    text = f"{100 * rate.value:.1f}"
    if text == "100.0" and rate.count < rate.total:
        return "> 99.9"
    return "< 0.1" if text == "0.0" and rate.count else text
