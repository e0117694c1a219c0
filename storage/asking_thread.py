"""A run under way that asks language models: an event loop, a ledger, and a writer for what arrives."""

from __future__ import annotations

import asyncio
import time
from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from core.errors import Cancelled
from core.llm.prices import PriceTable
from core.roles import Person
from core.runs.ledger import Ledger
from core.runs.plan import Run
from core.runs.progress import Progress
from storage.database import Database
from storage.interruptible import Interruptible
from storage.model_client import lent
from storage.run_table import RunTable
from storage.run_thread import RunThread
from storage.run_writer import RunWriter

if TYPE_CHECKING:
    from core.llm.client import ChatClient

R = TypeVar("R", bound=Run)
W = TypeVar("W", bound=RunWriter[Any])


class AskingThread(RunThread[R], Generic[R, W]):
    """One run under way. What is asked, and what the replies come to, is a subclass's business."""

    def __init__(
        self,
        database: Database,
        runs: RunTable[R],
        run: R,
        prices: PriceTable,
        client: Callable[[], ChatClient],
        person: Person,
    ) -> None:
        super().__init__(runs, run, person)
        before = runs.progress(run.id)
        self._database = database
        self._prices = prices
        self._make_client = client
        self._ledger = Ledger(run.budget, before.spending, time.monotonic)
        self._began = time.monotonic()
        self._done_before = before.done
        self._work = Interruptible()

    @abstractmethod
    def make_writer(self, loop: asyncio.AbstractEventLoop, seconds: Callable[[], float]) -> W:
        """Return what writes the run's replies and rows."""

    @abstractmethod
    async def ask(self, client: ChatClient, writer: W) -> str:
        """Ask what is to be asked, and return why it stopped early; it may be cancelled at any time."""

    def carry_out(self) -> str:
        """Ask to the end, write what arrived, and return why it stopped early."""
        try:
            return self._work.run(self._asked())
        except Cancelled:
            return ""

    def interrupt(self) -> None:
        """End the calls under way, and begin no other."""
        self._ledger.stop("The run was ended.")
        self._work.end()

    def measured(self, progress: Progress[R]) -> Progress[R]:
        """Return a look at the run with its rate since it was started."""
        minutes = (time.monotonic() - self._began) / 60.0
        done = progress.done - self._done_before
        spending = replace(progress.spending, seconds=self._ledger.spent.seconds)
        return replace(progress, spending=spending, rate=done / minutes if done > 0 and minutes > 0 else None)

    async def _asked(self) -> str:
        writer = self.make_writer(asyncio.get_running_loop(), lambda: self._ledger.spent.seconds)
        writer.start()
        try:
            async with lent(self._make_client) as client:
                return await self.ask(client, writer)
        finally:
            writer.finish()
            writer.raise_trouble()


__all__ = ["AskingThread"]
