"""A profile laid out for a prompt: agents in order, arguments with what they bear on, and the numbers that show."""

from __future__ import annotations

import hashlib
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.errors import InvalidSetting
from core.llm.circumstances import Circumstances
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.wording import RELATION_VERB

Order = int | tuple[int, ...] | None  # a seed, places in the order given, or the order given


@dataclass(frozen=True)
class Bearing:
    """What an argument does to another one."""

    verb: str
    ref: str


@dataclass(frozen=True)
class ListedArgument:
    """An argument as a prompt lists it.

    Attributes:
        text, base_score, author: The argument; the author by name, None where nobody in particular put it forward.
        ref: Letters to refer to it; empty unless it takes part in a relation between arguments.
        bearings: What it does to other arguments.
        direct: It is also a pro or con of the claim itself.
    """

    text: str
    base_score: float | None
    author: str | None
    ref: str = ""
    bearings: tuple[Bearing, ...] = ()
    direct: bool = True


@dataclass(frozen=True)
class Side:
    """The pros and cons of one agent, or of nobody in particular."""

    name: str
    stance: float | None
    pros: tuple[ListedArgument, ...]
    cons: tuple[ListedArgument, ...]


@dataclass(frozen=True)
class Record:
    """What a prompt shows of a profile.

    Attributes:
        agents: In the order asked for.
        others: What no agent put forward.
        pros, cons: All of them, by agent in that order; an argument that is both stands in both.
        further: Arguments that bear on other arguments, with which.
        turns: Names in the order of turns.
    """

    agents: tuple[Side, ...]
    others: Side
    pros: tuple[ListedArgument, ...]
    cons: tuple[ListedArgument, ...]
    further: tuple[ListedArgument, ...]
    turns: tuple[str, ...]


def laid_out(
    profile: OpinionProfile,
    circumstances: Circumstances,
    order: Order,
    stance_of: Callable[[Stance], float | None],
) -> Record:
    """Return a profile laid out for a prompt; arguments that are a provider's failure message are left out.

    Raises:
        InvalidSetting: If the order is no permutation of the agents.
    """
    stances = ordered(profile, order)
    usable = {a.id: a for a in profile.arguments if not a.is_error_text}
    relations = [r for r in profile.relations if r.source in usable and (r.target == TOPIC or r.target in usable)]
    among = [r for r in relations if r.target != TOPIC]
    pros = {r.source for r in relations if r.target == TOPIC and r.kind is RelationKind.SUPPORT}
    cons = {r.source for r in relations if r.target == TOPIC and r.kind is RelationKind.ATTACK}
    names = {s.agent_id: circumstances.names.get(s.agent_id, s.agent_id) for s in profile.stances}
    place = {s.agent_id: position for position, s in enumerate(stances)}
    arguments = sorted(usable.values(), key=lambda a: place.get(a.author or "", len(place)))  # stable within an agent
    related = {r.target for r in among} | {r.source for r in among}
    refs = {a.id: _letters(number) for number, a in enumerate([a for a in arguments if a.id in related])}

    def listed(argument: Argument) -> ListedArgument:
        author = None if argument.author is None else names.get(argument.author, argument.author)
        return ListedArgument(
            argument.text,
            argument.base_score,
            author,
            refs.get(argument.id, ""),
            _bearings(argument, among, refs),
            argument.id in pros or argument.id in cons,
        )

    def side(name: str, stance: float | None, own: Sequence[Argument]) -> Side:
        return Side(
            name,
            stance,
            tuple(listed(a) for a in own if a.id in pros),
            tuple(listed(a) for a in own if a.id in cons),
        )

    everything = side("", None, arguments)
    return Record(
        tuple(side(names[s.agent_id], stance_of(s), [a for a in arguments if a.author == s.agent_id]) for s in stances),
        side("", None, [a for a in arguments if a.author not in names]),
        everything.pros,
        everything.cons,
        tuple(listed(a) for a in arguments if any(r.source == a.id for r in among)),
        tuple(names[agent] for agent in circumstances.turns if agent in names),
    )


def ordered(profile: OpinionProfile, order: Order) -> tuple[Stance, ...]:
    """Return the stances in the order asked for.

    Args:
        profile: Whose.
        order: Places, from 0, in the profile's own order; or a seed, which shuffles each claim's agents in its own way;
            or None for the profile's own order.

    Raises:
        InvalidSetting: If places are given that are no permutation of the agents.
    """
    if order is None:
        return profile.stances
    if isinstance(order, int):
        return tuple(
            sorted(
                profile.stances,
                key=lambda s: hashlib.sha256(
                    f"{order}\0{profile.claim}\0{s.agent_id}".encode("utf-8", "replace")
                ).digest(),
            )
        )
    if sorted(order) != list(range(len(profile.stances))):
        raise InvalidSetting(
            f"The agent order {list(order)} does not fit a debate of {len(profile.stances)} agents; it must name each "
            f"place from 0 to {len(profile.stances) - 1} once."
        )
    return tuple(profile.stances[place] for place in order)


def _shuffling_key(seed: int, claim: str, agent: str) -> bytes:
    return hashlib.sha256(f"{seed}\0{claim}\0{agent}".encode("utf-8", "replace")).digest()


def _bearings(argument: Argument, among: Sequence[Relation], refs: dict[str, str]) -> tuple[Bearing, ...]:
    return tuple(Bearing(RELATION_VERB[r.kind], refs[r.target]) for r in among if r.source == argument.id)


def _letters(number: int) -> str:
    """Return a, b, ..., z, aa, ab, ...: letters, since a judge might take a number for a score."""
    text = ""
    number += 1
    while number:
        number, digit = divmod(number - 1, 26)
        text = string.ascii_lowercase[digit] + text
    return text


__all__ = ["Order", "Record", "laid_out", "ordered"]
