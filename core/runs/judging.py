"""A run of judges over debates, as it is stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.judgement import JudgementStatus
from core.runs.plan import Run, RunKind

JUDGING = RunKind(
    "case",
    "judged",
    failed=JudgementStatus.ERROR,
    told={JudgementStatus.ERROR: "failed"},
    command="judge",
    retry="Try the failed ones again with",
)


@dataclass(frozen=True, kw_only=True)
class JudgingRun(Run):
    """Judges times debates: each judge judges each debate once. ``judges`` are ids, in order."""

    kind: ClassVar[RunKind] = JUDGING
    judges: tuple[str, ...]

    @property
    def debate_count(self) -> int:
        """Return how many debates each judge judges."""
        return self.total // len(self.judges)


__all__ = ["JUDGING", "JudgingRun"]
