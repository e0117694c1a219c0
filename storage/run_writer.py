"""Store what a run brings, in batches.

Every row that came in while the last batch was being written goes into the next one, and whoever brought it waits until
it is safe: so a run that is killed loses the calls under way and nothing else.
"""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Callable, Sequence

from storage.database import Database
from storage.judgement_rows import KeptJudgement, insert_judgements
from storage.reply_repository import KeptReply, insert_replies

MOST_AT_ONCE = 500  # rows in one write
MOST_WAITING = 2_000  # rows that may wait while nobody waits for them

Row = KeptReply | KeptJudgement
_Waiting = tuple[Row, asyncio.Future[None] | None]


class RunWriter(threading.Thread):
    """Writes what comes in, all that waits in one transaction."""

    def __init__(
        self,
        database: Database,
        run_id: str,
        seconds: Callable[[], float],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        super().__init__(name=f"moot-writer-{run_id}", daemon=True)
        self._database = database
        self._run_id = run_id
        self._seconds = seconds
        self._loop = loop
        self._waiting: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._trouble: Exception | None = None

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
                    self._write([row for row, _ in batch])
            except Exception as trouble:  # told to every caller that waits, and to the run
                error = self._trouble = trouble
            told = [written for _, written in batch if written is not None]
            if told:
                self._loop.call_soon_threadsafe(_tell, told, error)

    def _batch(self) -> tuple[list[_Waiting], bool]:
        batch: list[_Waiting] = []
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

    def _write(self, rows: Sequence[Row]) -> None:
        with self._database.write() as cursor:
            insert_replies(cursor, [row for row in rows if isinstance(row, KeptReply)])
            insert_judgements(cursor, [row for row in rows if isinstance(row, KeptJudgement)])
            cursor.execute("UPDATE run SET seconds = ? WHERE id = ?", [self._seconds(), self._run_id])


def _tell(written: Sequence[asyncio.Future[None]], error: Exception | None) -> None:
    for future in written:
        if future.done():  # its caller was cancelled
            continue
        if error is None:
            future.set_result(None)
        else:
            future.set_exception(error)


__all__ = ["RunWriter"]
