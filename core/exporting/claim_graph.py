"""What a format that knows one graph holds of a debate: the last round's arguments from which the claim is reached."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from core.debate import Debate, Round, profile
from core.judges.framing import mean
from core.opinion import TOPIC, Argument, Relation
from core.strict_json import storable

LONGEST_NAME = 200  # characters of a name that had to be changed


@dataclass(frozen=True)
class ClaimGraph:
    """The arguments that bear on a claim, directly or through others, in their order, and the relations among them."""

    arguments: tuple[Argument, ...]
    relations: tuple[Relation, ...]


def claim_graph(debate: Debate) -> ClaimGraph:
    """Return what bears on the claim in the last round."""
    held = debate.rounds[-1] if debate.rounds else Round(0)
    known = {argument.id for argument in held.arguments}
    sources: dict[str, list[str]] = {}
    for relation in held.relations:
        if relation.source in known:
            sources.setdefault(relation.target, []).append(relation.source)
    reached, waiting = {TOPIC}, [TOPIC]
    while waiting:
        for source in sources.get(waiting.pop(), ()):
            if source not in reached:
                reached.add(source)
                waiting.append(source)
    return ClaimGraph(
        tuple(argument for argument in held.arguments if argument.id in reached),
        tuple(
            dict.fromkeys(
                r for r in held.relations if r.source != TOPIC and r.source in reached and r.target in reached
            )
        ),
    )


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
        name, number = stem, self._numbers.get(stem, 1)
        while name in self._taken:
            number += 1
            name = f"{stem}-{number}"
        self._numbers[stem] = number
        self._taken.add(name)
        return name


def argument_names(graph: ClaimGraph, names: Names) -> dict[str, str]:
    """Return what every argument is called in a file, by its id; ids that need no change come first."""
    return {a.id: names.name(a.id, f"argument-{place}") for place, a in enumerate(graph.arguments, 1)}


def replacing(pattern: str, by: str = "_") -> Callable[[str], str]:
    """Return what replaces every run of signs that a format cannot hold in a name."""
    compiled = re.compile(pattern)
    return lambda name: compiled.sub(by, name)


__all__ = ["ClaimGraph", "Names", "argument_names", "claim_graph", "mean_prior", "replacing"]
