"""Contesting a judgement: edits of a profile, applied by one pure function.

The state after n edits is always computed from the original profile, so that undoing the last edit is dropping it
from the list, and restores every number to the last bit.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from typing import Any

from core.errors import InvalidEdit
from core.judgement import JudgementStatus, Verdict
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind

REVIEWER = "reviewer"  # author of arguments that a person adds; not an agent, so every agent's opinion has them
LONGEST_TEXT = 10_000  # characters in one argument that a person adds

DEFAULT_ROLE = "reviewer"  # of the person who saves a contestation
LONGEST_NAME = 60  # characters of an unknown field's name in a message

_PLAIN_FIELDS = ("id", "reason", "author", "role", "created_at", "parent", "before", "after", "settings")
_FIELD_KINDS: Mapping[str, tuple[type, ...]] = {
    **dict.fromkeys(("id", "author", "role", "created_at", "reason"), (str,)),
    **dict.fromkeys(("before", "after", "settings"), (Mapping,)),
    **dict.fromkeys(("edits", "tags"), (list, tuple)),
    "parent": (str, type(None)),
    "round": (int, type(None)),
}
_EDIT_TEXTS = ("argument", "text", "target", "source", "note")


class EditKind(StrEnum):
    """The changes a person can make to a profile."""

    SET_BASE_SCORE = "set base score"
    ADD_ARGUMENT = "add argument"
    REMOVE_ARGUMENT = "remove argument"
    RESTORE_ARGUMENT = "restore argument"
    FLIP_POLARITY = "flip polarity"
    RETARGET = "retarget"
    SHIFT_PROS = "shift pros"
    SHIFT_CONS = "shift cons"
    SET_TOPIC_BASE_SCORE = "set topic base score"


@dataclass(frozen=True)
class Edit:
    """One change of a profile, with what was there before, so that a log reads from -> to.

    Attributes:
        kind: What is done.
        argument: The id of the argument it is done to; empty for shifts and the topic.
        before: Base score, relation kind or target before; None where there was none.
        after: The same afterwards; for shifts the signed size of the shift.
        text: The text of an added argument.
        target: Which relation is flipped or retargeted, or what an added argument bears on.
        relation: Whether an added argument supports or attacks its target.
        source: Where an added argument comes from.
        note: The person's remark on this edit.
    """

    kind: EditKind
    argument: str = ""
    before: float | str | None = None
    after: float | str | None = None
    text: str = ""
    target: str = TOPIC
    relation: RelationKind = RelationKind.SUPPORT
    source: str = ""
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the edit as plain JSON values, without what is empty."""
        return {key: value for key, value in asdict(self).items() if value not in ("", None)}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Edit:
        """Return the edit that ``to_json`` wrote.

        Raises:
            InvalidEdit: If the record has no known kind, or fields that no edit has or of another type.
        """
        try:
            values = dict(record)
            values["kind"] = EditKind(values["kind"])
            if "relation" in values:
                values["relation"] = RelationKind(values["relation"])
            edit = cls(**values)
            if not all(isinstance(getattr(edit, name), str) for name in _EDIT_TEXTS):
                raise TypeError
            if not all(isinstance(value, str | int | float | None) for value in (edit.before, edit.after)):
                raise TypeError
            return edit
        except (KeyError, TypeError, ValueError) as error:
            raise InvalidEdit(f"This is not an edit that Moot knows: {dict(record)!r}.") from error


@dataclass(frozen=True)
class Contested:
    """A profile after edits, with what became of each argument.

    Attributes:
        profile: What judges read: removed arguments and their relations are gone.
        everything: The same with the removed arguments still in, for drawing them as ghosts.
        added, removed, changed: Argument ids; an argument is changed when its base score or a relation of it differs.
    """

    profile: OpinionProfile
    everything: OpinionProfile
    added: frozenset[str] = frozenset()
    removed: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Contestation:
    """A saved challenge to a judgement. It never replaces the original debate.

    Attributes:
        id: Given by storage.
        debate_id, round_number: What is contested.
        edits: In order.
        reason: Why, in the person's words.
        author, role: Who saved it, in which role.
        created_at: ISO 8601 time in UTC.
        parent: The contestation it was forked from, if any.
        before, after: The pinned judges' scores and verdicts, as plain JSON values.
        settings: Judge settings in force, as plain JSON values.
        tags: Short words.
    """

    id: str
    debate_id: str
    round_number: int | None
    edits: tuple[Edit, ...]
    reason: str
    author: str
    role: str = DEFAULT_ROLE
    created_at: str = ""
    parent: str | None = None
    before: Mapping[str, Any] = field(default_factory=dict)
    after: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the contestation as plain JSON values, one order of keys, without its debate and what is default."""
        written: dict[str, Any] = {"id": self.id}
        if self.parent is not None:
            written["parent"] = self.parent
        written |= {"round": self.round_number, "author": self.author}
        if self.role != DEFAULT_ROLE:
            written["role"] = self.role
        if self.created_at:
            written["created_at"] = self.created_at
        written |= {"reason": self.reason, "edits": [edit.to_json() for edit in self.edits]}
        rest = {
            "before": dict(self.before),
            "after": dict(self.after),
            "settings": dict(self.settings),
            "tags": list(self.tags),
        }
        return written | {key: value for key, value in rest.items() if value}

    @classmethod
    def from_json(cls, record: Mapping[str, Any], debate_id: str) -> Contestation:
        """Return the contestation that ``to_json`` wrote, as one of a debate.

        Whether its edits fit the debate is for ``contest`` to say.

        Raises:
            InvalidEdit: If the record lacks id, author, reason or edits, has fields that no contestation has, or one
                of another type.
        """
        unknown = [key for key in record if key not in _FIELD_KINDS]
        if unknown:
            raise InvalidEdit(f"A contestation has no field {unknown[0][:LONGEST_NAME]!r}.")
        missing = [key for key in ("id", "author", "reason", "edits") if key not in record]
        if missing:
            raise InvalidEdit(f"The contestation has no field {missing[0]!r}.")
        for key, value in record.items():
            if not isinstance(value, _FIELD_KINDS[key]) or isinstance(value, bool):
                raise InvalidEdit(f"The contestation's field {key!r} holds a {type(value).__name__}.")
        if not record["id"]:
            raise InvalidEdit("The contestation's id is empty.")
        tags, edits = record.get("tags", []), record["edits"]
        if not all(isinstance(tag, str) for tag in tags):
            raise InvalidEdit("The contestation's tags are not all texts.")
        if not all(isinstance(edit, Mapping) for edit in edits):
            raise InvalidEdit("The contestation's edits are not all objects.")
        values = {key: record[key] for key in _PLAIN_FIELDS if key in record}
        for outcomes in (values.get("before", {}), values.get("after", {})):
            _check_outcomes(outcomes)
        return cls(
            debate_id=debate_id,
            round_number=record.get("round"),
            edits=tuple(Edit.from_json(edit) for edit in edits),
            tags=tuple(tags),
            **values,
        )


def _check_outcomes(outcomes: Mapping[str, Any]) -> None:
    for outcome in outcomes.values():
        if not isinstance(outcome, Mapping):
            continue
        score, verdict, status = (outcome.get(key) for key in ("score", "verdict", "status"))
        if verdict and verdict not in list(Verdict):
            raise InvalidEdit("The contestation holds a verdict that no judge gives.")
        if status and status not in list(JudgementStatus):
            raise InvalidEdit("The contestation holds a judgement's status that Moot does not know.")
        if score is not None and not (isinstance(score, (int, float)) and abs(score) <= sys.float_info.max):
            raise InvalidEdit("The contestation holds a score that is no number.")


def contest(original: OpinionProfile, edits: Iterable[Edit]) -> Contested:
    """Return the profile after the edits, in order; the original is not touched.

    Raises:
        InvalidEdit: If an edit names an argument or relation that is not there, or a score outside [0, 1].
    """
    state = _State(original)
    for edit in edits:
        state.apply(edit)
    return state.result()


class _State:
    """The working copy while edits are applied. Dictionaries keep one edit cheap in a large profile."""

    def __init__(self, original: OpinionProfile) -> None:
        self.original = original
        self.arguments = dict(original.by_id)
        self.relations = dict.fromkeys(original.relations)  # an ordered set
        self.topic_base_score = original.topic_base_score
        self.removed: set[str] = set()
        self.added: set[str] = set()

    def apply(self, edit: Edit) -> None:
        match edit.kind:
            case EditKind.SET_BASE_SCORE:
                self._set_score(edit.argument, _score(edit))
            case EditKind.ADD_ARGUMENT:
                self._add(edit)
            case EditKind.REMOVE_ARGUMENT:
                self._present(edit.argument)
                self.removed.add(edit.argument)
            case EditKind.RESTORE_ARGUMENT:
                if edit.argument not in self.removed:
                    raise InvalidEdit(f"Argument {edit.argument!r} is not removed, so it cannot be restored.")
                self.removed.discard(edit.argument)
            case EditKind.FLIP_POLARITY:
                relation = self._relation(edit)
                self._swap(relation, replace(relation, kind=relation.kind.opposite))
            case EditKind.RETARGET:
                self._retarget(edit)
            case EditKind.SHIFT_PROS:
                self._shift(RelationKind.SUPPORT, _number(edit))
            case EditKind.SHIFT_CONS:
                self._shift(RelationKind.ATTACK, _number(edit))
            case EditKind.SET_TOPIC_BASE_SCORE:
                self.topic_base_score = None if edit.after is None else _score(edit)

    def result(self) -> Contested:
        everything = replace(
            self.original,
            arguments=tuple(self.arguments.values()),
            relations=tuple(self.relations),
            topic_base_score=self.topic_base_score,
        )
        left = replace(
            everything,
            arguments=tuple(a for a in everything.arguments if a.id not in self.removed),
            relations=tuple(
                r for r in everything.relations if r.source not in self.removed and r.target not in self.removed
            ),
        )
        return Contested(left, everything, frozenset(self.added), frozenset(self.removed), frozenset(self._changed()))

    def _changed(self) -> set[str]:
        before = self.original.by_id
        changed = {
            name
            for name, argument in self.arguments.items()
            if name in before and argument.base_score != before[name].base_score
        }
        moved = set(self.original.relations) ^ set(self.relations)
        return changed | {r.source for r in moved if r.source in before}

    def _present(self, name: str) -> Argument:
        argument = self.arguments.get(name)
        if argument is None or name in self.removed:
            raise InvalidEdit(f"There is no argument {name!r} in this profile any more.")
        return argument

    def _set_score(self, name: str, value: float) -> None:
        self.arguments[name] = replace(self._present(name), base_score=value)

    def _add(self, edit: Edit) -> None:
        if edit.argument in self.arguments or edit.argument in ("", TOPIC):
            raise InvalidEdit(f"An added argument needs an id of its own; {edit.argument!r} is taken.")
        if not edit.text.strip():
            raise InvalidEdit("An added argument needs a text.")
        if len(edit.text) > LONGEST_TEXT:
            raise InvalidEdit(f"The text has {len(edit.text)} characters; at most {LONGEST_TEXT} fit.")
        if edit.target != TOPIC:
            self._present(edit.target)
        self.arguments[edit.argument] = Argument(
            edit.argument, edit.text, REVIEWER, _score(edit), source=edit.source or None
        )
        self.relations[Relation(edit.argument, edit.target, edit.relation)] = None
        self.added.add(edit.argument)

    def _relation(self, edit: Edit) -> Relation:
        self._present(edit.argument)
        found = [r for r in self.relations if r.source == edit.argument and r.target == edit.target]
        if edit.kind is EditKind.FLIP_POLARITY and edit.before is not None:
            found = [r for r in found if r.kind == edit.before]
        if not found:
            raise InvalidEdit(f"{edit.argument!r} neither supports nor attacks {edit.target!r}.")
        return found[0]

    def _retarget(self, edit: Edit) -> None:
        relation = self._relation(edit)
        target = str(edit.after)
        if target == edit.argument:
            raise InvalidEdit(f"{edit.argument!r} cannot bear on itself.")
        if target != TOPIC:
            self._present(target)
        self._swap(relation, replace(relation, target=target))

    def _swap(self, old: Relation, new: Relation) -> None:
        # Rebuilt, so that the relation keeps its place and undo gives back the very same order.
        self.relations = dict.fromkeys(new if r == old else r for r in self.relations)

    def _shift(self, kind: RelationKind, size: float) -> None:
        for name in {r.source for r in self.relations if r.target == TOPIC and r.kind is kind}:
            argument = self.arguments.get(name)
            if argument is None or name in self.removed or argument.base_score is None:
                continue
            score = min(1.0, max(0.0, round(argument.base_score + size, 12)))
            self.arguments[name] = replace(argument, base_score=score)


def _number(edit: Edit) -> float:
    after = edit.after
    # Compared before it is converted: an integer may be too large for a float, and NaN fails every comparison.
    if isinstance(after, bool) or not isinstance(after, (int, float)) or not abs(after) <= sys.float_info.max:
        raise InvalidEdit(f"The edit {edit.kind.value!r} needs a finite number, not {after!r}.")
    return float(after)


def _score(edit: Edit) -> float:
    number = _number(edit)
    if not 0.0 <= number <= 1.0:
        raise InvalidEdit(f"The edit {edit.kind.value!r} would set a base score of {number!r}; it must lie in [0, 1].")
    return number
