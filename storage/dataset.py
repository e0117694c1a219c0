"""A dataset: the debates that came from one file."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath


@dataclass(frozen=True)
class Dataset:
    """One imported file.

    Attributes:
        id: Stable: the same content under the same name gets the same id in every database.
        name: For people; unique in a database.
        file_name: The base name of the file, without any folder.
        sha256, size: Of the file's bytes.
        format: What the importer took it for.
        debate_count, argument_count: What it holds; an argument that comes back in later rounds counts once.
        is_sample: Written by hand for Moot, not by models.
        note: A sentence for the reader.
        imported_at: In UTC; None until stored.
        job: The inbox job it came by, if any.
        mapping: The mapping that it was read by, as JSON; empty where Moot recognised the file by itself.
        derivations: The keys of what somebody chose to derive where the file lacks it, separated by commas.
    """

    id: str
    name: str
    file_name: str
    sha256: str
    size: int
    format: str
    debate_count: int = 0
    argument_count: int = 0
    is_sample: bool = False
    note: str = ""
    imported_at: datetime | None = None
    job: str = ""
    mapping: str = ""
    derivations: str = ""


def dataset_id(sha256: str, name: str) -> str:
    """Return the id of a dataset: 12 hexadecimal digits of a hash of its content and name."""
    return hashlib.sha256(f"{sha256}\0{name}".encode("utf-8", "replace")).hexdigest()[:12]


def base_name(file: str) -> str:
    """Return a file's name without its folder, whichever way round the slashes are."""
    return PurePath(file.replace("\\", "/")).name or "file"
