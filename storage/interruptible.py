"""Asynchronous work in the thread that wants its result, which any other thread can end at once."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from core.errors import Cancelled

T = TypeVar("T")


class Interruptible:
    """Does one piece of work after the other, each in an event loop of its own, until it is ended."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._task: asyncio.Task[Any] | None = None
        self._ended = threading.Event()

    @property
    def ended(self) -> bool:
        """Return whether somebody ended it."""
        return self._ended.is_set()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what the work comes to.

        Raises:
            Cancelled: If it was ended before or meanwhile.
        """
        try:
            return asyncio.run(self._watched(work))
        except asyncio.CancelledError as error:
            raise Cancelled("It was ended.") from error

    def end(self) -> None:
        """End what is under way at its next wait, and whatever would come after it."""
        with self._guard:
            self._ended.set()
            if self._loop is not None and self._task is not None:
                self._loop.call_soon_threadsafe(self._task.cancel)

    async def _watched(self, work: Coroutine[Any, Any, T]) -> T:
        with self._guard:
            self._loop, self._task = asyncio.get_running_loop(), asyncio.current_task()
            if self._ended.is_set() and self._task is not None:
                self._task.cancel()
        try:
            return await work
        finally:
            with self._guard:  # so that no loop is told anything once it is closed
                self._loop = self._task = None


__all__ = ["Interruptible"]
