"""What a format that knows one graph holds of a debate: the last round's arguments from which the claim is reached."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from core.debate import Debate, Round, profile
from core.judges.framing import NEUTRAL, mean
from core.opinion import TOPIC, Argument, Relation
from core.record_reading import unused_name
from core.strict_json import storable

LONGEST_NAME = 200  # characters of a name that had to be changed

Pair = tuple[str, str]


@dataclass(frozen=True)
class Undercut:
    """That ``source`` attacks that ``target`` counts for or against ``of``."""

    source: str
    target: str
    of: str


@dataclass(frozen=True)
class ClaimGraph:
    """The arguments that bear on a claim, directly or through others, in their order, and the relations among them.

    Attributes:
        unsigned: Relations that say neither support nor attack, as importers keep them aside; where they are asked for.
        undercuts: Attacks on relations, likewise.
    """

    arguments: tuple[Argument, ...]
    relations: tuple[Relation, ...]
    unsigned: tuple[Pair, ...] = ()
    undercuts: tuple[Undercut, ...] = ()

    @property
    def bears(self) -> bool:
        """Return whether anything bears on the claim."""
        return bool(self.relations or self.unsigned)


def claim_graph(debate: Debate, *, unsigned: bool = False, undercuts: bool = False) -> ClaimGraph:
    """Return what bears on the claim in the last round.

    Args:
        debate: The debate.
        unsigned: Relations without a sign count too.
        undercuts: Attacks on relations count too.
    """
    held = debate.rounds[-1] if debate.rounds else Round(0)
    known = {argument.id for argument in held.arguments}
    without_sign = _unsigned(debate) if unsigned else []
    on_relations = _undercuts(debate, held.relations) if undercuts else []
    sources: dict[str, list[str]] = {}
    for source, target in [*((r.source, r.target) for r in held.relations), *without_sign,
                           *((each.source, each.target) for each in on_relations)]:  # fmt: skip
        if source in known:
            sources.setdefault(target, []).append(source)
    reached, waiting = {TOPIC}, [TOPIC]
    while waiting:
        for source in sources.get(waiting.pop(), ()):
            if source not in reached:
                reached.add(source)
                waiting.append(source)
    within = reached - {TOPIC}
    return ClaimGraph(
        tuple(argument for argument in held.arguments if argument.id in reached),
        tuple(dict.fromkeys(r for r in held.relations if r.source in within and r.target in reached)),
        tuple(dict.fromkeys(pair for pair in without_sign if pair[0] in within and pair[1] in reached)),
        tuple(dict.fromkeys(each for each in on_relations if each.source in within)),
    )


def _unsigned(debate: Debate) -> list[Pair]:
    listed = debate.provenance.get("unsigned")
    return [
        (pair[0], pair[1])
        for pair in (listed if isinstance(listed, (list, tuple)) else ())
        if isinstance(pair, (list, tuple)) and len(pair) == 2 and all(isinstance(end, str) for end in pair)
    ]


def _undercuts(debate: Debate, relations: Iterable[Relation]) -> list[Undercut]:
    """Return the attacks on relations that are there."""
    there = {(relation.source, relation.target) for relation in relations}
    listed = debate.provenance.get("undercuts")
    found = []
    for entry in listed if isinstance(listed, (list, tuple)) else ():
        source, target, of = (
            (entry.get(key) for key in ("source", "target", "of")) if isinstance(entry, Mapping) else (None, None, None)
        )
        if isinstance(source, str) and isinstance(target, str) and isinstance(of, str) and (target, of) in there:
            found.append(Undercut(source, target, of))
    return found


def mean_prior(debate: Debate) -> float | None:
    """Return the mean of the agents' prior stances as judges of the last round see them, None where there is none."""
    priors = [stance.prior for stance in profile(debate).stances if stance.prior is not None]
    return mean(priors) if priors else None


class Names:
    """Gives things names that a format can hold, each its own; the same things in the same order get the same names.

    Args:
        clean: Returns a name as the format can hold it, "" where nothing is left of it.
        taken: Names that mean something else.
    """

    def __init__(self, clean: Callable[[str], str] = storable, taken: Iterable[str] = ()) -> None:
        self._clean = clean
        self._taken = set(taken)
        self._numbers: dict[str, int] = {}

    def name(self, wished: str, otherwise: str) -> str:
        """Return the wished name if it can be held and is free, else one as like it as can be.

        Args:
            wished: The name to keep if possible.
            otherwise: What to call it where nothing can be kept of the wished name.
        """
        cleaned = self._clean(storable(wished))
        if cleaned != wished:
            cleaned = cleaned[:LONGEST_NAME].strip()
        stem = cleaned if cleaned.strip() else otherwise
        name = unused_name(stem, self._taken, self._numbers) if stem in self._taken else stem
        self._taken.add(name)
        return name


def argument_names(graph: ClaimGraph, names: Names) -> dict[str, str]:
    """Return what every argument is called in a file, by its id; ids that need no change come first."""
    return {a.id: names.name(a.id, f"argument-{place}") for place, a in enumerate(graph.arguments, 1)}


def renamed(relations: Iterable[Relation], names: Mapping[str, str], topic: str = TOPIC) -> tuple[Relation, ...]:
    """Return relations under the names that a file has for arguments and the topic."""
    ends = {TOPIC: topic, **names}
    return tuple(Relation(ends[one.source], ends[one.target], one.kind) for one in relations)


def weight(argument: Argument) -> float:
    """Return an argument's base score where a format must have one; it is neutral where none is recorded."""
    return NEUTRAL if argument.base_score is None else argument.base_score


def replacing(pattern: str, by: str = "_") -> Callable[[str], str]:
    """Return what replaces every run of signs that a format cannot hold in a name."""
    compiled = re.compile(pattern)
    return lambda name: compiled.sub(by, name)


__all__ = [
    "ClaimGraph", "Names", "Undercut", "argument_names", "claim_graph", "mean_prior", "renamed", "replacing", "weight",
]  # fmt: skip
