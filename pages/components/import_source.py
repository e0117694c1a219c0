"""A file on its way in: dropped here, or named by its path on the server; and what a look at it finds."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import streamlit as st

from core.errors import UnreadableFile
from pages.components import state
from storage.dataset import Dataset
from storage.file_look import Look, Paths, digest, look, paths_in
from storage.judgement_file import judgement_text
from storage.mapping_file import mapping_record
from storage.readers import AnyMapping, TableMapping


@dataclass(frozen=True)
class ImportSource:
    """One file.

    Attributes:
        name: Its base name.
        content: Its bytes, or where it is.
        key: Changes with its content, for what is kept about it.
    """

    name: str
    content: Path | bytes
    key: str

    def judgements(self) -> str | None:
        """Return the text of a file of judgements; None for a file of debates."""
        if isinstance(self.content, Path) and not self.content.is_file():
            return None
        try:
            return judgement_text(self.content)
        except (UnreadableFile, OSError):  # the look at its debates says why
            return None

    def look(self, mapping: AnyMapping | None) -> Look:
        """Return what the file holds, under what was said of it."""
        return _look(self.key, self.name, _asked(mapping), self.content, mapping)

    def earlier(self, found: Look) -> Dataset | None:
        """Return the data set with this very content, if there is one.

        Args:
            found: What a look at the file found.
        """
        debates = state.debates()
        if found.whole:
            return debates.dataset_with(found.read.sha256)
        # Only a file as large as one that is here is read through for this.
        if not found.size or found.size not in {one.size for one in debates.datasets()}:
            return None
        return debates.dataset_with(_digest(self.key, self.content))

    def paths(self, record: str | None) -> Paths:
        """Return the paths to choose from."""
        return _paths(self.key, self.name, record, self.content)


def dropped(upload: Any) -> ImportSource:
    """Return a file that was dropped on the page."""
    return ImportSource(upload.name, upload.getvalue(), f"{upload.name}|{upload.file_id}")


def on_server(written: str) -> ImportSource:
    """Return a file, or a folder, by its path on the server.

    Raises:
        UnreadableFile: If there is none, or it cannot be read.
    """
    try:
        path = Path(written.strip()).expanduser()
        found = path.stat()
        name = path.resolve().name
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or "it is no path"
        raise UnreadableFile(f"There is nothing to read at this path: {reason}.") from error
    if not (path.is_file() or path.is_dir()):  # a device or a pipe never ends
        raise UnreadableFile("What is at this path is neither a file nor a folder.")
    return ImportSource(name or "folder", path, f"{path}|{found.st_size}|{found.st_mtime_ns}")


def _asked(mapping: AnyMapping | None) -> str:
    if mapping is None:
        return ""
    extra = [mapping.delimiter, mapping.encoding] if isinstance(mapping, TableMapping) else []
    return json.dumps([mapping_record(mapping), *extra])


@st.cache_data(max_entries=8, show_spinner="Looking at the file")
def _look(key: str, name: str, asked: str, _content: Path | bytes, _mapping: AnyMapping | None) -> Look:
    return look(_content, name, _mapping)


@st.cache_data(max_entries=8, show_spinner="Looking whether this file is here already")
def _digest(key: str, _content: Path | bytes) -> str:
    return digest(_content)


@st.cache_data(max_entries=8, show_spinner=False)
def _paths(key: str, name: str, record: str | None, _content: Path | bytes) -> Paths:
    return paths_in(_content, name, record)
