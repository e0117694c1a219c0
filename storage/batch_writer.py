"""Store what comes in, in batches.

Every row that came in while the last batch was being written goes into the next one, and whoever brought it waits until
it is safe: so a run that is killed loses the calls under way and nothing else.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from abc import abstractmethod
from collections.abc import Sequence
from typing import Generic, TypeVar

import duckdb

from storage.database import Database

MOST_AT_ONCE = 500  # rows in one write
MOST_WAITING = 2_000  # rows that may wait while nobody waits for them

Row = TypeVar("Row")


class BatchWriter(threading.Thread, Generic[Row]):
    """Writes what comes in, all that waits in one transaction. Which rows go where is a subclass's business."""

    def __init__(self, database: Database, name: str, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(name=name, daemon=True)
        self._database = database
        self._loop = loop
        self._waiting: queue.SimpleQueue[tuple[Row, asyncio.Future[None] | None] | None] = queue.SimpleQueue()
        self._trouble: Exception | None = None

    @abstractmethod
    def store(self, cursor: duckdb.DuckDBPyConnection, rows: Sequence[Row]) -> None:
        """Store rows in a transaction that is open."""

    async def write(self, row: Row) -> None:
        """Store a row and return when it is safe; it is stored also if the caller is cancelled meanwhile."""
        written: asyncio.Future[None] = self._loop.create_future()
        self._waiting.put((row, written))
        await written

    async def put(self, row: Row) -> None:
        """Hand a row over to be stored soon: for what can be worked out again from what is stored.

        Raises:
            MootError: If writing has failed.
        """
        self.raise_trouble()
        if self._waiting.qsize() >= MOST_WAITING:
            await self.write(row)
        else:
            self._waiting.put((row, None))

    def finish(self) -> None:
        """Write what waits and end."""
        self._waiting.put(None)
        self.join()

    def raise_trouble(self) -> None:
        """Raise what went wrong in writing, if anything did."""
        if self._trouble is not None:
            raise self._trouble

    def run(self) -> None:
        """Write batch after batch until told to finish."""
        go_on = True
        while go_on:
            batch, go_on = self._batch()
            error: Exception | None = None
            try:
                if batch:
                    with self._database.write() as cursor:
                        self.store(cursor, [row for row, _ in batch])
            except Exception as trouble:  # told to every caller that waits, and to the run
                error = self._trouble = trouble
            told = [written for _, written in batch if written is not None]
            if told:
                self._loop.call_soon_threadsafe(_tell, told, error)

    def _batch(self) -> tuple[list[tuple[Row, asyncio.Future[None] | None]], bool]:
        batch: list[tuple[Row, asyncio.Future[None] | None]] = []
        entry = self._waiting.get()
        while entry is not None:
            batch.append(entry)
            if len(batch) >= MOST_AT_ONCE:
                return batch, True
            try:
                entry = self._waiting.get_nowait()
            except queue.Empty:
                return batch, True
        return batch, False


def _tell(written: Sequence[asyncio.Future[None]], error: Exception | None) -> None:
    for future in written:
        if future.done():  # its caller was cancelled
            continue
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)


__all__ = ["BatchWriter"]
