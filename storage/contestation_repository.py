"""Keep what people contest: saved contestations, which never change."""

# ruff: noqa: S608 - what is put into SQL here are names and conditions from this package; values are parameters

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import duckdb

from core.audit import Action, Change, Content, Kind
from core.audit_words import told_after, told_before
from core.contestation import Contestation, Edit, contest
from core.debate import Debate, profile
from core.errors import MootError, UnknownDebate
from core.import_issue import IssueLog, quoted
from core.roles import OPERATOR, Permission, Person, require
from core.strict_json import dumps, storable
from storage.database import Database, first_row
from storage.row_hash import Vouched, contents

if TYPE_CHECKING:  # slow to load, and only DuckDB makes tables
    import pandas as pd

ID_LENGTH = 10  # base 32 digits of a hash, so 50 bits: short enough for a link

UNREADABLE = "contestation_unreadable"
MOST_NAMED = 5
LONGEST_REASON = 300  # characters of an error in an issue, which may quote a record

_COLUMNS = "id, debate_id, round, reason, author, role, created_at, parent, before, after, settings, tags"


class SavedMeanwhile(MootError):
    """Contestations of a debate were saved while this one was made, by others or by the same person in another tab.

    Nothing was overwritten or stored.
    """

    def __init__(self, others: Sequence[Contestation]) -> None:
        many = f"{len(others)} contestations of this debate were" if len(others) > 1 else "A contestation was"
        super().__init__(f"{many} saved meanwhile; look at them, then fork one or save beside them.")
        self.others = tuple(others)


class ContestationRepository:
    """Keep and find contestations."""

    def __init__(self, database: Database, person: Person = OPERATOR) -> None:
        """Take a database, and who acts."""
        self._database = database
        self._person = person

    def save(self, contestation: Contestation, seen: Iterable[str] | None = None) -> Contestation:
        """Store a contestation and return it with its id and time; saving the same value twice stores it once.

        Without an id it gets one that is a hash of its content; without a time it gets the present one. The role is
        that of the person who acts, and so is the author where that person signed in, whatever the contestation says.

        Args:
            contestation: What to store.
            seen: Ids of the debate's contestations that its author has had before them; None to ask no questions.

        Raises:
            NotAllowed: If the person may not save.
            SavedMeanwhile: If one was saved on the debate that the author has not seen, be it in the author's own name
                in another tab; nothing is stored.
            UnknownDebate: If its debate is not stored.
            MootError: If its parent is not stored, its time is not ISO 8601, or its id belongs to another one.
        """
        require(self._person, Permission.SAVE)
        contestation = replace(contestation, role=self._person.role.value)
        if self._person.signed_in:
            contestation = replace(contestation, author=self._person.shown)
        value = _cleaned(replace(contestation, created_at=_utc(contestation.created_at)))
        value = replace(value, id=value.id or _content_id(value))
        with self._database.log() as logged:
            cursor = logged.cursor
            found = _find(cursor, "id = ?", [value.id])
            if found:
                if found[0] == value:
                    return value
                raise MootError(f"Contestation {value.id!r} is already stored and cannot be changed; save a new one.")
            if first_row(cursor.execute("SELECT 1 FROM debate WHERE id = ?", [value.debate_id])) is None:
                raise UnknownDebate(value.debate_id)
            if value.parent is not None and not _find(cursor, "id = ?", [value.parent]):
                raise MootError(f"There is no contestation {value.parent!r} that this one could be forked from.")
            if seen is not None:
                known = {*seen, value.parent}
                others = [one for one in _find(cursor, "debate_id = ?", [value.debate_id]) if one.id not in known]
                if others:
                    raise SavedMeanwhile(others)
            _insert(cursor, [value])
            action = Action.SAVED if value.parent is None else Action.FORKED
            logged.log(*saved_changes(cursor, self._person, action, [value]))
        return value

    def remove(self, contestation_id: str, reason: str) -> None:
        """Remove a contestation with its rulings; the audit log keeps that it was there, and why it went.

        Raises:
            NotAllowed: If the person may not remove what is stored.
            MootError: If none has the id, the reason is empty, or others were forked from it.
        """
        require(self._person, Permission.DELETE)
        name, why = storable(contestation_id), storable(reason.strip())
        if not why:
            raise MootError("Say why the contestation is removed.")
        with self._database.log() as logged:
            if not _find(logged.cursor, "id = ?", [name]):
                raise MootError(f"No contestation {contestation_id!r} is in this database.")
            forks = _find(logged.cursor, "parent = ?", [name])
            if forks:
                names = ", ".join(fork.id for fork in forks[:MOST_NAMED])
                raise MootError(f"Contestations were forked from this one ({names}); remove them first.")
            logged.log(*_removed(logged.cursor, self._person, "id = ?", [name], why))

    def get(self, contestation_id: str) -> Contestation:
        """Return a contestation.

        Raises:
            MootError: If none has the id.
        """
        with self._database.read() as cursor:
            found = _find(cursor, "id = ?", [storable(contestation_id)])
        if not found:
            raise MootError(f"No contestation {contestation_id!r} is in this database; is the link complete?")
        return found[0]

    def for_debate(self, debate_id: str) -> tuple[Contestation, ...]:
        """Return a debate's contestations, oldest first."""
        with self._database.read() as cursor:
            return _find(cursor, "debate_id = ?", [storable(debate_id)])

    def count(self) -> int:
        """Return how many contestations are stored."""
        with self._database.read() as cursor:
            row = first_row(cursor.execute("SELECT count(*) FROM contestation"))
        return int(row[0]) if row else 0

    def list(self, limit: int | None = None, offset: int = 0) -> pd.DataFrame:
        """Return a table of contestations, newest first.

        Columns: ``id``, ``debate_id``, ``claim``, ``round``, ``author``, ``role``, ``reason``, ``created_at`` (ISO
        8601, UTC), ``edits`` (how many), ``tags`` (list), ``parent``, ``before`` and ``after`` (JSON texts).
        """
        with self._database.read() as cursor:
            return cursor.execute(
                """
                SELECT c.id, c.debate_id, d.claim, c.round, c.author, c.role, c.reason, c.created_at,
                    coalesce(e.edits, 0) AS edits, c.tags, c.parent, c.before, c.after
                FROM contestation AS c LEFT JOIN debate AS d ON d.id = c.debate_id
                LEFT JOIN (SELECT contestation_id, count(*) AS edits FROM edit GROUP BY contestation_id) AS e
                    ON e.contestation_id = c.id
                ORDER BY c.created_at DESC, c.rowid DESC LIMIT ? OFFSET ?
                """,
                [limit, offset],
            ).df()


def saved_on(cursor: duckdb.DuckDBPyConnection, debate_ids: Iterable[str]) -> dict[str, tuple[Contestation, ...]]:
    """Return the contestations saved on debates, by the debate's id, each oldest first."""
    found: dict[str, list[Contestation]] = {}
    for one in _find(cursor, "debate_id IN (SELECT unnest(?::VARCHAR[]))", [list(debate_ids)]):
        found.setdefault(one.debate_id, []).append(one)
    return {name: tuple(saved) for name, saved in found.items()}


def with_saved(debate: Debate, saved: Iterable[Contestation]) -> Debate:
    """Return a debate whose record holds its saved contestations too, each once, ordered by time and then id.

    A debate that holds them all already comes back as it is.
    """
    held = {_text(record.get("id")) for record in debate.contestations}
    missing = [one.to_json() for one in saved if one.id not in held]
    if not missing:
        return debate
    together = sorted(
        [*debate.contestations, *missing], key=lambda record: (_text(record.get("created_at")), _text(record.get("id")))
    )
    return replace(debate, contestations=tuple(together))


def saved_changes(
    cursor: duckdb.DuckDBPyConnection, person: Person, action: Action, saved: Sequence[Contestation]
) -> list[Change]:
    """Return what the audit log is to say of contestations that were just stored."""
    vouched = contents(cursor, Vouched.CONTESTATION, [one.id for one in saved])
    return [_change(person, action, one, one.reason, (vouched[one.id],)) for one in saved]


def removed_on_debates(cursor: duckdb.DuckDBPyConnection, person: Person, debates: Sequence[str]) -> list[Change]:
    """Remove the contestations on debates that go, in an open transaction; return what the audit log is to say."""
    why = "Its debate was removed."
    return _removed(cursor, person, "debate_id IN (SELECT unnest(?::VARCHAR[]))", [list(debates)], why)


def store_recorded(
    cursor: duckdb.DuckDBPyConnection, debates: Iterable[tuple[str, Debate]], remarks: IssueLog
) -> list[Contestation]:
    """Store the contestations that came in the records of debates and return them; others are remarked on.

    The records themselves are left as they are, so that nothing of them is lost.

    Args:
        cursor: In the transaction that stores the debates.
        debates: Each with its id in the database.
        remarks: Is told of contestations that are unreadable, that are here already, or whose id is another's.
    """
    read = [
        (place, value, bool(record.get("created_at")))
        for stored_id, debate in debates
        for index, record in enumerate(debate.contestations)
        if (value := _readable(record, stored_id, debate, place := _Place(debate.id, index), remarks)) is not None
    ]
    if not read:
        return []
    names = {value.id for _, value, _ in read} | {value.parent for _, value, _ in read if value.parent is not None}
    here = {one.id: one for one in _find(cursor, "id IN (SELECT unnest(?::VARCHAR[]))", [list(names)])}
    new: dict[str, tuple[_Place, Contestation]] = {}
    for place, value, is_timed in read:
        found = here.get(value.id) or (new[value.id][1] if value.id in new else None)
        if found is None:
            new[value.id] = (place, value)
        elif found == replace(value, debate_id=found.debate_id, created_at=_or(is_timed, value, found)):
            place.info(remarks, "contestation_already_here", f"{quoted(value.id)} is stored already, and not twice.")
        else:
            place.warning(remarks, "contestation_id_taken", f"{quoted(value.id)} is the id of another contestation.")
    forks: dict[str, list[str]] = {}
    ready: list[str] = []
    for _, value in new.values():
        if value.parent is None or value.parent in here:
            ready.append(value.id)
        else:
            forks.setdefault(value.parent, []).append(value.id)
    for name in ready:  # grows while it is walked: what was forked from a stored one can be stored
        ready.extend(forks.get(name, ()))
    rooted = set(ready)
    for place, value in new.values():
        if value.id not in rooted:
            why = f"what it was forked from, {quoted(value.parent)}, is neither in this database nor in the file."
            place.warning(remarks, UNREADABLE, why)
    stored = [value for _, value in new.values() if value.id in rooted]
    _insert(cursor, stored)
    return stored


@dataclass(frozen=True)
class _Place:
    """Where in a file a contestation stands."""

    debate_id: str
    index: int

    def info(self, remarks: IssueLog, code: str, message: str) -> None:
        remarks.info(code, self._named(message), field=f"contestations[{self.index}]")

    def warning(self, remarks: IssueLog, code: str, message: str) -> None:
        kept = "It stays in the debate's record and is not listed."
        remarks.warning(code, f"{self._named(message)} {kept}", field=f"contestations[{self.index}]")

    def _named(self, message: str) -> str:
        return f"A contestation of debate {quoted(self.debate_id)}: {message}"


def _readable(
    record: Mapping[str, Any], stored_id: str, debate: Debate, place: _Place, remarks: IssueLog
) -> Contestation | None:
    try:
        value = Contestation.from_json(record, stored_id)
        value = _cleaned(replace(value, created_at=_utc(value.created_at)))
        contest(profile(debate, value.round_number), value.edits)
    except MootError as error:
        why = str(error)
        place.warning(remarks, UNREADABLE, why if len(why) <= LONGEST_REASON else f"{why[:LONGEST_REASON]}…")
        return None
    return value


def _or(is_timed: bool, value: Contestation, found: Contestation) -> str:
    """Return the time to compare by: a record without one got the present time, which says nothing."""
    return value.created_at if is_timed else found.created_at


def _change(person: Person, action: Action, value: Contestation, reason: str, vouched: tuple[Content, ...]) -> Change:
    told = told_after(value.debate_id, value.author, value.parent, len(value.edits), value.after)
    return Change(person, action, Kind.CONTESTATION, value.id, told_before(value.before), told, reason, vouched)


def _removed(
    cursor: duckdb.DuckDBPyConnection, person: Person, condition: str, values: Sequence[Any], reason: str
) -> list[Change]:
    found = _find(cursor, condition, values)
    names = [one.id for one in found]
    gone = contents(cursor, Vouched.CONTESTATION, names, removed=True)
    rulings: dict[str, list[Content]] = {}
    of_names = "contestation_id IN (SELECT unnest(?::VARCHAR[]))"
    ruled = cursor.execute(f"SELECT id, contestation_id FROM ruling WHERE {of_names}", [names]).fetchall()
    hashed = contents(cursor, Vouched.RULING, [ruling for ruling, _ in ruled], removed=True)
    for ruling, on in ruled:
        rulings.setdefault(on, []).append(hashed[ruling])
    for table in ("edit", "ruling"):
        cursor.execute(f"DELETE FROM {table} WHERE {of_names}", [names])
    cursor.execute("DELETE FROM contestation WHERE id IN (SELECT unnest(?::VARCHAR[]))", [names])
    return [
        Change(
            person,
            Action.REMOVED,
            Kind.CONTESTATION,
            one.id,
            told_after(one.debate_id, one.author, one.parent, len(one.edits), one.after),
            None,
            reason,
            (gone[one.id], *rulings.get(one.id, ())),
        )
        for one in found
    ]


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _find(cursor: duckdb.DuckDBPyConnection, condition: str, values: Sequence[Any]) -> tuple[Contestation, ...]:
    rows = cursor.execute(
        f"SELECT {_COLUMNS} FROM contestation WHERE {condition} ORDER BY created_at, rowid",
        values,
    ).fetchall()
    if not rows:
        return ()
    edits: dict[str, list[Edit]] = {row[0]: [] for row in rows}
    for name, record in cursor.execute(
        "SELECT contestation_id, record FROM edit WHERE contestation_id IN (SELECT unnest(?::VARCHAR[])) "
        "ORDER BY contestation_id, position",
        [list(edits)],
    ).fetchall():
        edits[name].append(Edit.from_json(json.loads(record)))
    return tuple(
        Contestation(
            id=name,
            debate_id=debate_id,
            round_number=number,
            edits=tuple(edits[name]),
            reason=reason,
            author=author,
            role=role,
            created_at=created_at,
            parent=parent,
            before=json.loads(before),
            after=json.loads(after),
            settings=json.loads(settings),
            tags=tuple(tags),
        )
        for name, debate_id, number, reason, author, role, created_at, parent, before, after, settings, tags in rows
    )


def _insert(cursor: duckdb.DuckDBPyConnection, values: Sequence[Contestation]) -> None:
    if not values:
        return
    cursor.execute(
        f"INSERT INTO contestation ({_COLUMNS}) SELECT unnest(?::VARCHAR[]), unnest(?::VARCHAR[]), "
        f"unnest(?::INTEGER[]), {'unnest(?::VARCHAR[]), ' * 8}unnest(?::VARCHAR[][])",
        [
            [value.id for value in values],
            [value.debate_id for value in values],
            [value.round_number for value in values],
            [value.reason for value in values],
            [value.author for value in values],
            [value.role for value in values],
            [value.created_at for value in values],
            [value.parent for value in values],
            [dumps(value.before) for value in values],
            [dumps(value.after) for value in values],
            [dumps(value.settings) for value in values],
            [list(value.tags) for value in values],
        ],
    )
    edits = [(value.id, position, edit) for value in values for position, edit in enumerate(value.edits)]
    cursor.execute(
        "INSERT INTO edit SELECT unnest(?::VARCHAR[]), unnest(?::BIGINT[]), unnest(?::VARCHAR[]), "
        "unnest(?::VARCHAR[]), unnest(?::VARCHAR[])",
        [
            [name for name, _, _ in edits],
            [position for _, position, _ in edits],
            [edit.kind.value for _, _, edit in edits],
            [edit.argument for _, _, edit in edits],
            [dumps(edit.to_json()) for _, _, edit in edits],
        ],
    )


def _cleaned(value: Contestation) -> Contestation:
    """Return the contestation as it will be read back: plain JSON values, texts that a column can hold."""
    plain = json.loads(dumps(_plain(value)))
    return replace(
        value,
        **{name: plain[name] for name in ("id", "debate_id", "reason", "author", "role", "parent")},
        **{name: plain[name] for name in ("before", "after", "settings")},
        tags=tuple(plain["tags"]),
        edits=tuple(Edit.from_json(edit) for edit in plain["edits"]),
    )


def _plain(value: Contestation) -> dict[str, Any]:
    return {
        **{name: getattr(value, name) for name in ("id", "debate_id", "round_number", "reason", "author", "role")},
        **{name: getattr(value, name) for name in ("created_at", "parent", "before", "after", "settings", "tags")},
        "edits": [edit.to_json() for edit in value.edits],
    }


def _content_id(value: Contestation) -> str:
    digest = hashlib.sha256(dumps(_plain(value)).encode()).digest()
    return base64.b32encode(digest).decode().lower()[:ID_LENGTH]


def _utc(moment: str) -> str:
    """Return a time as ISO 8601 in UTC with microseconds, so that the texts sort by time; now for an empty one."""
    if not moment:
        return datetime.now(UTC).isoformat(timespec="microseconds")
    try:
        parsed = datetime.fromisoformat(moment)
        utc = (parsed if parsed.tzinfo else parsed.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise MootError(f"The time {moment!r} is not ISO 8601, such as 2026-05-01T12:00:00+00:00.") from error
    return utc.isoformat(timespec="microseconds")
