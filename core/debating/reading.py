"""What debaters reply, read: tolerant about wrapping, strict about meaning, and never guessing."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from core.debating.question import Read
from core.llm.replies import Problem, Reading, last_object, plain_json, read_number, shown_value
from core.llm.request import ChatReply
from core.strict_json import storable

LONGEST_ARGUMENT = 2_000  # characters
NEW = "new"  # the id of an argument that has none yet

_PERCENT = re.compile(r"\s*%\s*$")
T = TypeVar("T")


@dataclass(frozen=True)
class Sides:
    """The texts of pros and cons."""

    pros: tuple[str, ...]
    cons: tuple[str, ...]


@dataclass(frozen=True)
class Kept:
    """An entry of a revised list: an argument's id with its text as it is to be, or a new argument without an id."""

    id: str | None
    text: str


@dataclass(frozen=True)
class Revision:
    """A revised list: what is not in it is dropped."""

    pros: tuple[Kept, ...]
    cons: tuple[Kept, ...]


@dataclass(frozen=True)
class WantedEdit:
    """A change of an argument in a common framework that an agent asks for; None leaves text or score as it is."""

    id: str
    text: str | None
    base_score: float | None


@dataclass(frozen=True)
class Turn:
    """What an agent does in its turn."""

    edits: tuple[WantedEdit, ...]
    new: Sides


def read_likelihood(reply: ChatReply) -> Read[float]:
    """Return the likelihood that a reply gives in percent, as a number in [0, 1]."""
    fields = _fields(reply, "likelihood")
    if isinstance(fields, Read):
        return fields
    return _likelihood(fields["likelihood"], "likelihood")


def read_argument(reply: ChatReply) -> Read[str]:
    """Return the one argument that a reply gives."""
    fields = _fields(reply, "argument")
    return fields if isinstance(fields, Read) else _text(fields["argument"], "argument")


def read_sides(reply: ChatReply, most: int) -> Read[Sides]:
    """Return the pros and cons that a reply lists, at most so many of each; a text that comes twice counts once."""
    fields = _fields(reply, "pros", "cons")
    return fields if isinstance(fields, Read) else _sides(fields, "pros", "cons", most)


def read_revision(reply: ChatReply, pros: Mapping[str, str], cons: Mapping[str, str], most: int) -> Read[Revision]:
    """Return an agent's revised list.

    Args:
        reply: Lists entries with ``id`` and ``text`` under ``pros`` and ``cons``; the id "new" is for new arguments.
        pros, cons: The agent's own arguments so far: texts by id.
        most: How many entries each list may have.
    """
    fields = _fields(reply, "pros", "cons")
    if isinstance(fields, Read):
        return fields
    lists: dict[str, tuple[Kept, ...]] = {}
    seen: set[str] = set()
    for side, own in (("pros", pros), ("cons", cons)):
        entries = fields[side]
        if not isinstance(entries, list):
            return _wrong(Problem.NO_JSON, f'The value of "{side}" is {shown_value(entries)}, not a list.')
        if len(entries) > most:
            return _too_many(side, len(entries), most)
        kept: dict[str, Kept] = {}
        for entry in entries:
            if not isinstance(entry, dict) or not {"id", "text"} <= entry.keys():
                return _wrong(Problem.WRONG_KEY, f'An entry of "{side}" is an object with the keys "id" and "text".')
            text = _text(entry["text"], "text")
            if text.value is None:
                return Read(None, text.problem, text.detail)
            name = entry["id"]
            if name == NEW:
                # A text that is there already is that argument, whatever the id says.
                name = next((one for one, said in own.items() if said == text.value), None)
                if name in seen:
                    continue
            elif not isinstance(name, str) or name not in own:
                listed = ", ".join(f'"{one}"' for one in (*own, NEW))
                return _wrong(
                    Problem.WRONG_KEY, f"The id {shown_value(name)} is none of your {side}; an id is one of {listed}."
                )
            if name in seen:
                return _wrong(Problem.REPEATED_KEY, f'The id "{name}" is given twice.')
            if name is not None:
                seen.add(name)
            kept.setdefault(text.value if name is None else f"\0{name}", Kept(name, text.value))
        lists[side] = tuple(kept.values())
    return Read(Revision(lists["pros"], lists["cons"]))


def read_turn(reply: ChatReply, most: int) -> Read[Turn]:
    """Return what an agent does in its turn; whether it may do so is not looked at here.

    Args:
        reply: Gives ``edits``, each with ``id`` and what is to change of ``text`` and ``likelihood``, and the texts
            ``new_pros`` and ``new_cons``.
        most: How many new pros, and how many new cons, there may be.
    """
    fields = _fields(reply, "new_pros", "new_cons", "edits")
    if isinstance(fields, Read):
        return fields
    if not isinstance(fields["edits"], list):
        return _wrong(Problem.NO_JSON, f'The value of "edits" is {shown_value(fields["edits"])}, not a list.')
    edits: dict[str, WantedEdit] = {}
    for entry in fields["edits"]:
        if not isinstance(entry, dict) or not isinstance(entry.get("id"), str) or not entry["id"].strip():
            return _wrong(Problem.WRONG_KEY, 'Each entry of "edits" needs an object with the key "id".')
        name = storable(entry["id"].strip())
        if name in edits:
            return _wrong(Problem.REPEATED_KEY, f'The id "{name}" is given twice in "edits".')
        text, score = None, None
        if entry.get("text") not in (None, ""):
            said = _text(entry["text"], "text")
            if said.value is None:
                return Read(None, said.problem, said.detail)
            text = said.value
        if entry.get("likelihood") is not None:
            given = _likelihood(entry["likelihood"], "likelihood")
            if given.value is None:
                return Read(None, given.problem, given.detail)
            score = given.value
        edits[name] = WantedEdit(name, text, score)
    new = _sides(fields, "new_pros", "new_cons", most)
    if new.value is None:
        return Read(None, new.problem, new.detail)
    return Read(Turn(tuple(edits.values()), new.value))


def _fields(reply: ChatReply, first: str, *others: str) -> dict[str, Any] | Read[Any]:
    """Return the last object in a reply that has the first key, as a dictionary with all of the keys."""
    found = last_object(reply, first)
    if isinstance(found, Reading):
        return Read(None, found.problem, found.detail)
    names = [name for name, _ in found]
    for name in (first, *others):
        if names.count(name) > 1:
            return _wrong(Problem.REPEATED_KEY, f'The reply gives the key "{name}" {names.count(name)} times.')
        if name not in names:
            return _wrong(Problem.WRONG_KEY, f'The reply\'s JSON object has no key "{name}".')
    try:
        return {name: plain_json(value) for name, value in found}
    except ValueError as error:
        return _wrong(Problem.REPEATED_KEY, f"In the reply {error}.")


def _sides(fields: Mapping[str, Any], pros: str, cons: str, most: int) -> Read[Sides]:
    lists: list[tuple[str, ...]] = []
    for side in (pros, cons):
        entries = fields[side]
        if not isinstance(entries, list):
            return _wrong(Problem.NO_JSON, f'The value of "{side}" is {shown_value(entries)}, not a list.')
        if len(entries) > most:
            return _too_many(side, len(entries), most)
        texts: dict[str, None] = {}
        for entry in entries:
            text = _text(entry, f"an entry of {side}")
            if text.value is None:
                return Read(None, text.problem, text.detail)
            texts[text.value] = None
        lists.append(tuple(texts))
    return Read(Sides(lists[0], lists[1]))


def _text(value: object, what: str) -> Read[str]:
    if not isinstance(value, str):
        return _wrong(Problem.NO_JSON, f"The value of {what} is {shown_value(value)}, not a text.")
    text = storable(value.strip())
    if not text:
        return _wrong(Problem.EMPTY, f"The value of {what} is empty.")
    if len(text) > LONGEST_ARGUMENT:
        return _wrong(
            Problem.OUT_OF_RANGE,
            f"The value of {what} has {len(text):,} characters; at most {LONGEST_ARGUMENT:,} are allowed.",
        )
    return Read(text)


def _likelihood(value: object, what: str) -> Read[float]:
    number = read_number(_PERCENT.sub("", value) if isinstance(value, str) else value)
    if number is None:
        return _wrong(Problem.NOT_A_NUMBER, f'The value of "{what}" is {shown_value(value)}, not a number of percent.')
    if not 0.0 <= number <= 100.0 or 0.0 < number < 1.0:  # 0.7 may mean 70 percent, and must not be taken for less
        return _wrong(
            Problem.OUT_OF_RANGE,
            f'The value of "{what}" is {shown_value(value)}; it must be a whole number of percent from 0 to 100.',
        )
    return Read(number / 100.0)


def _too_many(side: str, count: int, most: int) -> Read[Any]:
    return _wrong(Problem.OUT_OF_RANGE, f'"{side}" has {count} entries; at most {most} are allowed.')


def _wrong(problem: Problem, detail: str) -> Read[Any]:
    return Read(None, problem, detail)


__all__ = [
    "NEW", "Kept", "Revision", "Sides", "Turn", "WantedEdit", "read_argument", "read_likelihood", "read_revision",
    "read_sides", "read_turn",
]  # fmt: skip
