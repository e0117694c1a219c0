"""One file read into debates: decoded, recognised by its content, and read by the importer that knows its format."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from core.debate import Debate
from core.errors import UnreadableRecord
from core.import_issue import ImportIssue, IssueLog
from core.native import FORMAT, debate_from_json
from storage.readers.table_mapping import TableMapping


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
        issues: Everything a person should know, each with line and field where known.
        refused: Nothing of the file can be stored; an error among the issues says why.
        mapping: For tables: which column was taken for what, guessed or as given. Also set, as a start for the
            person, on a refused table whose columns could not be told apart.
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


def read_file(source: Path | bytes, name: str, mapping: TableMapping | None = None) -> ReadFile:
    """Return what a file holds; whatever its bytes are, problems are issues and never exceptions.

    Args:
        source: The file, or its bytes.
        name: What to call it in issues; only the base name is kept.
        mapping: For a table, which column means what; None guesses.
    """
    data = source.read_bytes() if isinstance(source, Path) else source
    file = name.replace("\\", "/").rsplit("/", 1)[-1]
    issues = IssueLog(file)
    debates = []
    for number, line in enumerate(data.decode("utf-8", "replace").split("\n"), start=1):
        if line.strip():
            try:
                debates.append(debate_from_json(json.loads(line), issues, number))
            except (UnreadableRecord, ValueError) as error:
                issues.error("record_unreadable", str(error), number)
    digest = hashlib.sha256(data).hexdigest()
    return ReadFile(file, digest, len(data), FORMAT, "JSON Lines", debates, issues.issues, not debates)
