"""A client that stops answering, for tests of what is under way when a run is ended."""

from __future__ import annotations

import asyncio
import threading
from typing import Protocol

from core.llm.request import ChatReply, ChatRequest


class Client(Protocol):
    async def complete(self, request: ChatRequest) -> ChatReply: ...


class Gate:
    """Lets some requests through to a client, then lets the others hang, and says so."""

    def __init__(self, client: Client, answered: int) -> None:
        self.client = client
        self.answered = answered
        self.asked: list[ChatRequest] = []
        self.reached = threading.Event()

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        if len(self.asked) <= self.answered:
            return await self.client.complete(request)
        self.reached.set()
        await asyncio.Event().wait()
        raise AssertionError
