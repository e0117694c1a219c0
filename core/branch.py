"""A branch of one debate, to be put under an argument of another as edits of a contestation."""

from __future__ import annotations

from collections import deque
from collections.abc import Container
from dataclasses import dataclass
from functools import cached_property

from core.contestation import Edit, EditKind
from core.debate import Round
from core.errors import InvalidEdit
from core.opinion import TOPIC, Argument, Relation
from core.record_reading import unused_name

LARGEST = 200  # arguments in one branch: each is an edit that a person answers for


@dataclass(frozen=True)
class Branch:
    """Arguments that bear on a claim, each by one relation, nearest first.

    An edit adds an argument with one relation; so of an argument that bears on several the first on the shortest way to
    the claim counts.

    Attributes:
        arguments: In an order in which what an argument bears on comes before it.
        relations: The relation of each.
        relations_left_out: How many more relations these arguments have.
        arguments_left_out: How many arguments of the round have no way to the claim.
    """

    arguments: tuple[Argument, ...]
    relations: tuple[Relation, ...]
    relations_left_out: int = 0
    arguments_left_out: int = 0

    @cached_property
    def without_score(self) -> int:
        """Return how many arguments have no base score."""
        return sum(argument.base_score is None for argument in self.arguments)

    def edits(self, under: str, taken: Container[str], missing: float, source: str = "") -> tuple[Edit, ...]:
        """Return the edits that add the branch; applied in their order they need nothing else.

        Args:
            under: The argument that takes the place of the branch's claim, or the topic.
            taken: Ids that there are; an argument with one of them gets a number.
            missing: The base score of arguments without one, in [0, 1]: a person's choice.
            source: Where arguments come from that do not say so themselves.

        Raises:
            InvalidEdit: If there is nothing to add, or more than ``LARGEST`` arguments.
        """
        count = len(self.arguments)
        if not count:
            raise InvalidEdit("Nothing in it supports or attacks its claim; nothing was added.")
        if count > LARGEST:
            raise InvalidEdit(f"The branch has {count:,} arguments, and at most {LARGEST} are added at once.")
        names = {TOPIC: under}
        edits = []
        for argument, relation in zip(self.arguments, self.relations, strict=True):
            held = {TOPIC, *names.values()}
            name = argument.id
            if name in held or name in taken:
                name = _free(name, taken, held | {other.id for other in self.arguments})
            names[argument.id] = name
            edits.append(
                Edit(
                    EditKind.ADD_ARGUMENT,
                    name,
                    after=missing if argument.base_score is None else argument.base_score,
                    text=argument.text,
                    target=names[relation.target],
                    relation=relation.kind,
                    source=argument.source or source,
                )
            )
        return tuple(edits)


def branch_of(held: Round) -> Branch:
    """Return what bears on the claim in a round, directly or by way of other arguments."""
    by_id = {argument.id: argument for argument in held.arguments}
    sources: dict[str, list[Relation]] = {}
    for relation in held.relations:
        if relation.source in by_id:
            sources.setdefault(relation.target, []).append(relation)
    chosen: dict[str, Relation] = {}
    waiting = deque([TOPIC])
    while waiting:
        for relation in sources.get(waiting.popleft(), ()):
            if relation.source not in chosen:
                chosen[relation.source] = relation
                waiting.append(relation.source)
    relations = sum(relation.source in chosen for relation in held.relations)
    return Branch(
        tuple(by_id[name] for name in chosen),
        tuple(chosen.values()),
        relations - len(chosen),
        len(by_id) - len(chosen),
    )


def _free(name: str, taken: Container[str], held: Container[str]) -> str:
    numbers: dict[str, int] = {}
    while (found := unused_name(name, held, numbers)) in taken:
        continue
    return found


__all__ = ["LARGEST", "Branch", "branch_of"]
