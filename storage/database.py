"""Open the database file, bring it up to date, and hand out cursors for reading and writing."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb

from core.errors import MootError, NewerDatabase, UnreadableDatabase, UnwritableDatabase
from storage.audit_trail import AuditTrail, Logged, head_of
from storage.lock import FileLock, Holder, in_use
from storage.migrations import AUDIT, Migration, all_migrations

IN_MEMORY = ":memory:"
MAGIC, MAGIC_AT = b"DUCK", 8  # where every DuckDB file says what it is
CLOSE_SECONDS = 10.0  # how long close() waits for readers that are still at work
APP_SECONDS = 5.0  # how long the app waits for a command to finish

# Nothing in a debate can make the database open another file or load an extension.
CONFIGURATION: dict[str, str | bool | int | float | list[str]] = {
    "enable_external_access": False,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
}


class Database:
    """One open database file, shared by all threads of the process that owns it."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, path: Path | None, lock: FileLock | None) -> None:
        self._connection = connection
        self._lock = lock
        self._write_lock = threading.Lock()
        self._bulk_lock = threading.Lock()
        self._users = threading.Condition()
        self._in_use = 0
        self._closed = False
        self._trail = AuditTrail(path)
        self.path = path

    @classmethod
    def open(
        cls,
        path: Path | str,
        kind: Holder = Holder.COMMAND_LINE,
        wait: float | None = None,
        migrations: Sequence[Migration] | None = None,
    ) -> Database:
        """Return the database at a path, made if absent and migrated if old.

        Args:
            path: The file, or ``":memory:"`` for one that is gone when closed.
            kind: What this process is, for the message that a second process shows.
            wait: Seconds to wait for another process to let go of the file; unless given, the app waits a little,
                since a command may be looking in while it starts.
            migrations: The steps to apply; all there are unless given.

        Raises:
            DatabaseInUse: If another process holds the file.
            NewerDatabase: If a newer version of Moot wrote the file.
            UnreadableDatabase: If the file is damaged, or is not a database of Moot's.
            UnwritableDatabase: If the folder cannot be made or written to, or the disk is full.
        """
        steps = all_migrations() if migrations is None else tuple(migrations)
        if str(path) == IN_MEMORY:
            database = cls(duckdb.connect(IN_MEMORY, config=CONFIGURATION), None, None)
            database._migrate(steps)
            return database
        file = Path(path).absolute()
        _make_folder(file.parent)
        patience = APP_SECONDS if kind is Holder.APP else 0.0
        lock = FileLock.acquire(file, kind, patience if wait is None else wait)
        try:
            return cls._open_locked(file, lock, steps)
        except BaseException:
            lock.release()
            raise

    @classmethod
    def _open_locked(cls, file: Path, lock: FileLock, steps: Sequence[Migration]) -> Database:
        if file.is_file() and file.stat().st_size == 0:
            file.unlink()  # a process that died while making the file left nothing in it
        _refuse_other_files(file)
        database = cls(_connect(file), file, lock)
        try:
            version = database._version(file)
            if version > steps[-1].version:
                raise NewerDatabase(
                    f"{file.name} has schema {version}, and this version of Moot knows schemas up to "
                    f"{steps[-1].version}; update Moot, or choose another file."
                )
            if 0 < version < steps[-1].version:
                database._connection.close()  # closing writes everything into the one file that is copied
                _back_up(file, version)
                database._connection = _connect(file)
            database._migrate(steps)
        except BaseException:
            database._connection.close()
            raise
        return database

    @contextmanager
    def read(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Lend a cursor of the caller's own; all it reads is from one moment.

        Raises:
            MootError: If the database is closed, or can no longer be read.
        """
        with self._lent(), self._connection.cursor() as cursor, _readable_errors(self.path):
            cursor.begin()
            try:
                yield cursor
            finally:
                _roll_back(cursor)

    @contextmanager
    def write(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Lend a cursor inside a transaction: committed at the end, rolled back on any error.

        Writers queue, because two that change one row at once would conflict.

        Raises:
            UnwritableDatabase: If the disk is full or the file can no longer be written.
            MootError: If the database is closed.
        """
        with self._transaction(self._write_lock) as cursor:
            yield cursor

    @contextmanager
    def write_bulk(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Lend a cursor as ``write`` does, for adding and removing datasets, which takes long.

        It queues with its like only, so that nobody's save waits for an import; the two change different tables.
        """
        with self._transaction(self._bulk_lock) as cursor:
            yield cursor

    @contextmanager
    def log(self, *, bulk: bool = False) -> Iterator[Logged]:
        """Lend a cursor as ``write`` or ``write_bulk`` do, with a log for what is changed.

        What is logged is committed with the change, or neither is.
        """
        with self._transaction(self._bulk_lock if bulk else self._write_lock, commits=False) as cursor:
            logged = Logged(cursor)
            yield logged
            self._trail.commit(self._connection, cursor, logged.changes)

    @property
    def trail(self) -> AuditTrail:
        """Return the end of the audit log."""
        return self._trail

    def close(self) -> None:
        """Finish what is being written, close the file and let go of it; a second call does nothing."""
        with self._bulk_lock, self._write_lock, self._users:
            if self._closed:
                return
            self._closed = True
            idle = self._users.wait_for(lambda: self._in_use == 0, CLOSE_SECONDS)
            self._connection.close()
            # While a reader still holds a cursor, DuckDB keeps the file: then the lock stays until the process ends.
            if self._lock is not None and idle:
                self._lock.release()

    @property
    def closed(self) -> bool:
        """Return whether ``close`` was called."""
        return self._closed

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _transaction(self, queue: threading.Lock, *, commits: bool = True) -> Iterator[duckdb.DuckDBPyConnection]:
        with queue, self._lent(), self._connection.cursor() as cursor, _readable_errors(self.path):
            cursor.begin()
            try:
                yield cursor
                if commits:
                    cursor.commit()
            except BaseException:
                _roll_back(cursor)
                raise

    @contextmanager
    def _lent(self) -> Iterator[None]:
        with self._users:
            if self._closed:
                raise MootError("The database is closed; open it again.")
            self._in_use += 1
        try:
            yield
        finally:
            with self._users:
                self._in_use -= 1
                self._users.notify_all()

    def _version(self, file: Path) -> int:
        """Return the version of the newest step applied; 0 for an empty file."""
        with self.read() as cursor:
            tables = {name for (name,) in cursor.execute("SELECT table_name FROM duckdb_tables()").fetchall()}
        if tables and "schema_version" not in tables:
            raise UnreadableDatabase(f"{file.name} is a database of another program; choose another file.")
        return schema_version(self) if tables else 0

    def _migrate(self, steps: Sequence[Migration]) -> None:
        with self.write() as cursor:
            cursor.execute(
                "CREATE TABLE IF NOT EXISTS schema_version "
                "(version INTEGER PRIMARY KEY, name VARCHAR NOT NULL, applied_at TIMESTAMP NOT NULL)"
            )
            done = {number for (number,) in cursor.execute("SELECT version FROM schema_version").fetchall()}
        for step in steps:
            if step.version not in done:
                with self.write() as cursor:
                    cursor.execute(step.sql)
                    if step.then is not None:
                        step.then(cursor)
                    cursor.execute(
                        "INSERT INTO schema_version VALUES (?, ?, timezone('UTC', now()))", [step.version, step.name]
                    )
        if AUDIT not in done and any(step.version == AUDIT for step in steps):
            with self.read() as cursor:
                self._trail.write_note(head_of(cursor))


def schema_version(database: Database) -> int:
    """Return the number of the newest migration that the database has had."""
    with database.read() as cursor:
        row = first_row(cursor.execute("SELECT max(version) FROM schema_version"))
    return int(row[0]) if row and row[0] is not None else 0


def first_row(cursor: duckdb.DuckDBPyConnection) -> tuple[Any, ...] | None:
    """Return the first row of a cursor's result, or None; the cursor is free for the next statement afterwards."""
    rows = cursor.fetchall()  # fetchone would leave the result open, and the cursor busy
    return tuple(rows[0]) if rows else None


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UnwritableDatabase(
            f"The database's folder {folder.name!r} cannot be made ({error.strerror}); choose another one."
        ) from error


def _refuse_other_files(file: Path) -> None:
    """Refuse a file that is there and no database.

    DuckDB would serve a CSV, JSON or Parquet file from memory: all that is saved would be gone at the end.
    """
    try:
        with file.open("rb") as start:
            begins = start.read(MAGIC_AT + len(MAGIC))
    except OSError:
        return  # not there yet, a folder, or not readable: opening it says which
    if begins[MAGIC_AT:] != MAGIC:
        raise _no_database(file)


def _no_database(file: Path) -> UnreadableDatabase:
    return UnreadableDatabase(
        f"{file.name} is damaged or not a database; restore a copy of it, or choose another file."
    )


def _connect(file: Path) -> duckdb.DuckDBPyConnection:
    try:
        return duckdb.connect(str(file), config=CONFIGURATION)
    except duckdb.Error as error:
        text = str(error)
        if "lock on file" in text:  # another program than Moot, for Moot's own lock is ours
            raise in_use(file) from error
        if "with version number" in text:
            raise NewerDatabase(f"A newer version of DuckDB wrote {file.name}; update Moot's packages.") from error
        if "Permission denied" in text or "Read-only file system" in text:
            raise UnwritableDatabase(f"{file.name} may not be changed by this user; choose another file.") from error
        raise _no_database(file) from error


def _back_up(file: Path, version: int) -> None:
    copy = file.with_name(f"{file.name}.schema{version}.backup")
    part = copy.with_name(f"{copy.name}.part")
    try:
        shutil.copyfile(file, part)
        part.replace(copy)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise UnwritableDatabase(
            f"No backup copy of {file.name} could be made before updating it ({error.strerror}); "
            "nothing was changed. Make room beside it and start again."
        ) from error


@contextmanager
def _readable_errors(path: Path | None) -> Iterator[None]:
    """Translate what the disk does to the database; errors of our own SQL stay as they are."""
    name = IN_MEMORY if path is None else path.name
    try:
        yield
    except (duckdb.IOException, duckdb.FatalException, duckdb.TransactionException) as error:
        text = str(error)
        if isinstance(error, duckdb.TransactionException) and "ould not write" not in text:
            raise
        if "orrupt" in text or "hecksum" in text:
            raise UnreadableDatabase(f"{name} is damaged; restore a copy of it.") from error
        raise UnwritableDatabase(
            f"{name} could not be written; the change was not saved. Is the disk full? "
            "Make room, then start Moot again."
        ) from error
    except duckdb.OutOfMemoryException as error:
        raise UnwritableDatabase(f"There is not enough memory for this change of {name}; it was not saved.") from error


def _roll_back(cursor: duckdb.DuckDBPyConnection) -> None:
    try:
        cursor.rollback()
    except duckdb.Error:
        # The first error is the one to show; a transaction that cannot be rolled back is never committed.
        return
