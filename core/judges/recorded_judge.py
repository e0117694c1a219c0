"""Judges whose judgements were made elsewhere and came with the debates: people, and systems outside Moot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.debate import Debate
from core.errors import InvalidSetting
from core.judgement import Judgement


@dataclass(frozen=True)
class RecordedJudge:
    """A judge by the name that the records give it.

    Attributes:
        judge: The name in the records.
        kind: What the records say it is: human, llm, panel, ...
    """

    judge: str
    kind: str = "human"

    def __post_init__(self) -> None:
        if not self.judge.strip():
            raise InvalidSetting("A recorded judge needs the name that the records give it.")

    @property
    def name(self) -> str:
        """Return a readable name that no judge with other settings has."""
        return f"{self.judge} ({self.kind}, as recorded)"

    def settings(self) -> dict[str, Any]:
        """Return the settings as plain JSON values."""
        return {"kind": "recorded", "judge": self.judge, "recorded_kind": self.kind}

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> RecordedJudge:
        """Return the judge that ``settings`` described."""
        return cls(str(settings.get("judge", "")), str(settings.get("recorded_kind", "human")))

    def judgement(self, debate: Debate) -> Judgement | None:
        """Return what the debate's record says this judge decided; None where it says nothing."""
        for recorded in debate.judgements:
            if recorded.judge == self.judge and recorded.kind == self.kind:
                return Judgement(
                    self.name,
                    recorded.score,
                    recorded.verdict,
                    recorded.status,
                    explanation=recorded.explanation,
                    settings={**recorded.settings, **self.settings()},
                )
        return None
