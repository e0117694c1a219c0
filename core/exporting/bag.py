"""``.bag`` text: lines ``arg(name, weight)``, ``att(a, b)`` and ``sup(a, b)``; names, and no texts.

A name can hold no comma, bracket or blank. Such names are written with "_" in place of what they cannot hold, and the
last lines of the file, which readers of the format skip, say which name stands for which id and text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from core.debate import Agent, Debate, Round
from core.exporting.claim_graph import (
    ClaimGraph,
    Names,
    argument_names,
    claim_graph,
    mean_prior,
    renamed,
    replacing,
    weight,
)
from core.exporting.exporter import OneFileEach
from core.exporting.losses import Aspect, Kept
from core.judges.framing import NEUTRAL
from core.opinion import TOPIC, Argument, RelationKind, Stance
from core.strict_json import cleaned, storable

AGENT = "bag"  # who the reader says the claim's weight is from
_WORD = {RelationKind.SUPPORT: "sup", RelationKind.ATTACK: "att"}
_CANNOT_HOLD = r"[\s,()\x00-\x1f\x7f]+"
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True)
class _Bag:
    graph: ClaimGraph
    claim: str
    names: dict[str, str]
    weight: float


def _bag(debate: Debate) -> _Bag:
    graph = claim_graph(debate)
    names = Names(replacing(_CANNOT_HOLD), {TOPIC})
    held = argument_names(graph, names)
    claim = Names(replacing(_CANNOT_HOLD), held.values()).name(debate.id, "claim")
    prior = mean_prior(debate)
    return _Bag(graph, claim, held, NEUTRAL if prior is None else prior)


def _encode(debate: Debate) -> str | None:
    if not debate.claim.strip():
        return None
    bag = _bag(debate)
    lines = [f"arg({_written(bag.claim, debate.claim)}, {bag.weight!r})"]
    for argument in bag.graph.arguments:
        lines.append(f"arg({_written(bag.names[argument.id], argument.text)}, {weight(argument)!r})")
    relations = renamed(bag.graph.relations, bag.names, bag.claim)
    lines += [f"{_WORD[r.kind]}({r.source}, {r.target})" for r in relations]
    lines.append("# What the names stand for:")
    lines.append(_stands_for(bag.claim, debate.id, debate.claim))
    lines += [_stands_for(bag.names[a.id], a.id, a.text) for a in bag.graph.arguments]
    return "\n".join(lines) + "\n"


def _kept(debate: Debate) -> Kept | None:
    if not debate.claim.strip():
        return None
    bag = _bag(debate)
    arguments = tuple(
        Argument(bag.names[a.id], _written(bag.names[a.id], a.text), None, weight(a)) for a in bag.graph.arguments
    )
    relations = renamed(bag.graph.relations, bag.names)
    back = Debate(
        bag.claim,
        _written(bag.claim, debate.claim),
        agents=(Agent(AGENT),),
        rounds=(Round(0, (Stance(AGENT, bag.weight),), arguments, relations),),
    )
    return Kept(back, bag.names)


def _written(name: str, text: str) -> str:
    """Return the text in place of the name where readers, which leave out blanks, make the name of it."""
    written = storable(text).strip()
    plain = _BLANKS.sub("", written) == name and not re.search(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]", written)
    return written if plain else name


def _stands_for(name: str, original: str, text: str) -> str:
    # ASCII, so that no sign in a text ends the line.
    said = json.dumps(cleaned({"id": original, "text": text}))
    return f"# {name} {said}"


BAG = OneFileEach(
    "bag",
    ".bag text",
    "bag",
    "text/plain",
    _encode,
    _kept,
    {
        Aspect.CLAIMS: "The claim's text stands in a comment only, which readers skip",
        Aspect.TEXTS: "Arguments' texts stand in comments only, which readers skip",
        Aspect.DEBATE_IDS: "Debates' ids that hold commas, brackets or blanks change; comments say how",
        Aspect.ARGUMENT_IDS: "Arguments' ids that hold commas, brackets or blanks change; comments say how",
        Aspect.BASE_SCORES: "A missing base score is written as 0.5, since every argument must have a weight",
        Aspect.STANCES: (
            "Of agents' stances only their mean prior is written, as the claim's weight; it is 0.5 where there is none"
        ),
    },
)

__all__ = ["BAG"]
