"""Mappings as small files: YAML that people can read and edit, or JSON; written here, read back here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from core.errors import InvalidSetting, UnreadableFile
from core.import_issue import quoted
from core.plain_yaml import yaml_value
from storage.readers import AnyMapping, PathMapping, TableMapping
from storage.text_file import utf8_text

VERSION = 1
MARK = "moot_mapping"
LARGEST = 256 << 10  # characters
LONGEST_NAME = 120
PATHS, TABLE = "paths", "table"


@dataclass(frozen=True)
class NamedMapping:
    """A mapping, and what it is called."""

    name: str
    mapping: AnyMapping

    @property
    def kind(self) -> str:
        """Return whether it maps paths or a table's columns."""
        return PATHS if isinstance(self.mapping, PathMapping) else TABLE


def mapping_record(mapping: AnyMapping) -> dict[str, Any]:
    """Return a mapping as plain JSON values, with its kind."""
    kind = PATHS if isinstance(mapping, PathMapping) else TABLE
    return {"kind": kind, **{key: value for key, value in mapping.to_json().items() if key != "why"}}


def mapping_of(record: Mapping[str, Any]) -> AnyMapping:
    """Return the mapping that ``mapping_record`` wrote.

    Raises:
        InvalidSetting: If it did not.
    """
    values = {key: value for key, value in record.items() if key != "kind"}
    kind = record.get("kind", PATHS)
    if kind == TABLE:
        return _table(values)
    if kind != PATHS:
        raise InvalidSetting(f"A mapping is of the kind {PATHS!r} or {TABLE!r}; this one says {quoted(kind)}.")
    return PathMapping.from_json(values)


def mapping_text(named: NamedMapping) -> str:
    """Return a mapping as YAML."""
    record = {MARK: VERSION, "name": named.name, **mapping_record(named.mapping)}
    return yaml.safe_dump(record, sort_keys=False, allow_unicode=True, width=100)


def read_mapping(text: str, name: str = "mapping") -> NamedMapping:
    """Return the mapping in a file's text, YAML or JSON.

    Args:
        text: The whole file.
        name: What to call it where the file gives no name.

    Raises:
        UnreadableFile: If it is no mapping.
        InvalidSetting: If something in it cannot be used; the message says what.
    """
    if len(text) > LARGEST:
        raise UnreadableFile(f"A mapping has at most {LARGEST >> 10} thousand characters; this file is no mapping.")
    try:
        record = yaml_value(text, most_repeated=0)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise UnreadableFile(f"This is neither YAML nor JSON that Moot can read: {_first_line(error)}.") from error
    if not isinstance(record, dict) or MARK not in record:
        raise UnreadableFile(f"This is no mapping: a mapping begins with {MARK}: {VERSION}.")
    if record[MARK] != VERSION:
        raise UnreadableFile(
            f"This is a mapping of version {quoted(record[MARK])}; this version of Moot reads {VERSION}."
        )
    given = record.get("name")
    own = {key: value for key, value in record.items() if key not in (MARK, "name")}
    return NamedMapping(checked_name(given if isinstance(given, str) and given.strip() else name), mapping_of(own))


def load_mapping(path: Path) -> NamedMapping:
    """Return the mapping in a file.

    Raises:
        UnreadableFile: If it cannot be read, or is no mapping.
        InvalidSetting: If something in it cannot be used.
    """
    try:
        with path.open("rb") as file:
            content = file.read(4 * LARGEST)
    except OSError as error:
        raise UnreadableFile(f"{path.name} cannot be read: {error.strerror}.") from error
    return read_mapping(utf8_text(content, path.name), path.stem)


def checked_name(name: str) -> str:
    """Return a mapping's name on one line.

    Raises:
        InvalidSetting: If it is empty or too long.
    """
    plain = " ".join("".join(sign if sign.isprintable() else " " for sign in name).split())
    if not plain or len(plain) > LONGEST_NAME:
        raise InvalidSetting(f"A mapping's name has 1 to {LONGEST_NAME} characters; this one has {len(plain)}.")
    return plain


def _table(values: Mapping[str, Any]) -> TableMapping:
    mapping = TableMapping.from_json(values)
    try:
        are_texts = all(isinstance(t, str) for t in (*mapping.columns, mapping.delimiter, mapping.encoding))
    except (TypeError, AttributeError):  # a list or an object where a name is due
        are_texts = False
    if not are_texts:
        raise InvalidSetting("The columns, the delimiter and the encoding of a table's mapping are texts.")
    return mapping


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or ["it is malformed"])[0][:200]


__all__ = [
    "NamedMapping",
    "checked_name",
    "load_mapping",
    "mapping_of",
    "mapping_record",
    "mapping_text",
    "read_mapping",
]
