"""What a run is: judges times debates, within a budget, in a state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from enum import StrEnum
from typing import Any

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
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None and not value >= 0:
                raise InvalidSetting(f"The limit on {field.name} is {value}; it must be at least 0.")

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
class Run:
    """A run as stored.

    Attributes:
        id: Short, for people to type.
        name: For people.
        state, reason: Where it stands, and why where that needs saying.
        judges: Ids, in order.
        debate_count: Each judge judges each of them once.
        budget: Its limits.
        created_at, started_at, finished_at: ISO 8601 in UTC; empty where it has not come to that.
    """

    id: str
    name: str
    state: RunState
    reason: str
    judges: tuple[str, ...]
    debate_count: int
    budget: Budget
    created_at: str
    started_at: str = ""
    finished_at: str = ""

    @property
    def case_count(self) -> int:
        """Return how many judgements the run comes to."""
        return len(self.judges) * self.debate_count


__all__ = ["Budget", "Run", "RunState", "Spending"]
