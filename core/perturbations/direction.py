"""Which way a change of a profile points."""

from __future__ import annotations

from enum import StrEnum


class Direction(StrEnum):
    """How a changed profile stands to the original one in support of the claim.

    More supportive: stances moved up, pros added or strengthened, cons removed or weakened, and nothing else.
    """

    MORE_SUPPORTIVE = "more supportive"
    LESS_SUPPORTIVE = "less supportive"
    NEITHER = "neither"

    @property
    def mirror(self) -> Direction:
        """Return the opposite direction; NEITHER has none but itself."""
        match self:
            case Direction.MORE_SUPPORTIVE:
                return Direction.LESS_SUPPORTIVE
            case Direction.LESS_SUPPORTIVE:
                return Direction.MORE_SUPPORTIVE
            case Direction.NEITHER:
                return Direction.NEITHER

    @property
    def directed(self) -> bool:
        """Return whether it points one way."""
        return self is not Direction.NEITHER


def of_shift(size: float, *, for_the_claim: bool = True) -> Direction | None:
    """Return the direction of a shift; None for one of size 0, which has none.

    Args:
        size: Up where positive.
        for_the_claim: Whether what is shifted speaks for the claim (pros, stances) or against it (cons).
    """
    if size == 0:
        return None
    return Direction.MORE_SUPPORTIVE if (size > 0) == for_the_claim else Direction.LESS_SUPPORTIVE


def together(directions: list[Direction]) -> Direction:
    """Return the direction of several changes: theirs where all agree, else NEITHER."""
    return directions[0] if directions and len(set(directions)) == 1 else Direction.NEITHER
