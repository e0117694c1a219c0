"""Who moved towards whom: how much of the gap to where another agent stood is closed in a round.

The measure describes where agents came to stand, not why. Two agents may both move after reading the same argument,
or by chance; nothing here says that one made the other move.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.debate import Debate
from core.rounds.stances import saw_others, stance_paths

NO_GAP = 0.005  # below it two stances count as the same: half of the last decimal that agents give


@dataclass(frozen=True)
class Approach:
    """One agent's move in a round, seen from where another agent stood before it.

    Attributes:
        towards: The other agent.
        stood: Where that agent stood when the round began, in [0, 1].
        gap_before, gap_after: How far the moving agent was from there, before and after its move, in [0, 1].
    """

    towards: str
    stood: float
    gap_before: float
    gap_after: float

    @property
    def closed(self) -> float:
        """Return how much nearer the agent came, in [-1, 1]; below 0 it went away."""
        return self.gap_before - self.gap_after

    @property
    def share(self) -> float | None:
        """Return the share of the gap that was closed: 1 for all of it, 0 for none, below 0 for moving away.

        None where there was no gap to close.
        """
        return None if self.gap_before < NO_GAP else self.closed / self.gap_before


@dataclass(frozen=True)
class Move:
    """An agent's change of stance in one round, with its approach to every other agent.

    Attributes:
        number: The round.
        agent: Who moved.
        before, after: Its stance when the round began, and at its end.
        approaches: To each other agent whose stance was known, in the debate's order; none where the agents had not
            seen each other yet.
    """

    number: int
    agent: str
    before: float
    after: float
    approaches: tuple[Approach, ...]

    @property
    def change(self) -> float:
        """Return by how much the stance moved, in [-1, 1]."""
        return self.after - self.before

    @property
    def nearer(self) -> tuple[str, ...]:
        """Return to whom the agent moved nearer: those to whom it closed the largest share of the gap.

        Several where they tie; none where it came nearer to nobody, or hardly moved.
        """
        if abs(self.change) < NO_GAP:
            return ()
        shares = {one.towards: one.share for one in self.approaches if one.share is not None and one.closed >= NO_GAP}
        if not shares:
            return ()
        most = max(share for share in shares.values() if share is not None)
        return tuple(name for name, share in shares.items() if share is not None and abs(share - most) < 1e-9)


@dataclass(frozen=True)
class Drawn:
    """One agent's way towards another over all rounds.

    Attributes:
        agent, towards: Who moved, and towards whom.
        rounds: In how many rounds both stances were known and there was a gap.
        closed: How much nearer the agent came over these rounds together; below 0 it went away.
        nearest: In how many of them it moved nearer to this agent than to any other.
    """

    agent: str
    towards: str
    rounds: int
    closed: float
    nearest: int


def moves(debate: Debate) -> tuple[Move, ...]:
    """Return every agent's move in every round in which its stance before and after is known."""
    paths = stance_paths(debate)
    found: list[Move] = []
    for place, step in enumerate(debate.rounds):
        for path in paths:
            before, after = path.entering[place], path.after[place]
            if before is None or after is None:
                continue
            others = [(other.agent, other.entering[place]) for other in paths if other is not path]
            approaches = tuple(
                Approach(name, stood, abs(stood - before), abs(stood - after))
                for name, stood in others
                if stood is not None and saw_others(debate, place)
            )
            found.append(Move(step.number, path.agent, before, after, approaches))
    return tuple(found)


def drawn(found: Sequence[Move]) -> tuple[Drawn, ...]:
    """Return each agent's way towards each other agent over all rounds, in the order in which they come up."""
    pairs: dict[tuple[str, str], list[tuple[Move, Approach]]] = {}
    for move in found:
        for one in move.approaches:
            if one.share is not None:
                pairs.setdefault((move.agent, one.towards), []).append((move, one))
    return tuple(
        Drawn(
            agent,
            towards,
            len(listed),
            sum(one.closed for _, one in listed),
            sum(towards in move.nearer for move, _ in listed),
        )
        for (agent, towards), listed in pairs.items()
    )


__all__ = ["NO_GAP", "Approach", "Drawn", "Move", "drawn", "moves"]
