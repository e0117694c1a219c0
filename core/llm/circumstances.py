"""What a judge may be told about how a debate was held, beside the profile itself; never the label."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from core.debate import Debate, DebateProtocol
from core.opinion import OpinionProfile


class PromptProtocol(StrEnum):
    """How a prompt describes the debate."""

    AUTO = "auto"  # as the debate was held
    SINGLE_TURN = "single-turn"
    PRIVATE = "private"
    SHARED = "shared"


_KNOWN = {
    DebateProtocol.SINGLE_TURN: PromptProtocol.SINGLE_TURN,
    DebateProtocol.MULTI_TURN_PRIVATE: PromptProtocol.PRIVATE,
    DebateProtocol.MULTI_TURN_SHARED: PromptProtocol.SHARED,
}


@dataclass(frozen=True)
class Circumstances:
    """How a debate was held.

    Attributes:
        protocol: Never AUTO.
        rounds: How many rounds there were, 1 or more.
        names: What to call each agent, by id; an agent that is not in it is called by its id.
        turns: Agent ids in the order in which they acted, where the record says so (shared debates).
    """

    protocol: PromptProtocol = PromptProtocol.SINGLE_TURN
    rounds: int = 1
    names: Mapping[str, str] = field(default_factory=dict)
    turns: tuple[str, ...] = ()

    @classmethod
    def of(cls, debate: Debate, round_number: int | None = None) -> Circumstances:
        """Return the circumstances of a debate up to a round, the last one unless a number is given."""
        rounds = [one for one in debate.rounds if round_number is None or one.number <= round_number]
        several = PromptProtocol.PRIVATE if len(rounds) > 1 else PromptProtocol.SINGLE_TURN
        given = Counter(agent.name for agent in debate.agents if agent.name)
        names = {agent.id: agent.name for agent in debate.agents if agent.name and given[agent.name] == 1}
        edits = rounds[-1].edits if rounds else ()
        turns = dict.fromkeys(str(edit["agent_id"]) for edit in edits if edit.get("agent_id"))
        return cls(_KNOWN.get(debate.protocol, several), max(1, len(rounds)), names, tuple(turns))

    @classmethod
    def guessed(cls, profile: OpinionProfile) -> Circumstances:
        """Return what the profile alone tells."""
        return cls(PromptProtocol.SHARED if profile.shared else PromptProtocol.SINGLE_TURN)
