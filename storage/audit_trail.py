"""Write the audit log: entries go into the transaction of the change that they tell of, or neither is kept.

The head, which is how many entries there are and the last hash, is noted in a file beside the database after every
commit. A note that lags behind, because the program was killed in between, is no harm; one that is ahead of the log
shows that entries were removed.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path

import duckdb

from core.audit import NOTHING, Action, AuditEntry, Change, Head, Kind, chained
from core.audit_words import told_after, told_before
from core.errors import MootError
from core.roles import MOOT
from storage.row_hash import Vouched, contents

COLUMNS = tuple(field.name for field in fields(AuditEntry))
LARGEST_NOTE = 10_000  # bytes

_log = logging.getLogger("moot.audit")


@dataclass
class Logged:
    """A transaction with what is to be logged of it."""

    cursor: duckdb.DuckDBPyConnection
    changes: list[Change] = field(default_factory=list)

    def log(self, *changes: Change) -> None:
        """Log changes when this transaction is committed; nothing else of them needs doing."""
        self.changes += changes


class AuditTrail:
    """The end of one database's log, which grows."""

    def __init__(self, database: Path | None) -> None:
        """Take over the log of a database file; one in memory has no note."""
        self.note = None if database is None else note_path(database)
        self._lock = threading.Lock()
        self._head: Head | None = None

    def commit(
        self, connection: duckdb.DuckDBPyConnection, cursor: duckdb.DuckDBPyConnection, changes: Sequence[Change]
    ) -> None:
        """Commit a cursor's transaction with the entries of its changes.

        Two transactions may be under way at once, of which neither sees the other's entries; so the head is kept here
        and the end of one waits for the end of the other.

        Args:
            connection: Of the cursor; it shows what is committed by now.
            cursor: Inside its transaction.
            changes: What to log; nothing for a transaction that turned out to change nothing.
        """
        if not changes:
            cursor.commit()
            return
        with self._lock:
            head, gap = (self._head, []) if self._head is not None else self._found(connection)
            entries = chained(head, [*gap, *changes], datetime.now(UTC).isoformat(timespec="microseconds"))
            insert_entries(cursor, entries)
            cursor.commit()
            self._head = Head(entries[-1].sequence, entries[-1].hash)
            self.write_note(self._head)

    def write_note(self, head: Head) -> None:
        """Note the head; a note that cannot be written lags behind, which the log says when it finds out."""
        if self.note is None:
            return
        part = self.note.with_name(f"{self.note.name}.part")
        try:
            part.write_text(json.dumps({"entries": head.count, "hash": head.hash}), "utf-8")
            part.replace(self.note)
        except OSError as error:
            _log.warning("The head of the audit log could not be noted: %s", error.strerror)

    def read_note(self) -> Head | None:
        """Return the head as noted; None where no note can be read."""
        if self.note is None:
            return None
        try:
            with self.note.open("rb") as file:
                record = json.loads(file.read(LARGEST_NOTE))
            return Head.from_text(f"{record['entries']}:{record['hash']}")
        except (OSError, ValueError, KeyError, TypeError, MootError):
            return None

    def _found(self, connection: duckdb.DuckDBPyConnection) -> tuple[Head, list[Change]]:
        """Return the head that the database has, and what to log where the note says otherwise."""
        with connection.cursor() as cursor:
            head = head_of(cursor)
            if self.note is None:
                return head, []
            noted = self.read_note()
            row = None if noted is None else _hash_at(cursor, noted.count)
        if noted is not None and (noted.count == 0 or row == noted.hash):
            return head, []
        return head, [Change(MOOT, Action.GAP, Kind.LOG, "", None if noted is None else noted.text, head.text)]


def head_of(cursor: duckdb.DuckDBPyConnection) -> Head:
    """Return the number of the last entry stored, and its hash."""
    rows = cursor.execute("SELECT sequence, hash FROM audit ORDER BY sequence DESC LIMIT 1").fetchall()
    return Head(*rows[0]) if rows else NOTHING


def insert_entries(cursor: duckdb.DuckDBPyConnection, entries: Iterable[AuditEntry]) -> None:
    """Store entries, in a transaction that is open."""
    columns = list(zip(*(astuple(entry) for entry in entries), strict=True))
    kinds = ["BIGINT" if name == "sequence" else "VARCHAR" for name in COLUMNS]
    cursor.execute(
        f"INSERT INTO audit ({', '.join(COLUMNS)}) SELECT " + ", ".join(f"unnest(?::{kind}[])" for kind in kinds),
        [list(column) for column in columns],
    )


def begin(cursor: duckdb.DuckDBPyConnection) -> None:
    """Begin the log in the transaction that makes its table: with what is there already, as it is now."""
    now = datetime.now(UTC).isoformat(timespec="microseconds")
    changes = [Change(MOOT, Action.BEGAN, Kind.LOG, "")]
    named = dict(cursor.execute("SELECT id, name FROM dataset ORDER BY imported_at, rowid").fetchall())
    vouched = contents(cursor, Vouched.DATASET, named)
    changes += [
        Change(MOOT, Action.FOUND, Kind.DATASET, name, after={"name": label}, contents=(vouched[name],))
        for name, label in named.items()
    ]
    saved = cursor.execute(
        "SELECT c.id, c.debate_id, c.author, c.parent, c.reason, c.before, c.after, "
        "(SELECT count(*) FROM edit AS e WHERE e.contestation_id = c.id) "
        "FROM contestation AS c ORDER BY c.created_at, c.rowid"
    )
    rows = saved.fetchall()
    vouched = contents(cursor, Vouched.CONTESTATION, [row[0] for row in rows])
    changes += [
        Change(
            MOOT,
            Action.FOUND,
            Kind.CONTESTATION,
            name,
            told_before(json.loads(before)),
            told_after(debate, author, parent, edits, json.loads(after)),
            reason,
            (vouched[name],),
        )
        for name, debate, author, parent, reason, before, after, edits in rows
    ]
    insert_entries(cursor, chained(NOTHING, changes, now))


def note_path(database: Path) -> Path:
    """Return where the head of a database's log is noted."""
    return database.with_name(f"{database.name}.audit")


def _hash_at(cursor: duckdb.DuckDBPyConnection, sequence: int) -> str | None:
    rows = cursor.execute("SELECT hash FROM audit WHERE sequence = ?", [sequence]).fetchall()
    return rows[0][0] if rows else None


__all__ = ["COLUMNS", "AuditTrail", "Logged", "begin", "head_of", "insert_entries", "note_path"]
