"""Keep what people put together for reports: a basket for each person, and reports under a name."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

import duckdb

from core.audit import Action, Change, Kind
from core.errors import MootError, NotAllowed
from core.report.report import Report
from core.roles import OPERATOR, Permission, Person, Role, require
from core.strict_json import dumps, storable
from storage.database import Database, first_row

LONGEST_NAME = 100  # characters


@dataclass(frozen=True)
class KeptReport:
    """A report that was kept under a name: what it is called, whose it is (id and name), and its recipe's hash."""

    name: str
    person: str
    person_name: str
    hash: str


class ReportRepository:
    """Keep and find baskets and reports."""

    def __init__(self, database: Database, person: Person = OPERATOR) -> None:
        """Take a database, and who acts."""
        self._database = database
        self._person = person

    def basket(self) -> Report:
        """Return what the person has put together so far."""
        with self._database.read() as cursor:
            return _basket(cursor, self._person)

    def change(self, change: Callable[[Report], Report]) -> Report:
        """Change the person's basket and return it; two changes at once, as from two tabs, are both kept.

        Args:
            change: From the basket as it is in the database now to what it shall be.

        Raises:
            NotAllowed: If the person may not save.
            InvalidSetting: If the report would not be a valid one.
        """
        require(self._person, Permission.SAVE)
        with self._database.write() as cursor:
            before = _basket(cursor, self._person)
            after = change(before)
            if after != before:
                cursor.execute(
                    "INSERT INTO report_basket VALUES (?, ?, timezone('UTC', now())) "
                    "ON CONFLICT DO UPDATE SET recipe = excluded.recipe, saved_at = excluded.saved_at",
                    [storable(self._person.id), dumps(after.to_json())],
                )
        return after

    def keep(self, name: str, report: Report) -> None:
        """Keep a report under a name; one's own of that name is replaced.

        Raises:
            NotAllowed: If the person may not save, or the name is somebody else's.
            MootError: If the name is empty or too long.
        """
        require(self._person, Permission.SAVE)
        called = storable(name.strip())
        if not 1 <= len(called) <= LONGEST_NAME:
            raise MootError(f"A report's name needs 1 to {LONGEST_NAME} characters.")
        with self._database.log() as logged:
            before = _kept(logged.cursor, called)
            if before is not None and before.person != self._person.id:
                raise NotAllowed(f"The report {called!r} is {before.person_name}'s; choose another name.")
            if before is not None and before.hash == report.hash:
                return
            logged.cursor.execute(
                "INSERT INTO report VALUES (?, ?, ?, ?, ?, timezone('UTC', now())) ON CONFLICT DO UPDATE SET "
                "recipe = excluded.recipe, hash = excluded.hash, saved_at = excluded.saved_at, "
                "person_name = excluded.person_name",
                [called, storable(self._person.id), storable(self._person.shown), report.recipe, report.hash],
            )
            was = None if before is None else {"recipe": before.hash}
            now = {"recipe": report.hash, "items": len(report.entries)}
            logged.log(Change(self._person, Action.REPORT, Kind.REPORT, called, was, now))

    def get(self, name: str) -> Report:
        """Return the report kept under a name.

        Raises:
            MootError: If there is none.
        """
        with self._database.read() as cursor:
            row = first_row(cursor.execute("SELECT recipe FROM report WHERE name = ?", [storable(name)]))
        if row is None:
            names = ", ".join(repr(one.name) for one in self.kept()[:10]) or "none"
            raise MootError(f"No report is kept as {name!r} in this database; there are {names}.")
        return Report.from_recipe(row[0])

    def kept(self) -> tuple[KeptReport, ...]:
        """Return the reports that are kept, by name."""
        with self._database.read() as cursor:
            rows = cursor.execute("SELECT name, person, person_name, hash FROM report ORDER BY name").fetchall()
        return tuple(KeptReport(*row) for row in rows)

    def remove(self, name: str) -> None:
        """Forget a report that was kept; what it shows stays.

        Raises:
            NotAllowed: If it is neither the person's own nor the person an admin.
            MootError: If there is none of the name.
        """
        require(self._person, Permission.SAVE)
        with self._database.log() as logged:
            before = _kept(logged.cursor, storable(name))
            if before is None:
                raise MootError(f"No report is kept as {name!r} in this database.")
            if before.person != self._person.id and self._person.role is not Role.ADMIN:
                raise NotAllowed(f"Only {before.person_name} and admins may remove the report {name!r}.")
            logged.cursor.execute("DELETE FROM report WHERE name = ?", [before.name])
            logged.log(Change(self._person, Action.REPORT_REMOVED, Kind.REPORT, before.name, {"recipe": before.hash}))


def _basket(cursor: duckdb.DuckDBPyConnection, person: Person) -> Report:
    found = first_row(cursor.execute("SELECT recipe FROM report_basket WHERE person = ?", [storable(person.id)]))
    return Report() if found is None else Report.from_json(json.loads(found[0]))


def _kept(cursor: duckdb.DuckDBPyConnection, name: str) -> KeptReport | None:
    row = first_row(cursor.execute("SELECT name, person, person_name, hash FROM report WHERE name = ?", [name]))
    return None if row is None else KeptReport(*row)


__all__ = ["KeptReport", "ReportRepository"]
