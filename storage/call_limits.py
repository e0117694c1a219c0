"""Keep to what endpoints allow, over all runs of this process together.

An endpoint is known by its address here: whoever asks it, and in whichever run, waits in one line for it.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from core.llm.endpoint import Endpoint


@dataclass
class _Line:
    """Calls of one address: how many are under way, when the next may begin, and who waits, with what they allow."""

    under_way: int = 0
    next_start: float = 0.0
    waiting: deque[tuple[int, Future[None]]] = field(default_factory=deque)


class CallLimits:
    """Lets calls begin, first come, first served. Whoever waits may be in any thread, with an event loop of its own."""

    def __init__(
        self,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._clock = clock
        self._sleep = sleep
        self._lock = threading.Lock()
        self._lines: dict[str, _Line] = {}

    @asynccontextmanager
    async def turn(self, endpoint: Endpoint) -> AsyncIterator[None]:
        """Wait until the endpoint allows another call, which is under way as long as the context is open."""
        with self._lock:
            line = self._lines.setdefault(endpoint.base_url, _Line())
        await self._enter(line, endpoint.concurrency)
        try:
            if endpoint.calls_per_minute is not None:
                await self._sleep(self._until_start(line, 60.0 / endpoint.calls_per_minute))
            yield
        finally:
            self._leave(line)

    async def _enter(self, line: _Line, most: int) -> None:
        admitted: Future[None] = Future()
        with self._lock:
            line.waiting.append((most, admitted))
            self._admit(line)
        try:
            await asyncio.wrap_future(admitted)
        except asyncio.CancelledError:
            if not admitted.cancel():  # it was let in at this very moment
                self._leave(line)
            raise

    def _leave(self, line: _Line) -> None:
        with self._lock:
            line.under_way -= 1
            self._admit(line)

    def _admit(self, line: _Line) -> None:
        """Let in whoever is next, as long as there is room; the lock must be held."""
        while line.waiting:
            most, admitted = line.waiting[0]
            if line.under_way >= most and not admitted.cancelled():
                return
            line.waiting.popleft()
            if admitted.set_running_or_notify_cancel():
                line.under_way += 1
                admitted.set_result(None)

    def _until_start(self, line: _Line, interval: float) -> float:
        """Take the next free moment to begin a call, and return how many seconds it is away."""
        with self._lock:
            now = self._clock()
            start = max(now, line.next_start)
            line.next_start = start + interval
        return start - now


LIMITS = CallLimits()  # of this process

__all__ = ["LIMITS", "CallLimits"]
