"""Ask a model unless its reply is stored already, and store the reply before anything else happens."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Protocol
from weakref import WeakValueDictionary

from core.errors import CallFailed
from core.llm.endpoint import Endpoint
from core.llm.prices import PriceTable
from core.llm.request import ChatReply, ChatRequest
from core.runs.ledger import Ledger

if TYPE_CHECKING:  # the library behind the client takes most of a second to load, and not every run needs it
    from core.llm.client import ChatClient


class Replies(Protocol):
    """Where replies are kept."""

    async def stored(self, key: str) -> ChatReply | None:
        """Return the stored reply to a request; None if there is none."""
        ...

    async def keep(self, request: ChatRequest, reply: ChatReply, cost: float | None) -> None:
        """Store a reply; it is safe when this returns."""
        ...


class Caller:
    """Gets replies, each paid for once.

    A call is under way until its reply is stored, and no more calls of an endpoint are under way than it allows: so
    that is the most that is lost, whatever ends the program.
    """

    def __init__(self, client: ChatClient, replies: Replies, ledger: Ledger, prices: PriceTable) -> None:
        self._client = client
        self._replies = replies
        self._ledger = ledger
        self._prices = prices
        self._asking: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._slots: dict[Endpoint, asyncio.Semaphore] = {}

    async def reply(self, request: ChatRequest) -> ChatReply:
        """Return the reply to a request: the stored one, or a new one that is stored before this returns.

        Raises:
            CallFailed: If there is none.
            Stopped: If the ledger leaves no room for another call.
        """
        # The very same thing may be asked twice at once; then the second waits for the first one's reply.
        async with self._asking.setdefault(request.key, asyncio.Lock()):
            reply = await self._replies.stored(request.key)
            return await self._call(request) if reply is None else reply

    async def answer(self, request: ChatRequest) -> ChatReply | CallFailed:
        """Return the reply to a request, as ``reply`` does, or why there is none.

        Raises:
            Stopped: If the ledger leaves no room for another call, or all others would fail too.
        """
        try:
            return await self.reply(request)
        except CallFailed as failure:
            self._ledger.failed(failure)
            if failure.hopeless:
                self._ledger.check()
            return failure

    async def _call(self, request: ChatRequest) -> ChatReply:
        endpoint = request.endpoint
        async with self._slots.setdefault(endpoint, asyncio.Semaphore(endpoint.concurrency)):
            self._ledger.begin()
            reply, cost = None, None
            try:
                reply = await self._client.complete(request)
                cost = self._prices.cost(request, reply)
            finally:
                self._ledger.end(reply, cost)
            await self._replies.keep(request, reply, cost)
            return reply


__all__ = ["Caller", "Replies"]
