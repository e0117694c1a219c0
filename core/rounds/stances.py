"""Where each agent stands at each moment of a debate: before it, and after every round."""

from __future__ import annotations

from dataclasses import dataclass

from core.debate import Debate, DebateProtocol

BEFORE = "before"


@dataclass(frozen=True)
class StancePath:
    """One agent's stances over a debate's rounds.

    Attributes:
        agent: The agent's id.
        first: The prior stance before the first round; None where it is not recorded.
        after: The posterior stance of each round, in order; None where it is not recorded.
        entering: What the agent is known to have held when each round began: a prior stance recorded in that round,
            or else the stance stated last before it; None where there is none.
    """

    agent: str
    first: float | None
    after: tuple[float | None, ...]
    entering: tuple[float | None, ...]

    @property
    def last(self) -> float | None:
        """Return the stance stated last; None where there is none."""
        return next((stance for stance in (*reversed(self.after), self.first) if stance is not None), None)


def stance_paths(debate: Debate) -> tuple[StancePath, ...]:
    """Return every agent's stances over the rounds: agents in the debate's order, then others as they come up."""
    stated = {stance.agent_id: None for step in debate.rounds for stance in step.stances}
    order = [*(agent.id for agent in debate.agents if agent.id in stated), *stated]
    return tuple(_path(debate, agent) for agent in dict.fromkeys(order))


def moments(debate: Debate) -> tuple[str, ...]:
    """Return what the moments of a debate are called: ``BEFORE``, then each round by its number."""
    return (BEFORE, *(str(step.number) for step in debate.rounds))


def saw_others(debate: Debate, place: int) -> bool:
    """Return whether the agents of a round, by its place, had seen anything of each other's before they took a stance.

    In a shared debate the common list is there from the first round on; otherwise others' arguments of a round are seen
    in the next. Agents of a single turn never see each other.
    """
    if debate.protocol is DebateProtocol.SINGLE_TURN:
        return False
    return debate.shared or place > 0


def _path(debate: Debate, agent: str) -> StancePath:
    after: list[float | None] = []
    entering: list[float | None] = []
    known: float | None = None
    for step in debate.rounds:
        given = next((stance for stance in step.stances if stance.agent_id == agent), None)
        if given is not None and given.prior is not None:
            known = given.prior
        entering.append(known)
        after.append(None if given is None else given.posterior)
        if after[-1] is not None:
            known = after[-1]
    return StancePath(agent, entering[0] if entering else None, tuple(after), tuple(entering))


__all__ = ["BEFORE", "StancePath", "moments", "saw_others", "stance_paths"]
