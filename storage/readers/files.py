"""One file read into debates: decoded, recognised by its content, and read by the reader that knows its format."""

from __future__ import annotations

import gc
import hashlib
import logging
from dataclasses import dataclass, replace
from pathlib import Path

from core.debate import Debate
from core.errors import UnreadableFile
from core.import_issue import ImportIssue, IssueLog, quoted
from core.native import FORMAT
from core.record_reading import unused_name
from storage.bulk import no_collection
from storage.readers.argllms_reader import ArgllmsReader
from storage.readers.bag_reader import BagReader
from storage.readers.decoding import LARGEST_UNPACKED, refuse_binary, unpacked
from storage.readers.guess_mapping import mapping_problem
from storage.readers.native_reader import NativeReader
from storage.readers.post_hoc_reader import PostHocReader
from storage.readers.source import Reader, Recognised, Source
from storage.readers.table_mapping import TableMapping
from storage.readers.table_reader import TableReader, mapping_for
from storage.readers.table_source import table_of

logger = logging.getLogger(__name__)

READERS: tuple[Reader, ...] = (NativeReader(), ArgllmsReader(), PostHocReader(), BagReader(), TableReader())
"""Every format that Moot reads; the first reader that recognises a file reads it."""

_LOOKED_FOR = (
    "Moot looked for debates in its own format (moot-debate/1), post-hoc records (claim and opinions), and tables with "
    "a column for the claim and one for the argument (CSV, TSV, JSON Lines, Parquet)."
)


@dataclass(frozen=True)
class ReadFile:
    """What a file holds.

    Attributes:
        file: The file's base name.
        sha256: Of the file's bytes as given, in hexadecimal.
        size: In bytes, as given.
        format: ``moot-debate/1``, ``post-hoc``, ``table-long`` or ``table-wide``; None when refused.
        why: In words, what the format was recognised by, or why the file is refused.
        debates: In the file's order; ids are unique within the file.
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
    debates: list[Debate]
    issues: tuple[ImportIssue, ...]
    refused: bool
    mapping: TableMapping | None = None
    columns: tuple[str, ...] = ()

    @property
    def arguments(self) -> int:
        """Return how many arguments there are, one that comes in several rounds counted once for each."""
        return sum(len(r.arguments) for debate in self.debates for r in debate.rounds)


def read_file(
    source: Path | bytes, name: str, mapping: TableMapping | None = None, largest: int = LARGEST_UNPACKED
) -> ReadFile:
    """Return what a file holds; whatever its bytes are, problems are issues and never exceptions.

    Args:
        source: The file, or its bytes.
        name: What to call it in issues; only the base name is kept.
        mapping: For a table, which column means what; None guesses. Its scales count for post-hoc records too.
        largest: In bytes, what a compressed file may unpack to.
    """
    file = name.replace("\\", "/").rsplit("/", 1)[-1]
    issues = IssueLog(file)
    data = b""
    try:
        data = source.read_bytes() if isinstance(source, Path) else bytes(source)
        with no_collection():
            read = _read(data, file, mapping, issues, largest)
            gc.freeze()  # and unfreeze: the collector takes the values for old ones and does not look at them now
            gc.unfreeze()
            return read
    except UnreadableFile as error:
        return _refused(data, file, issues, "file_unreadable", str(error))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        return _refused(data, file, issues, "file_unreadable", f"The file cannot be opened: {reason}.")
    except Exception:  # a bug of ours must not take a person's other files down with this one
        logger.exception("A reader failed on %r.", file)
        message = "Reading the file failed because of a mistake in Moot; the program's log has the details."
        return _refused(data, file, issues, "reader_failed", message)


def _read(data: bytes, file: str, mapping: TableMapping | None, issues: IssueLog, largest: int) -> ReadFile:
    content = unpacked(data, issues, largest)
    if not content.strip():
        return _refused(data, file, issues, "file_empty", f"The file is empty. {_LOOKED_FOR}")
    source = Source(file, content, mapping)
    if not source.is_parquet:
        refuse_binary(content)
    recognised, reader = _recognised(source)
    if recognised is None or reader is None:
        return _not_understood(data, source, issues)
    debates: list[Debate] = []
    origin = {"file": file, "sha256": hashlib.sha256(data).hexdigest(), "format": recognised.format}
    id_column = None if recognised.mapping is None else recognised.mapping.debate_id
    ids = _DebateIds(id_column or "debate_id", issues)
    for line, debate in reader.read(source, recognised, issues):
        own = ids.unique(debate, line)
        if recognised.format != FORMAT:  # a native record says itself where it is from
            own = replace(own, provenance={"imported_from": {**origin, "line": line}, **own.provenance})
        debates.append(own)
    if not debates:
        message = f"No debate could be read. {recognised.why} See the other issues for what is wrong with it."
        return _refused(data, file, issues, "no_debates", message, source, recognised.mapping)
    return ReadFile(
        file,
        origin["sha256"],
        len(data),
        recognised.format,
        recognised.why,
        debates,
        _in_order(source, issues),
        refused=False,
        mapping=recognised.mapping,
        columns=recognised.columns,
    )


def _recognised(source: Source) -> tuple[Recognised | None, Reader | None]:
    for reader in READERS:
        recognised = reader.recognise(source)
        if recognised is not None:
            return recognised, reader
    return None, None


class _DebateIds:
    """Gives each debate of a file an id of its own."""

    def __init__(self, field: str, issues: IssueLog) -> None:
        self._field = field
        self._issues = issues
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}

    def unique(self, debate: Debate, line: int) -> Debate:
        """Return the debate, under another id and with a note where its id is taken."""
        if debate.id in self._taken:
            name = unused_name(debate.id, self._taken, self._numbers)
            message = (
                f"The debate id {quoted(debate.id)} comes twice in this file; this debate is called {quoted(name)}."
            )
            self._issues.warning("debate_id_repeated", message, line, self._field)
            debate = replace(debate, id=name)
        self._taken.add(debate.id)
        return debate


def _not_understood(data: bytes, source: Source, issues: IssueLog) -> ReadFile:
    """Refuse a file that no reader knows, with what would help: what is wrong with its JSON, or its columns."""
    for _ in source.records(issues) if source.looks_like_json else ():
        pass  # only for its issues
    table = table_of(source)
    mapping = mapping_for(source, table) if table is not None and table.is_regular() else None
    if table is None or mapping is None:
        message = f"No format was recognised. {_LOOKED_FOR}"
        return _refused(data, source.name, issues, "not_recognised", message, source)
    columns = ", ".join(map(quoted, table.columns[:40]))
    message = (
        f"This is {table.kind}, but {mapping_problem(mapping)}. Its columns are {columns}. Say on Moot's Data page "
        "which column means what, or name the columns as docs/format.md does."
    )
    return _refused(data, source.name, issues, "columns_unclear", message, source, mapping, table.columns)


def _refused(
    data: bytes,
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
    digest = hashlib.sha256(data).hexdigest()
    return ReadFile(
        file,
        digest,
        len(data),
        None,
        message,
        [],
        _in_order(source, issues),
        refused=True,
        mapping=mapping,
        columns=columns,
    )


def _in_order(source: Source | None, issues: IssueLog) -> tuple[ImportIssue, ...]:
    """Return the issues by line, those about the whole file first."""
    of_text = () if source is None else source.decoding_issues.issues
    return tuple(sorted((*of_text, *issues.issues), key=lambda issue: issue.line or 0))


__all__ = ["READERS", "ReadFile", "read_file"]
