"""How a person wants debates judged and shown: one value, kept in the database and read by every page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from core.errors import InvalidSetting
from core.judgement import DecisionRule
from core.judges.semantics_judge import SemanticsJudge, Setting, StanceVariant
from core.semantics import SEMANTICS

DEFAULT_SEMANTICS = ("df-quad", "qe", "euler")


@dataclass(frozen=True)
class Preferences:
    """Judge settings and display choices.

    Attributes:
        semantics: Keys of the semantics shown first, in order; at least one. The first is the main judge.
        conservativeness: kappa >= 1 for the semantics that have it.
        setting: One QBAF for all agents, or one for each.
        variant: What the topic's base score comes from.
        missing_base_score: Stands in for a missing one when judging; None leaves the argument out.
        rule: From score to verdict.
        reviewer: The name offered when a contestation is saved.
        anonymise: Show debaters as "Agent 1", "Agent 2" instead of by name.

    Raises:
        InvalidSetting: If a semantics is unknown, none is chosen, or the conservativeness is below 1.
    """

    semantics: tuple[str, ...] = DEFAULT_SEMANTICS
    conservativeness: float = 1.0
    setting: Setting = Setting.COMBINED
    variant: StanceVariant = StanceVariant.NONE
    missing_base_score: float | None = 0.5
    rule: DecisionRule = field(default_factory=DecisionRule)
    reviewer: str = ""
    anonymise: bool = False

    def __post_init__(self) -> None:
        if not self.semantics:
            raise InvalidSetting("At least one semantics must be chosen.")
        for key in self.semantics:
            self.judge(key)

    def judge(self, semantics: str | None = None) -> SemanticsJudge:
        """Return the judge for one semantics, the main one unless named, under these settings.

        Raises:
            InvalidSetting: If the semantics is unknown.
        """
        key = self.semantics[0] if semantics is None else semantics
        if key not in SEMANTICS:
            raise InvalidSetting(f"There is no semantics {key!r}; there are {', '.join(SEMANTICS)}.")
        return SemanticsJudge(
            semantics=key,
            conservativeness=self.conservativeness if SEMANTICS[key].has_conservativeness else 1.0,
            setting=self.setting,
            variant=self.variant,
            rule=self.rule,
            missing_base_score=self.missing_base_score,
        )

    def pinned_judges(self) -> tuple[SemanticsJudge, ...]:
        """Return the judges of the chosen semantics, in order."""
        return tuple(self.judge(key) for key in self.semantics)

    def all_judges(self) -> tuple[SemanticsJudge, ...]:
        """Return a judge for every registered semantics, the chosen ones first."""
        return tuple(self.judge(key) for key in dict.fromkeys([*self.semantics, *SEMANTICS]))

    def judging(self) -> dict[str, Any]:
        """Return what bears on judgements, as plain JSON values: everything but names and looks."""
        return {key: value for key, value in self.to_json().items() if key not in ("reviewer", "anonymise")}

    def to_json(self) -> dict[str, Any]:
        """Return the preferences as plain JSON values."""
        return {
            "semantics": list(self.semantics),
            "conservativeness": self.conservativeness,
            "setting": self.setting.value,
            "variant": self.variant.value,
            "missing_base_score": self.missing_base_score,
            "threshold": self.rule.threshold,
            "abstention": self.rule.abstention,
            "strict": self.rule.strict,
            "reviewer": self.reviewer,
            "anonymise": self.anonymise,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Preferences:
        """Return the preferences that ``to_json`` wrote; what is absent or no longer valid takes its default."""
        kept = cls()
        rule = {key: record[key] for key in ("threshold", "abstention", "strict") if key in record}
        changes: dict[str, Any] = {
            "semantics": lambda: tuple(key for key in record["semantics"] if key in SEMANTICS),
            "conservativeness": lambda: float(record["conservativeness"]),
            "setting": lambda: Setting(record["setting"]),
            "variant": lambda: StanceVariant(record["variant"]),
            "missing_base_score": lambda: record["missing_base_score"],
            "rule": lambda: DecisionRule(**rule),
            "reviewer": lambda: str(record["reviewer"]),
            "anonymise": lambda: bool(record["anonymise"]),
        }
        for name, read in changes.items():
            try:
                kept = replace(kept, **{name: read()})
            except (KeyError, TypeError, ValueError):  # InvalidSetting is a ValueError
                continue
        return kept
