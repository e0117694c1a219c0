"""Debates without what tells their gold label, for files and tables while labels are hidden."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from core.import_issue import ImportIssue
from core.strict_json import dumps

# The label itself, and the note for the reader, which gives the reason for it.
TELLING_FIELDS = ("label", "note")
# What a source says beyond the debate may be anything, such as another column with the truth.
BEYOND = ("extra", "columns")
_TELLING = re.compile(r"label|truth|gold|correct|answer|veracity|verdict", re.IGNORECASE)


def unlabelled_line(line: str) -> str:
    """Return a line of the native format without label, note, and what of its provenance may tell the label."""
    record: dict[str, Any] = {key: value for key, value in json.loads(line).items() if key not in TELLING_FIELDS}
    if "provenance" in record:
        record["provenance"] = unlabelled_provenance(record["provenance"])
        if not record["provenance"]:
            del record["provenance"]
    return dumps(record)


def unlabelled_provenance(provenance: Mapping[str, Any]) -> dict[str, Any]:
    """Return a provenance without what may tell the label."""
    return {key: value for key, value in provenance.items() if key not in BEYOND and not _TELLING.search(key)}


def tells_label(code: str, field: str | None) -> bool:
    """Return whether an import issue quotes a label."""
    return code.startswith("label_") or (field or "").rpartition(".")[2] == "label"


def unlabelled_issues(issues: Iterable[ImportIssue]) -> tuple[ImportIssue, ...]:
    """Return import issues without those that quote a label."""
    return tuple(issue for issue in issues if not tells_label(issue.code, issue.field))


__all__ = ["tells_label", "unlabelled_issues", "unlabelled_line", "unlabelled_provenance"]
