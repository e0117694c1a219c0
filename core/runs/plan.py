"""What a run is, of whatever kind: cases, within a budget, in a state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass, field, replace
from enum import StrEnum
from typing import Any, ClassVar

from core.errors import InvalidSetting


class RunState(StrEnum):
    """Where a run stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"  # every case is judged or honestly marked
    STOPPED = "stopped"  # by its budget, or because going on was no use; the reason says which
    CANCELLED = "cancelled"  # by a person
    INTERRUPTED = "interrupted"  # the program ended while it ran

    @property
    def resumable(self) -> bool:
        """Return whether there may be cases left to judge and nobody is at it."""
        return self not in {RunState.RUNNING, RunState.DONE}


@dataclass(frozen=True)
class Budget:
    """Limits over the whole life of a run, checked before every call; None means no limit.

    Attributes:
        calls: Replies paid for.
        tokens: Sent and received together.
        money: In the price table's currency.
        seconds: Of running.

    Raises:
        InvalidSetting: If a limit is below 0.
    """

    calls: int | None = None
    tokens: int | None = None
    money: float | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            if value is not None and not value >= 0:
                raise InvalidSetting(f"The limit on {name} is {value}; it must be at least 0.")

    def to_json(self) -> dict[str, Any]:
        """Return the limits that are set, as plain JSON values."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Budget:
        """Return the budget that ``to_json`` wrote."""
        return cls(**record)

    def or_else(self, other: Budget) -> Budget:
        """Return these limits, and those of the other where these have none."""
        return replace(other, **self.to_json())


@dataclass(frozen=True)
class Spending:
    """What was spent. ``unpriced`` counts calls whose cost is unknown: then ``money`` is only what is known."""

    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    tokens_cached: int = 0
    money: float = 0.0
    unpriced: int = 0
    seconds: float = 0.0

    @property
    def cost(self) -> float | None:
        """Return the whole cost; None where a part of it is unknown."""
        return None if self.unpriced else self.money

    def plus(self, other: Spending) -> Spending:
        """Return both together."""
        return Spending(*(mine + its for mine, its in zip(astuple(self), astuple(other), strict=True)))

    def excess(self, budget: Budget) -> str | None:
        """Return which limit leaves no room for another call, in a sentence; None where all do."""
        if budget.calls is not None and self.calls >= budget.calls:
            return f"The limit of {budget.calls:,} calls is reached."
        if budget.tokens is not None and self.tokens_in + self.tokens_out >= budget.tokens:
            return f"The limit of {budget.tokens:,} tokens is reached."
        if budget.money is not None and self.money >= budget.money:
            return f"The limit of {budget.money:,.2f} on the cost is reached."
        if budget.money is not None and self.unpriced:
            return "There is a limit on the cost, but the cost of a call is unknown; add its price or drop the limit."
        if budget.seconds is not None and self.seconds >= budget.seconds:
            return f"The limit of {budget.seconds:,.0f} seconds is reached."
        return None


@dataclass(frozen=True)
class RunKind:
    """How people speak of one kind of run.

    Attributes:
        case: One of the things that such a run does.
        done: What those are that have an outcome.
        failed: The outcome of those that can be tried again; None where none is.
        told: Outcomes that a look at the run counts, and what it says of them.
        command: Of the command line.
        retry: What is said before the command that tries the failed ones again.
        partly: Whether a case may have an outcome that is not the whole of it yet.
    """

    case: str
    done: str
    failed: StrEnum | None = None
    told: Mapping[StrEnum, str] = field(default_factory=dict)
    command: str = ""
    retry: str = ""
    partly: bool = False


@dataclass(frozen=True)
class Run:
    """A run as stored; what it does is a matter of its kind.

    Attributes:
        id: Short, for people to type.
        name: For people.
        state, reason: Where it stands, and why where that needs saying.
        total: How many cases it comes to.
        budget: Its limits.
        created_at, started_at, finished_at: ISO 8601 in UTC; empty where it has not come to that.
    """

    kind: ClassVar[RunKind]

    id: str
    name: str
    state: RunState
    reason: str
    total: int
    budget: Budget
    created_at: str
    started_at: str = ""
    finished_at: str = ""


__all__ = ["Budget", "Run", "RunKind", "RunState", "Spending"]
