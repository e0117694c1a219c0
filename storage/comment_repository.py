"""Keep what people remark on debates: on arguments, on judgements, or on the whole."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import duckdb

from core.audit import Action, Change, Content, Kind
from core.errors import MootError, NotAllowed, UnknownDebate
from core.roles import OPERATOR, Permission, Person, Role, allowed, require
from core.strict_json import storable
from storage.database import Database, first_row
from storage.row_hash import Vouched, contents

LONGEST_TEXT = 5_000  # characters


class Remarked(StrEnum):
    """What of a debate a comment is about."""

    DEBATE = "debate"
    ARGUMENT = "argument"
    JUDGEMENT = "judgement"
    CONTESTATION = "contestation"


@dataclass(frozen=True)
class Comment:
    """A remark.

    Attributes:
        id: Given by storage.
        debate_id, kind, object: What it is about: of which debate, and there an argument's id, a judge's name, or a
            contestation's id; the object is empty for the debate itself.
        text: As written; empty where it was withdrawn.
        person, name: Who wrote it: the id, and what it was called then.
        made_at: ISO 8601 in UTC.
        withdrawn_by, withdrawn_why: Set once it is withdrawn.
    """

    id: str
    debate_id: str
    kind: Remarked
    object: str
    text: str
    person: str
    name: str
    made_at: str
    withdrawn_by: str | None = None
    withdrawn_why: str | None = None

    @property
    def withdrawn(self) -> bool:
        """Return whether it no longer stands."""
        return self.withdrawn_by is not None


class CommentRepository:
    """Keep and find comments; none is ever changed, but its author or an admin can withdraw it."""

    def __init__(self, database: Database, person: Person = OPERATOR) -> None:
        """Take a database, and who acts."""
        self._database = database
        self._person = person

    def add(self, debate_id: str, kind: Remarked, about: str, text: str) -> Comment:
        """Store a comment of the person who acts, and return it.

        Args:
            debate_id: Of which debate.
            kind: What of it.
            about: Which one of them; empty for the debate itself.
            text: What to say.

        Raises:
            NotAllowed: If the person may not comment.
            UnknownDebate: If the debate is not stored.
            MootError: If the text is empty or too long.
        """
        require(self._person, Permission.COMMENT)
        said = storable(text.strip())
        if not said:
            raise MootError("A comment needs a text.")
        if len(said) > LONGEST_TEXT:
            raise MootError(f"The comment has {len(said):,} characters; at most {LONGEST_TEXT:,} fit.")
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        name, where, what = secrets.token_hex(8), storable(debate_id), storable(about)
        written = Comment(name, where, kind, what, said, storable(self._person.id), storable(self._person.shown), now)
        with self._database.log() as logged:
            if first_row(logged.cursor.execute("SELECT 1 FROM debate WHERE id = ?", [where])) is None:
                raise UnknownDebate(debate_id)
            logged.cursor.execute(
                "INSERT INTO comment VALUES (?, ?, ?, ?, ?, ?, ?, ?, NULL, NULL)",
                [name, where, kind.value, what, said, written.person, written.name, now],
            )
            logged.log(self._change(logged.cursor, Action.COMMENTED, written, said))
        return written

    def withdraw(self, comment: str, reason: str = "") -> Comment:
        """Withdraw a comment: its place and its author stay, its text is shown no more.

        Raises:
            NotAllowed: If the person neither wrote it nor is an admin.
            MootError: If there is no such comment, it is withdrawn, or an admin gives no reason.
        """
        require(self._person, Permission.COMMENT)
        why = storable(reason.strip())
        with self._database.log() as logged:
            found = _find(logged.cursor, "id = ?", [storable(comment)])
            if not found:
                raise MootError(f"There is no comment {comment!r}.")
            written = found[0]
            own = written.person == self._person.id
            if not may_withdraw(self._person, written):
                raise NotAllowed(f"Only {written.name} and admins may withdraw this comment.")
            if written.withdrawn:
                raise MootError("This comment is withdrawn already.")
            if not own and not why:
                raise MootError("Say why you withdraw somebody else's comment.")
            logged.cursor.execute(
                "UPDATE comment SET withdrawn_by = ?, withdrawn_why = ? WHERE id = ?",
                [storable(self._person.shown), why, written.id],
            )
            logged.log(self._change(logged.cursor, Action.COMMENT_WITHDRAWN, written, None, why))
            (after,) = _find(logged.cursor, "id = ?", [written.id])
        return after

    def of_debate(self, debate_id: str) -> tuple[Comment, ...]:
        """Return every comment on a debate and what is in it, oldest first."""
        with self._database.read() as cursor:
            return _find(cursor, "debate_id = ?", [storable(debate_id)])

    def on(self, debate_id: str, kind: Remarked, about: str = "") -> tuple[Comment, ...]:
        """Return the comments on one thing, oldest first."""
        with self._database.read() as cursor:
            return _find(
                cursor,
                "debate_id = ? AND kind = ? AND object = ?",
                [storable(debate_id), kind.value, storable(about)],
            )

    def _change(
        self, cursor: duckdb.DuckDBPyConnection, action: Action, comment: Comment, text: str | None, reason: str = ""
    ) -> Change:
        place = {"debate": comment.debate_id, "on": comment.kind.value, "object": comment.object}
        was = None if text is not None else {**place, "text": comment.text}
        now = None if text is None else {**place, "text": text}
        vouched = contents(cursor, Vouched.COMMENT, [comment.id])
        return Change(self._person, action, Kind.COMMENT, comment.id, was, now, reason, tuple(vouched.values()))


def may_withdraw(person: Person, comment: Comment) -> bool:
    """Return whether a person may withdraw a comment: its author while they may comment, and admins."""
    return allowed(person, Permission.COMMENT) and (person.id == comment.person or person.role is Role.ADMIN)


def removed_comments(cursor: duckdb.DuckDBPyConnection, debates: Sequence[str]) -> list[Content]:
    """Remove the comments on debates that go, in an open transaction, and return what went."""
    own = "debate_id IN (SELECT unnest(?::VARCHAR[]))"
    found = _find(cursor, own, [list(debates)])
    gone = contents(cursor, Vouched.COMMENT, [comment.id for comment in found], removed=True)
    cursor.execute(f"DELETE FROM comment WHERE {own}", [list(debates)])  # noqa: S608 - a condition of our own
    return list(gone.values())


def _find(cursor: duckdb.DuckDBPyConnection, condition: str, values: Sequence[Any]) -> tuple[Comment, ...]:
    rows = cursor.execute(
        "SELECT id, debate_id, kind, object, text, person, name, made_at, withdrawn_by, withdrawn_why "  # noqa: S608
        f"FROM comment WHERE {condition} ORDER BY made_at, rowid",
        values,
    ).fetchall()
    return tuple(_comment(*row) for row in rows)


def _comment(name: str, debate: str, kind: str, about: str, text: str, *rest: Any) -> Comment:
    withdrawn = rest[3] is not None
    return Comment(name, debate, Remarked(kind), about, "" if withdrawn else text, *rest)


__all__ = ["LONGEST_TEXT", "Comment", "CommentRepository", "Remarked", "may_withdraw", "removed_comments"]
