"""Store what a run of judges brings: replies and judgements."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import duckdb

from storage.batch_writer import BatchWriter
from storage.database import Database
from storage.judgement_rows import KeptJudgement, insert_judgements
from storage.reply_repository import KeptReply, insert_replies

Row = KeptReply | KeptJudgement


class RunWriter(BatchWriter[Row]):
    """Writes replies, judgements and how long the run has taken."""

    def __init__(
        self,
        database: Database,
        run_id: str,
        seconds: Callable[[], float],
        loop: asyncio.AbstractEventLoop,
    ) -> None:
        super().__init__(database, f"moot-writer-{run_id}", loop)
        self._run_id = run_id
        self._seconds = seconds

    def store(self, cursor: duckdb.DuckDBPyConnection, rows: Sequence[Row]) -> None:
        """Store rows in a transaction that is open."""
        insert_replies(cursor, [row for row in rows if isinstance(row, KeptReply)])
        insert_judgements(cursor, [row for row in rows if isinstance(row, KeptJudgement)])
        cursor.execute("UPDATE run SET seconds = ? WHERE id = ?", [self._seconds(), self._run_id])


__all__ = ["RunWriter"]
