"""An argument that was made of statements, and what must hold for several of them to be a debate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from core.contestation import LONGEST_TEXT
from core.errors import InvalidGraph
from core.opinion import TOPIC, RelationKind, checked_score

BY_HAND = "from statements by hand"
MOST_TAKEN = 1_000  # arguments of one debate


@dataclass(frozen=True)
class TakenArgument:
    """An argument that a person took from a transcript, with where it comes from.

    Attributes:
        id: Unique among those taken; never ``TOPIC``.
        text: The argument.
        turns: Numbers of the turns whose statements it is made of; at least one.
        kind, target: Whether it supports or attacks the claim (``TOPIC``) or another argument taken.
        author: Who put it forward: a speaker, or None for nobody in particular.
        base_score: In [0, 1]; None unless somebody gave one.
        model: Who proposed it; empty where a person took it by hand.
        edited: A person changed what the model proposed.
        quote: The words of the turn that it rests on; empty for the whole turn.

    Raises:
        InvalidGraph: If the id, the text, the turns or the target cannot be.
        InvalidScore: If the base score lies outside [0, 1].
    """

    id: str
    text: str
    turns: tuple[int, ...]
    kind: RelationKind
    target: str = TOPIC
    author: str | None = None
    base_score: float | None = None
    model: str = ""
    edited: bool = False
    quote: str = ""

    def __post_init__(self) -> None:
        if not self.id or self.id == TOPIC:
            raise InvalidGraph(f"An argument's id is {self.id!r}; it must be a text other than {TOPIC!r}.")
        if not self.text.strip():
            raise InvalidGraph(f"The argument {self.id} has no text.")
        if len(self.text) > LONGEST_TEXT:
            raise InvalidGraph(f"The argument {self.id} has {len(self.text):,} characters; {LONGEST_TEXT:,} is most.")
        if not self.turns:
            raise InvalidGraph(f"The argument {self.id} comes from no turn.")
        if self.target == self.id:
            raise InvalidGraph(f"The argument {self.id} cannot support or attack itself.")
        object.__setattr__(self, "base_score", checked_score(f"Base score of {self.id!r}", self.base_score))

    def origin(self, person: str) -> str:
        """Return how it came about, in words.

        Args:
            person: Who took or accepted it.
        """
        if not self.model:
            return BY_HAND
        return f"proposed by {self.model}, {'edited and ' if self.edited else ''}accepted by {person}"

    def to_json(self) -> dict[str, Any]:
        """Return the argument as plain JSON values."""
        return {**asdict(self), "turns": list(self.turns)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> TakenArgument:
        """Return the argument that ``to_json`` wrote.

        Raises:
            InvalidGraph: If it is none.
        """
        try:
            return cls(**{**record, "turns": tuple(record["turns"]), "kind": RelationKind(record["kind"])})
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise InvalidGraph("This is no argument that was taken from statements.") from error


def problems(taken: Sequence[TakenArgument], turns: int) -> tuple[str, ...]:
    """Return why arguments cannot be a debate yet, each reason in a sentence; nothing where they can.

    Args:
        taken: The arguments.
        turns: How many turns the transcript has.
    """
    if not taken:
        return ("No argument was taken yet.",)
    found = []
    if len(taken) > MOST_TAKEN:
        found.append(f"{len(taken):,} arguments were taken; {MOST_TAKEN:,} is most for one debate.")
    ids = {one.id for one in taken}
    if len(ids) < len(taken):
        found.append("Two arguments have one id.")
    for one in taken:
        if one.target != TOPIC and one.target not in ids:
            found.append(
                f"{one.id} bears on {one.target}, which was not taken: take that too, or change what it is on."
            )
        if any(not 1 <= number <= turns for number in one.turns):
            found.append(f"{one.id} comes from a turn that the transcript has not.")
    return tuple(found)


def apart(taken: Sequence[TakenArgument]) -> tuple[str, ...]:
    """Return the ids of arguments that no path leads from to the claim, so that they count for nothing."""
    leading = {TOPIC}
    left = {one.id: one.target for one in taken}
    while reached := [name for name, target in left.items() if target in leading]:
        leading.update(reached)
        for name in reached:
            del left[name]
    return tuple(left)


__all__ = ["BY_HAND", "MOST_TAKEN", "TakenArgument", "apart", "problems"]
