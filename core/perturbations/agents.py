"""Agents in another order, once more, or under other names; arguments in another order."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar

import numpy as np

from core.errors import InvalidSetting
from core.judges.many import NOBODY, TOPIC_PLACE, ProfileArrays
from core.opinion import OpinionProfile
from core.perturbations.direction import Direction
from core.perturbations.perturbation import Perturbation, Perturbed, checked_number
from core.perturbations.profile_arrays import debates_with, reindexed, sorted_by_debate

Places = tuple[int, ...]
MOST_ORDERS = 1_000


@dataclass(frozen=True)
class AgentOrder(Perturbation):
    """Put the agents, with their arguments, into another order: one of all orders, or of some drawn by the seed.

    Arguments come by author, each author's in their own order and those of nobody in particular last.

    Attributes:
        number: Which of the orders, from 0, which is the order as recorded.
        of: How many orders are looked at. Where the agents have no more than that, they are all orders in
            lexicographic order, and a number beyond the last changes nothing; else they are drawn, each once.
    """

    number: int = 1
    of: int = 6
    kind: ClassVar[str] = "agent order"
    random: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checked_number("The number of the order", self.number)
        checked_number("The count of orders", self.of, 1)
        if not self.number < self.of <= MOST_ORDERS:
            raise InvalidSetting(
                f"Order {self.number} of {self.of} is asked for; the number must be below the count, and the count at "
                f"most {MOST_ORDERS}."
            )

    @property
    def direction(self) -> Direction:
        """Return NEITHER."""
        return Direction.NEITHER

    @property
    def label(self) -> str:
        """Return what it does."""
        return f"agent order {self.number + 1} of {self.of}"

    def places(self, agents: int, seed: int = 0) -> Places:
        """Return the order: for each new place the old one, from 0."""
        own = tuple(range(agents))
        if self.number == 0:
            return own
        if agents < 20 and math.factorial(agents) <= self.of:
            return next(itertools.islice(itertools.permutations(own), self.number, None), own)
        chance = np.random.default_rng(seed)
        drawn = {own: None}  # an ordered set
        while len(drawn) <= self.number:
            drawn[tuple(chance.permutation(agents).tolist())] = None
        return list(drawn)[self.number]

    def apply(self, profile: OpinionProfile, seed: int = 0) -> OpinionProfile:
        """Return the changed profile."""
        return _arranged(profile, self.places(len(profile.stances), seed))

    def apply_many(self, arrays: ProfileArrays, seeds: Sequence[int]) -> Perturbed:
        """Return many changed profiles at once."""
        held = np.diff(arrays.stance_starts)
        fixed = [count for count in np.unique(held).tolist() if count < 20 and math.factorial(count) <= self.of]
        orders = {count: self.places(count) for count in fixed}
        seeded = zip(held.tolist(), seeds, strict=True)
        return _arranged_many(arrays, (orders.get(count) or self.places(count, seed) for count, seed in seeded))


@dataclass(frozen=True)
class ArrangeAgents(Perturbation):
    """Put the agents, with their arguments, into a given order; debates with another number of agents stay.

    Attributes:
        order: For each new place the old one, from 0.
    """

    order: Places
    kind: ClassVar[str] = "given agent order"

    def __post_init__(self) -> None:
        order = tuple(checked_number("A place in the agent order", place) for place in self.order)
        if sorted(order) != list(range(len(order))):
            raise InvalidSetting(f"The agent order {list(order)} is no permutation of places from 0.")
        object.__setattr__(self, "order", order)

    @property
    def direction(self) -> Direction:
        """Return NEITHER."""
        return Direction.NEITHER

    @property
    def label(self) -> str:
        """Return what it does."""
        return f"agents in the order {'-'.join(str(place + 1) for place in self.order)}"

    def apply(self, profile: OpinionProfile, seed: int = 0) -> OpinionProfile:
        """Return the changed profile."""
        return _arranged(profile, self._for(len(profile.stances)))

    def apply_many(self, arrays: ProfileArrays, seeds: Sequence[int]) -> Perturbed:
        """Return many changed profiles at once."""
        return _arranged_many(arrays, (self._for(count) for count in np.diff(arrays.stance_starts).tolist()))

    def _for(self, agents: int) -> Places:
        return self.order if agents == len(self.order) else tuple(range(agents))


@dataclass(frozen=True)
class ReorderArguments(Perturbation):
    """Put the arguments into an order drawn by the seed; the agents stay in theirs."""

    kind: ClassVar[str] = "argument order"
    random: ClassVar[bool] = True

    @property
    def direction(self) -> Direction:
        """Return NEITHER."""
        return Direction.NEITHER

    @property
    def label(self) -> str:
        """Return what it does."""
        return "arguments in another order"

    def places(self, arguments: int, seed: int) -> Places:
        """Return the order: for each new place the old one, from 0; never the one as recorded, if there is another."""
        drawn = np.random.default_rng(seed).permutation(arguments).tolist()
        return tuple(drawn if drawn != sorted(drawn) else [*drawn[1:], *drawn[:1]])

    def apply(self, profile: OpinionProfile, seed: int = 0) -> OpinionProfile:
        """Return the changed profile."""
        count = len(profile.arguments)
        if count < 2:
            return profile
        return replace(profile, arguments=tuple(profile.arguments[place] for place in self.places(count, seed)))

    def apply_many(self, arrays: ProfileArrays, seeds: Sequence[int]) -> Perturbed:
        """Return many changed profiles at once."""
        bounds = arrays.argument_starts.tolist()
        order = np.arange(len(arrays.base_scores))
        for seed, (begin, end) in zip(seeds, pairwise(bounds), strict=True):
            if end - begin > 1:
                order[begin:end] = begin + np.array(self.places(end - begin, seed))
        return Perturbed(reindexed(arrays, arguments=order), np.diff(arrays.argument_starts) > 1)


@dataclass(frozen=True)
class DuplicateAgent(Perturbation):
    """Let one agent take part twice, with the same stance and arguments; a shared framework is held twice as it is.

    Attributes:
        place: Which agent, from 0; debates with fewer agents stay.
    """

    place: int = 0
    kind: ClassVar[str] = "duplicate agent"

    def __post_init__(self) -> None:
        checked_number("The place of the agent", self.place)

    @property
    def direction(self) -> Direction:
        """Return NEITHER."""
        return Direction.NEITHER

    @property
    def label(self) -> str:
        """Return what it does."""
        return f"agent {self.place + 1} twice"

    def apply(self, profile: OpinionProfile, seed: int = 0) -> OpinionProfile:
        """Return the changed profile."""
        if len(profile.stances) <= self.place:
            return profile
        stance = profile.stances[self.place]
        authors: set[str | None] = {a.author for a in profile.arguments}
        agent = _free(stance.agent_id, authors.union(s.agent_id for s in profile.stances))
        stances = (*profile.stances, replace(stance, agent_id=agent))
        if profile.shared:
            return replace(profile, stances=stances)
        taken: set[str | None] = {a.id for a in profile.arguments}
        copies = {}
        for argument in profile.arguments:
            if argument.author == stance.agent_id:
                copies[argument.id] = replace(argument, id=_free(argument.id, taken), author=agent)
                taken.add(copies[argument.id].id)
        ids = {name: copy.id for name, copy in copies.items()}
        copied = tuple(
            replace(r, source=ids.get(r.source, r.source), target=ids.get(r.target, r.target))
            for r in profile.relations
            if r.source in ids or r.target in ids
        )
        return replace(
            profile,
            stances=stances,
            arguments=(*profile.arguments, *copies.values()),
            relations=(*profile.relations, *copied),
        )

    def apply_many(self, arrays: ProfileArrays, seeds: Sequence[int]) -> Perturbed:
        """Return many changed profiles at once."""
        chosen = np.diff(arrays.stance_starts) > self.place
        debates = np.flatnonzero(chosen)
        stances = arrays.stance_starts[debates] + self.place
        new_stance = np.full(len(arrays.debates), NOBODY)
        new_stance[debates] = len(arrays.priors) + np.arange(len(debates))
        doubled = np.zeros(len(arrays.priors), dtype=bool)
        doubled[stances] = True
        own = (arrays.authors != NOBODY) & ~arrays.shared[arrays.argument_debates]
        own[own] = doubled[arrays.authors[own]]
        copy = np.full(len(arrays.base_scores) + 1, TOPIC_PLACE)
        copy[:-1][own] = len(arrays.base_scores) + np.arange(int(own.sum()))
        copied_sources = (arrays.sources != TOPIC_PLACE) & (copy[arrays.sources] != TOPIC_PLACE)
        copied_targets = (arrays.targets != TOPIC_PLACE) & (copy[arrays.targets] != TOPIC_PLACE)
        again = copied_sources | copied_targets
        sources = np.where(copied_sources, copy[arrays.sources], arrays.sources)[again]
        targets = np.where(copied_targets, copy[arrays.targets], arrays.targets)[again]
        names = [f"{arrays.agents[place]} again" for place in stances.tolist()]
        joined = replace(
            arrays,
            agents=[*arrays.agents, *names],
            stance_debates=np.concatenate([arrays.stance_debates, debates]),
            priors=np.concatenate([arrays.priors, arrays.priors[stances]]),
            posteriors=np.concatenate([arrays.posteriors, arrays.posteriors[stances]]),
            argument_debates=np.concatenate([arrays.argument_debates, arrays.argument_debates[own]]),
            authors=np.concatenate([arrays.authors, new_stance[arrays.argument_debates[own]]]),
            base_scores=np.concatenate([arrays.base_scores, arrays.base_scores[own]]),
            failures=np.concatenate([arrays.failures, arrays.failures[own]]),
            relation_debates=np.concatenate([arrays.relation_debates, arrays.relation_debates[again]]),
            sources=np.concatenate([arrays.sources, sources]),
            targets=np.concatenate([arrays.targets, targets]),
            supports=np.concatenate([arrays.supports, arrays.supports[again]]),
        )
        return Perturbed(sorted_by_debate(joined), chosen)


@dataclass(frozen=True)
class RenameAgents(Perturbation):
    """Call the agents by numbers, in their order, whatever their names tell.

    Attributes:
        prefix: What stands before the number.
    """

    prefix: str = "Debater "
    kind: ClassVar[str] = "rename agents"

    def __post_init__(self) -> None:
        if not isinstance(self.prefix, str):
            raise InvalidSetting(f"The prefix of the agents' names is {self.prefix!r}; it must be a text.")

    @property
    def direction(self) -> Direction:
        """Return NEITHER."""
        return Direction.NEITHER

    @property
    def label(self) -> str:
        """Return what it does."""
        return f"agents renamed to {self.prefix!r} and a number"

    def renamed(self, profile: OpinionProfile, seed: int = 0) -> Mapping[str, str]:
        """Return the new ids by the old ones; none that another author already has."""
        agents = [s.agent_id for s in profile.stances]
        others: set[str | None] = {a.author for a in profile.arguments} - set(agents)
        names = [_free(f"{self.prefix}{number}", others) for number in range(1, len(agents) + 1)]
        return dict(zip(agents, names, strict=True))

    def apply(self, profile: OpinionProfile, seed: int = 0) -> OpinionProfile:
        """Return the changed profile."""
        names = self.renamed(profile)
        if all(name == new for name, new in names.items()):
            return profile
        return replace(
            profile,
            stances=tuple(replace(s, agent_id=names[s.agent_id]) for s in profile.stances),
            arguments=tuple(replace(a, author=names.get(a.author or "", a.author)) for a in profile.arguments),
        )

    def apply_many(self, arrays: ProfileArrays, seeds: Sequence[int]) -> Perturbed:
        """Return many changed profiles at once."""
        numbers = (np.arange(len(arrays.priors)) - arrays.stance_starts[arrays.stance_debates] + 1).tolist()
        names = [f"{self.prefix}{number}" for number in numbers]
        moved = np.array([name != old for name, old in zip(names, arrays.agents, strict=True)], dtype=bool)
        changed = debates_with(arrays.stance_debates, moved, len(arrays.debates))
        return Perturbed(replace(arrays, agents=names), changed)


def _arranged(profile: OpinionProfile, order: Places) -> OpinionProfile:
    if order == tuple(range(len(order))):
        return profile
    stances = tuple(profile.stances[place] for place in order)
    place_of = {s.agent_id: place for place, s in enumerate(stances)}
    last = len(stances)
    arguments = tuple(sorted(profile.arguments, key=lambda a: place_of.get(a.author or "", last)))
    return replace(profile, stances=stances, arguments=arguments)


def _arranged_many(arrays: ProfileArrays, orders: Iterator[Places]) -> Perturbed:
    held = np.diff(arrays.stance_starts)
    own: Callable[[int], Places] = lambda count: tuple(range(count))  # noqa: E731
    listed = list(orders)
    changed = np.array([order != own(count) for order, count in zip(listed, held.tolist(), strict=True)], dtype=bool)
    flat = np.fromiter(itertools.chain.from_iterable(listed), dtype=np.int64, count=len(arrays.priors))
    stances = flat + arrays.stance_starts[arrays.stance_debates]
    new_place = np.empty(len(stances), dtype=np.int64)
    new_place[stances] = np.arange(len(stances))
    rank = np.full(len(arrays.authors), len(stances))
    by_agent = arrays.authors != NOBODY
    rank[by_agent] = new_place[arrays.authors[by_agent]]
    kept = ~changed[arrays.argument_debates]
    rank[kept] = 0
    arguments = np.lexsort((rank, arrays.argument_debates))
    return Perturbed(reindexed(arrays, stances, arguments), changed)


def _free(name: str, taken: set[str | None]) -> str:
    """Return a name like this one that is not taken."""
    found = f"{name} again" if name in taken else name
    while found in taken:
        found = f"{found} again"
    return found
