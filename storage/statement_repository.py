"""Keep debates whose arguments people took from transcripts: beside the originals, in a data set of their own."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import duckdb

from core.audit import Action, Change, Kind
from core.errors import UnknownDebate
from core.roles import OPERATOR, Permission, Person, require
from core.statements.derived import derived_debate
from core.statements.taken import TakenArgument
from core.strict_json import storable
from storage.bulk import no_collection
from storage.database import Database, first_row
from storage.dataset import Dataset
from storage.dataset_writer import insert_dataset, insert_rows, stored_ids, unique_dataset
from storage.debated_dataset import count_again
from storage.row_hash import Vouched, contents
from storage.rows import DebateRows, debate_of

FORMAT = "arguments from statements"
SUFFIX = "from statements"


@dataclass(frozen=True)
class Derived:
    """A debate that was made from a transcript."""

    id: str
    arguments: int


class StatementRepository:
    """Keep and find debates made from transcripts; the originals are only read."""

    def __init__(self, database: Database, person: Person = OPERATOR) -> None:
        """Take a database, and who acts."""
        self._database = database
        self._person = person

    def save(self, debate_id: str, taken: Sequence[TakenArgument], name: str = "") -> str:
        """Store the debate that arguments taken from a transcript make, and return its id.

        It goes into the data set of what was taken from the original's data set, which is made if there is none. The
        log tells how many arguments were taken by hand and how many came from which model.

        Args:
            debate_id: The original.
            taken: What was taken from its transcript.
            name: What the person who took it is called; not heeded where an identity provider says who that is.

        Raises:
            NotAllowed: If the person may not.
            UnknownDebate: If there is no such debate.
            InvalidGraph: If the arguments cannot be a debate; the message says why.
        """
        require(self._person, Permission.DERIVE)
        debate_id = storable(debate_id)
        with no_collection(), self._database.log(bulk=True) as logged:
            cursor = logged.cursor
            row = first_row(
                cursor.execute(
                    "SELECT d.record, s.id, s.name, s.format FROM debate AS d JOIN dataset AS s ON s.id = d.dataset_id "
                    "WHERE d.id = ?",
                    [debate_id],
                )
            )
            if row is None:
                raise UnknownDebate(debate_id)
            record, source, source_name, kind = row
            given = "" if self._person.signed_in else storable(name.strip())
            who = given or self._person.shown
            debate = derived_debate(debate_of(record, debate_id), taken, who, source_name)
            dataset = source if kind == FORMAT else _dataset(cursor, source, source_name)
            number, position = _next(cursor, dataset)
            rows = DebateRows(dataset)
            (stored,) = stored_ids(cursor, dataset, [debate.id])
            rows.add(replace(debate, id=stored), number, stored, position)
            for table, values in rows.tables().items():
                insert_rows(cursor, table, values)
            count_again(cursor, dataset)
            # So that whatever is kept in memory of this data set is found to be old.
            cursor.execute("UPDATE dataset SET imported_at = timezone('UTC', now()) WHERE id = ?", [dataset])
            vouched = contents(cursor, Vouched.DATASET, [dataset])
            logged.log(
                Change(
                    self._person,
                    Action.STATEMENTS_TAKEN,
                    Kind.DATASET,
                    dataset,
                    after={"debate": stored, "of": debate_id, "by": who} | _counted(taken),
                    contents=tuple(vouched.values()),
                )
            )
        return stored

    def made_of(self, debate_id: str) -> tuple[Derived, ...]:
        """Return the debates that were made from a debate's transcript, the oldest first."""
        with self._database.read() as cursor:
            rows = cursor.execute(
                "SELECT d.id, d.argument_count FROM debate AS d JOIN dataset AS s ON s.id = d.dataset_id "
                "WHERE s.format = ? AND json_extract_string(d.record, '$.provenance.from_debate') = ? "
                "ORDER BY d.number",
                [FORMAT, storable(debate_id)],
            ).fetchall()
        return tuple(Derived(name, int(count)) for name, count in rows)


def _counted(taken: Sequence[TakenArgument]) -> dict[str, object]:
    models: dict[str, int] = {}
    for one in taken:
        if one.model:
            models[storable(one.model)] = models.get(storable(one.model), 0) + 1
    by_hand = sum(not one.model for one in taken)
    return {"arguments": len(taken), "by hand": by_hand} | ({"proposed and accepted": models} if models else {})


def _dataset(cursor: duckdb.DuckDBPyConnection, source: str, source_name: str) -> str:
    """Return the id of the data set for what is taken from another one, made if there is none."""
    digest = hashlib.sha256(f"{FORMAT} of {source}".encode()).hexdigest()
    found = first_row(cursor.execute("SELECT id FROM dataset WHERE sha256 = ? AND format = ?", [digest, FORMAT]))
    if found is not None:
        return str(found[0])
    note = f"Arguments that people took from transcripts of {source_name}."
    made = unique_dataset(cursor, Dataset("", f"{source_name}, {SUFFIX}", "", digest, 0, FORMAT, note=note))
    return insert_dataset(cursor, replace(made, file_name=made.name)).id


def _next(cursor: duckdb.DuckDBPyConnection, dataset: str) -> tuple[int, int]:
    """Return the number of the next debate, and its position in a data set."""
    row = first_row(
        cursor.execute(
            "SELECT coalesce(max(number), 0) + 1, coalesce(max(position) FILTER (dataset_id = ?), -1) + 1 FROM debate",
            [dataset],
        )
    )
    return (1, 0) if row is None else (int(row[0]), int(row[1]))


__all__ = ["FORMAT", "Derived", "StatementRepository"]
