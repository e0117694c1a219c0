"""A run of debates as it is stored, and what one would take."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from core.debating.estimate import DebateEstimate
from core.debating.outcome import DebateState
from core.runs.plan import Run, RunKind
from core.runs.progress import effort_line
from core.wording import several

DEBATING = RunKind(
    "debate",
    "debated",
    failed=DebateState.STOPPED,
    told={DebateState.GAPS: "with gaps", DebateState.STOPPED: "stopped"},
    command="run",
    retry="Go on with those that stopped",
)


@dataclass(frozen=True)
class DebateRun(Run):
    """One debate for each of its claims; its name is what its data set is to be called."""

    kind: ClassVar[RunKind] = DEBATING


def estimate_line(expected: DebateEstimate, currency: str = "USD") -> str:
    """Return what a run would take, in one line."""
    effort = effort_line(expected.calls, expected.tokens, expected.cost, currency)
    return f"{several(expected.debates, 'debate')}: about {effort}"


__all__ = ["DEBATING", "DebateRun", "estimate_line"]
