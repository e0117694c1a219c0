"""What changed in a debate's arguments from round to round, and at whose hands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import Any

from core.debate import Debate, Round
from core.opinion import Argument, Relation, RelationKind
from core.rounds.matching import SAME_ID_IN_COMMON, pairs
from core.rounds.word_diff import words_in_common

Bearing = tuple[tuple[str, RelationKind], ...]  # on what an argument bears, and how


class ChangeKind(StrEnum):
    """What became of an argument."""

    ADDED = "added"
    DROPPED = "dropped"
    REWORDED = "reworded"
    REPLACED = "replaced"  # another text under the same id
    MOVED = "base score moved"
    AIMED = "bears on another"  # another side or target
    KEPT = "kept"


@dataclass(frozen=True)
class ArgumentChange:
    """An argument from one round to the next.

    Attributes:
        before, after: The argument in the two rounds; None where it is not there.
        bearing_before, bearing_after: What it bears on, and how.
        editors: Who changed it in the round, by the round's record, in order.
    """

    before: Argument | None
    after: Argument | None
    bearing_before: Bearing = ()
    bearing_after: Bearing = ()
    editors: tuple[str, ...] = ()

    @property
    def argument(self) -> Argument:
        """Return the argument as it is now, or was last."""
        if self.after is not None:
            return self.after
        if self.before is not None:
            return self.before
        raise ValueError("A change is of an argument that is there in one of two rounds at least.")

    @property
    def side(self) -> RelationKind | None:
        """Return how the argument bears on the first thing that it bears on; None where it bears on nothing."""
        bearing = self.bearing_before if self.after is None else self.bearing_after
        return bearing[0][1] if bearing else None

    @cached_property
    def kind(self) -> ChangeKind:
        """Return the change that weighs most: of a reworded argument the base score may have moved too."""
        if self.before is None:
            return ChangeKind.ADDED
        if self.after is None:
            return ChangeKind.DROPPED
        if self.before.text != self.after.text:
            return ChangeKind.REWORDED if self.in_common >= SAME_ID_IN_COMMON else ChangeKind.REPLACED
        if self.bearing_before != self.bearing_after:
            return ChangeKind.AIMED
        return ChangeKind.KEPT if self.before.base_score == self.after.base_score else ChangeKind.MOVED

    @cached_property
    def in_common(self) -> float:
        """Return the share of words that the two texts have in common, in [0, 1]; 0 where there is but one text."""
        if self.before is None or self.after is None:
            return 0.0
        return words_in_common(self.before.text, self.after.text)

    @property
    def move(self) -> float | None:
        """Return by how much the base score moved; None where there are not two."""
        if self.before is None or self.after is None:
            return None
        old, new = self.before.base_score, self.after.base_score
        return None if old is None or new is None else new - old

    @property
    def by_others(self) -> tuple[str, ...]:
        """Return who changed the argument that is not its author."""
        return tuple(name for name in self.editors if name != self.argument.author)


@dataclass(frozen=True)
class RefusedEdit:
    """An edit that an agent asked for and that was not made.

    Attributes:
        agent: Who asked.
        argument: Which argument, as the agent named it.
        owner: Whose it is; None where that is not recorded.
        why: As recorded.
        text, base_score: What the argument was to become; None for as it was.
    """

    agent: str
    argument: str
    owner: str | None
    why: str
    text: str | None
    base_score: float | None


@dataclass(frozen=True)
class RoundChanges:
    """What changed in one round.

    Attributes:
        number: The round.
        since: The round before; None for the first, in which every argument is new.
        arguments: Every argument of the two rounds.
        refused: The edits that were not made.
    """

    number: int
    since: int | None
    arguments: tuple[ArgumentChange, ...]
    refused: tuple[RefusedEdit, ...] = ()

    @property
    def changed(self) -> tuple[ArgumentChange, ...]:
        """Return the arguments that are not as they were."""
        return tuple(one for one in self.arguments if one.kind is not ChangeKind.KEPT)

    def count(self, *kinds: ChangeKind) -> int:
        """Return how many arguments changed in one of these ways."""
        return sum(one.kind in kinds for one in self.arguments)

    def of(self, author: str | None) -> tuple[ArgumentChange, ...]:
        """Return what changed in one agent's arguments."""
        return tuple(one for one in self.changed if one.argument.author == author)

    @property
    def authors(self) -> tuple[str | None, ...]:
        """Return whose arguments changed, in order of their first change."""
        return tuple(dict.fromkeys(one.argument.author for one in self.changed))


def changes(debate: Debate) -> tuple[RoundChanges, ...]:
    """Return what changed in every round of a debate, the first included."""
    found: list[RoundChanges] = []
    before: Round | None = None
    for step in debate.rounds:
        found.append(round_changes(before, step))
        before = step
    return tuple(found)


def round_changes(before: Round | None, after: Round) -> RoundChanges:
    """Return what changed from one round to another; from none, everything is new."""
    old = () if before is None else before.arguments
    bearings = _bearings(() if before is None else before.relations), _bearings(after.relations)
    editors = _editors(after)
    listed = tuple(
        ArgumentChange(
            pair.before,
            pair.after,
            () if pair.before is None else bearings[0].get(pair.before.id, ()),
            () if pair.after is None else bearings[1].get(pair.after.id, ()),
            () if pair.after is None else _who(pair.before, pair.after, editors),
        )
        for pair in pairs(old, after.arguments)
    )
    return RoundChanges(after.number, None if before is None else before.number, listed, tuple(_refused(after)))


def _bearings(relations: Sequence[Relation]) -> dict[str, Bearing]:
    found: dict[str, list[tuple[str, RelationKind]]] = {}
    for one in relations:
        found.setdefault(one.source, []).append((one.target, one.kind))
    return {name: tuple(sorted(bearing)) for name, bearing in found.items()}


def _editors(step: Round) -> dict[str, tuple[str, ...]]:
    """Return who edited what in a round, by the argument's id in the record."""
    found: dict[str, list[str]] = {}
    for agent, edit in _records(step, "edits"):
        name = edit.get("id")
        if isinstance(name, str) and agent not in found.setdefault(name, []):
            found[name].append(agent)
    return {name: tuple(agents) for name, agents in found.items()}


def _who(before: Argument | None, after: Argument, editors: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    recorded = editors.get(after.id) or editors.get(after.source_id or "") or ()
    if recorded or before is None:
        return recorded
    same = (before.text, before.base_score) == (after.text, after.base_score)
    return () if same or after.last_edited_by is None else (after.last_edited_by,)


def _refused(step: Round) -> Iterator[RefusedEdit]:
    for agent, edit in _records(step, "ignored"):
        score = edit.get("base_score")
        usable = isinstance(score, (int, float)) and not isinstance(score, bool)
        yield RefusedEdit(
            agent,
            _text(edit.get("id")) or "",
            _text(edit.get("owner")),
            _text(edit.get("why")) or "",
            _text(edit.get("argument")),
            float(score) if usable and score is not None else None,
        )


def _records(step: Round, key: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Yield what each agent asked for in a round. The records come from logs, so nothing is taken for granted."""
    for turn in step.edits:
        agent, listed = turn.get("agent_id"), turn.get(key)
        if isinstance(agent, str) and isinstance(listed, Sequence) and not isinstance(listed, str):
            yield from ((agent, edit) for edit in listed if isinstance(edit, Mapping))


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


__all__ = ["ArgumentChange", "ChangeKind", "RefusedEdit", "RoundChanges", "changes", "round_changes"]
