"""A debate's transcript as turns in order: who spoke in which round, what is only a prompt, what is a failure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.debate import Debate, Message
from core.opinion import Argument
from core.provider_errors import is_provider_error

MACHINERY = frozenset({"system", "tool", "developer", "function"})  # roles in a chat that nobody speaks in
ASKING = "user"  # a prompt too, unless an agent of the debate speaks in it
AROUND = 160  # characters shown around what was found


class TurnKind(StrEnum):
    """Whether somebody speaks."""

    SPOKEN = "spoken"
    PROMPT = "prompt"  # to a model, or what a tool gave back


@dataclass(frozen=True)
class Turn:
    """One turn of a transcript.

    Attributes:
        number: From 1, in the order in which the debate is read.
        speaker: As recorded: an agent's id, or whatever the log calls who speaks.
        text: As recorded; untrusted.
        round: The round it belongs to; None where the record tells none, and none before it does.
        role, model: As recorded.
        kind: Whether somebody speaks.
        failed: The text is a provider's failure message.
        argument: The id of the argument that says just this, where the log holds one.
        source: Where that argument comes from, as recorded.
    """

    number: int
    speaker: str
    text: str
    round: int | None = None
    role: str | None = None
    model: str | None = None
    kind: TurnKind = TurnKind.SPOKEN
    failed: bool = False
    argument: str | None = None
    source: str | None = None

    @property
    def usable(self) -> bool:
        """Return whether statements of it can become arguments."""
        return self.kind is TurnKind.SPOKEN and not self.failed and bool(self.text.strip())


def turns_of(debate: Debate) -> tuple[Turn, ...]:
    """Return the turns of a debate's transcript by round, and in the order of the record within a round.

    Some logs hold one agent's whole chat after another's, so the record's own order is not always that of the debate.
    A turn without a round belongs to the round before it.
    """
    agents = {agent.id for agent in debate.agents}
    said = _arguments(debate)
    held: list[tuple[int | None, Message]] = []
    last: int | None = None
    for message in debate.transcript:
        last = message.round if message.round is not None else last
        held.append((last, message))
    ordered = sorted(held, key=lambda pair: float("-inf") if pair[0] is None else pair[0])
    turns = []
    for number, (step_number, message) in enumerate(ordered, 1):
        arguments = said.get((message.speaker, message.text), [])
        # Who says the same again does so by the next such argument, as long as there is one.
        argument = arguments.pop(0) if len(arguments) > 1 else arguments[0] if arguments else None
        failure = is_provider_error(message.text) or (argument is not None and argument.is_error_text)
        turns.append(
            Turn(
                number,
                message.speaker,
                message.text,
                step_number,
                message.role,
                message.model,
                _kind(message, agents),
                failure,
                None if argument is None else argument.id,
                None if argument is None else argument.source,
            )
        )
    return tuple(turns)


def is_talk(debate: Debate) -> bool:
    """Return whether a debate is talk rather than graph: its arguments, if any, are just its turns."""
    if not debate.transcript:
        return False
    spoken = {message.text for message in debate.transcript}
    return all(argument.text in spoken for step in debate.rounds for argument in step.arguments)


def holding(turns: Iterable[Turn], words: str) -> tuple[Turn, ...]:
    """Return the turns whose text or speaker holds words, in upper or lower case; all for no words."""
    wanted = " ".join(words.split()).casefold()
    if not wanted:
        return tuple(turns)
    return tuple(t for t in turns if wanted in " ".join(t.text.split()).casefold() or wanted in t.speaker.casefold())


def excerpt(text: str, words: str, around: int = AROUND) -> tuple[str, str, str] | None:
    """Return what stands before, at and after the first place of words in a text, on one line; None for no place."""
    line, wanted = " ".join(text.split()), " ".join(words.split()).casefold()
    folded = line.casefold()
    place = folded.find(wanted) if wanted else -1
    if place < 0:
        return None
    if len(folded) != len(line):  # folding may lengthen a text, so places differ
        lengths = [len(sign.casefold()) for sign in line]
        place = _unfolded(lengths, place)
        end = _unfolded(lengths, folded.find(wanted) + len(wanted))
    else:
        end = place + len(wanted)
    start, stop = max(0, place - around), min(len(line), end + around)
    before = ("… " if start else "") + line[start:place]
    after = line[end:stop] + (" …" if stop < len(line) else "")
    return before, line[place:end], after


def numbers_of_rounds(turns: Sequence[Turn]) -> tuple[int | None, ...]:
    """Return the rounds that turns belong to, in order, each once."""
    return tuple(dict.fromkeys(turn.round for turn in turns))


def _arguments(debate: Debate) -> dict[tuple[str | None, str], list[Argument]]:
    """Return the arguments of all rounds by author and text, each once, the earliest first."""
    found: dict[str, Argument] = {}
    for step in debate.rounds:
        for argument in step.arguments:
            found.setdefault(argument.id, argument)
    said: dict[tuple[str | None, str], list[Argument]] = {}
    for argument in found.values():
        said.setdefault((argument.author, argument.text), []).append(argument)
    return said


def _kind(message: Message, agents: set[str]) -> TurnKind:
    role = (message.role or message.speaker).casefold()
    if role in MACHINERY or (role == ASKING and message.speaker not in agents):
        return TurnKind.PROMPT
    return TurnKind.SPOKEN


def _unfolded(lengths: Sequence[int], place: int) -> int:
    """Return which sign of a text stands at a place of the folded text, given how long each sign is when folded."""
    at = 0
    for sign, length in enumerate(lengths):
        if at >= place:
            return sign
        at += length
    return len(lengths)


__all__ = ["Turn", "TurnKind", "excerpt", "holding", "is_talk", "numbers_of_rounds", "turns_of"]
