"""Imports that go on in the background: started by a page, seen by every page, stopped by anybody who may import."""

from __future__ import annotations

import itertools
import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from core.errors import Cancelled, MootError
from core.roles import OPERATOR, Permission, Person, require
from storage.database import Database
from storage.dataset import base_name
from storage.import_sink import Watch
from storage.importer import FileReport, Wish, import_file

KEPT = 20  # imports that have ended and are still listed

_log = logging.getLogger("moot.import")


class ImportState(StrEnum):
    """Where an import stands."""

    WAITING = "waiting"  # another one is under way
    RUNNING = "importing"
    DONE = "imported"
    REFUSED = "refused"  # nothing of the file could be read, or it was here already
    CANCELLED = "cancelled"
    FAILED = "failed"

    @property
    def ended(self) -> bool:
        """Return whether nothing more will happen."""
        return self not in (ImportState.WAITING, ImportState.RUNNING)


@dataclass(frozen=True)
class ImportJob:
    """One import as it stands.

    Attributes:
        id: Unique as long as the app runs.
        file: The file's base name.
        person: Who began it.
        state: Where it stands.
        debates: How many are written so far; they are in the database only once it is done.
        share: Which share of the file that was, where it is known.
        seconds: How long it has been at work.
        report: What became of the file, once it has ended well or was refused.
        trouble: What went wrong, in words.
    """

    id: str
    file: str
    person: Person
    state: ImportState = ImportState.WAITING
    debates: int = 0
    share: float | None = None
    seconds: float = 0.0
    report: FileReport | None = None
    trouble: str = ""


class ImportDesk:
    """Carries out imports one after the other, in threads of its own; who closes the page stops nothing."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._jobs: dict[str, ImportJob] = {}
        self._stops: dict[str, threading.Event] = {}
        self._threads: dict[str, threading.Thread] = {}
        self._changing = threading.Lock()
        self._turn = threading.Lock()
        self._numbers = itertools.count(1)

    def start(self, source: Path | bytes, file: str, wish: Wish, afterwards: Callable[[], None] | None = None) -> str:
        """Begin an import and return its id.

        Args:
            source: The file, or its bytes.
            file: What to call it.
            wish: How to import it, and in whose name.
            afterwards: Is called when it has ended, however it did.

        Raises:
            NotAllowed: If the person may not import.
        """
        require(wish.person, Permission.IMPORT)
        job = ImportJob(str(next(self._numbers)), base_name(file), wish.person)
        stop = threading.Event()
        thread = threading.Thread(
            target=self._carry_out,
            args=(job.id, source, file, wish, stop, afterwards),
            name=f"moot-import-{job.id}",
            daemon=True,
        )
        with self._changing:
            self._jobs[job.id] = job
            self._stops[job.id] = stop
            self._threads[job.id] = thread
            for old in [one.id for one in self._jobs.values() if one.state.ended][:-KEPT]:
                del self._jobs[old], self._stops[old], self._threads[old]
        thread.start()
        return job.id

    def jobs(self) -> tuple[ImportJob, ...]:
        """Return every import there is to tell of, the latest first."""
        with self._changing:
            return tuple(reversed(self._jobs.values()))

    def job(self, job_id: str) -> ImportJob | None:
        """Return one import; None once it is forgotten."""
        with self._changing:
            return self._jobs.get(job_id)

    def running(self) -> bool:
        """Return whether any import has not ended."""
        return any(not job.state.ended for job in self.jobs())

    def cancel(self, job_id: str, person: Person = OPERATOR) -> None:
        """Stop an import; nothing of its file is stored then.

        Raises:
            NotAllowed: If the person may not import.
        """
        require(person, Permission.IMPORT)
        with self._changing:
            stop = self._stops.get(job_id)
        if stop is not None:
            stop.set()

    def forget(self, job_id: str) -> None:
        """Take an import that has ended off the list."""
        with self._changing:
            job = self._jobs.get(job_id)
            if job is not None and job.state.ended:
                del self._jobs[job_id], self._stops[job_id], self._threads[job_id]

    def wait(self, job_id: str, seconds: float) -> ImportJob | None:
        """Return an import once it has ended, or as it stands after some seconds."""
        with self._changing:
            thread = self._threads.get(job_id)
        if thread is not None:
            thread.join(seconds)
        return self.job(job_id)

    def stop(self) -> None:
        """Stop every import and wait for that."""
        with self._changing:
            stops, threads = list(self._stops.values()), list(self._threads.values())
        for stop in stops:
            stop.set()
        for thread in threads:
            thread.join()

    def _carry_out(
        self,
        job_id: str,
        source: Path | bytes,
        file: str,
        wish: Wish,
        stop: threading.Event,
        afterwards: Callable[[], None] | None,
    ) -> None:
        try:
            with self._turn:
                if stop.is_set():
                    self._change(job_id, state=ImportState.CANCELLED)
                    return
                began = time.monotonic()
                self._change(job_id, state=ImportState.RUNNING)

                def told(debates: int, share: float | None) -> None:
                    self._change(job_id, debates=debates, share=share, seconds=time.monotonic() - began)

                report = import_file(self._database, source, file, wish, Watch(told, stop.is_set))
                here = any(issue.code == "already_here" for issue in report.issues)
                self._change(
                    job_id,
                    state=ImportState.REFUSED if report.refused or here else ImportState.DONE,
                    report=report,
                    debates=report.debates,
                    share=1.0,
                    seconds=time.monotonic() - began,
                )
        except Cancelled:
            self._change(job_id, state=ImportState.CANCELLED)
        except MootError as error:
            self._change(job_id, state=ImportState.FAILED, trouble=str(error))
        except Exception:  # a bug of ours: it must be seen, and not only in the log
            _log.exception("The import of %r failed.", file)
            trouble = "The import failed because of a mistake in Moot; the program's log has the details."
            self._change(job_id, state=ImportState.FAILED, trouble=trouble)
        finally:
            if afterwards is not None:
                afterwards()

    def _change(self, job_id: str, **values: object) -> None:
        with self._changing:
            if job_id in self._jobs:
                self._jobs[job_id] = replace(self._jobs[job_id], **values)  # type: ignore[arg-type]


__all__ = ["ImportDesk", "ImportJob", "ImportState"]
