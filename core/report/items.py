"""What a report can hold. An item only refers to what it shows, so that a report is small and can be made again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from typing import Any, ClassVar

from core.errors import InvalidSetting
from core.strict_json import cleaned

KEY_LENGTH = 12  # hexadecimal digits
LONGEST_NOTE = 20_000  # characters
MOST_CASES = 500  # debates that a table of cases refers to one by one


class Piece(StrEnum):
    """What of a comparison an item shows."""

    CHART = "chart"
    TABLE = "table"


@dataclass(frozen=True)
class SavedContestation:
    """A saved contestation, by its id."""

    kind: ClassVar[str] = "contestation"
    contestation: str

    @property
    def title(self) -> str:
        """Return what to call it where its content is not at hand."""
        return f"Contestation {self.contestation}"


@dataclass(frozen=True)
class JudgedDebate:
    """A debate under judge settings.

    Attributes:
        debate: Its id.
        round_number: Which round is judged; None for the last.
        settings: What ``Preferences.judging`` returned.
    """

    kind: ClassVar[str] = "debate"
    debate: str
    round_number: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Return what to call it where its content is not at hand."""
        return f"Debate {self.debate}"


@dataclass(frozen=True)
class ComparedJudges:
    """A chart or a table of judges side by side.

    Attributes:
        judges: Each judge's settings, the baseline first.
        piece: Chart or table.
        name: Which one, as ``core.comparison_report`` names it.
        dataset: Id of the data set; empty for all.
        filter: Which debates, as the fields of a debate filter that are set.
        abstention: What an abstention does.
        published: Title of the table of published figures shown beside; empty for none.
        protocol: Of those figures; empty for any.
        debates: The cases of a table of cases.
        what: Which those are, in words.
    """

    kind: ClassVar[str] = "comparison"
    judges: tuple[Mapping[str, Any], ...]
    piece: Piece
    name: str
    dataset: str = ""
    filter: Mapping[str, Any] = field(default_factory=dict)
    abstention: str = ""
    published: str = ""
    protocol: str = ""
    debates: tuple[str, ...] = ()
    what: str = ""

    @property
    def title(self) -> str:
        """Return what to call it where its content is not at hand."""
        return f"{self.piece.value.capitalize()} of {len(self.judges)} judges: {self.name}"


@dataclass(frozen=True)
class PropertyWitness:
    """A case that violates a property, as ``core.properties`` keeps it, with the settings of the judge it is about."""

    kind: ClassVar[str] = "witness"
    witness: Mapping[str, Any]
    settings: Mapping[str, Any] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """Return what to call it where its content is not at hand."""
        return f"Witness of {self.witness.get('property', 'a property')} on {self.witness.get('debate', 'a debate')}"


@dataclass(frozen=True)
class FreeNote:
    """Words of whoever makes the report."""

    kind: ClassVar[str] = "note"
    text: str

    @property
    def title(self) -> str:
        """Return what to call it."""
        return "Note"


Item = SavedContestation | JudgedDebate | ComparedJudges | PropertyWitness | FreeNote
_KINDS: Mapping[str, type[Item]] = {
    one.kind: one for one in (SavedContestation, JudgedDebate, ComparedJudges, PropertyWitness, FreeNote)
}
_TYPES: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(
        ("contestation", "debate", "text", "name", "dataset", "abstention", "published", "protocol", "what"), (str,)
    ),
    **dict.fromkeys(("settings", "filter", "witness"), (Mapping,)),
    **dict.fromkeys(("judges", "debates"), (list, tuple)),
    "round_number": (int, type(None)),
    "piece": (str,),
}


def item_to_json(item: Item) -> dict[str, Any]:
    """Return an item as plain JSON values."""
    values = {one.name: getattr(item, one.name) for one in fields(item)}
    plain: dict[str, Any] = cleaned({"kind": item.kind, **values})
    return plain


def item_from_json(record: object) -> Item:
    """Return the item that ``item_to_json`` wrote.

    Raises:
        InvalidSetting: If it is none.
    """
    kind = record.get("kind") if isinstance(record, Mapping) else None
    if not isinstance(record, Mapping) or not isinstance(kind, str) or kind not in _KINDS:
        raise InvalidSetting(f"A report has no item of the kind {kind!r}; there are {', '.join(_KINDS)}.")
    chosen = _KINDS[kind]
    values = {key: value for key, value in record.items() if key != "kind"}
    known = {one.name for one in fields(chosen)}
    for key, value in values.items():
        if key not in known:
            raise InvalidSetting(f"An item of the kind {kind!r} has no field {key!r}.")
        if not isinstance(value, _TYPES[key]) or isinstance(value, bool):
            raise InvalidSetting(f"The field {key!r} of an item of the kind {kind!r} holds a {type(value).__name__}.")
    try:
        if "judges" in values:
            values["judges"] = tuple(dict(judge) for judge in values["judges"])
        if "debates" in values:
            values["debates"] = tuple(str(name) for name in values["debates"])[:MOST_CASES]
        if "piece" in values:
            values["piece"] = Piece(values["piece"])
        return chosen(**values)
    except (TypeError, ValueError) as error:
        raise InvalidSetting(f"This is no item of the kind {kind!r}: {error}.") from error


def canonical(value: object) -> str:
    """Return a plain JSON value as the one text that stands for it: keys sorted, no spaces."""
    return json.dumps(cleaned(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def item_key(item: Item) -> str:
    """Return a short hash of what an item refers to: the same item has the same key in every report."""
    return hashlib.sha256(canonical(item_to_json(item)).encode()).hexdigest()[:KEY_LENGTH]


__all__ = [
    "LONGEST_NOTE",
    "MOST_CASES",
    "ComparedJudges",
    "FreeNote",
    "Item",
    "JudgedDebate",
    "Piece",
    "PropertyWitness",
    "SavedContestation",
    "canonical",
    "item_from_json",
    "item_key",
    "item_to_json",
]
