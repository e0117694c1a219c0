"""The client that asks language models for whatever runs here: keys from the environment, limits kept by all."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from core.llm.endpoint import Endpoint
from core.llm.request import ChatReply, ChatRequest
from storage.call_limits import LIMITS, CallLimits

if TYPE_CHECKING:
    from core.llm.client import ChatClient, Clients


def key_from_environment(endpoint: Endpoint) -> str | None:
    """Return an endpoint's key from the environment variable that it names; None where there is none."""
    return os.environ.get(endpoint.key_variable, "").strip() or None if endpoint.key_variable else None


class ModelClient:
    """Asks any endpoint, when all runs of this process together leave it room for another call.

    Like the clients that it makes, it belongs to the event loop that it is first used in.
    """

    def __init__(
        self, key_for: Callable[[Endpoint], str | None] = key_from_environment, limits: CallLimits = LIMITS
    ) -> None:
        """Take what hands out keys, which are kept nowhere, and the limits; nothing is loaded or sent yet."""
        self._key_for = key_for
        self._limits = limits
        self._clients: Clients | None = None

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Return the reply of the request's endpoint.

        Raises:
            CallFailed: If there is none.
        """
        async with self._limits.turn(request.endpoint):
            if self._clients is None:
                from core.llm.client import Clients  # here, because it takes most of a second to load

                self._clients = Clients(self._key_for)
            return await self._clients.complete(request)

    async def close(self) -> None:
        """Let go of all connections."""
        if self._clients is not None:
            await self._clients.close()


@asynccontextmanager
async def lent(make: Callable[[], ChatClient]) -> AsyncIterator[ChatClient]:
    """Lend a client, and let go of its connections at the end, if it has any."""
    client = make()
    try:
        yield client
    finally:
        closing = getattr(client, "close", None)
        if closing is not None:
            await closing()


__all__ = ["ModelClient", "key_from_environment", "lent"]
