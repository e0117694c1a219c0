"""Whether what is stored has changed."""

from __future__ import annotations

from storage.database import Database, first_row


def content_stamp(database: Database) -> str:
    """Return a text that changes whenever data sets or judgements do."""
    with database.read() as cursor:
        row = first_row(
            cursor.execute(
                "SELECT (SELECT concat(count(*), ' ', max(imported_at)) FROM dataset), "
                "(SELECT concat(count(*), ' ', max(created_at)) FROM judgement), "
                "(SELECT count(*) FROM recorded_judgement)"
            )
        )
    return " ".join(map(str, row or ()))


__all__ = ["content_stamp"]
