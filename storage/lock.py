"""One process owns a database file.

DuckDB's own lock is taken at connect and let go at close, but processes that take turns on one file have lost rows
whose commit was acknowledged. An own lock on a side file, held from before connect until after close, prevents that,
and its content says who holds it.
"""

from __future__ import annotations

import errno
import fcntl
import json
import os
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

from core.errors import DatabaseInUse, UnwritableDatabase

RETRY_SECONDS = 0.1  # between two tries while waiting for a lock


class Holder(StrEnum):
    """What kind of process holds a database. Only the app looks into the inbox."""

    APP = "app"
    COMMAND_LINE = "command line"


@dataclass(frozen=True)
class LockNote:
    """What the holder wrote into the side file; None where the note cannot be read."""

    kind: Holder | None = None
    pid: int | None = None
    since: str | None = None

    def sentence(self) -> str:
        """Return who holds the database and since when, for a person."""
        who = {Holder.APP: "the Moot app", Holder.COMMAND_LINE: "a Moot command", None: "another process"}[self.kind]
        number = "" if self.pid is None else f" (process {self.pid})"
        since = "" if self.since is None else f" since {self.since}"
        return f"{who}{number}{since}"


class FileLock:
    """An exclusive lock, held until ``release`` or the end of the process, however it ends."""

    def __init__(self, descriptor: int, path: Path) -> None:
        self._descriptor: int | None = descriptor
        self.path = path

    @classmethod
    def acquire(cls, database: Path, kind: Holder, wait: float = 0.0) -> FileLock:
        """Return the lock of a database file.

        Args:
            database: The database file; the side file is named after it.
            kind: What this process is, for the next one that asks.
            wait: Seconds to try before giving up.

        Raises:
            DatabaseInUse: If another process, or this one, holds the lock after ``wait`` seconds.
            UnwritableDatabase: If the side file cannot be made or locked.
        """
        path = lock_path(database)
        deadline = time.monotonic() + wait
        while (lock := cls._try(path)) is None:
            if time.monotonic() >= deadline:
                raise in_use(database)
            time.sleep(RETRY_SECONDS)
        lock._write_note(kind)
        return lock

    @classmethod
    def _try(cls, path: Path) -> FileLock | None:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise UnwritableDatabase(
                f"{path.name} cannot be written beside the database ({error.strerror}); "
                "choose a folder that this user may write to."
            ) from error
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            os.close(descriptor)
            if error.errno in (errno.EWOULDBLOCK, errno.EACCES):
                return None
            raise UnwritableDatabase(
                f"{path.name} cannot be locked ({error.strerror}); keep the database on a local disk."
            ) from error
        if not _same_file(descriptor, path):  # somebody deleted the side file between open and lock
            os.close(descriptor)
            return cls._try(path)
        return cls(descriptor, path)

    def _write_note(self, kind: Holder) -> None:
        since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
        note = json.dumps({"pid": os.getpid(), "kind": kind.value, "since": since}).encode()
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, note, 0)

    def release(self) -> None:
        """Let the lock go; a second call does nothing. The side file stays, since deleting it would race."""
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.close(self._descriptor)
            self._descriptor = None


def lock_path(database: Path) -> Path:
    """Return the side file that is locked for a database file."""
    return database.with_name(f"{database.name}.lock")


def read_note(database: Path) -> LockNote:
    """Return what the holder of a database wrote about itself; an empty note if nothing readable is there."""
    try:
        note = json.loads(lock_path(database).read_text("utf-8"))
        return LockNote(Holder(note["kind"]), int(note["pid"]), str(note["since"]))
    except (OSError, ValueError, KeyError, TypeError):
        return LockNote()


def in_use(database: Path) -> DatabaseInUse:
    """Return the error that names the holder of a database and says what to do."""
    note = read_note(database)
    advice = (
        "Use the page that is open, or stop the app first."
        if note.kind is Holder.APP
        else "Wait until it has finished, then try again."
    )
    return DatabaseInUse(f"The database {database.name} is held by {note.sentence()}. {advice}")


def _same_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), os.stat(path))
    except FileNotFoundError:
        return False
