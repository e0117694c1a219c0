"""Simulated debates as values and as arrays, always labelled as what they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from core.comparison.population import FALSE, TRUE
from core.debate import Agent, Debate, Round, profile
from core.judges.many import TOPIC_PLACE, ProfileArrays
from core.llm.circumstances import Circumstances
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from core.properties.debate_set import DebateSet, Loaded
from core.simulation.drawing import Drawn, drawn
from core.simulation.settings import Simulation

MARK = "simulated"  # the tag, and the key in the provenance
MODEL = "simulated agent"
NOTE = "This debate is simulated: its numbers were drawn at random, and no agent took part in it."


def is_simulated(provenance: Mapping[str, Any]) -> bool:
    """Return whether a debate's provenance says that it is simulated."""
    return bool(provenance.get(MARK))


def simulated_debates(simulation: Simulation) -> Iterator[Debate]:
    """Return the debates, one after the other."""
    numbers = drawn(simulation)
    for place in range(simulation.debates):
        yield _debate(simulation, numbers, place)


def simulated_set(simulation: Simulation) -> DebateSet:
    """Return the debates as they stand in their last round; each becomes a value only when it is asked for."""
    numbers = drawn(simulation)

    def load(place: int) -> Loaded:
        debate = _debate(simulation, numbers, place)
        return profile(debate), Circumstances.of(debate)

    arrays = _arrays(simulation, numbers)
    labels = np.where(numbers.labels, TRUE, FALSE).astype(np.int8)
    return DebateSet(tuple(arrays.debates), labels, arrays, load)


def debate_id(simulation: Simulation, place: int) -> str:
    """Return a debate's id, which tells the seed."""
    return f"simulated-{simulation.seed}-{place:06}"


def _debate(simulation: Simulation, numbers: Drawn, place: int) -> Debate:
    agents = tuple(f"A{number + 1}" for number in range(simulation.agents))
    return Debate(
        id=debate_id(simulation, place),
        claim=f"Simulated claim {place + 1}",
        label=bool(numbers.labels[place]),
        protocol=simulation.protocol,
        agents=tuple(Agent(name, model=MODEL) for name in agents),
        rounds=tuple(_round(simulation, numbers, place, number, agents) for number in range(simulation.rounds)),
        provenance={MARK: True, "simulation": simulation.to_json()},
        tags=(MARK,),
        note=NOTE,
    )


def _round(simulation: Simulation, numbers: Drawn, place: int, number: int, agents: tuple[str, ...]) -> Round:
    stances, arguments, relations = [], [], []
    for agent, name in enumerate(agents):
        prior = float(numbers.priors[place, agent]) if number == 0 else None
        stances.append(Stance(name, prior, float(numbers.stances[number, place, agent])))
        sides = (("pro", numbers.pros, RelationKind.SUPPORT), ("con", numbers.cons, RelationKind.ATTACK))
        for word, scores, kind in sides:
            for which, score in enumerate(scores[number, place, agent].tolist(), 1):
                argument = Argument(f"{name}-{word}-{which}", f"Simulated {word} {which} of {name}", name, score)
                arguments.append(argument)
                relations.append(Relation(argument.id, TOPIC, kind))
    return Round(number, tuple(stances), tuple(arguments), tuple(relations))


def _arrays(simulation: Simulation, numbers: Drawn) -> ProfileArrays:
    debates, agents = simulation.debates, simulation.agents
    scores = np.concatenate([numbers.pros[-1], numbers.cons[-1]], axis=2)  # shape (D, n, pros + cons)
    each = scores.shape[2]
    supports = np.arange(each) < simulation.pros
    owners = np.repeat(np.arange(debates), agents * each)
    return ProfileArrays(
        debates=[debate_id(simulation, place) for place in range(debates)],
        shared=np.full(debates, simulation.shared),
        agents=[f"A{number + 1}" for number in range(agents)] * debates,
        stance_debates=np.repeat(np.arange(debates), agents),
        priors=numbers.priors.ravel(),
        posteriors=numbers.stances[-1].ravel(),
        argument_debates=owners,
        authors=np.repeat(np.arange(debates * agents), each),
        base_scores=scores.ravel(),
        failures=np.zeros(len(owners), dtype=bool),
        relation_debates=owners,
        sources=np.arange(len(owners)),
        targets=np.full(len(owners), TOPIC_PLACE),
        supports=np.tile(supports, debates * agents),
    )
