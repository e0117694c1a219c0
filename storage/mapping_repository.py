"""Keep the mappings that people save under a name."""

from __future__ import annotations

import json
from pathlib import Path

from core.audit import Action, Change, Kind
from core.errors import MootError
from core.import_issue import quoted
from core.roles import OPERATOR, Permission, Person, require
from core.strict_json import dumps, storable
from storage.database import Database, first_row
from storage.mapping_file import NamedMapping, checked_name, load_mapping, mapping_of, mapping_record
from storage.readers import AnyMapping


class MappingRepository:
    """Keep and find mappings by name."""

    def __init__(self, database: Database, person: Person = OPERATOR) -> None:
        """Take a database, and who acts."""
        self._database = database
        self._person = person

    def save(self, named: NamedMapping) -> NamedMapping:
        """Keep a mapping; one of the same name is replaced.

        Raises:
            NotAllowed: If the person may not import.
            InvalidSetting: If the name is empty or too long.
        """
        require(self._person, Permission.IMPORT)
        name = storable(checked_name(named.name))
        text = dumps(mapping_record(named.mapping))
        with self._database.log() as logged:
            before = first_row(logged.cursor.execute("SELECT record FROM import_mapping WHERE name = ?", [name]))
            if before is not None and before[0] == text:
                return NamedMapping(name, named.mapping)
            logged.cursor.execute(
                "INSERT INTO import_mapping VALUES (?, ?, ?, ?, ?, timezone('UTC', now())) ON CONFLICT DO UPDATE SET "
                "kind = excluded.kind, record = excluded.record, person = excluded.person, "
                "person_name = excluded.person_name, saved_at = excluded.saved_at",
                [name, named.kind, text, storable(self._person.id), storable(self._person.shown)],
            )
            was = None if before is None else json.loads(before[0])
            logged.log(Change(self._person, Action.SETTING, Kind.SETTING, _object(name), was, json.loads(text)))
        return NamedMapping(name, named.mapping)

    def get(self, name: str) -> AnyMapping:
        """Return a mapping by its name.

        Raises:
            MootError: If there is none of that name.
        """
        with self._database.read() as cursor:
            row = first_row(cursor.execute("SELECT record FROM import_mapping WHERE name = ?", [storable(name)]))
        if row is None:
            known = ", ".join(map(repr, self.names()[:20])) or "none yet"
            raise MootError(f"No mapping is saved as {quoted(name)}; there are: {known}.")
        return mapping_of(json.loads(row[0]))

    def names(self) -> tuple[str, ...]:
        """Return the names of all mappings, sorted."""
        with self._database.read() as cursor:
            rows = cursor.execute("SELECT name FROM import_mapping ORDER BY name").fetchall()
        return tuple(name for (name,) in rows)

    def all(self) -> tuple[NamedMapping, ...]:
        """Return every mapping, by name."""
        with self._database.read() as cursor:
            rows = cursor.execute("SELECT name, record FROM import_mapping ORDER BY name").fetchall()
        return tuple(NamedMapping(name, mapping_of(json.loads(record))) for name, record in rows)

    def remove(self, name: str) -> None:
        """Forget a mapping; data sets that were read by it stay, and keep it.

        Raises:
            NotAllowed: If the person may not import.
        """
        require(self._person, Permission.IMPORT)
        with self._database.log() as logged:
            before = first_row(
                logged.cursor.execute("SELECT record FROM import_mapping WHERE name = ?", [storable(name)])
            )
            if before is None:
                return
            logged.cursor.execute("DELETE FROM import_mapping WHERE name = ?", [storable(name)])
            told = json.loads(before[0])
            logged.log(Change(self._person, Action.SETTING, Kind.SETTING, _object(storable(name)), told))


def mapping_named(database: Database, wanted: str) -> NamedMapping:
    """Return a mapping by the name it is saved under, or out of a file.

    Raises:
        MootError: If it is neither; UnreadableFile or InvalidSetting among them say what is wrong with a file.
    """
    repository = MappingRepository(database)
    if wanted in repository.names():
        return NamedMapping(wanted, repository.get(wanted))
    path = Path(wanted)
    if path.is_file():
        return load_mapping(path)
    known = ", ".join(map(repr, repository.names()[:20])) or "none yet"
    raise MootError(f"{quoted(wanted)} is neither a mapping's file nor a saved mapping; saved are: {known}.")


def _object(name: str) -> str:
    return f"import mapping {name}"


__all__ = ["MappingRepository", "mapping_named"]
