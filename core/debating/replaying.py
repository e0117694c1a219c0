"""What came of holding the debates of a run again from stored replies."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from core.debating.differences import Difference, differences
from core.wording import several


@dataclass(frozen=True)
class HeldAgain:
    """A debate that was held again: its id, its record now, and the record that is stored; None where none is."""

    debate: str
    record: str
    stored: str | None

    @property
    def brief(self) -> HeldAgain:
        """Return the same without the records where they do not differ, so that many take little room."""
        if self.stored is None:
            return HeldAgain(self.debate, "", None)
        return HeldAgain(self.debate, "", "") if self.stored == self.record else self


@dataclass(frozen=True)
class ReplayReport:
    """Debates held again.

    Attributes:
        same: How many are the same byte for byte.
        unstored: Of how many nothing is stored.
        differing: The others, by id, with where they differ.
    """

    same: int = 0
    unstored: int = 0
    differing: tuple[tuple[str, tuple[Difference, ...]], ...] = ()

    @property
    def total(self) -> int:
        """Return how many debates were held again."""
        return self.same + self.unstored + len(self.differing)

    @property
    def sentence(self) -> str:
        """Return what came of it, in a sentence."""
        return (
            f"{several(self.total, 'debate')} held again from stored replies: {self.same:,} the same to the last byte, "
            f"{len(self.differing):,} different, {self.unstored:,} not stored."
        )

    def lines(self, most: int) -> list[str]:
        """Return where debates differ, each in a line; no more than so many debates."""
        told = []
        for name, found in self.differing[:most]:
            told.append(f"{name} differs")
            told += [f"  {one.place}: stored {one.first!r}, again {one.second!r}" for one in found]
        return told


def replay_report(held: Iterable[HeldAgain]) -> ReplayReport:
    """Return what came of holding debates again."""
    same = unstored = 0
    differing = []
    for one in held:
        if one.stored is None:
            unstored += 1
        elif one.stored == one.record:
            same += 1
        else:
            differing.append((one.debate, differences(one.stored, one.record)))
    return ReplayReport(same, unstored, tuple(differing))


__all__ = ["HeldAgain", "ReplayReport", "replay_report"]
