"""Keep drafts without making anybody wait: what was edited is on file a moment later, many edits in one write."""

from __future__ import annotations

import atexit
import json
import threading
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from core.contestation import Edit
from core.errors import MootError
from core.strict_json import dumps, storable
from storage.database import Database, first_row

WRITE_AFTER = 0.25  # seconds: the most that is lost when the server is killed
CLOSE_SECONDS = 5.0

_Name = tuple[str, str]  # the author and what the draft is of


@dataclass(frozen=True)
class Draft:
    """Edits not saved yet; version counts the times it was kept, so that a second tab is noticed."""

    author: str
    draft_of: str
    round_number: int | None
    edits: tuple[Edit, ...]
    version: int
    saved_at: datetime


@dataclass(frozen=True)
class DraftSaved:
    """What became of a draft that was to be kept.

    Attributes:
        version: The version to give next time.
        conflict: Another tab kept or dropped the draft meanwhile; nothing was changed. Keeping again with
            ``version`` overwrites what it did.
        other: The draft of the other tab when there is a conflict; None when that tab dropped it.
    """

    version: int
    conflict: bool = False
    other: Draft | None = None


@dataclass(frozen=True)
class _Unwritten:
    """The newest state of a draft; None for one that was dropped."""

    version: int
    draft: Draft | None


class DraftKeeper:
    """The drafts of one open database, of which there is one keeper.

    It answers at once, from what it still holds and then from the database, so that a second tab is always noticed.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._unwritten: dict[_Name, _Unwritten] = {}
        self._lock = threading.RLock()
        self._writing = threading.Lock()
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._failure: Exception | None = None
        self._thread = threading.Thread(target=self._run, name="drafts", daemon=True)
        self._thread.start()
        atexit.register(self.close)

    def draft(self, author: str, draft_of: str) -> Draft | None:
        """Return a person's unsaved edits; None if there are none."""
        with self._lock:
            return self._current((author, draft_of)).draft

    def drafts(self, author: str) -> tuple[Draft, ...]:
        """Return all of a person's drafts, the one kept last first."""
        with self._lock:  # in one go, so that none is on its way from here into the database meanwhile
            held = {draft_of: one.draft for (who, draft_of), one in self._unwritten.items() if who == author}
            with self._database.read() as cursor:
                rows = cursor.execute(
                    "SELECT debate_id, round, edits, version, saved_at FROM draft "
                    "WHERE author = ? AND edits IS NOT NULL",
                    [storable(author)],
                ).fetchall()
        written = [
            Draft(author, draft_of, number, _edits(record), version, saved_at)
            for draft_of, number, record, version, saved_at in rows
            if draft_of not in held
        ]
        found = [*written, *(draft for draft in held.values() if draft is not None)]
        found.sort(key=lambda draft: draft.draft_of)
        return tuple(sorted(found, key=lambda draft: draft.saved_at, reverse=True))

    @property
    def trouble(self) -> str:
        """Return why what is held could not be written when that was tried last, for a person; empty if it could.

        Asking has it tried again in a moment.
        """
        failure = self._failure
        if failure is None:
            return ""
        self._wake.set()
        return str(failure) if isinstance(failure, MootError) else f"Moot met an error: {type(failure).__name__}."

    def save(
        self, author: str, draft_of: str, round_number: int | None, edits: Iterable[Edit], version: int = 0
    ) -> DraftSaved:
        """Keep a person's unsaved edits, unless another tab did since.

        Args:
            author: Whose draft it is.
            draft_of: What is edited; one draft is kept of each.
            round_number: The round that is contested.
            edits: All of them, in order.
            version: The version of the draft that these edits go on from; 0 starts a new one.
        """
        with self._lock:
            current = self._current((author, draft_of))
            if version != current.version and not (version == 0 and current.draft is None):
                return DraftSaved(current.version, True, current.draft)
            now = datetime.now(UTC).replace(tzinfo=None)
            kept = Draft(author, draft_of, round_number, tuple(edits), current.version + 1, now)
            self._unwritten[author, draft_of] = _Unwritten(kept.version, kept)
        self._wake.set()
        return DraftSaved(kept.version)

    def drop(self, author: str, draft_of: str, version: int | None = None) -> bool:
        """Forget a person's unsaved edits and return whether that was done.

        Args:
            author: Whose draft it is.
            draft_of: What is edited.
            version: Forget this version only: not if another tab kept other edits since.
        """
        with self._lock:
            current = self._current((author, draft_of))
            if current.draft is None or version not in (None, current.version):
                return False
            self._unwritten[author, draft_of] = _Unwritten(current.version + 1, None)
        self._wake.set()
        return True

    def flush(self) -> None:
        """Write now what is not written yet.

        Raises:
            MootError: If the database cannot be written; nothing is forgotten.
        """
        with self._writing:
            with self._lock:
                pending = dict(self._unwritten)
            if not pending:
                return
            self._write(pending)
            self._failure = None
            with self._lock:
                for name, written in pending.items():
                    if self._unwritten.get(name) is written:
                        del self._unwritten[name]

    def close(self) -> None:
        """Write what is left and stop; a second call does nothing."""
        if self._stopped.is_set():
            return
        self._stopped.set()
        self._wake.set()
        self._thread.join(CLOSE_SECONDS)
        atexit.unregister(self.close)
        with suppress(MootError):  # what cannot be written now is lost with the server
            self.flush()

    def _current(self, name: _Name) -> _Unwritten:
        held = self._unwritten.get(name)
        if held is not None:
            return held
        author, draft_of = name
        with self._database.read() as cursor:
            row = first_row(
                cursor.execute(
                    "SELECT round, edits, version, saved_at FROM draft WHERE author = ? AND debate_id = ?",
                    [storable(author), storable(draft_of)],
                )
            )
        if row is None:
            return _Unwritten(0, None)
        number, record, version, saved_at = row
        kept = None if record is None else Draft(author, draft_of, number, _edits(record), version, saved_at)
        return _Unwritten(version, kept)

    def _write(self, pending: Mapping[_Name, _Unwritten]) -> None:
        rows = [
            (
                storable(author),
                storable(draft_of),
                one.version,
                None if one.draft is None else one.draft.round_number,
                None if one.draft is None else dumps([edit.to_json() for edit in one.draft.edits]),
            )
            for (author, draft_of), one in pending.items()
        ]
        with self._database.write() as cursor:
            cursor.execute(
                "INSERT INTO draft (author, debate_id, version, round, edits, saved_at) SELECT unnest(?::VARCHAR[]), "
                "unnest(?::VARCHAR[]), unnest(?::BIGINT[]), unnest(?::INTEGER[]), unnest(?::VARCHAR[]), "
                "timezone('UTC', now()) ON CONFLICT DO UPDATE SET round = excluded.round, edits = excluded.edits, "
                "version = excluded.version, saved_at = excluded.saved_at",
                [list(column) for column in zip(*rows, strict=True)],
            )

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._wake.wait()
            self._stopped.wait(WRITE_AFTER)  # more edits come meanwhile and go into the same write
            self._wake.clear()
            try:
                self.flush()
            except Exception as error:  # whatever it is, this thread goes on: the next save tries again and says why
                self._failure = error


def _edits(record: str) -> tuple[Edit, ...]:
    return tuple(Edit.from_json(edit) for edit in json.loads(record))
