"""A run of debates as it is stored, and a look at how far it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.debating.estimate import DebateEstimate
from core.debating.outcome import DebateState
from core.runs.plan import Budget, RunState, Spending
from core.runs.progress import cost_text, duration
from core.wording import several


@dataclass(frozen=True)
class DebateRun:
    """A run as stored.

    Attributes:
        id: Short, for people to type.
        name: What its data set is to be called.
        state, reason: Where it stands, and why where that needs saying.
        claim_count: How many debates it comes to.
        budget: Its limits.
        created_at, started_at, finished_at: ISO 8601 in UTC; empty where it has not come to that.
    """

    id: str
    name: str
    state: RunState
    reason: str
    claim_count: int
    budget: Budget
    created_at: str
    started_at: str = ""
    finished_at: str = ""


@dataclass(frozen=True)
class LiveDebate:
    """A debate under way: which claim, how many calls have ended, and what is being asked, each in words."""

    claim_id: str
    claim: str
    calls: int
    asking: tuple[str, ...]


@dataclass(frozen=True)
class DebateProgress:
    """One look at a run.

    Attributes:
        run: The run.
        states: How many debates came how far; open ones are those without an outcome.
        spending: What the run's own calls used.
        rate: Debates a minute since it was last started; None where that cannot be told.
        live: The debates under way, in the order in which they began.
    """

    run: DebateRun
    states: Mapping[DebateState, int]
    spending: Spending
    rate: float | None = None
    live: tuple[LiveDebate, ...] = field(default=())

    @property
    def total(self) -> int:
        """Return how many debates there are to be."""
        return self.run.claim_count

    @property
    def done(self) -> int:
        """Return how many have an outcome, whatever it is."""
        return self.total - self.left

    @property
    def left(self) -> int:
        """Return how many have none yet."""
        return self.states.get(DebateState.OPEN, 0)

    @property
    def failed(self) -> int:
        """Return how many stopped for want of a reply, and can be tried again."""
        return self.states.get(DebateState.STOPPED, 0)

    @property
    def seconds_left(self) -> float | None:
        """Return how long the rest takes at the present rate; None where that cannot be told."""
        if not self.left:
            return 0.0
        return self.left / self.rate * 60.0 if self.rate else None


def debate_progress_line(progress: DebateProgress, currency: str = "USD") -> str:
    """Return a look at a run in one line."""
    spent = progress.spending
    words = [f"{progress.done:,} of {progress.total:,} debated"]
    if progress.states.get(DebateState.GAPS):
        words.append(f"{progress.states[DebateState.GAPS]:,} with gaps")
    if progress.failed:
        words.append(f"{progress.failed:,} stopped")
    if progress.live:
        words.append(f"{len(progress.live):,} under way")
    if progress.rate:
        words.append(f"{progress.rate:,.1f} a minute")
    if progress.left and progress.seconds_left is not None:
        words.append(f"about {duration(progress.seconds_left)} left")
    words.append(f"{spent.calls:,} calls")
    words.append(f"{spent.tokens_in + spent.tokens_out:,} tokens")
    words.append(cost_text(spent, currency))
    return " · ".join(words)


def estimate_line(expected: DebateEstimate, currency: str = "USD") -> str:
    """Return what a run would take, in one line."""
    cost = "cost unknown" if expected.cost is None else f"about {currency} {expected.cost:,.2f}"
    return (
        f"{several(expected.debates, 'debate')}: about {several(expected.calls, 'call')}, "
        f"{expected.tokens:,} tokens, {cost}"
    )


def begun_line(run: DebateRun) -> str:
    """Return which run it is, in one line."""
    return f"Run {run.id}: {run.name}, {several(run.claim_count, 'debate')}"


def report_lines(progress: DebateProgress, currency: str = "USD") -> list[str]:
    """Return how a run ended, for the command line."""
    run, spent = progress.run, progress.spending
    counts = ", ".join(f"{count:,} {state.value}" for state, count in sorted(progress.states.items()) if count)
    sent = f"{spent.tokens_in:,} tokens sent, {spent.tokens_out:,} received"
    lines = [
        f"Run {run.id} is {run.state.value}{f': {run.reason}' if run.reason else ''}",
        f"  {progress.done:,} of {several(progress.total, 'debate')}: {counts}",
        f"  {several(spent.calls, 'call')}, {sent}, {cost_text(spent, currency)}",
    ]
    if run.state.resumable:
        lines.append(f"  Go on with: python cli.py run --resume {run.id}")
    if progress.failed:
        lines.append(f"  Go on with those that stopped: python cli.py run --resume {run.id} --retry-failed")
    return lines


__all__ = [
    "DebateProgress", "DebateRun", "LiveDebate", "begun_line", "debate_progress_line", "estimate_line", "report_lines",
]  # fmt: skip
