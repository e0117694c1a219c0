"""Keep and find debates."""

# ruff: noqa: S608 - what is put into SQL here are names and conditions from this package; values are parameters

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb

from core.audit import Action, Change, Kind
from core.contestation import Contestation
from core.debate import Debate, DebateProtocol
from core.errors import Cancelled, MootError, UnknownDebate
from core.import_issue import ImportIssue, IssueLog, Severity
from core.opinion import OpinionProfile
from core.roles import OPERATOR, Permission, Person, require
from core.strict_json import storable
from storage.bulk import no_collection
from storage.comment_repository import removed_comments
from storage.contestation_repository import removed_on_debates, saved_on, with_saved
from storage.database import Database, first_row
from storage.dataset import Dataset
from storage.dataset_writer import DATASET_COLUMNS, AlreadyStored, DatasetWriter, batch_of, found_dataset
from storage.debate_filter import DebateFilter, DebateSort
from storage.row_hash import Vouched, contents
from storage.rows import debate_of, profiles_of, record_of

if TYPE_CHECKING:  # slow to load, and only DuckDB makes tables
    import pandas as pd

CHUNK = 2_000  # debates written at once: bounds the memory, and how often progress is told
HEAVY = 100_000  # arguments and messages written at once
EVERYTHING = DebateFilter()
BY_IMPORT = DebateSort()
DEBATE_TABLES = ("agent", "stance", "argument", "relation", "message", "recorded_judgement")  # joined by debate.number

_FROM = """
    FROM debate AS d JOIN dataset AS s ON s.id = d.dataset_id
    LEFT JOIN (SELECT debate_id, count(*) AS contestations FROM contestation GROUP BY debate_id) AS c
        ON c.debate_id = d.id
"""
STOPPED = "The import was stopped; nothing of the file was stored."


@dataclass(frozen=True)
class Neighbours:
    """Where a debate stands in a list; position counts from 1, and is None when the list does not hold it."""

    previous: str | None
    next: str | None
    position: int | None
    total: int


@dataclass(frozen=True)
class Facets:
    """What the stored debates can be filtered by, each value with its number of debates."""

    protocols: Mapping[DebateProtocol, int]
    labels: Mapping[bool | None, int]
    tags: Mapping[str, int]
    models: Mapping[str, int]
    most_rounds: int
    most_arguments: int


class DebateRepository:
    """Keep and find debates; knows SQL and nothing of judging."""

    def __init__(self, database: Database, person: Person = OPERATOR) -> None:
        """Take a database, and who acts."""
        self._database = database
        self._person = person

    def add(
        self,
        dataset: Dataset,
        debates: Sequence[Debate],
        issues: Iterable[ImportIssue] = (),
        progress: Callable[[int, int], None] | None = None,
        cancelled: Callable[[], bool] | None = None,
        once: bool = False,
        remarks: IssueLog | None = None,
    ) -> Dataset:
        """Store a dataset with its debates, all or nothing, and return it as stored.

        A name or a debate id that is taken already gets a suffix; the source's id of each debate is kept beside.

        Args:
            dataset: What the debates come from; its counts are worked out here.
            debates: In order.
            issues: What the importer had to say about the file.
            progress: Is told how many debates of how many are written.
            cancelled: Is asked between chunks whether to stop.
            once: Refuse content that is stored already.
            remarks: Is told what storing the contestations brings up; that is kept beside the issues.

        Raises:
            NotAllowed: If the person may not import.
            AlreadyStored: If the dataset's inbox job was carried out before; with ``once`` also if its content is here.
            Cancelled: If ``cancelled`` says so; then nothing is stored.
        """
        total = len(debates)
        with self.adding(dataset, once) as writer:
            for chunk in _chunks(debates, CHUNK):
                if cancelled is not None and cancelled():
                    raise Cancelled(STOPPED)
                writer.write(batch_of(chunk))
                if progress is not None:
                    progress(writer.debates, total)
            return writer.finish(issues, remarks)

    @contextmanager
    def adding(self, dataset: Dataset, once: bool = False) -> Iterator[DatasetWriter]:
        """Lend a writer for a dataset that comes batch by batch, all of it in one transaction.

        Args:
            dataset: What the debates come from; its counts are worked out while they come.
            once: Refuse content that is stored already.

        Raises:
            NotAllowed: If the person may not import.
            AlreadyStored: If the dataset's inbox job was carried out before; with ``once`` also if its content is here.
        """
        require(self._person, Permission.IMPORT)
        with no_collection(), self._database.log(bulk=True) as logged:
            yield DatasetWriter(logged, dataset, self._person, once=once)

    def get(self, debate_id: str) -> Debate:
        """Return a debate.

        Raises:
            UnknownDebate: If no debate has the id.
        """
        with self._database.read() as cursor:
            row = first_row(cursor.execute("SELECT record FROM debate WHERE id = ?", [storable(debate_id)]))
        if row is None:
            raise UnknownDebate(debate_id)
        return debate_of(row[0], storable(debate_id))

    def with_contestations(self, debate: Debate) -> Debate:
        """Return a stored debate with the contestations saved on it in its record, each once, ordered by time."""
        with self._database.read() as cursor:
            saved = saved_on(cursor, [storable(debate.id)])
        return with_saved(debate, saved.get(storable(debate.id), ()))

    def exists(self, debate_id: str) -> bool:
        """Return whether a debate has the id."""
        with self._database.read() as cursor:
            found = first_row(cursor.execute("SELECT 1 FROM debate WHERE id = ?", [storable(debate_id)]))
        return found is not None

    def count(self) -> int:
        """Return how many debates are stored."""
        with self._database.read() as cursor:
            return int(_one(cursor.execute("SELECT count(*) FROM debate"))[0])

    def total(self, chosen: DebateFilter = EVERYTHING) -> int:
        """Return how many debates a filter lets through."""
        condition, values = chosen.sql()
        with self._database.read() as cursor:
            return int(_one(cursor.execute(f"SELECT count(*) {_FROM} WHERE {condition}", values))[0])

    def ids(self, chosen: DebateFilter = EVERYTHING, sort: DebateSort = BY_IMPORT) -> tuple[str, ...]:
        """Return the ids of the debates that a filter lets through, in order."""
        condition, values = chosen.sql()
        query = f"SELECT d.id {_FROM} WHERE {condition} ORDER BY {sort.sql()}"
        with self._database.read() as cursor:
            return tuple(name for (name,) in cursor.execute(query, values).fetchall())

    def list(
        self,
        chosen: DebateFilter = EVERYTHING,
        sort: DebateSort = BY_IMPORT,
        limit: int | None = None,
        offset: int = 0,
    ) -> pd.DataFrame:
        """Return a table of debates, one a row.

        Columns: ``id``, ``source_id``, ``claim``, ``title``, ``label`` (True, False, missing), ``protocol``,
        ``dataset_id``, ``dataset``, ``is_sample``, ``tags`` and ``models`` (lists), ``rounds``, ``agents``,
        ``arguments``, ``pros``, ``cons`` and ``relations`` (of the last round), ``stances`` (list of each agent's
        latest), ``messages``, ``judgements`` (that came with the log), ``contestations``, ``note``.
        """
        condition, values = chosen.sql()
        query = f"""
            SELECT d.id, d.source_id, d.claim, d.title, d.label, d.protocol, d.dataset_id, s.name AS dataset,
                s.is_sample, d.tags, d.models, d.round_count AS rounds, d.agent_count AS agents,
                d.argument_count AS arguments, d.pro_count AS pros, d.con_count AS cons,
                d.relation_count AS relations, d.stances, d.message_count AS messages,
                d.judgement_count AS judgements, coalesce(c.contestations, 0) AS contestations, d.note
            {_FROM} WHERE {condition} ORDER BY {sort.sql()} LIMIT ? OFFSET ?
        """
        with self._database.read() as cursor:
            return cursor.execute(query, [*values, limit, offset]).df()

    def neighbours(self, debate_id: str, chosen: DebateFilter = EVERYTHING, sort: DebateSort = BY_IMPORT) -> Neighbours:
        """Return which debates stand before and after one under a filter and an order."""
        condition, values = chosen.sql()
        query = f"""
            WITH listed AS (
                SELECT d.id, row_number() OVER w AS position, lag(d.id) OVER w AS previous, lead(d.id) OVER w AS next
                {_FROM} WHERE {condition} WINDOW w AS (ORDER BY {sort.sql()})
            )
            SELECT previous, next, position, (SELECT count(*) FROM listed) FROM listed WHERE id = ?
        """
        with self._database.read() as cursor:
            row = first_row(cursor.execute(query, [*values, storable(debate_id)]))
        return Neighbours(*row) if row else Neighbours(None, None, None, self.total(chosen))

    def facets(self) -> Facets:
        """Return what there is to filter by, the most frequent first."""
        with self._database.read() as cursor:
            counted = {
                column: dict(
                    cursor.execute(
                        f"SELECT {value}, count(*) AS n FROM debate GROUP BY 1 ORDER BY n DESC, 1"
                    ).fetchall()
                )
                for column, value in (
                    ("protocol", "protocol"),
                    ("label", "label"),
                    ("tags", "unnest(tags)"),
                    ("models", "unnest(models)"),
                )
            }
            rounds, arguments = _one(
                cursor.execute("SELECT coalesce(max(round_count), 0), coalesce(max(argument_count), 0) FROM debate")
            )
        protocols = {DebateProtocol(name): count for name, count in counted["protocol"].items()}
        return Facets(protocols, counted["label"], counted["tags"], counted["models"], rounds, arguments)

    def profiles(self, ids: Iterable[str] | None = None) -> dict[str, OpinionProfile]:
        """Return the profiles of the last rounds of many debates by id; of all debates unless ids are given.

        Equal to ``profile(get(id))`` for each, in a few queries. Ids that are not stored are left out.
        """
        condition, values = EVERYTHING.sql() if ids is None else DebateFilter(ids=tuple(ids)).sql()
        last = "JOIN wanted AS d ON x.debate = d.number AND x.round_index = d.round_count - 1"
        with no_collection(), self._database.read() as cursor:
            cursor.execute(
                f"CREATE TEMP TABLE wanted AS SELECT number, id, claim, protocol, round_count FROM debate AS d "
                f"WHERE {condition} ORDER BY number",
                values,
            )
            return profiles_of(
                cursor.execute("SELECT * FROM wanted").fetchall(),
                _all(cursor, "x.debate, x.id", "agent", "JOIN wanted AS d ON x.debate = d.number", "x.position"),
                _all(
                    cursor,
                    "x.debate, x.round_index, x.agent_id, x.prior, x.posterior",
                    "stance",
                    "JOIN wanted AS d ON x.debate = d.number",
                    "x.round_index, x.position",
                ),
                _all(
                    cursor,
                    "x.debate, x.id, x.text, x.author, x.base_score, x.source_id, x.base_score_raw, "
                    "x.last_edited_by, x.is_error_text, x.source",
                    "argument",
                    last,
                    "x.position",
                ),
                _all(cursor, "x.debate, x.source, x.target, x.kind", "relation", last, "x.position"),
            )

    def datasets(self) -> tuple[Dataset, ...]:
        """Return the datasets in the order of their import."""
        with self._database.read() as cursor:
            rows = cursor.execute(f"SELECT {DATASET_COLUMNS} FROM dataset ORDER BY imported_at, rowid").fetchall()
        return tuple(Dataset(*row) for row in rows)

    def dataset_with(self, sha256: str) -> Dataset | None:
        """Return the first dataset with that content; None if there is none."""
        with self._database.read() as cursor:
            return found_dataset(cursor, sha256, "")

    def renamed(self, dataset: str) -> int:
        """Return how many debates of a dataset have another id than in its file, because that was taken."""
        with self._database.read() as cursor:
            query = "SELECT count(*) FROM debate WHERE dataset_id = ? AND id <> source_id"
            return int(_one(cursor.execute(query, [storable(dataset)]))[0])

    def issues(self, dataset: str) -> pd.DataFrame:
        """Return what the importer said of a dataset: ``severity``, ``code``, ``line``, ``field``, ``message``."""
        with self._database.read() as cursor:
            return cursor.execute(
                "SELECT severity, code, line, field, message FROM import_issue WHERE dataset_id = ? ORDER BY position",
                [storable(dataset)],
            ).df()

    def import_issues(self, dataset: str, file: str) -> tuple[ImportIssue, ...]:
        """Return what the importer said of a dataset, as issues of a file of that name."""
        with self._database.read() as cursor:
            rows = cursor.execute(
                "SELECT severity, code, message, line, field FROM import_issue WHERE dataset_id = ? ORDER BY position",
                [storable(dataset)],
            ).fetchall()
        return tuple(
            ImportIssue(Severity(severity), code, message, file, line, field)
            for severity, code, message, line, field in rows
        )

    def export(self, chosen: DebateFilter = EVERYTHING) -> Iterator[str]:
        """Return debates as lines of the native format, without line ends, in the order of their import.

        Debates of one dataset keep the ids they had in its file, so that importing and exporting again gives the
        same bytes; a mixture takes the ids of this database, which are unique. Contestations saved on a debate are
        in its line, beside those that its record came with.
        """
        condition, values = chosen.sql()
        query = f"SELECT d.id, d.source_id, d.record, c.contestations {_FROM} WHERE {condition} ORDER BY d.number"
        with self._database.read() as cursor, self._database.read() as beside:  # a cursor holds one result at a time
            single = _one(cursor.execute(f"SELECT count(DISTINCT d.dataset_id) {_FROM} WHERE {condition}", values))[0]
            cursor.execute(query, values)
            while rows := cursor.fetchmany(CHUNK):
                contested = [name for name, _, _, count in rows if count]
                saved = saved_on(beside, contested) if contested else {}
                for name, source_id, record, _ in rows:
                    yield _line(record, source_id, source_id if single == 1 else name, saved.get(name, ()))

    def remove_dataset(self, dataset: str, with_contestations: bool = False) -> None:
        """Remove a dataset with its debates and their drafts.

        Args:
            dataset: The dataset's id.
            with_contestations: Also remove what people saved on its debates; else such a dataset stays.

        Raises:
            NotAllowed: If the person may not remove what is stored.
            MootError: If there is no such dataset, or contestations were saved on its debates.
        """
        require(self._person, Permission.DELETE)
        dataset = storable(dataset)
        own = "(SELECT id FROM debate WHERE dataset_id = ?)"
        with self._database.log(bulk=True) as logged:
            cursor = logged.cursor
            row = first_row(cursor.execute("SELECT name, debate_count FROM dataset WHERE id = ?", [dataset]))
            if row is None:
                raise MootError(f"There is no dataset {dataset!r} in this database.")
            (saved,) = _one(cursor.execute(f"SELECT count(*) FROM contestation WHERE debate_id IN {own}", [dataset]))
            if saved and not with_contestations:
                raise MootError(
                    f"{saved} contestations were saved on debates of {row[0]!r}; "
                    "say that they may go too, or keep the dataset."
                )
            listed = cursor.execute("SELECT id FROM debate WHERE dataset_id = ?", [dataset]).fetchall()
            debates = [name for (name,) in listed]
            logged.log(*removed_on_debates(cursor, self._person, debates))
            gone = [
                *contents(cursor, Vouched.DATASET, [dataset], removed=True).values(),
                *removed_comments(cursor, debates),
            ]
            told = {"name": row[0], "debates": row[1]}
            logged.log(Change(self._person, Action.DATASET_REMOVED, Kind.DATASET, dataset, told, contents=tuple(gone)))
            cursor.execute(  # a draft that goes on from a contestation is kept under "debate#contestation"
                "DELETE FROM draft WHERE EXISTS (SELECT 1 FROM debate AS d WHERE d.dataset_id = ? "
                "AND (draft.debate_id = d.id OR starts_with(draft.debate_id, d.id || '#')))",
                [dataset],
            )
            cursor.execute(f"DELETE FROM statement_draft WHERE debate_id IN {own}", [dataset])
            for table in DEBATE_TABLES:
                cursor.execute(
                    f"DELETE FROM {table} WHERE debate IN (SELECT number FROM debate WHERE dataset_id = ?)",
                    [dataset],
                )
            for table, column in (("debate", "dataset_id"), ("import_issue", "dataset_id"), ("dataset", "id")):
                cursor.execute(f"DELETE FROM {table} WHERE {column} = ?", [dataset])


def _line(record: str, source_id: str, exported_id: str, saved: Sequence[Contestation]) -> str:
    if exported_id == source_id and not saved:
        return record
    debate = debate_of(record, exported_id)
    whole = with_saved(debate, saved)
    return record if exported_id == source_id and whole is debate else record_of(whole)


def _one(cursor: duckdb.DuckDBPyConnection) -> tuple[Any, ...]:
    row = first_row(cursor)
    if row is None:
        raise MootError("The database gave no answer where one row was due; it may be damaged.")
    return row


def _all(cursor: duckdb.DuckDBPyConnection, columns: str, table: str, join: str, order: str) -> Any:
    return cursor.execute(f"SELECT {columns} FROM {table} AS x {join} ORDER BY x.debate, {order}").fetchall()


def weight_of(debate: Debate) -> int:
    """Return how many arguments and messages a debate brings, by which batches are measured."""
    return sum(len(each.arguments) for each in debate.rounds) + len(debate.transcript)


def _chunks(debates: Iterable[Debate], size: int) -> Iterator[list[Debate]]:
    chunk: list[Debate] = []
    weight = 0
    for debate in debates:
        chunk.append(debate)
        weight += weight_of(debate)
        if len(chunk) >= size or weight >= HEAVY:
            yield chunk
            chunk, weight = [], 0
    if chunk:
        yield chunk


__all__ = [
    "BY_IMPORT",
    "DEBATE_TABLES",
    "EVERYTHING",
    "STOPPED",
    "AlreadyStored",
    "DebateRepository",
    "Facets",
    "Neighbours",
    "weight_of",
]
