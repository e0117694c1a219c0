"""One way of asking a judge: the profile changed, the judge changed, or the same once more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import InvalidSetting
from core.perturbations.judge_edit import JudgeEdit
from core.perturbations.perturbation import Perturbation, checked_number
from core.perturbations.registry import perturbation_of


@dataclass(frozen=True)
class Trial:
    """What is changed before a judge is asked; nothing unless given.

    Attributes:
        profile: A change of the profile.
        judge: A change of the judge.
        repeat: Which repeat of the very same question, from 0.
        sample: Which draw, from 0, where chance plays a part in the change of the profile.
    """

    profile: Perturbation | None = None
    judge: JudgeEdit | None = None
    repeat: int = 0
    sample: int = 0

    @property
    def label(self) -> str:
        """Return what is changed, in a few words."""
        words = [part.label for part in (self.profile, self.judge) if part is not None]
        if self.repeat:
            words.append(f"repeat {self.repeat + 1}")
        if self.sample:
            words.append(f"draw {self.sample + 1}")
        return ", ".join(words) or "as recorded"

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values, without what is empty."""
        found: dict[str, Any] = {}
        if self.profile is not None:
            found["profile"] = self.profile.to_json()
        if self.judge is not None:
            found["judge"] = self.judge.to_json()
        return found | {name: number for name in ("repeat", "sample") if (number := getattr(self, name))}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Trial:
        """Return what ``to_json`` wrote.

        Raises:
            InvalidSetting: If it is none.
        """
        if not isinstance(record, Mapping) or not set(record) <= {"profile", "judge", "repeat", "sample"}:
            raise InvalidSetting("A trial has a profile, a judge, a repeat and a sample, all of them optional.")
        judge = record.get("judge")
        return cls(
            perturbation_of(record["profile"]) if "profile" in record else None,
            JudgeEdit.from_json(judge) if isinstance(judge, Mapping) else None,
            checked_number("The repeat", record.get("repeat", 0)),
            checked_number("The sample", record.get("sample", 0)),
        )


BASELINE = Trial()
