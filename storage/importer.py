"""Bring files into the database: read, recognise what is here already, store all or nothing, report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from core.errors import Cancelled, MootError, UnreadableDatabase, UnwritableDatabase
from core.import_issue import ImportIssue, IssueLog, Severity
from core.roles import OPERATOR, Person
from core.strict_json import dumps
from core.wording import several
from storage.database import Database
from storage.dataset import Dataset, base_name, dataset_id
from storage.debate_repository import AlreadyStored, DebateRepository
from storage.import_sink import ImportSink, Watch
from storage.judgement_file import judgement_text, load_judgements
from storage.mapping_file import mapping_record
from storage.readers import AnyMapping, ReadFile, read_file
from storage.readers.derivations import derivations_named, derived

JUDGEMENTS = "moot-judgement/1"
FORMAT_ENDINGS = (
    ".gz", ".zip", ".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".txt", ".parquet", ".eval", ".bag", ".argdown",
)  # fmt: skip


@dataclass(frozen=True)
class Imported:
    """What became of a file.

    Attributes:
        dataset_id: Where its debates are; None when it was refused.
        debates, arguments: What the dataset holds; an argument that comes back in later rounds counts once.
        issues: What the reader said, and what storing it added.
        already_here: The same content had been imported before, and nothing was stored again.
    """

    dataset_id: str | None
    debates: int
    arguments: int
    issues: tuple[ImportIssue, ...]
    already_here: bool = False


@dataclass(frozen=True)
class Wish:
    """How a person wants files imported.

    Attributes:
        dataset_name: Instead of the file's name.
        again: Store the content even if it is here already.
        is_sample: The debates are Moot's hand-written ones.
        note: A sentence for the reader of the dataset.
        job: The inbox job that brings the file; a job is never carried out twice.
        person: Who imports.
        mapping: Which column or path means what, where a person said so.
        mapping_name: What that mapping is called.
        derivations: Keys of what is to be derived where the file lacks it.
    """

    dataset_name: str | None = None
    again: bool = False
    is_sample: bool = False
    note: str = ""
    job: str = ""
    person: Person = OPERATOR
    mapping: AnyMapping | None = None
    mapping_name: str = ""
    derivations: tuple[str, ...] = ()


@dataclass(frozen=True)
class FileReport:
    """What the command line says of one file; format None means that nothing of it was stored.

    A file has debates or judgements on debates that are here; of judgements those count that are new.
    """

    file: str
    format: str | None
    debates: int = 0
    arguments: int = 0
    issues: tuple[ImportIssue, ...] = field(default_factory=tuple)
    judgements: int = 0

    @property
    def refused(self) -> bool:
        """Return whether nothing of the file came in."""
        return self.format is None

    def to_json(self) -> dict[str, Any]:
        """Return the report as plain JSON values."""
        return {
            "file": self.file,
            "format": self.format,
            "debates": self.debates,
            "arguments": self.arguments,
            **({"judgements": self.judgements} if self.format == JUDGEMENTS else {}),
            "issues": [issue.to_json() for issue in self.issues],
        }

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> FileReport:
        """Return the report that ``to_json`` wrote.

        Raises:
            KeyError, TypeError, ValueError: If it did not.
        """
        issues = (
            ImportIssue(
                Severity(issue["severity"]),
                issue["code"],
                issue["message"],
                base_name(record["file"]),
                issue["line"],
                issue["field"],
            )
            for issue in record["issues"]
        )
        return cls(
            record["file"],
            record["format"],
            record["debates"],
            record["arguments"],
            tuple(issues),
            record.get("judgements", 0),
        )


def import_file(
    database: Database, source: Path | bytes, file: str, wish: Wish, watch: Watch | None = None
) -> FileReport:
    """Read a file, store it while it is read, and return what happened; whatever is wrong with it is an issue.

    Args:
        database: Where it goes.
        source: The file, or its bytes.
        file: What to call it in the report.
        wish: How to import it.
        watch: Is told of progress, and asked whether to stop.

    Raises:
        Cancelled: If ``watch`` says so; then nothing is stored.
        UnreadableDatabase, UnwritableDatabase: If the fault is the database's, not the file's.
    """
    name = base_name(file)
    trouble = unreadable(source, file) if isinstance(source, Path) else None
    if trouble is not None:
        return trouble
    try:
        folder = isinstance(source, Path) and source.is_dir()
        judged = None if folder or wish.mapping is not None else judgement_text(source)
        if judged is not None:
            return _import_judgements(database, judged, file, wish.person)
        return _import_debates(database, source, file, wish, watch)
    except OSError as error:
        return refused(file, "file_unreadable", f"The file cannot be read: {error.strerror or error}.")
    except (UnreadableDatabase, UnwritableDatabase, Cancelled):
        raise
    except MootError as error:
        return FileReport(file, None, issues=(_issue(Severity.ERROR, "not_stored", str(error), name),))


def _import_debates(database: Database, source: Path | bytes, file: str, wish: Wish, watch: Watch | None) -> FileReport:
    name = base_name(file)
    repository = DebateRepository(database, wish.person)
    remarks = IssueLog(name)
    chosen = derivations_named(wish.derivations)
    try:
        with ImportSink(repository, _describe(wish), not wish.again, chosen, watch) as sink:
            read = read_file(source, name, wish.mapping, into=sink)
            if read.refused or read.format is None:
                return FileReport(file, None, issues=read.issues)
            stored = sink.finish(read.issues, read.format, remarks)
    except AlreadyStored as found:
        stored = found.dataset
        issues = repository.import_issues(stored.id, name)
        if not wish.job or stored.job != wish.job:  # a job done twice tells the same story twice
            already = _issue(Severity.INFO, "already_here", str(found), name)
            return FileReport(file, stored.format, stored.debate_count, stored.argument_count, (*issues, already))
    else:
        issues = (*read.issues, *remarks.issues)
    issues = (*issues, *_renamed(repository, stored.id, name))
    return FileReport(file, stored.format, stored.debate_count, stored.argument_count, issues)


def _describe(wish: Wish) -> Callable[[str, int, str], Dataset]:
    """Return what makes a dataset of a file's SHA-256, size and base name."""
    kept = "" if wish.mapping is None else dumps({"name": wish.mapping_name, **mapping_record(wish.mapping)})

    def describe(sha256: str, size: int, file: str) -> Dataset:
        name = wish.dataset_name or plain_name(file)
        return Dataset(
            dataset_id(sha256, name),
            name,
            base_name(file),
            sha256,
            size,
            "",
            is_sample=wish.is_sample,
            note=wish.note,
            job=wish.job,
            mapping=kept,
            derivations=", ".join(wish.derivations),
        )

    return describe


def _renamed(repository: DebateRepository, dataset: str, file: str) -> tuple[ImportIssue, ...]:
    renamed = repository.renamed(dataset)
    if not renamed:
        return ()
    message = f"{several(renamed, 'debate')} got another id, because the own one is taken in this database."
    return (_issue(Severity.INFO, "debate_id_taken", message, file),)


def import_read_file(
    database: Database,
    read: ReadFile,
    dataset_name: str | None = None,
    again: bool = False,
    progress: Callable[[int, int], None] | None = None,
    cancelled: Callable[[], bool] | None = None,
    wish: Wish | None = None,
) -> Imported:
    """Store what a file holds, in one transaction, and return what became of it.

    Args:
        database: Where it goes.
        read: The file as read.
        dataset_name: What to call it; the file's name without its ending unless given.
        again: Store the content even if it is here already.
        progress: Is told how many debates of how many are written.
        cancelled: Is asked now and then whether to stop.
        wish: Further wishes; ``dataset_name`` and ``again`` count as given here.

    Raises:
        Cancelled: If ``cancelled`` says so; then nothing is stored.
        UnwritableDatabase: If the database takes nothing; then nothing is stored.
    """
    wish = replace(wish or Wish(), dataset_name=dataset_name, again=again)
    if read.refused or read.format is None:
        return Imported(None, 0, 0, read.issues)
    dataset = replace(_describe(wish)(read.sha256, read.size, read.file), format=read.format)
    repository = DebateRepository(database, wish.person)
    issues, already_here, remarks = read.issues, False, IssueLog(read.file)
    try:
        debates = derived(read.debates, wish.derivations)
        stored = repository.add(dataset, debates, read.issues, progress, cancelled, not wish.again, remarks)
        issues = (*issues, *remarks.issues)
    except AlreadyStored as found:
        stored = found.dataset
        already_here = not wish.job or stored.job != wish.job  # a job done twice tells the same story twice
        if already_here:
            issues = (*issues, _issue(Severity.INFO, "already_here", str(found), read.file))
    if not already_here:
        issues = (*issues, *_renamed(repository, stored.id, read.file))
    return Imported(stored.id, stored.debate_count, stored.argument_count, issues, already_here)


def _import_judgements(database: Database, text: str, file: str, person: Person) -> FileReport:
    """Store the judgements of a file; those of a judge on a debate that is judged already are left as they are."""
    name = base_name(file)
    try:
        loaded = load_judgements(database, text.split("\n"), f"imported from {name}", person, name)
    except (UnreadableDatabase, UnwritableDatabase):
        raise
    except MootError as error:
        return FileReport(file, None, issues=(_issue(Severity.ERROR, "not_stored", str(error), name),))
    issues = loaded.issues
    here = loaded.found - loaded.stored
    if here:
        message = f"{several(here, 'judgement')} of the same judge on the same debate were here already and stay."
        issues = (*issues, _issue(Severity.INFO, "judgements_already_here", message, name))
    return FileReport(file, JUDGEMENTS if loaded.found else None, issues=issues, judgements=loaded.stored)


def unreadable(path: Path, file: str) -> FileReport | None:
    """Return a refusing report for a path that is no readable file or folder; None for one that can be read."""
    try:
        if path.is_dir():
            empty = not any(entry.is_file() for entry in path.rglob("*"))
            return refused(file, "file_is_folder", "This is a folder without files.") if empty else None
        if path.exists() and not path.is_file():  # a device or a pipe never ends, or can be read only once
            said = "This is neither a file nor a folder. To read from a pipe, give - for standard input."
            return refused(file, "file_is_no_file", said)
        with path.open("rb"):
            return None
    except FileNotFoundError:
        return refused(file, "file_missing", "There is no such file.")
    except (OSError, ValueError) as error:  # ValueError: a NUL in the name
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return refused(file, "file_unreadable", f"The file cannot be read: {reason}.")


def refused(file: str, code: str, message: str) -> FileReport:
    """Return the report of a file of which nothing was stored."""
    return FileReport(file, None, issues=(_issue(Severity.ERROR, code, message, base_name(file)),))


def plain_name(file: str) -> str:
    """Return a file's base name without the endings that only say its format."""
    name = base_name(file)
    while True:
        ending = next((ending for ending in FORMAT_ENDINGS if name.lower().endswith(ending)), "")
        if not ending or len(ending) == len(name):
            return name
        name = name[: -len(ending)]


def _issue(severity: Severity, code: str, message: str, file: str) -> ImportIssue:
    return ImportIssue(severity, code, message, file)
