"""The small parts of a record that every importer of JSON records reads alike."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping
from typing import Any

from core.debate import DebateProtocol
from core.errors import UnreadableRecord
from core.import_issue import IssueLog, quoted
from core.label_text import plain_label, read_label
from core.score_text import Scale, read_score
from core.strict_json import cleaned, trouble


def claim_of(record: Mapping[str, Any], key: str = "claim") -> str:
    """Return the claim that a record states.

    Raises:
        UnreadableRecord: If it states none.
    """
    claim = record.get(key)
    if isinstance(claim, (int, float)) and not isinstance(claim, bool):
        claim = str(claim)
    if not isinstance(claim, str) or not claim.strip():
        found = "there is none" if claim is None else f"it is {quoted(claim)}"
        raise UnreadableRecord(f"A debate needs a claim, a text under the key {key!r}; {found}.")
    return claim


class RecordReading:
    """One record on its way to a debate: where its issues go, and what has no place in a debate.

    Attributes:
        extra: What has no place, by its path in the record; it ends up in the debate's provenance.
    """

    def __init__(self, issues: IssueLog, line: int | None = None) -> None:
        self.issues = issues
        self.line = line
        self.extra: dict[str, Any] = {}

    def provenance(self, given: object) -> dict[str, Any]:
        """Return the provenance with everything that found no place elsewhere put in; call it last."""
        if given is None:
            provenance: dict[str, Any] = {}
        elif isinstance(given, Mapping):
            provenance = self.free(given, "provenance")
        else:
            provenance = {"note": self.free(given, "provenance")}
            self.warn("wrong_type", f"Provenance is {quoted(given)}; an object was expected.", "provenance")
        if self.extra:
            before = provenance.get("extra", {})
            kept = before if isinstance(before, dict) else {"extra": before}
            provenance["extra"] = {**kept, **self.extra}
        return provenance

    def protocol(self, value: object) -> DebateProtocol:
        """Return the protocol a record names, ``OTHER`` when it names none that Moot knows."""
        if value is None:
            return DebateProtocol.OTHER
        try:
            return DebateProtocol(str(value).strip().casefold().replace("_", "-").replace(" ", "-"))
        except ValueError:
            self.extra["protocol"] = self.free(value, "protocol")
            self.warn("protocol_unknown", f"The protocol is {quoted(value)}, which Moot does not know.", "protocol")
            return DebateProtocol.OTHER

    def label(self, value: object, where: str) -> bool | None:
        """Return a gold label; one that is not plainly written is kept beside it."""
        if value is None or value is True or value is False:
            return value
        label, readable = read_label(value)
        if not plain_label(value):
            self.extra["label"] = self.free(value, where)
        if not readable:
            self.warn(
                "label_unreadable",
                f"The label is {quoted(value)}; it is neither true nor false, so it is unknown.",
                where,
            )
        return label

    def warn(self, code: str, message: str, where: str) -> None:
        """Note a warning about a field of this record."""
        self.issues.warning(code, message, self.line, where)

    def score(self, item: Mapping[str, Any], key: str, where: str, what: str) -> float | None:
        """Return the score under a key, in [0, 1] or None; what is written there is kept if it is not that number."""
        read, raw = self.scored(item, key, where, what)
        if raw is not None:
            self.extra[f"{where}.{key}"] = raw
        return read

    def scored(self, item: Mapping[str, Any], key: str, where: str, what: str) -> tuple[float | None, str | None]:
        """Return the score under a key, in [0, 1] or None, and what is written there if it is not that number."""
        value = item.get(key)
        if value is None:
            return None, None
        scale = self.scale(key)
        if scale is Scale.UNIT and type(value) is float and 0.0 <= value <= 1.0:
            return value, None
        read = read_score(value, scale)
        if read.problem is not None and read.problem != "score_scale_unknown":  # noted once for the whole column
            self.warn(read.problem, f"{what} is {quoted(value)}: {read.why}; it is kept as missing.", f"{where}.{key}")
        return read.value, read.raw

    def scale(self, key: str) -> Scale | None:
        """Return what a bare number under a key means; None when nothing tells."""
        return Scale.UNIT

    def text(self, item: Mapping[str, Any], key: str, where: str = "") -> str | None:
        """Return the text under a key; other values become text, with a warning unless it is a whole number."""
        value = item.get(key)
        if value is None or type(value) is str:
            return value or None
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            path = f"{where}.{key}" if where else key
            self.warn("wrong_type", f"A text was expected, not {quoted(value)}; it is kept as text.", path)
        return plain_text(value)

    def number(self, item: Mapping[str, Any], key: str, where: str) -> float | None:
        """Return the finite number under a key, or None."""
        value = item.get(key)
        if value is None:
            return None
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            try:
                if math.isfinite(value):
                    return float(value) + 0.0
            except OverflowError:
                pass
        path = f"{where}.{key}"
        self.extra[path] = self.free(value, path)
        self.warn("wrong_type", f"A number was expected, not {quoted(value)}; it is kept as missing.", path)
        return None

    def texts(self, item: Mapping[str, Any], key: str) -> tuple[str, ...]:
        """Return the texts in a list."""
        found = []
        for where, entry in self.items(item, key):
            if not isinstance(entry, str):
                self.warn("wrong_type", f"A text was expected, not {quoted(entry)}; it is kept as text.", where)
            found.append(plain_text(entry))
        return tuple(found)

    def list_of(self, item: Mapping[str, Any], key: str, where: str = "") -> list[Any]:
        """Return the list under a key, empty when there is none."""
        value = item.get(key)
        if type(value) is list:
            return value
        if value is None:
            return []
        if isinstance(value, tuple):
            return list(value)
        self.warn("wrong_type", f"A list was expected, not {quoted(value)}.", f"{where}.{key}" if where else key)
        return [value]

    def items(self, item: Mapping[str, Any], key: str, where: str = "") -> Iterator[tuple[str, Any]]:
        """Yield the entries of the list under a key, each with its path."""
        prefix = f"{where}.{key}" if where else key
        for index, entry in enumerate(self.list_of(item, key, where)):
            yield f"{prefix}[{index}]", entry

    def objects(self, item: Mapping[str, Any], key: str, where: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield the objects in the list under a key, each with its path; others are kept among the extras."""
        if item.get(key) is None:
            return
        for path, entry in self.items(item, key, where):
            if isinstance(entry, Mapping):
                yield path, entry
            else:
                self.no_object(path, entry)

    def free_objects(self, item: Mapping[str, Any], key: str, where: str = "") -> tuple[Mapping[str, Any], ...]:
        """Return the objects in the list under a key as plain JSON values."""
        if not item.get(key):
            return ()
        return tuple(self.free(entry, path) for path, entry in self.objects(item, key, where))

    def free(self, value: object, where: str) -> Any:
        """Return a value as strict JSON; what JSON cannot say becomes null or text, with an issue."""
        problem = trouble(value)
        if problem is None:
            return value
        self.warn("not_strict_json", f"The value holds {problem}; that is kept as null or text.", where)
        return cleaned(value)

    def no_object(self, where: str, value: object) -> None:
        """Keep what should have been an object, and say so."""
        self.extra[where] = self.free(value, where)
        self.warn("wrong_type", f"An object was expected, not {quoted(value)}; it is left out.", where)

    def unknown_keys(self, item: Mapping[str, Any], known: frozenset[str], where: str) -> None:
        """Keep what stands under keys that the format does not have, and say so."""
        for key in item:
            if key not in known:
                path = f"{where}.{key}" if where else str(key)
                self.extra[path] = self.free(item[key], path)
                self.issues.info(
                    "unknown_key",
                    f"The format has no key {quoted(key)}; its value is kept in the provenance.",
                    self.line,
                    path,
                )


def unused_name(name: str, taken: Container[str], numbers: dict[str, int] | None = None) -> str:
    """Return the name with the lowest number from 2 on that makes it new.

    Args:
        name: The name that is taken.
        taken: All names that are.
        numbers: Remembers the last number for each name, so that a name that comes a million times is no trouble.
    """
    remembered = {} if numbers is None else numbers
    number = remembered.get(name, 1) + 1
    while f"{name}-{number}" in taken:
        number += 1
    remembered[name] = number
    return f"{name}-{number}"


def free_name(stem: str, taken: Mapping[str, Any]) -> str:
    """Return the stem with the next number that makes it a new name."""
    number = len(taken) + 1
    while f"{stem}{number}" in taken:
        number += 1
    return f"{stem}{number}"


def plain_text(value: object) -> str:
    """Return any JSON value as text."""
    if isinstance(value, str):
        return value
    try:
        return str(value)
    except (RecursionError, ValueError):
        return f"a very large {type(value).__name__}"


__all__ = ["RecordReading", "claim_of", "free_name", "plain_text", "unused_name"]
