"""How debates are to be held: the protocol, the agents, the rounds and the order of turns."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.debate import DebateProtocol
from core.debating.agent import AgentSpec, agent_of
from core.debating.prompts import DebatePrompts
from core.errors import InvalidSetting
from core.llm.endpoint import ENDPOINTS, Endpoint

PROTOCOLS = (DebateProtocol.SINGLE_TURN, DebateProtocol.MULTI_TURN_PRIVATE, DebateProtocol.MULTI_TURN_SHARED)
MOST_ROUNDS = 100
MOST_AGENTS = 100


class TurnOrder(StrEnum):
    """Who acts first in a shared debate."""

    FIXED = "fixed"  # as the agents are listed, in every round
    ROTATED = "rotated"  # each round begins one agent later
    SHUFFLED = "shuffled"  # by the seed, anew in every round of every debate


class StanceUse(StrEnum):
    """Which stances the agents are asked for."""

    NONE = "none"
    PRIOR = "prior"  # before the arguments alone
    POSTERIOR = "post"  # before the arguments and at the end of every round


@dataclass(frozen=True)
class DebatePlan:
    """All that decides what is asked about a claim.

    Attributes:
        protocol: One of ``PROTOCOLS``.
        agents: One or more, of different names.
        prompts: The templates.
        rounds: One or more; a single-turn debate has one.
        order: Who acts when, in a shared debate.
        seed: Of a shuffled order.
        stances: Which stances are asked for.
        most_arguments: How many pros, and how many cons, one reply may give in a multi-turn debate.

    Raises:
        InvalidSetting: If a value lies outside its range, or two agents share a name.
    """

    protocol: DebateProtocol
    agents: tuple[AgentSpec, ...]
    prompts: DebatePrompts
    rounds: int = 3
    order: TurnOrder = TurnOrder.ROTATED
    seed: int = 0
    stances: StanceUse = StanceUse.POSTERIOR
    most_arguments: int = 5

    def __post_init__(self) -> None:
        if self.protocol not in PROTOCOLS:
            raise InvalidSetting(f"No debate can be run as {self.protocol!r}; choose one of {', '.join(PROTOCOLS)}.")
        if not 1 <= len(self.agents) <= MOST_AGENTS:
            raise InvalidSetting(f"A debate has 1 to {MOST_AGENTS} agents, not {len(self.agents)}.")
        names = [agent.name for agent in self.agents]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise InvalidSetting(f"Two agents are called {twice!r}; give each a name of its own.")
        if self.protocol is DebateProtocol.SINGLE_TURN:
            object.__setattr__(self, "rounds", 1)
        if not 1 <= self.rounds <= MOST_ROUNDS:
            raise InvalidSetting(f"The number of rounds is {self.rounds}; it must lie in 1 to {MOST_ROUNDS}.")
        if not 1 <= self.most_arguments <= 50:
            raise InvalidSetting(f"The most arguments of a reply are {self.most_arguments}; it must lie in 1 to 50.")

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """Return every endpoint that is asked, once."""
        return tuple(dict.fromkeys(agent.endpoint for agent in self.agents))

    def sample(self, agent: AgentSpec) -> int:
        """Return which sample of a question is the agent's, from 0: agents that are alike get one each."""
        alike = [other.name for other in self.agents if other.identity == agent.identity]
        return alike.index(agent.name)

    def turns(self, round_number: int, claim: str) -> tuple[AgentSpec, ...]:
        """Return the agents in the order in which they act in a round of the debate on a claim."""
        if self.order is TurnOrder.FIXED:
            return self.agents
        if self.order is TurnOrder.ROTATED:
            first = round_number % len(self.agents)
            return (*self.agents[first:], *self.agents[:first])
        return tuple(sorted(self.agents, key=lambda agent: _lot(self.seed, round_number, claim, agent.name)))

    def settings(self) -> dict[str, Any]:
        """Return the plan as plain JSON values, the templates by name and hash; ``plan_of`` reads them."""
        return {
            "protocol": self.protocol.value,
            "rounds": self.rounds,
            "order": self.order.value,
            "seed": self.seed,
            "stances": self.stances.value,
            "most_arguments": self.most_arguments,
            "prompts": self.prompts.name,
            "prompt_hash": self.prompts.hash,
            "agents": [agent.settings() for agent in self.agents],
        }


def plan_of(
    settings: Mapping[str, Any],
    prompts: Callable[[str, str], DebatePrompts],
    endpoints: Mapping[str, Endpoint] = ENDPOINTS,
) -> DebatePlan:
    """Return the plan that ``DebatePlan.settings`` wrote.

    Args:
        settings: Plain JSON values.
        prompts: Finds templates by name and hash.
        endpoints: How endpoints are to be treated, by name.

    Raises:
        InvalidSetting: If they describe no plan.
    """
    try:
        agents: Sequence[Mapping[str, Any]] = settings["agents"]
        return DebatePlan(
            DebateProtocol(settings["protocol"]),
            tuple(agent_of(agent, endpoints) for agent in agents),
            prompts(settings["prompts"], settings["prompt_hash"]),
            settings["rounds"],
            TurnOrder(settings["order"]),
            settings["seed"],
            StanceUse(settings["stances"]),
            settings["most_arguments"],
        )
    except (KeyError, TypeError, ValueError) as error:
        if isinstance(error, InvalidSetting):
            raise
        raise InvalidSetting(f"This is no plan of a debate: {error}.") from error


def _lot(seed: int, round_number: int, claim: str, agent: str) -> bytes:
    return hashlib.sha256(f"{seed}\0{round_number}\0{claim}\0{agent}".encode("utf-8", "replace")).digest()


__all__ = ["PROTOCOLS", "DebatePlan", "StanceUse", "TurnOrder", "plan_of"]
