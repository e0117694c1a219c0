"""Where replies are found and kept: for many questions that come up at the same moment, with one query."""

from __future__ import annotations

import asyncio

from core.llm.request import ChatReply, ChatRequest
from storage.database import Database
from storage.reply_repository import KeptReply, ReplyRepository


class ReplyLookup:
    """Looks replies up by their requests' keys; whoever asks within one turn of the event loop is served together."""

    def __init__(self, database: Database) -> None:
        self._replies = ReplyRepository(database)
        self._waiting: dict[str, asyncio.Future[ChatReply | None]] = {}

    async def find(self, key: str) -> ChatReply | None:
        """Return the reply to a request; None if there is none.

        Raises:
            MootError: If the database cannot be read.
        """
        if not self._waiting:
            asyncio.get_running_loop().call_soon(self._read)
        if key not in self._waiting:
            self._waiting[key] = asyncio.get_running_loop().create_future()
        return await asyncio.shield(self._waiting[key])  # others may wait for the same one

    def _read(self) -> None:
        waiting, self._waiting = self._waiting, {}
        try:
            found = self._replies.facts(list(waiting))
        except Exception as error:  # told to everybody who waits; else they would wait for ever
            for future in waiting.values():
                future.set_exception(error)
            return
        for key, future in waiting.items():
            future.set_result(found[key][0] if key in found else None)


class KeptReplies:
    """Where replies are found, and kept as they come, for what is asked outside of a run."""

    def __init__(self, database: Database) -> None:
        self._lookup = ReplyLookup(database)
        self._replies = ReplyRepository(database)

    async def stored(self, key: str) -> ChatReply | None:
        """Return the stored reply to a request; None if there is none."""
        return await self._lookup.find(key)

    async def keep(self, request: ChatRequest, reply: ChatReply, cost: float | None) -> None:
        """Store a reply; it is safe when this returns."""
        self._replies.keep([KeptReply(request, reply, cost=cost)])


__all__ = ["KeptReplies", "ReplyLookup"]
