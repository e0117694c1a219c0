"""How far a run is, how fast it goes, and when it may be done."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from core.judgement import JudgementStatus
from core.runs.plan import Run, Spending

FAILED = (JudgementStatus.ERROR,)


@dataclass(frozen=True)
class Progress:
    """One look at a run.

    Attributes:
        run: The run.
        statuses: How many cases ended how.
        spending: What the run's own calls used.
        rate: Cases a minute since it was last started; None where that cannot be told.
    """

    run: Run
    statuses: Mapping[JudgementStatus, int]
    spending: Spending
    rate: float | None = None

    @property
    def total(self) -> int:
        """Return how many cases there are."""
        return self.run.case_count

    @property
    def done(self) -> int:
        """Return how many cases have an outcome, whatever it is."""
        return sum(self.statuses.values())

    @property
    def failed(self) -> int:
        """Return how many cases ended without a reply, and can be tried again."""
        return sum(self.statuses.get(status, 0) for status in FAILED)

    @property
    def left(self) -> int:
        """Return how many cases have no outcome yet."""
        return self.total - self.done

    @property
    def seconds_left(self) -> float | None:
        """Return how long the rest takes at the present rate; None where that cannot be told."""
        if not self.left:
            return 0.0
        return self.left / self.rate * 60.0 if self.rate else None


def progress_line(progress: Progress, currency: str = "USD") -> str:
    """Return a look at a run in one line."""
    spent = progress.spending
    words = [f"{progress.done:,} of {progress.total:,} judged"]
    if progress.failed:
        words.append(f"{progress.failed:,} failed")
    if progress.rate:
        words.append(f"{progress.rate:,.1f} a minute")
    if progress.left and progress.seconds_left is not None:
        words.append(f"about {duration(progress.seconds_left)} left")
    words.append(f"{spent.calls:,} calls")
    words.append(f"{spent.tokens_in + spent.tokens_out:,} tokens")
    words.append(cost_text(spent, currency))
    return " · ".join(words)


def cost_text(spent: Spending, currency: str = "USD") -> str:
    """Return what was spent; what is unknown is said to be."""
    if not spent.calls:
        return "no cost"
    if not spent.unpriced:
        return f"{currency} {spent.money:,.4f}".rstrip("0").rstrip(".")
    if spent.unpriced == spent.calls:
        return "cost unknown"
    return f"{currency} {spent.money:,.4f} and {spent.unpriced:,} calls of unknown cost"


def duration(seconds: float) -> str:
    """Return a time span in one or two units."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


__all__ = ["Progress", "cost_text", "duration", "progress_line"]
