"""Changes of a judge: one setting moved or replaced."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from core.errors import InvalidSetting
from core.judgement import Judge
from core.judges.llm_judge import LlmJudge
from core.llm.prompts import PromptSet
from core.perturbations.perturbation import plain

HOTTEST = 2.0  # as far as endpoints let the temperature go
AnyKind = Judge | LlmJudge
Changed = TypeVar("Changed", bound=Judge | LlmJudge)
PromptFinder = Callable[[str, str | None], PromptSet]


class JudgeEditKind(StrEnum):
    """What is changed."""

    SHIFT_TEMPERATURE = "shift temperature"
    SHIFT_CONSERVATIVENESS = "shift conservativeness"
    SET_TEMPERATURE = "set temperature"
    SET_CONSERVATIVENESS = "set conservativeness"
    SET_SEMANTICS = "set semantics"
    SET_NAMING = "set naming"
    SET_STANCE = "set stance"
    SET_VARIANT = "set variant"
    SET_PROMPTS = "set prompts"
    SET_SEED = "set seed"


_SHIFTS = (JudgeEditKind.SHIFT_TEMPERATURE, JudgeEditKind.SHIFT_CONSERVATIVENESS)
_FIELDS = {kind: kind.value.split(" ", 1)[1] for kind in JudgeEditKind}


@dataclass(frozen=True)
class JudgeEdit:
    """One change of a judge's settings: the same judge otherwise.

    Any judge that is a dataclass with a field of that name can be changed, also one that a user adds.

    Attributes:
        kind: What is changed.
        value: The signed size of a shift, or the new value. A set of prompts is meant by its name.
    """

    kind: JudgeEditKind
    value: float | str | int

    def __post_init__(self) -> None:
        object.__setattr__(self, "kind", JudgeEditKind(self.kind))
        if isinstance(self.value, bool) or not isinstance(self.value, (int, float, str)):
            raise InvalidSetting(f"The value of {self.kind.value!r} is {self.value!r}; it must be a number or a text.")
        if self.kind in _SHIFTS and isinstance(self.value, str):
            raise InvalidSetting(f"The edit {self.kind.value!r} needs a number, not {self.value!r}.")

    @property
    def label(self) -> str:
        """Return what it does."""
        name = _FIELDS[self.kind]
        return f"{name} {self.value:+g}" if self.kind in _SHIFTS else f"{name} {self.value}"

    def fits(self, judge: Changed) -> bool:
        """Return whether the judge has the setting and becomes another one by the value."""
        try:
            return self.apply(judge) != judge
        except InvalidSetting:
            return False

    def apply(self, judge: Changed, prompts: PromptFinder | None = None) -> Changed:
        """Return the changed judge.

        Args:
            judge: Which.
            prompts: Finds sets of prompts by name; only needed to change these.

        Raises:
            InvalidSetting: If the judge has no such setting, or cannot take the value.
        """
        name, who = _FIELDS[self.kind], judge.name
        if not dataclasses.is_dataclass(judge) or name not in {field.name for field in dataclasses.fields(judge)}:
            raise InvalidSetting(f"The judge {who!r} has no setting {name!r} that could be changed.")
        before = getattr(judge, name)
        if self.kind is JudgeEditKind.SET_PROMPTS:
            if prompts is None:
                raise InvalidSetting("Nothing is there to find other prompts with.")
            changed: Changed = _replaced(judge, name, prompts(str(self.value), None))
            return changed
        try:
            after = self._shifted(before) if self.kind in _SHIFTS else self._like(before)
            changed = _replaced(judge, name, after)
            return changed
        except InvalidSetting:
            raise
        except (TypeError, ValueError) as error:
            raise InvalidSetting(f"The judge {who!r} cannot take the {name} {self.value!r}.") from error

    def to_json(self) -> dict[str, Any]:
        """Return it as plain JSON values."""
        return {"kind": self.kind.value, "value": plain(self.value)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> JudgeEdit:
        """Return what ``to_json`` wrote.

        Raises:
            InvalidSetting: If it is none.
        """
        try:
            return cls(**record)
        except InvalidSetting:
            raise
        except (TypeError, ValueError) as error:
            raise InvalidSetting(f"This is no change of a judge that Moot knows: {dict(record)!r}.") from error

    def _shifted(self, before: object) -> float:
        if isinstance(before, bool) or not isinstance(before, (int, float)):
            raise InvalidSetting(f"The {_FIELDS[self.kind]} is {before!r}, so it cannot be shifted.")
        after = round(before + float(self.value), 12)
        if self.kind is JudgeEditKind.SHIFT_TEMPERATURE and not 0.0 <= after <= HOTTEST:
            raise InvalidSetting(f"The temperature would be {after:g}; it must lie in [0, {HOTTEST:g}].")
        return after

    def _like(self, before: object) -> object:
        return type(before)(str(self.value)) if isinstance(before, StrEnum) else self.value


def _replaced(judge: Any, name: str, value: object) -> Any:
    return dataclasses.replace(judge, **{name: value})


__all__ = ["AnyKind", "JudgeEdit", "JudgeEditKind", "PromptFinder"]
