"""What a model proposes, read and held against the transcript: what it quotes must have been said."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from core.llm.replies import Problem, Reading, last_object, plain_json, shown_value
from core.llm.request import ChatReply
from core.opinion import TOPIC, RelationKind
from core.statements.marks import without_marks
from core.statements.proposing import MOST_PROPOSALS, Batch, read_text
from core.statements.taken import TakenArgument
from core.statements.turns import Turn
from core.strict_json import storable

KEY = "arguments"
CLAIM_WORDS = frozenset({"claim", "the claim", "topic", TOPIC})
SHORTEST_QUOTE = 12  # characters, unless the whole turn is shorter: a word or two stand almost anywhere
LONGEST_ARGUMENT = 2_000  # characters
LONGEST_SHOWN = 200  # characters of what was refused
_KINDS = {"pro": RelationKind.SUPPORT, "con": RelationKind.ATTACK}
# What may differ between a quote and the turn: blanks, and how quotation marks, apostrophes and dashes are written.
_BLANKS = re.compile(r"\s+")
_ALIKE = str.maketrans({"“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "\u00a0": " "})
_AROUND = " \"'…"


@dataclass(frozen=True)
class Proposal:
    """An argument that a model finds in a turn; it counts for nothing until a person accepts it.

    Attributes:
        id: Ours, such as ``P2-1``; unique in a transcript.
        turn: The number of the turn in which the quote stands.
        quote: As the model gives it; it was found in the turn.
        text: The argument in the model's words.
        kind, target: What it does to the claim (``TOPIC``) or to another proposal.
        author: Who speaks in the turn.
        model: Who proposes it.
        note: What is to be said of it.
    """

    id: str
    turn: int
    quote: str
    text: str
    kind: RelationKind
    target: str
    author: str
    model: str
    note: str = ""

    def taken(self) -> TakenArgument:
        """Return the argument as proposed, once a person accepts it."""
        return TakenArgument(
            self.id, self.text, (self.turn,), self.kind, self.target, self.author, model=self.model, quote=self.quote
        )


@dataclass(frozen=True)
class Refused:
    """A proposal that is not shown as one, and why."""

    text: str
    why: str


@dataclass(frozen=True)
class Proposed:
    """What a reply comes to; a problem where it cannot be read at all."""

    proposals: tuple[Proposal, ...] = ()
    refused: tuple[Refused, ...] = ()
    problem: Problem | None = None
    detail: str = ""


@dataclass(frozen=True)
class _Entry:
    name: str
    turn: int
    quote: str
    text: str
    kind: RelationKind
    about: str
    author: str
    note: str


def read_proposals(reply: ChatReply, batch: Batch, model: str) -> Proposed:
    """Return the proposals of a reply, each held against the turns that were asked about.

    A proposal is refused if its quote stands in none of these turns, is too short to say where it stands, or if what it
    is about is not there; nothing is guessed. A quote that stands in another turn than named is moved there, with a
    note.

    Args:
        reply: What the model said.
        batch: What it was asked about.
        model: Who is to be named as the proposer.
    """
    found = last_object(reply, KEY)
    if isinstance(found, Reading):
        return Proposed(problem=found.problem, detail=found.detail)
    given_lists = [value for name, value in found if name == KEY]
    if len(given_lists) > 1:
        detail = f'The reply gives the key "{KEY}" {len(given_lists)} times.'
        return Proposed(problem=Problem.REPEATED_KEY, detail=detail)
    try:
        listed = plain_json(given_lists[0])
    except (ValueError, RecursionError) as error:
        return Proposed(problem=Problem.REPEATED_KEY, detail=f"In the reply {error}.")
    if not isinstance(listed, list):
        return Proposed(problem=Problem.WRONG_KEY, detail=f'The value of "{KEY}" is {shown_value(listed)}, not a list.')
    entries: list[_Entry] = []
    refused: list[Refused] = []
    texts = {turn.number: _plain(read_text(turn)) for turn in batch.turns}
    for place, given in enumerate(listed):
        if place >= MOST_PROPOSALS:
            refused.append(Refused("", f"There were {len(listed) - place} more than the {MOST_PROPOSALS} asked for."))
            break
        entry = _entry(given, batch, texts, entries)
        if isinstance(entry, Refused):
            refused.append(entry)
        else:
            entries.append(entry)
    entries = _standing(entries, refused)
    ids = {entry.name: f"P{batch.number}-{place}" for place, entry in enumerate(entries, 1)}
    proposals = tuple(
        Proposal(
            ids[entry.name],
            entry.turn,
            entry.quote,
            entry.text,
            entry.kind,
            TOPIC if entry.about == TOPIC else ids[entry.about],
            entry.author,
            storable(model),
            entry.note,
        )
        for entry in entries
    )
    return Proposed(proposals, tuple(refused))


def stands_in(quote: str, text: str) -> bool:
    """Return whether a quote stands in a text, but for blanks and the way in which marks are written."""
    wanted = _plain(without_marks(quote))
    return bool(wanted) and wanted in _plain(without_marks(text))


def _entry(given: object, batch: Batch, texts: Mapping[int, str], before: Sequence[_Entry]) -> _Entry | Refused:
    if not isinstance(given, Mapping):
        return Refused("", f"It is {shown_value(given)}, not an object.")
    text = _text(given.get("argument"))
    shown = text[:LONGEST_SHOWN]
    if not text:
        return Refused(shown, "It has no argument.")
    if len(text) > LONGEST_ARGUMENT:
        return Refused(shown, f"Its argument has {len(text):,} characters; {LONGEST_ARGUMENT:,} is most.")
    kind = _KINDS.get(_text(given.get("side")).casefold())
    if kind is None:
        return Refused(shown, f'Its side is {shown_value(given.get("side"))}, neither "pro" nor "con".')
    quote = _text(given.get("quote"))
    place = _placed(quote, given.get("turn"), batch.turns, texts)
    if isinstance(place, str):
        return Refused(shown, place)
    turn, note = place
    name = _text(given.get("id")) or f"\0{len(before)}"  # one without an id can still be about the claim
    about = _text(given.get("about"))
    if any(entry.name == name for entry in before):
        return Refused(shown, f"Its id {shown_value(name)} was given before.")
    if any(entry.text == text and entry.turn == turn.number for entry in before):
        return Refused(shown, "It was proposed before.")
    return _Entry(name, turn.number, quote, text, kind, about, turn.speaker, note)


def _placed(quote: str, named: object, turns: Sequence[Turn], texts: Mapping[int, str]) -> tuple[Turn, str] | str:
    """Return the turn in which a quote stands, with what is to be said of that; or why it stands nowhere."""
    wanted = _plain(without_marks(quote))
    if not wanted:
        return "It quotes nothing."
    number = _number(named)
    first = [turn for turn in turns if turn.number == number]
    holding = [turn for turn in (*first, *turns) if wanted in texts[turn.number]]
    if not holding:
        return f"It quotes {shown_value(quote)}, which was not said in the turns that were asked about."
    turn = holding[0]
    if len(wanted) < SHORTEST_QUOTE and wanted != texts[turn.number]:
        return f"Its quote {shown_value(quote)} is too short to say where it stands."
    if turn.number != number:
        return turn, f"The model named turn {shown_value(named)}; what it quotes was said in turn {turn.number}."
    return turn, ""


def _standing(entries: list[_Entry], refused: list[Refused]) -> list[_Entry]:
    """Return the entries whose subject is there, and note why others go; one goes with what it is about."""
    while True:
        names = {entry.name for entry in entries}
        kept = []
        for entry in entries:
            about = entry.about
            if about.casefold() in CLAIM_WORDS:
                kept.append(replace(entry, about=TOPIC) if about != TOPIC else entry)
            elif about in names and about != entry.name:
                kept.append(entry)
            else:
                why = "itself" if about == entry.name else f"{shown_value(about)}, which is not among the proposals"
                refused.append(Refused(entry.text[:LONGEST_SHOWN], f"It is about {why}."))
        if len(kept) == len(entries):
            return kept
        entries = kept


def _plain(text: str) -> str:
    return _BLANKS.sub(" ", text.translate(_ALIKE)).strip(_AROUND)


def _text(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int)):
        return ""
    try:
        return storable(str(value)).strip()
    except ValueError:  # a whole number of thousands of digits
        return ""


def _number(value: object) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    text = value.strip() if isinstance(value, str) else ""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


__all__ = ["Proposal", "Proposed", "Refused", "read_proposals", "stands_in"]
