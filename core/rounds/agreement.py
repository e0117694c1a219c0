"""How far the agents' stances lie apart at each moment of a debate."""

from __future__ import annotations

from dataclasses import dataclass
from statistics import fmean, pstdev

from core.debate import Debate
from core.judgement import DecisionRule, Verdict
from core.rounds.stances import moments, stance_paths


@dataclass(frozen=True)
class Spread:
    """The agents' stances at one moment.

    Attributes:
        moment: As ``moments`` calls it.
        known: How many agents' stances are known, of ``agents``.
        agents: How many state one anywhere in the debate.
        mean: Of the known stances; None where there is none.
        reach: The highest less the lowest, in [0, 1]; None for fewer than two.
        deviation: Standard deviation of the stances themselves, in [0, 0.5]; None for fewer than two.
        verdicts: How many stances come to each verdict, as (True, False, Uncertain).
    """

    moment: str
    known: int
    agents: int
    mean: float | None
    reach: float | None
    deviation: float | None
    verdicts: tuple[int, int, int]

    @property
    def unanimous(self) -> bool | None:
        """Return whether all known stances come to one verdict; None for fewer than two."""
        return None if self.known < 2 else max(self.verdicts) == self.known


def spreads(debate: Debate, rule: DecisionRule) -> tuple[Spread, ...]:
    """Return how far the stances lie apart before the debate and after every round."""
    paths = stance_paths(debate)
    found: list[Spread] = []
    for place, moment in enumerate(moments(debate)):
        stances = [path.first if place == 0 else path.after[place - 1] for path in paths]
        known = sorted(stance for stance in stances if stance is not None)
        said = [rule.verdict(stance) for stance in known]
        several = len(known) > 1
        found.append(
            Spread(
                moment,
                len(known),
                len(paths),
                fmean(known) if known else None,
                known[-1] - known[0] if several else None,
                pstdev(known) if several else None,
                (said.count(Verdict.TRUE), said.count(Verdict.FALSE), said.count(Verdict.UNCERTAIN)),
            )
        )
    return tuple(found)


__all__ = ["Spread", "spreads"]
