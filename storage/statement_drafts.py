"""Keep what a person has taken from transcripts until it is made a debate: each person's own, and nobody else's."""

from __future__ import annotations

import json
from collections.abc import Sequence

from core.errors import MootError
from core.roles import OPERATOR, Permission, Person, require
from core.statements.taken import TakenArgument
from core.strict_json import dumps, storable
from storage.database import Database, first_row


class StatementDrafts:
    """The drafts of one person."""

    def __init__(self, database: Database, person: Person = OPERATOR) -> None:
        """Take a database, and whose drafts these are."""
        self._database = database
        self._person = person

    def get(self, debate_id: str) -> tuple[TakenArgument, ...]:
        """Return what the person has taken from a debate's transcript; nothing where it cannot be read any more."""
        with self._database.read() as cursor:
            row = first_row(
                cursor.execute(
                    "SELECT taken FROM statement_draft WHERE person = ? AND debate_id = ?",
                    [self._person.id, storable(debate_id)],
                )
            )
        try:
            return () if row is None else tuple(TakenArgument.from_json(record) for record in json.loads(row[0]))
        except MootError:  # of another version
            return ()

    def keep(self, debate_id: str, taken: Sequence[TakenArgument]) -> None:
        """Keep what the person has taken in place of what was kept before; nothing is kept of nothing.

        Raises:
            NotAllowed: If the person may not turn statements into arguments.
        """
        require(self._person, Permission.DERIVE)
        own = [self._person.id, storable(debate_id)]
        with self._database.write() as cursor:
            cursor.execute("DELETE FROM statement_draft WHERE person = ? AND debate_id = ?", own)
            if taken:
                cursor.execute(
                    "INSERT INTO statement_draft SELECT ?, ?, ?, timezone('UTC', now()) "
                    "WHERE EXISTS (SELECT 1 FROM debate WHERE id = ?)",
                    [*own, dumps([one.to_json() for one in taken]), own[1]],
                )


__all__ = ["StatementDrafts"]
