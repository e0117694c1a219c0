"""Arguments with base scores, the agents' opinions, and the profile a judge reads.

Vocabulary: a *profile* is what all agents hold about one claim at one time step. Its arguments and relations
form a framework around the claim, whose argument is called the topic.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from core.errors import InvalidGraph, InvalidScore

TOPIC = "topic"  # the id of the claim's own argument in every profile and QBAF


class RelationKind(StrEnum):
    """How an argument bears on another one."""

    SUPPORT = "support"
    ATTACK = "attack"

    @property
    def opposite(self) -> RelationKind:
        """Return the other kind."""
        return RelationKind.ATTACK if self is RelationKind.SUPPORT else RelationKind.SUPPORT


def checked_score(what: str, value: float | None) -> float | None:
    """Return value as a float in [0, 1], or None for a missing one.

    Raises:
        InvalidScore: If value is not a finite number in [0, 1].
    """
    if value is None:
        return None
    # NaN fails the comparison; an integer too large for a float is compared before it is converted.
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= 1.0:
        raise InvalidScore(what, value)
    return float(value) + 0.0  # -0.0 becomes 0.0, so that equal scores are equal to the last bit


@dataclass(frozen=True)
class Argument:
    """One argument of a debate.

    Attributes:
        id: Ours, unique within the round; never ``TOPIC``.
        text: The argument as written. It is untrusted and only ever shown as text.
        author: The id of the agent who put it forward, or None (a person who contests, or unknown).
        base_score: Prior belief in [0, 1], or None when the source gives none.
        source_id: The id in the source, which need not be unique there.
        base_score_raw: What the source said where it is not the number kept, as text.
        last_edited_by: The agent who changed it last, in a shared framework.
        is_error_text: The text is a provider's failure message, not an argument; judges leave it out.
        source: Where the argument comes from: a URL, a citation, evidence ids.
    """

    id: str
    text: str
    author: str | None = None
    base_score: float | None = None
    source_id: str | None = None
    base_score_raw: str | None = None
    last_edited_by: str | None = None
    is_error_text: bool = False
    source: str | None = None

    def __post_init__(self) -> None:
        if not self.id or self.id == TOPIC:
            raise InvalidGraph(
                f"An argument's id is {self.id!r}; it must be a text other than {TOPIC!r} and not empty."
            )
        object.__setattr__(self, "base_score", checked_score(f"Base score of {self.id!r}", self.base_score))


@dataclass(frozen=True, order=True)
class Relation:
    """``source`` supports or attacks ``target``; the target is an argument's id or ``TOPIC``."""

    source: str
    target: str
    kind: RelationKind


@dataclass(frozen=True)
class Stance:
    """One agent's truth scores for the claim, in [0, 1]: before and after the arguments; None when missing."""

    agent_id: str
    prior: float | None = None
    posterior: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "prior", checked_score(f"Prior stance of {self.agent_id!r}", self.prior))
        object.__setattr__(self, "posterior", checked_score(f"Posterior stance of {self.agent_id!r}", self.posterior))


@dataclass(frozen=True)
class Opinion:
    """One agent's stance and explanation: the arguments the agent stands for."""

    stance: Stance
    arguments: tuple[Argument, ...]
    relations: tuple[Relation, ...]


@dataclass(frozen=True)
class OpinionProfile:
    """All agents' opinions on one claim at one time step.

    Attributes:
        claim: The text to judge.
        stances: One per agent, in the debate's order. Judges must not depend on the order.
        arguments: Every argument, whoever wrote it.
        relations: Between arguments, or from an argument to ``TOPIC``. A relation whose target is not among
            the arguments is kept and ignored by judges (``dangling`` lists it).
        shared: True when all agents hold one common framework (multi-turn shared): then every opinion has
            all arguments. Otherwise an opinion has the arguments of its author, and those of nobody in particular.
        topic_base_score: The topic's base score set by a contestation; None leaves it to the judge's setting.
    """

    claim: str
    stances: tuple[Stance, ...] = ()
    arguments: tuple[Argument, ...] = ()
    relations: tuple[Relation, ...] = ()
    shared: bool = False
    topic_base_score: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "topic_base_score", checked_score("Base score of the topic", self.topic_base_score))
        _refuse_repeats("argument", (argument.id for argument in self.arguments))
        _refuse_repeats("agent", (stance.agent_id for stance in self.stances))

    @cached_property
    def by_id(self) -> dict[str, Argument]:
        """Return the arguments by id."""
        return {argument.id: argument for argument in self.arguments}

    @cached_property
    def dangling(self) -> tuple[Relation, ...]:
        """Return the relations that start or end at an argument that is not there."""
        known = {TOPIC, *self.by_id}
        return tuple(r for r in self.relations if r.source not in known or r.target not in known)

    def opinion(self, agent_id: str) -> Opinion:
        """Return one agent's stance with the arguments that agent stands for.

        Raises:
            InvalidGraph: If the profile has no such agent.
        """
        stance = next((s for s in self.stances if s.agent_id == agent_id), None)
        if stance is None:
            raise InvalidGraph(f"The profile has no agent {agent_id!r}.")
        agents = {s.agent_id for s in self.stances}
        own = tuple(a for a in self.arguments if self.shared or a.author == agent_id or a.author not in agents)
        names = {TOPIC, *(a.id for a in own)}
        return Opinion(stance, own, tuple(r for r in self.relations if r.source in names and r.target in names))

    @property
    def opinions(self) -> tuple[Opinion, ...]:
        """Return every agent's opinion, in the order of the stances."""
        return tuple(self.opinion(stance.agent_id) for stance in self.stances)

    def replacing(self, argument: Argument) -> OpinionProfile:
        """Return the profile with the argument of the same id replaced."""
        return replace(self, arguments=tuple(argument if a.id == argument.id else a for a in self.arguments))


def _refuse_repeats(what: str, ids: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in ids:
        if name in seen:
            raise InvalidGraph(f"The {what} {name!r} is listed twice in one profile; ids must be unique.")
        seen.add(name)


__all__ = [
    "TOPIC",
    "Argument",
    "Opinion",
    "OpinionProfile",
    "Relation",
    "RelationKind",
    "Stance",
    "checked_score",
]
