"""A run under way: a thread which can be ended at once, and the threads of a worker."""

from __future__ import annotations

import logging
import threading
from abc import abstractmethod
from typing import Generic, TypeVar

from core.errors import MootError
from core.roles import MOOT, Person
from core.runs.plan import Run, RunState
from core.runs.progress import Progress
from storage.run_table import RunTable

_log = logging.getLogger("moot.runs")
R = TypeVar("R", bound=Run)


class RunThread(threading.Thread, Generic[R]):
    """One run under way. What it does is a subclass's business."""

    def __init__(self, runs: RunTable[R], run: R, person: Person) -> None:
        """Take where runs are kept, which one it is, and who started it."""
        super().__init__(name=f"moot-run-{run.id}", daemon=True)
        self._runs = runs
        self._run = run
        self._person = person  # who started the run, and then who ended it
        self._asked_to_end: RunState | None = None
        self._guard = threading.Lock()
        # Of our own, because Python 3.11 takes a thread for ended when Ctrl-C interrupts a join.
        self.ended = threading.Event()

    @abstractmethod
    def carry_out(self) -> str:
        """Do what is to be done, and return why it stopped early; an empty text when all is done."""

    @abstractmethod
    def interrupt(self) -> None:
        """Have ``carry_out`` return at once, also if it has not begun; called once, from another thread."""

    @abstractmethod
    def measured(self, progress: Progress[R]) -> Progress[R]:
        """Return a look at what is stored of the run with what is known of it since it was started."""

    def store_end(self, state: RunState, reason: str, person: Person) -> None:
        """Store how the run ended, and on whose account."""
        self._runs.acting_for(person).set_state(self._run.id, state, reason)

    def cancel(self, state: RunState, person: Person) -> None:
        """End the run at once, in this state, because somebody says so."""
        with self._guard:
            if self._asked_to_end is None:
                self._asked_to_end, self._person = state, person
                self.interrupt()

    def run(self) -> None:
        """Carry out the run, and store how it ended."""
        try:
            self._to_the_end()
        finally:
            self.ended.set()

    def _to_the_end(self) -> None:
        name = self._run.id
        try:
            reason = self.carry_out()
            if self._asked_to_end is not None:
                state, reason = self._asked_to_end, ""
            else:
                state = RunState.STOPPED if reason else RunState.DONE
        except Exception as error:  # whatever it is, the run must not look as if it went on
            if not isinstance(error, MootError):
                _log.exception("Run %s met an error", name)
            state, reason = RunState.STOPPED, _first_message(error)
        finally:
            with self._guard:
                self._asked_to_end = self._asked_to_end or RunState.DONE  # too late to cancel
        try:
            self.store_end(state, reason, self._person)
        except MootError as error:
            _log.warning("The end of run %s could not be stored: %s", name, error)


class RunThreads(Generic[R]):
    """The runs of a worker, by id."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self._threads: dict[str, RunThread[R]] = {}

    def start(self, run_id: str, thread: RunThread[R]) -> None:
        """Start a thread; the lock must be held, and no other thread of the run be under way."""
        thread.start()
        self._threads[run_id] = thread

    def under_way(self, run_id: str) -> RunThread[R] | None:
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
