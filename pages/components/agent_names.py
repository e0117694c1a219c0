"""What to call a debate's agents: by name and model, or by number where they are anonymised."""

from __future__ import annotations

from core.debate import Debate
from core.preferences import Preferences


def of(debate: Debate, preferences: Preferences) -> dict[str, str]:
    """Return a name for each agent's id."""
    if preferences.anonymise:
        return {agent.id: f"Agent {place}" for place, agent in enumerate(debate.agents, 1)}
    return {
        agent.id: " ".join(part for part in (agent.name or agent.id, f"({agent.model})" if agent.model else "") if part)
        for agent in debate.agents
    }
