"""The audit log as values: entries that each hold the hash of the one before, so that a later change shows.

Who could recompute every hash could still write another history. So the number of entries and the last hash are kept in
a second place, and people can note them in a third.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any

from core.errors import MootError
from core.roles import Person
from core.strict_json import dumps, storable

NO_HASH = "0" * 64  # what stands before the first entry


class Action(StrEnum):
    """What is logged."""

    BEGAN = "log begun"
    FOUND = "recorded at migration"  # it was there before the log was
    GAP = "log found altered"
    SAVED = "contestation saved"
    FORKED = "contestation forked"
    REMOVED = "contestation removed"
    CAME = "contestation imported"
    RULED = "ruling"
    COMMENTED = "comment"
    COMMENT_WITHDRAWN = "comment withdrawn"
    IMPORTED = "data set imported"
    DEBATED = "debates of a run stored"
    STATEMENTS_TAKEN = "arguments taken from statements"
    STATEMENTS_ASKED = "model asked for arguments"
    DATASET_REMOVED = "data set removed"
    JUDGEMENTS_IMPORTED = "judgements imported"
    RUN_CREATED = "run created"
    RUN_LIMITS = "run limits changed"
    RUN_RETRIED = "failed cases opened"
    RUN_STARTED = "run started"
    RUN_ENDED = "run ended"
    RUN_CANCELLED = "run cancelled"
    RUN_REMOVED = "run removed"
    ASKED = "model asked about a contested debate"
    SETTING = "setting changed"
    JUDGE = "judge defined"
    JUDGE_REMOVED = "judge removed"
    ROLE = "role at sign-in"
    REPORT = "report kept"
    REPORT_REMOVED = "report removed"


class Kind(StrEnum):
    """What something is done to."""

    LOG = "log"
    CONTESTATION = "contestation"
    COMMENT = "comment"
    DATASET = "data set"
    RUN = "run"
    SETTING = "setting"
    JUDGE = "judge"
    PERSON = "person"
    REPORT = "report"


@dataclass(frozen=True)
class Content:
    """What a row says that an entry vouches for: its table, its id, and the SHA-256 of its columns.

    With ``removed`` the row is gone, and the hash is that of what it was.
    """

    table: str
    id: str
    sha256: str
    removed: bool = False


@dataclass(frozen=True)
class Change:
    """Something to be logged.

    Attributes:
        person: Who did it.
        action, kind, object: What was done to what; the object is an id or a key.
        before, after: From what to what, as plain JSON values; None where there was nothing.
        reason: Why, in the person's words.
        contents: The rows that this vouches for.
    """

    person: Person
    action: Action
    kind: Kind
    object: str
    before: Any = None
    after: Any = None
    reason: str = ""
    contents: tuple[Content, ...] = ()


@dataclass(frozen=True)
class AuditEntry:
    """An entry as it is stored: numbers and texts alone, so that its hash can be worked out again anywhere.

    Attributes:
        sequence: 1, 2, 3, ... without gaps.
        moment: ISO 8601 in UTC with microseconds.
        person, name, role: Who: the id, what it was called, and the role at that moment.
        action, kind, object: What was done to what.
        before, after: JSON texts.
        reason: Why; empty where none was asked for.
        contents: JSON text: a list of what each ``Content`` says.
        previous: Hash of the entry before.
        hash: SHA-256 of everything above.
    """

    sequence: int
    moment: str
    person: str
    name: str
    role: str
    action: str
    kind: str
    object: str
    before: str
    after: str
    reason: str
    contents: str
    previous: str
    hash: str

    @property
    def vouches_for(self) -> tuple[Content, ...]:
        """Return the rows that the entry vouches for.

        Raises:
            ValueError, TypeError: If the text is not one that ``chained`` wrote.
        """
        return tuple(Content(**record) for record in json.loads(self.contents))

    def to_json(self) -> dict[str, Any]:
        """Return the entry as plain JSON values, in the order of its fields."""
        return asdict(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> AuditEntry:
        """Return the entry that ``to_json`` wrote.

        Raises:
            MootError: If it is none.
        """
        try:
            entry = cls(**record)
        except TypeError as error:
            raise MootError("This is no entry of an audit log: a field is missing or unknown.") from error
        if not isinstance(entry.sequence, int) or isinstance(entry.sequence, bool):
            raise MootError("This is no entry of an audit log: its sequence is no whole number.")
        if not all(isinstance(value, str) for key, value in record.items() if key != "sequence"):
            raise MootError(f"Entry {entry.sequence} of the audit log holds something that is no text.")
        return entry


@dataclass(frozen=True)
class Head:
    """How long a log is and how it ends: what to note elsewhere."""

    count: int
    hash: str

    @property
    def text(self) -> str:
        """Return it for noting down; ``from_text`` reads it."""
        return f"{self.count}:{self.hash}"

    @classmethod
    def from_text(cls, text: str) -> Head:
        """Return the head that was noted.

        Raises:
            MootError: If the text is not a number, a colon and a hash.
        """
        count, _, digest = text.strip().partition(":")
        if not count.isascii() or not count.isdigit() or len(digest) != len(NO_HASH):
            raise MootError(f"{text[:100]!r} is no head of an audit log; it is a number, a colon and 64 digits.")
        return cls(int(count), digest.lower())


NOTHING = Head(0, NO_HASH)


def entry_hash(entry: AuditEntry) -> str:
    """Return the SHA-256 of an entry's fields but the hash itself, as JSON with sorted keys."""
    fields = asdict(entry)
    del fields["hash"]
    canonical = json.dumps(fields, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()


def chained(head: Head, changes: Iterable[Change], moment: str) -> list[AuditEntry]:
    """Return changes as the entries that follow a head, made at one moment."""
    entries = []
    for change in changes:
        open_entry = AuditEntry(
            head.count + 1,
            moment,
            storable(change.person.id),
            storable(change.person.shown),
            change.person.role.value,
            change.action.value,
            change.kind.value,
            storable(change.object),
            dumps(change.before),
            dumps(change.after),
            storable(change.reason),
            dumps([asdict(content) for content in change.contents]),
            head.hash,
            "",
        )
        entry = replace(open_entry, hash=entry_hash(open_entry))
        entries.append(entry)
        head = Head(entry.sequence, entry.hash)
    return entries


@dataclass(frozen=True)
class Check:
    """What became of checking a log.

    Attributes:
        head: The number of entries and the last hash found.
        problems: What is wrong, the first broken entry first; empty for a log that is intact.
        remarks: What does not break the log and should be known.
    """

    head: Head
    problems: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()

    @property
    def intact(self) -> bool:
        """Return whether nothing is wrong."""
        return not self.problems

    @property
    def sentence(self) -> str:
        """Return the outcome in one line."""
        count = f"{self.head.count:,} entr{'y' if self.head.count == 1 else 'ies'}"
        state = "Log intact" if self.intact else "LOG BROKEN"
        return f"{state}, {count}, head hash {self.head.hash}"


def broken_link(entries: Sequence[AuditEntry]) -> str | None:
    """Return what is wrong with the first entry that breaks the chain; None where none does.

    Args:
        entries: All of a log, by sequence.
    """
    if not entries:
        return "The log is empty; it has an entry from its very beginning, so all of them were removed."
    last = NOTHING
    for entry in entries:
        wrong = _wrong(entry, last, entries)
        if wrong:
            return wrong
        last = Head(entry.sequence, entry.hash)
    return None


def missing_tail(entries: Sequence[AuditEntry], noted: Head) -> str | None:
    """Return what is wrong with a log of which somebody noted the head; None if the noted entry is still in it.

    A log that has grown since is fine.
    """
    if noted.count == 0:
        return None
    if len(entries) < noted.count:
        gone = noted.count - len(entries)
        return (
            f"{gone} entr{'y is' if gone == 1 else 'ies are'} missing at the end: {noted.count} were noted and "
            f"{len(entries)} are here. They were removed, or an older copy of the database was put in its place."
        )
    if entries[noted.count - 1].hash != noted.hash:
        return (
            f"Entry {noted.count} is not the one whose hash was noted: it or an entry before it was changed, and the "
            "hashes after that were worked out anew."
        )
    return None


def _wrong(entry: AuditEntry, last: Head, entries: Sequence[AuditEntry]) -> str | None:
    due = last.count + 1
    if entry.sequence == last.count and last.count:
        return f"Entry {entry.sequence} is there twice; one of them was put in later."
    true_hash = entry_hash(entry) == entry.hash
    moved_from = None if true_hash else _moved_from(entry, entries)
    if moved_from is not None:
        return f"Entry {entry.sequence} was number {moved_from} when it was written: the order was changed."
    if entry.sequence != due:
        gap = f"Entry {due} is" if entry.sequence == due + 1 else f"Entries {due} to {entry.sequence - 1} are"
        return f"{gap} missing before entry {entry.sequence}." if entry.sequence > due else f"Entry {due} is missing."
    if not true_hash:
        what = f"{entry.action}, {entry.moment}"
        return f"Entry {entry.sequence} ({what}) was changed: its content does not fit its hash."
    if entry.previous != last.hash:
        return (
            f"Entry {entry.sequence} does not follow the entry before it: one of the two was replaced by an entry with "
            "a hash of its own."
        )
    return None


def _moved_from(entry: AuditEntry, entries: Sequence[AuditEntry]) -> int | None:
    """Return the number with which an entry's hash is right, if there is one."""
    numbers = range(1, max(one.sequence for one in entries) + 2)
    return next(
        (n for n in numbers if n != entry.sequence and entry_hash(replace(entry, sequence=n)) == entry.hash), None
    )


__all__ = [
    "NOTHING",
    "NO_HASH",
    "Action",
    "AuditEntry",
    "Change",
    "Check",
    "Content",
    "Head",
    "Kind",
    "broken_link",
    "chained",
    "entry_hash",
    "missing_tail",
]
