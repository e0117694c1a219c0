"""Store what a run brings: replies, and what they come to."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import ClassVar, Generic, TypeVar

import duckdb

from core.llm.request import ChatReply, ChatRequest
from storage.batch_writer import BatchWriter
from storage.database import Database
from storage.reply_lookup import ReplyLookup
from storage.reply_repository import KeptReply, insert_replies

Row = TypeVar("Row")


class RunWriter(BatchWriter[KeptReply | Row], Generic[Row]):
    """Writes replies, rows of a kind of run's own, and how long the run has taken; finds what was written before."""

    table: ClassVar[str]  # of the runs

    def __init__(
        self, database: Database, run_id: str, loop: asyncio.AbstractEventLoop, seconds: Callable[[], float]
    ) -> None:
        super().__init__(database, f"moot-writer-{run_id}", loop)
        self.run_id = run_id
        self._seconds = seconds
        self._lookup = ReplyLookup(database)

    @abstractmethod
    def insert(self, cursor: duckdb.DuckDBPyConnection, rows: Sequence[Row]) -> None:
        """Store rows of the run's own kind in a transaction that is open."""

    def store(self, cursor: duckdb.DuckDBPyConnection, rows: Sequence[KeptReply | Row]) -> None:
        """Store rows in a transaction that is open."""
        insert_replies(cursor, [row for row in rows if isinstance(row, KeptReply)])
        self.insert(cursor, [row for row in rows if not isinstance(row, KeptReply)])
        values = [self._seconds(), self.run_id]
        cursor.execute(f"UPDATE {self.table} SET seconds = ? WHERE id = ?", values)  # noqa: S608

    async def stored(self, key: str) -> ChatReply | None:
        """Return the stored reply to a request; None if there is none."""
        return await self._lookup.find(key)

    async def keep(self, request: ChatRequest, reply: ChatReply, cost: float | None) -> None:
        """Store a reply that the run paid for; it is safe when this returns."""
        await self.write(KeptReply(request, reply, self.run_id, cost))


__all__ = ["RunWriter"]
