"""One file read into debates: decoded, recognised by its content, and read by the reader that knows its format."""

from __future__ import annotations

import gc
import hashlib
import io
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from core.debate import Debate
from core.errors import MootError, UnreadableFile, UnreadableRecord
from core.import_issue import ImportIssue, IssueLog, Severity, quoted
from core.native import FORMAT
from core.wording import several
from storage.bulk import no_collection
from storage.readers.aif_reader import AifReader
from storage.readers.argdown_json_reader import ArgdownJsonReader
from storage.readers.argdown_reader import ArgdownReader
from storage.readers.argllms_reader import ArgllmsReader
from storage.readers.array_chunks import LargeArray
from storage.readers.bag_reader import BagReader
from storage.readers.chat_contexts_reader import ChatContextsReader
from storage.readers.debate_ids import DebateIds
from storage.readers.decoding import LARGEST_UNPACKED, refuse_binary, unpacked
from storage.readers.guess_mapping import mapping_problem
from storage.readers.inspect_json import SampleMembers
from storage.readers.inspect_reader import InspectReader
from storage.readers.kialo_reader import KialoReader
from storage.readers.large_table import LargeTable
from storage.readers.line_chunks import LargeLines
from storage.readers.llm_debate_reader import LlmDebateReader
from storage.readers.mad_reader import MadReader
from storage.readers.members import FolderMembers, Members, ZipMembers
from storage.readers.native_reader import NativeReader
from storage.readers.node_link_reader import NodeLinkReader
from storage.readers.nyu_reader import NyuReader
from storage.readers.path_mapping import PathMapping, path_problem
from storage.readers.path_reader import PathReader
from storage.readers.post_hoc_reader import PostHocReader
from storage.readers.proclaim_reader import ProclaimReader
from storage.readers.source import LineAndDebate, Reader, Recognised, Source
from storage.readers.spool import DebateSpool
from storage.readers.table_mapping import TableMapping
from storage.readers.table_reader import TableReader, mapping_for
from storage.readers.table_source import table_of
from storage.readers.yaml_records import looks_like_yaml, yaml_records

logger = logging.getLogger(__name__)

READERS: tuple[Reader, ...] = (
    ProclaimReader(),
    InspectReader(),
    NativeReader(),
    ArgllmsReader(),
    MadReader(),
    ChatContextsReader(),
    NyuReader(),
    LlmDebateReader(),
    PostHocReader(),
    AifReader(),
    ArgdownJsonReader(),
    NodeLinkReader(),
    BagReader(),
    KialoReader(),
    ArgdownReader(),
    TableReader(),
)
"""Every format that Moot reads; the first reader that recognises a file reads it."""

MEMBER_READERS: tuple[Reader, ...] = (InspectReader(), ProclaimReader())
"""The formats that are spread over the files of a folder or an archive."""

AnyMapping = TableMapping | PathMapping
"""What a person may say of a file: which column means what, or which path does."""

SEVERAL = "several"  # the format of an archive that holds logs of different formats
_ARCHIVE = b"PK\x03\x04"

_LOOKED_FOR = (
    "Moot looked for debates in its own format (moot-debate/1), post-hoc records (claim and opinions), tables with a "
    "column for the claim and one for the argument (CSV, TSV, JSON Lines, Parquet), and the logs of the tools that "
    "docs/format.md lists. JSON, YAML and tables of any other kind are read by paths that you name, on Moot's Data "
    "page or with --mapping."
)


@dataclass(frozen=True)
class ReadFile:
    """What a file holds.

    Attributes:
        file: The file's base name.
        sha256: Of the file's bytes as given, in hexadecimal.
        size: In bytes, as given.
        format: Its name, as docs/format.md lists them; None when refused.
        why: In words, what the format was recognised by, or why the file is refused.
        debates: In the file's order; ids are unique within the file. Very many of them wait on disk.
        issues: Everything a person should know, each with line and field where known, in the order of lines.
        refused: Nothing of the file can be stored; an error among the issues says why.
        mapping: For tables: which column was taken for what, guessed or as given. Also set, as a start for the
            person, on a refused table whose columns could not be told apart.
        columns: For tables, the names of all columns in order.
    """

    file: str
    sha256: str
    size: int
    format: str | None
    why: str
    debates: Sequence[Debate]
    issues: tuple[ImportIssue, ...]
    refused: bool
    mapping: TableMapping | None = None
    columns: tuple[str, ...] = ()

    @property
    def arguments(self) -> int:
        """Return how many arguments there are, one that comes in several rounds counted once for each."""
        return sum(len(r.arguments) for debate in self.debates for r in debate.rounds)


class Sink(Protocol):
    """Takes debates while a file is read, so that they need not wait until all of it is."""

    def begin(self, sha256: str, size: int, file: str) -> None:
        """Learn which file it is, before the first debate."""
        ...

    def append(self, debate: Debate) -> None:
        """Take the next debate."""
        ...

    def take(self, source: Source, recognised: Recognised, issues: IssueLog) -> bool:
        """Take the whole file in a way of its own; False leaves it to the reader."""
        ...

    def __len__(self) -> int:
        """Return how many debates were taken."""
        ...


def read_file(
    source: Path | bytes,
    name: str,
    mapping: AnyMapping | None = None,
    largest: int = LARGEST_UNPACKED,
    into: Sink | None = None,
) -> ReadFile:
    """Return what a file holds; whatever its bytes are, problems are issues and never exceptions.

    Args:
        source: The file, or its bytes.
        name: What to call it in issues; only the base name is kept.
        mapping: For a table, which column means what; None guesses. Its scales count for post-hoc records too. Or
            which path means what, in whatever records the file holds.
        largest: In bytes, what a compressed file may unpack to.
        into: Takes the debates one by one, instead of ``ReadFile.debates``, which is empty then.

    Raises:
        MootError: If ``into`` does.
    """
    file = name.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1]
    issues = IssueLog(file)
    content = b"" if isinstance(source, Path) else bytes(source)
    problem = path_problem(mapping) if isinstance(mapping, PathMapping) else None
    if problem is not None:
        return _refused(_Origin.of(content), file, issues, "paths_unclear", f"The paths cannot be used: {problem}.")
    try:
        with no_collection():
            if isinstance(source, Path) and source.is_dir():
                read = _read_members(FolderMembers(source), _Origin.of_folder(source), file, mapping, issues, into=into)
            elif isinstance(source, Path) and _begins_as_archive(source):
                with source.open("rb") as opened:
                    read = _read_members(ZipMembers(opened), _Origin.of_file(source), file, mapping, issues, into=into)
            elif isinstance(source, Path) and (samples := SampleMembers.find(source)) is not None:
                read = _read_members(samples, _Origin.of_file(source), file, mapping, issues, into=into)
            elif isinstance(source, Path) and (lines := _large_lines(source, file, mapping)) is not None:
                read = _read_lines(lines, _Origin.of_file(source), file, mapping, issues, into=into)
            elif isinstance(source, Path) and (table := _large_table(source, file, mapping)) is not None:
                read = _read_table(table, _Origin.of_file(source), issues, into)
            else:
                content = source.read_bytes() if isinstance(source, Path) else content
                if content.startswith(_ARCHIVE):
                    members = ZipMembers(io.BytesIO(content))
                    read = _read_members(members, _Origin.of(content), file, mapping, issues, into=into)
                else:
                    read = _read(content, file, mapping, issues, largest, into)
            gc.freeze()  # and unfreeze: the collector takes the values for old ones and does not look at them now
            gc.unfreeze()
            return read
    except UnreadableFile as error:
        return _refused(_Origin.of(content), file, issues, "file_unreadable", str(error))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return _refused(_Origin.of(content), file, issues, "file_unreadable", f"The file cannot be opened: {reason}.")
    except Exception as error:  # a bug of ours must not take a person's other files down with this one
        if into is not None and isinstance(error, MootError):  # the import was cancelled, or the database is full
            raise
        logger.exception("A reader failed on %r.", file)
        message = "Reading the file failed because of a mistake in Moot; the program's log has the details."
        return _refused(_Origin.of(content), file, issues, "reader_failed", message)


@dataclass(frozen=True)
class _Origin:
    """A file's identity: the hash of its bytes, in hexadecimal, and its size."""

    sha256: str
    size: int

    @classmethod
    def of(cls, data: bytes) -> _Origin:
        return cls(hashlib.sha256(data).hexdigest(), len(data))

    @classmethod
    def of_file(cls, path: Path) -> _Origin:
        with path.open("rb") as file:
            return cls(hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size)

    @classmethod
    def of_folder(cls, folder: Path) -> _Origin:
        """Return the identity of all its files together, with their names."""
        members = FolderMembers(folder)
        whole, size = hashlib.sha256(), 0
        for name in members.names:
            one = cls.of_file(folder / name)
            whole.update(f"{name}\0{one.sha256}\n".encode(errors="surrogatepass"))
            size += one.size
        return cls(whole.hexdigest(), size)


def _begins_as_archive(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_ARCHIVE)) == _ARCHIVE


def _read(
    data: bytes,
    file: str,
    mapping: AnyMapping | None,
    issues: IssueLog,
    largest: int,
    into: Sink | None = None,
) -> ReadFile:
    content = unpacked(data, issues, largest)
    origin = _Origin.of(data)
    if not content.strip():
        return _refused(origin, file, issues, "file_empty", f"The file is empty. {_LOOKED_FOR}")
    source = Source(file, content, mapping)
    if not source.is_parquet:
        refuse_binary(content)
    recognised, reader = _recognised(source)
    if recognised is None or reader is None:
        return _not_understood(origin, source, issues)
    return _collected(source, origin, recognised, reader, issues, into)


def _read_lines(
    lines: LargeLines,
    origin: _Origin,
    file: str,
    mapping: AnyMapping | None,
    issues: IssueLog,
    into: Sink | None = None,
) -> ReadFile:
    """Return what a large file of JSON Lines holds; at no time is all of it in memory."""
    source = Source(file, lines.head.encode(), mapping, lines=lines)
    recognised, reader = _recognised(source)
    if recognised is None or reader is None:
        return _not_understood(origin, source, issues)
    return _collected(source, origin, recognised, reader, issues, into)


def _large_lines(path: Path, file: str, mapping: AnyMapping | None) -> LargeLines | None:
    """Return a large file of records; a list within an object only where its records are known for themselves."""
    found = LargeLines.find(path) or LargeArray.find(path)
    if isinstance(found, LargeArray) and found.key:
        recognised, _ = _recognised(Source(file, found.head.encode(), mapping, lines=found))
        return found if recognised is not None else None
    return found


def _large_table(path: Path, file: str, mapping: AnyMapping | None) -> Source | None:
    """Return a file as a table that is read from disk, None where it is not large or something else."""
    large = LargeTable.find(path)
    if large is None:
        return None
    source = Source(file, large.head, mapping, large=large)
    refuse_binary(large.head)
    _, reader = _recognised(source)
    return source if isinstance(reader, TableReader) else None


def _read_table(source: Source, origin: _Origin, issues: IssueLog, into: Sink | None = None) -> ReadFile:
    """Return what a large text table holds; at no time is all of it in memory."""
    recognised, reader = _recognised(source)
    if recognised is None or reader is None:
        return _not_understood(origin, source, issues)
    return _collected(source, origin, recognised, reader, issues, into)


def _read_members(
    members: Members,
    origin: _Origin,
    file: str,
    mapping: AnyMapping | None,
    issues: IssueLog,
    *,
    nested: bool = False,
    into: Sink | None = None,
) -> ReadFile:
    """Return what a folder or an archive holds: one log spread over files, or logs beside one another."""
    if not members.names:
        return _refused(origin, file, issues, "file_empty", f"There are no files in it. {_LOOKED_FOR}")
    if any(name.startswith("xl/") for name in members.names):
        raise UnreadableFile(
            "This is an Excel workbook, which Moot does not read. Save the sheet as CSV and load that."
        )
    source = Source(file, b"", mapping, members)
    for reader in MEMBER_READERS if source.paths is None else ():
        recognised = reader.recognise(source)
        if recognised is not None:
            return _collected(source, origin, recognised, reader, issues, into)
    return _read_each(source, members, origin, issues, nested=nested, into=into)


def _collected(
    source: Source,
    origin: _Origin,
    recognised: Recognised,
    reader: Reader,
    issues: IssueLog,
    into: Sink | None = None,
) -> ReadFile:
    spool = DebateSpool()
    debates = spool if into is None else into
    if into is not None:
        into.begin(origin.sha256, origin.size, source.name)
    from_file = {"file": source.name, "sha256": origin.sha256, "format": recognised.format}
    id_column = None if recognised.mapping is None else recognised.mapping.debate_id
    ids = DebateIds(id_column or "debate_id", issues)
    try:
        taken = into is not None and into.take(source, recognised, issues)
        read: Iterable[LineAndDebate] = () if taken else reader.read(source, recognised, issues)
        for line, debate in read:
            own = _called(debate, ids.unique(debate.id, line))
            if recognised.format != FORMAT:  # a native record says itself where it is from
                own = replace(own, provenance={"imported_from": {**from_file, "line": line}, **own.provenance})
            debates.append(own)
    except UnreadableRecord as error:
        issues.error("record_unreadable", str(error))
    if not len(debates):
        message = f"No debate could be read. {recognised.why} See the other issues for what is wrong with it."
        return _refused(origin, source.name, issues, "no_debates", message, source, recognised.mapping)
    return ReadFile(
        source.name,
        origin.sha256,
        origin.size,
        recognised.format,
        recognised.why,
        spool,
        _in_order(source, issues),
        refused=False,
        mapping=recognised.mapping,
        columns=recognised.columns,
    )


def _read_each(
    source: Source, members: Members, origin: _Origin, issues: IssueLog, *, nested: bool, into: Sink | None = None
) -> ReadFile:
    """Return the debates of all files in a folder or an archive, each read on its own."""
    spool = DebateSpool()
    debates = spool if into is None else into
    if into is not None:
        into.begin(origin.sha256, origin.size, source.name)
    formats: dict[str, int] = {}
    ids = DebateIds("debate_id", issues)
    for name in members.names:
        inner = IssueLog(name)
        try:
            data = members.read(name)
            if data.startswith(_ARCHIVE) and not nested:  # an archive in a folder, but none in an archive in one
                read = _read_members(
                    ZipMembers(io.BytesIO(data)), _Origin.of(data), name, source.paths, inner, nested=True
                )
            else:
                read = _read(data, name, source.paths, inner, LARGEST_UNPACKED)
        except UnreadableFile as error:
            issues.warning("member_not_read", f"{quoted(name)} is left out. {error}")
            continue
        if read.refused or read.format is None:
            reason = next((issue.message for issue in read.issues if issue.severity is Severity.ERROR), read.why)
            issues.warning("member_not_read", f"{quoted(name)} is left out. {reason}")
            continue
        formats[read.format] = formats.get(read.format, 0) + 1
        for issue in read.issues:
            issues.file = issue.file
            issues.add(issue.severity, issue.code, issue.message, issue.line, issue.field)
        issues.file = source.name
        for debate in read.debates:
            debates.append(_called(debate, ids.unique(debate.id, 1)))
    if not len(debates):
        message = f"No file in it holds debates. {_LOOKED_FOR}"
        return _refused(origin, source.name, issues, "no_debates", message, source)
    counts = ", ".join(f"{several(count, 'file')} of the format {name}" for name, count in formats.items())
    kind = next(iter(formats)) if len(formats) == 1 else SEVERAL
    return ReadFile(
        source.name,
        origin.sha256,
        origin.size,
        kind,
        f"Its files were read one by one: {counts}.",
        spool,
        _in_order(source, issues),
        refused=False,
    )


def _recognised(source: Source) -> tuple[Recognised | None, Reader | None]:
    readers = READERS if source.paths is None else (PathReader(),)
    for reader in readers:
        recognised = reader.recognise(source)
        if recognised is not None:
            return recognised, reader
    return None, None


def _called(debate: Debate, name: str) -> Debate:
    return debate if debate.id == name else replace(debate, id=name)


def _not_understood(origin: _Origin, source: Source, issues: IssueLog) -> ReadFile:
    """Refuse a file that no reader knows, with what would help: what is wrong with its JSON, or its columns."""
    for _ in source.records(issues) if source.looks_like_json else ():
        pass  # only for its issues
    is_yaml = not (source.looks_like_json or source.is_parquet) and looks_like_yaml(source.text)
    if is_yaml:
        next(yaml_records(source.text, issues), None)  # likewise
    table = None if is_yaml else table_of(source)
    mapping = mapping_for(source, table) if table is not None and table.is_regular() else None
    if table is None or mapping is None:
        message = f"No format was recognised. {_LOOKED_FOR}"
        return _refused(origin, source.name, issues, "not_recognised", message, source)
    columns = ", ".join(map(quoted, table.columns[:40]))
    message = (
        f"This is {table.kind}, but {mapping_problem(mapping)}. Its columns are {columns}. Say on Moot's Data page "
        "which column means what, or name the columns as docs/format.md does."
    )
    if mapping.claim is not None and mapping.text is None:
        message += " Claims without arguments can be debated: the page Run debates takes this file."
    return _refused(origin, source.name, issues, "columns_unclear", message, source, mapping, table.columns)


def _refused(
    origin: _Origin,
    file: str,
    issues: IssueLog,
    code: str,
    message: str,
    source: Source | None = None,
    mapping: TableMapping | None = None,
    columns: tuple[str, ...] = (),
) -> ReadFile:
    issues.locate = None
    issues.error(code, message)
    return ReadFile(
        file,
        origin.sha256,
        origin.size,
        None,
        message,
        [],
        _in_order(source, issues),
        refused=True,
        mapping=mapping,
        columns=columns,
    )


def _in_order(source: Source | None, issues: IssueLog) -> tuple[ImportIssue, ...]:
    """Return the issues by line, those about the whole file first; of several files, one file after the other."""
    of_text = () if source is None else source.decoding_issues.issues
    if source is None or source.members is None:
        return tuple(sorted((*of_text, *issues.issues), key=lambda issue: issue.line or 0))
    named = [
        issue if issue.file == source.name else replace(issue, message=f"{issue.file}: {issue.message}")
        for issue in issues.issues
    ]
    return tuple(sorted(named, key=lambda issue: (issue.file != source.name, issue.file, issue.line or 0)))


__all__ = ["READERS", "AnyMapping", "ReadFile", "Sink", "read_file"]
