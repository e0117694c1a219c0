"""How far a run is, how fast it goes, and when it may be done; the same for all kinds of runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from core.runs.plan import Run, Spending
from core.wording import several

R = TypeVar("R", bound=Run)


@dataclass(frozen=True)
class LiveCase:
    """A case under way: its id and text, how many calls have ended, and what is being asked, each in words."""

    id: str
    text: str
    calls: int
    asking: tuple[str, ...]


@dataclass(frozen=True)
class EndedCall:
    """A question that was answered, or was not: of which case, what it was, how it went, and on which replies it rests.

    Attributes:
        case: The case's id.
        asked: What was asked, in words.
        ended: How it went, in a word or two.
        keys: The requests whose replies count, the last one most; none where there is no reply.
    """

    case: str
    asked: str
    ended: str
    keys: tuple[str, ...]


@dataclass(frozen=True)
class Progress(Generic[R]):
    """One look at a run.

    Attributes:
        run: The run.
        outcomes: How many cases ended how; those that are open are not among them.
        spending: What the run's own calls used.
        rate: Cases a minute since it was last started; None where that cannot be told.
        live: The cases under way, in the order in which they began, where the run tells.
        recent: The questions that ended last, the latest first, where the run tells.
        trouble: Why the first of the cases that failed has no reply; empty where none failed.
        within: How much of the present case is done, in [0, 1], where cases are long and the run tells.
    """

    run: R
    outcomes: Mapping[StrEnum, int]
    spending: Spending
    rate: float | None = None
    live: tuple[LiveCase, ...] = ()
    recent: tuple[EndedCall, ...] = ()
    trouble: str = ""
    within: float = 0.0

    @property
    def total(self) -> int:
        """Return how many cases there are."""
        return self.run.total

    @property
    def done(self) -> int:
        """Return how many cases have an outcome, whatever it is."""
        return sum(self.outcomes.values())

    @property
    def failed(self) -> int:
        """Return how many cases ended without a reply, and can be tried again."""
        failed = self.run.kind.failed
        return 0 if failed is None else self.outcomes.get(failed, 0)

    @property
    def in_vain(self) -> bool:
        """Return whether there are cases and not one of them got a reply, though all have ended."""
        return 0 < self.total == self.failed

    @property
    def trouble_line(self) -> str:
        """Return why cases failed, in a sentence; empty where none did or the reason is unknown."""
        if not self.failed or not self.trouble:
            return ""
        return self.trouble if self.failed == 1 else f"The first: {self.trouble}"

    @property
    def left(self) -> int:
        """Return how many cases have no outcome yet."""
        return self.total - self.done

    @property
    def can_go_on(self) -> bool:
        """Return whether something is left to do and nobody is at it."""
        return self.run.state.resumable and (self.left > 0 or self.run.kind.partly)

    @property
    def share(self) -> float:
        """Return how much of the run is done, in [0, 1]."""
        return min(1.0, (self.done + self.within) / self.total) if self.total else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Return how long the rest takes at the present rate; None where that cannot be told."""
        if not self.left:
            return 0.0
        return self.left / self.rate * 60.0 if self.rate else None


def begun_line(run: Run) -> str:
    """Return what is said once a run begins."""
    return f"Run {run.id}: {run.name}, {several(run.total, run.kind.case)}"


def progress_line(progress: Progress[R], currency: str = "USD") -> str:
    """Return a look at a run in one line."""
    kind, spent = progress.run.kind, progress.spending
    words = [f"{progress.done:,} of {progress.total:,} {kind.done}"]
    words += [f"{progress.outcomes[how]:,} {said}" for how, said in kind.told.items() if progress.outcomes.get(how)]
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


def report_lines(progress: Progress[R], currency: str = "USD") -> list[str]:
    """Return how a run ended, for the command line."""
    run, kind, spent = progress.run, progress.run.kind, progress.spending
    counts = ", ".join(f"{count:,} {how.value}" for how, count in sorted(progress.outcomes.items()) if count)
    sent = f"{spent.tokens_in:,} tokens sent, {spent.tokens_out:,} received"
    lines = [
        f"Run {run.id} is {run.state.value}{f': {run.reason}' if run.reason else ''}",
        f"  {progress.done:,} of {several(progress.total, kind.case)}{f': {counts}' if counts else ''}",
        f"  {several(spent.calls, 'call')}, {sent}, {cost_text(spent, currency)}",
    ]
    if progress.trouble_line:
        lines.append(f"  {progress.trouble_line}")
    again = f"python cli.py {kind.command} --resume {run.id}"
    if run.state.resumable:
        lines.append(f"  Go on with: {again}")
    if progress.failed:
        lines.append(f"  {kind.retry}: {again} --retry-failed")
    return lines


def cost_text(spent: Spending, currency: str = "USD") -> str:
    """Return what was spent; what is unknown is said to be."""
    if not spent.calls:
        return "no cost"
    if not spent.unpriced:
        return f"{currency} {spent.money:,.4f}".rstrip("0").rstrip(".")
    if spent.unpriced == spent.calls:
        return "cost unknown"
    return f"{currency} {spent.money:,.4f} and {spent.unpriced:,} calls of unknown cost"


def cost_ahead(cost: float | None, currency: str = "USD") -> str:
    """Return what something will cost, roughly; what is unknown is said to be.

    Args:
        cost: In the currency, 0 or more; None where a price is unknown.
        currency: Of the price table.
    """
    if cost is None:
        return "cost unknown, as a price is missing"
    if not cost:
        return "no cost"
    return f"about {currency} {cost:,.2f}" if cost >= 0.005 else f"less than {currency} 0.01"


def effort_line(calls: int, tokens: int, cost: float | None, currency: str = "USD") -> str:
    """Return what something will take of language models, in one line."""
    return f"{several(calls, 'call')}, about {several(tokens, 'token')}, {cost_ahead(cost, currency)}"


def duration(seconds: float) -> str:
    """Return a time span in one or two units."""
    whole = max(0, round(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"


__all__ = [
    "EndedCall", "LiveCase", "Progress", "begun_line", "cost_ahead", "cost_text", "duration", "effort_line",
    "progress_line", "report_lines",
]  # fmt: skip
