"""A report as a value: title, date, items in order with notes; its recipe is a text, and has a hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date as Day
from typing import Any

from core.errors import InvalidSetting
from core.report.items import LONGEST_NOTE, FreeNote, Item, canonical, item_from_json, item_key, item_to_json
from core.strict_json import storable

FORMAT = "moot-report/1"
UNTITLED = "Report"
MOST_ENTRIES = 200
LONGEST_TITLE = 300  # characters

_TEXTS = ("title", "author", "date")
_FLAGS = ("labels", "anonymised")


@dataclass(frozen=True)
class Entry:
    """An item in its place, with a note of whoever makes the report."""

    item: Item
    note: str = ""

    @property
    def key(self) -> str:
        """Return what names the entry within its report."""
        return item_key(self.item)


@dataclass(frozen=True)
class Report:
    """What is in a report and what is said with it. It holds no content: that is looked up when it is written.

    Attributes:
        title: What it is called.
        author: Who made it.
        date: ISO 8601 day that stands on it; empty for none. Nothing else in a report tells the time of its making.
        labels: Whether gold labels may be shown or used.
        anonymised: Whether agents are numbered instead of named.
        entries: In order, no item twice.

    Raises:
        InvalidSetting: If a text is too long, the date is none, or there are too many entries or one twice.
    """

    title: str = UNTITLED
    author: str = ""
    date: str = ""
    labels: bool = True
    anonymised: bool = False
    entries: tuple[Entry, ...] = field(default=())

    def __post_init__(self) -> None:
        for name in _TEXTS:
            object.__setattr__(self, name, storable(getattr(self, name)))
        if max(len(self.title), len(self.author)) > LONGEST_TITLE:
            raise InvalidSetting(f"A report's title and author have at most {LONGEST_TITLE} characters each.")
        if self.date:
            _check_day(self.date)
        if len(self.entries) > MOST_ENTRIES:
            raise InvalidSetting(f"A report has at most {MOST_ENTRIES} items; this one would have {len(self.entries)}.")
        if len(set(self.keys)) < len(self.entries):
            raise InvalidSetting("A report holds no item twice.")
        for entry in self.entries:
            written = entry.item.text if isinstance(entry.item, FreeNote) else ""
            if max(len(entry.note), len(written)) > LONGEST_NOTE:
                raise InvalidSetting(f"A note has at most {LONGEST_NOTE:,} characters.")

    @property
    def keys(self) -> tuple[str, ...]:
        """Return the entries' keys, in order."""
        return tuple(entry.key for entry in self.entries)

    def holds(self, item: Item) -> bool:
        """Return whether an item is in the report."""
        return item_key(item) in self.keys

    def with_item(self, item: Item, note: str = "") -> Report:
        """Return the report with one more item at its end; the same report where it holds the item already."""
        return self if self.holds(item) else replace(self, entries=(*self.entries, Entry(item, storable(note))))

    def without(self, key: str) -> Report:
        """Return the report without an entry; the same where it has none of the key."""
        return replace(self, entries=tuple(entry for entry in self.entries if entry.key != key))

    def moved(self, key: str, steps: int) -> Report:
        """Return the report with an entry moved by some places, down for positive ones, as far as there are places."""
        if key not in self.keys:
            return self
        at = self.keys.index(key)
        rest = [entry for entry in self.entries if entry.key != key]
        to = min(max(at + steps, 0), len(rest))
        return replace(self, entries=(*rest[:to], self.entries[at], *rest[to:]))

    def noted(self, key: str, note: str) -> Report:
        """Return the report with another note at an entry; for a note by itself, with other words."""
        changed = []
        for entry in self.entries:
            if entry.key != key:
                changed.append(entry)
            elif isinstance(entry.item, FreeNote):
                changed.append(Entry(FreeNote(storable(note))))
            else:
                changed.append(replace(entry, note=storable(note)))
        return replace(self, entries=tuple(changed))

    def to_json(self) -> dict[str, Any]:
        """Return the recipe as plain JSON values."""
        return {
            "format": FORMAT,
            **{name: getattr(self, name) for name in (*_TEXTS, *_FLAGS)},
            "entries": [
                {"item": item_to_json(entry.item)} | ({"note": entry.note} if entry.note else {})
                for entry in self.entries
            ],
        }

    @property
    def recipe(self) -> str:
        """Return the one text from which the report can be made again."""
        return canonical(self.to_json())

    @property
    def hash(self) -> str:
        """Return the SHA-256 of the recipe."""
        return hashlib.sha256(self.recipe.encode()).hexdigest()

    @classmethod
    def from_json(cls, record: object) -> Report:
        """Return the report that ``to_json`` wrote.

        Raises:
            InvalidSetting: If it is none.
        """
        if not isinstance(record, Mapping) or record.get("format") != FORMAT:
            raise InvalidSetting(f"This is no recipe of a report: its format is not {FORMAT!r}.")
        unknown = [key for key in record if key not in ("format", "entries", *_TEXTS, *_FLAGS)]
        if unknown:
            raise InvalidSetting(f"The recipe of a report has no field {str(unknown[0])[:60]!r}.")
        values = {name: record[name] for name in (*_TEXTS, *_FLAGS) if name in record}
        if not all(isinstance(values.get(name, ""), str) for name in _TEXTS):
            raise InvalidSetting("Title, author and date of a report are texts.")
        if not all(isinstance(values.get(name, False), bool) for name in _FLAGS):
            raise InvalidSetting("Whether a report shows labels and names is true or false.")
        entries = record.get("entries", [])
        if not isinstance(entries, list):
            raise InvalidSetting("The entries of a report are a list.")
        return cls(**values, entries=tuple(_entry(entry) for entry in entries))

    @classmethod
    def from_recipe(cls, text: str) -> Report:
        """Return the report of a recipe.

        Raises:
            InvalidSetting: If the text is none.
        """
        try:
            record = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise InvalidSetting(f"This is no recipe of a report: {error}.") from error
        return cls.from_json(record)


def _entry(record: object) -> Entry:
    if not isinstance(record, Mapping) or set(record) - {"item", "note"} or not isinstance(record.get("note", ""), str):
        raise InvalidSetting("An entry of a report is an item, and a note if there is one.")
    return Entry(item_from_json(record.get("item")), storable(record.get("note", "")))


def _check_day(text: str) -> None:
    try:
        Day.fromisoformat(text)
    except ValueError as error:
        raise InvalidSetting(f"A report's date is {text[:40]!r}; it must be a day such as 2026-05-01.") from error


__all__ = ["FORMAT", "MOST_ENTRIES", "UNTITLED", "Entry", "Report"]
