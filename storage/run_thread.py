"""A run under way: a thread with an event loop of its own, which can be ended at once, and the threads of a worker."""

from __future__ import annotations

import asyncio
import logging
import threading
from abc import abstractmethod
from collections.abc import Coroutine
from typing import Generic, TypeVar

from core.errors import MootError
from core.roles import MOOT, Person
from core.runs.ledger import Ledger
from core.runs.plan import RunState

_log = logging.getLogger("moot.runs")


class RunThread(threading.Thread):
    """One run under way. What it does, and where its end is stored, is a subclass's business."""

    def __init__(self, run_id: str, ledger: Ledger, person: Person) -> None:
        super().__init__(name=f"moot-run-{run_id}", daemon=True)
        self._run_id = run_id
        self._ledger = ledger
        self._person = person  # who started the run, and then who ended it
        self._loop = asyncio.new_event_loop()
        self._task: asyncio.Task[str] | None = None
        self._asked_to_end: RunState | None = None
        self._guard = threading.Lock()
        # Of our own, because Python 3.11 takes a thread for ended when Ctrl-C interrupts a join.
        self.ended = threading.Event()

    @abstractmethod
    def carry_out(self) -> str:
        """Do what is to be done, and return why it stopped early; an empty text when all is done."""

    @abstractmethod
    def store_end(self, state: RunState, reason: str, person: Person) -> None:
        """Store how the run ended, and on whose account."""

    def cancel(self, state: RunState, person: Person) -> None:
        """End the run at once, in this state, because somebody says so."""
        with self._guard:
            if self._asked_to_end is None:
                self._asked_to_end, self._person = state, person
                self._ledger.stop("The run was ended.")
                self._loop.call_soon_threadsafe(self._cancel_task)

    def run(self) -> None:
        """Carry out the run, and store how it ended."""
        try:
            self._to_the_end()
        finally:
            self.ended.set()

    def in_loop(self, work: Coroutine[object, object, str]) -> str:
        """Carry out the part that can be cancelled in the event loop; return its reason, or nothing if cancelled."""
        self._task = self._loop.create_task(work)
        if self._asked_to_end is not None:
            self._task.cancel()
        try:
            return self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            return ""

    def _to_the_end(self) -> None:
        try:
            reason = self.carry_out()
            if self._asked_to_end is not None:
                state, reason = self._asked_to_end, ""
            else:
                state = RunState.STOPPED if reason else RunState.DONE
        except Exception as error:  # whatever it is, the run must not look as if it went on
            if not isinstance(error, MootError):
                _log.exception("Run %s met an error", self._run_id)
            state, reason = RunState.STOPPED, _first_message(error)
        finally:
            with self._guard:
                self._asked_to_end = self._asked_to_end or RunState.DONE  # too late to cancel
                self._loop.close()
        try:
            self.store_end(state, reason, self._person)
        except MootError as error:
            _log.warning("The end of run %s could not be stored: %s", self._run_id, error)

    def _cancel_task(self) -> None:
        if self._task is not None:
            self._task.cancel()


T = TypeVar("T", bound=RunThread)


class RunThreads(Generic[T]):
    """The runs of a worker, by id."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._threads: dict[str, T] = {}

    def start(self, run_id: str, thread: T) -> None:
        """Start a thread; the lock must be held, and no other thread of the run be under way."""
        thread.start()
        self._threads[run_id] = thread

    def under_way(self, run_id: str) -> T | None:
        """Return the thread of a run that is under way; None if it is not."""
        thread = self._threads.get(run_id)
        return None if thread is None or thread.ended.is_set() else thread

    def wait(self, run_id: str, seconds: float | None = None) -> bool:
        """Wait until a run ends, no longer than a time; return whether it has ended."""
        thread = self._threads.get(run_id)
        return True if thread is None else thread.ended.wait(seconds)

    def running(self) -> tuple[str, ...]:
        """Return the ids of the runs that are under way."""
        return tuple(name for name, thread in self._threads.items() if not thread.ended.is_set())

    def stop(self) -> None:
        """End every run and wait for that; they can be resumed."""
        for thread in self._threads.values():
            thread.cancel(RunState.INTERRUPTED, MOOT)
        for thread in self._threads.values():
            thread.ended.wait()


def _first_message(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) if isinstance(error, MootError) else f"Moot met an error of its own: {type(error).__name__}."


__all__ = ["RunThread", "RunThreads"]
