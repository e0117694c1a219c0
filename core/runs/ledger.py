"""Count what a run spends, and say when to stop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from core.errors import CallFailed, CallFailure, MootError
from core.llm.request import ChatReply
from core.runs.plan import Budget, Spending

MOST_IN_A_ROW = 10  # calls that fail for the endpoint's own reasons, after which going on is no use
THE_ENDPOINT_S_OWN = {CallFailure.CONNECTION, CallFailure.TIMEOUT, CallFailure.RATE_LIMIT, CallFailure.SERVER}


class Ledger:
    """Counts what a run spends and says when to stop."""

    def __init__(self, budget: Budget, spent: Spending, clock: Callable[[], float]) -> None:
        self._budget = budget
        self._spent = spent
        self._clock = clock
        self._started = clock()
        self._under_way = 0
        self._in_a_row = 0
        self.reason = ""

    @property
    def spent(self) -> Spending:
        """Return what the run has spent so far, earlier starts included."""
        return replace(self._spent, seconds=self._spent.seconds + self._clock() - self._started)

    def begin(self) -> None:
        """Note that a call begins.

        Raises:
            Stopped: If the budget leaves no room for it.
        """
        self.check()
        now = self.spent
        excess = replace(now, calls=now.calls + self._under_way).excess(self._budget)
        if excess:
            self.stop(excess)
        self.check()
        self._under_way += 1

    def end(self, reply: ChatReply | None, cost: float | None) -> None:
        """Note that a call ended, with or without a reply."""
        self._under_way -= 1
        if reply is None:
            return
        self._in_a_row = 0
        spent = self._spent
        self._spent = replace(
            spent,
            calls=spent.calls + 1,
            tokens_in=spent.tokens_in + (reply.tokens_in or 0),
            tokens_out=spent.tokens_out + (reply.tokens_out or 0),
            tokens_cached=spent.tokens_cached + (reply.tokens_cached or 0),
            money=spent.money + (cost or 0.0),
            unpriced=spent.unpriced + (cost is None),
        )

    def failed(self, failure: CallFailed) -> None:
        """Note a failure, and stop where all other calls would fail too."""
        if failure.hopeless:
            self.stop(str(failure))
        if failure.kind in THE_ENDPOINT_S_OWN:
            self._in_a_row += 1
            if self._in_a_row >= MOST_IN_A_ROW:
                self.stop(f"{failure}, {self._in_a_row} times in a row")

    def stop(self, reason: str) -> None:
        """Let no further call begin; the first reason is the one that is kept."""
        self.reason = self.reason or reason

    def check(self) -> None:
        """Go on, unless there is a reason to stop.

        Raises:
            Stopped: If there is.
        """
        if self.reason:
            raise Stopped(self.reason)


class Stopped(MootError):
    """A run that goes no further for now."""


__all__ = ["Ledger", "Stopped"]
