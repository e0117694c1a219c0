"""Remember in which role people signed in, so that a change of somebody's role is logged when it takes effect."""

from __future__ import annotations

from datetime import UTC, datetime

from core.audit import Action, Change, Kind
from core.roles import Person, Role
from core.strict_json import storable
from storage.database import Database, first_row


class PeopleRepository:
    """Keep who signed in."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def signed_in(self, person: Person) -> bool:
        """Note that somebody signed in; return whether the first time, or in another role than the last."""
        name, shown = storable(person.id), storable(person.shown)
        now = datetime.now(UTC).isoformat(timespec="microseconds")
        with self._database.log() as logged:
            row = first_row(logged.cursor.execute("SELECT role FROM person WHERE id = ?", [name]))
            logged.cursor.execute(
                "INSERT INTO person VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET name = excluded.name, "
                "role = excluded.role, seen_at = excluded.seen_at",
                [name, shown, person.role.value, now],
            )
            before = None if row is None else str(row[0])
            if before != person.role.value:
                logged.log(Change(person, Action.ROLE, Kind.PERSON, name, before, person.role.value))
        return before != person.role.value

    def role(self, person_id: str) -> Role | None:
        """Return the role in which somebody signed in last; None if nobody of that id did."""
        with self._database.read() as cursor:
            row = first_row(cursor.execute("SELECT role FROM person WHERE id = ?", [storable(person_id)]))
        return None if row is None else Role(row[0])


__all__ = ["PeopleRepository"]
