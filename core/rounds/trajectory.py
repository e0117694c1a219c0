"""Lines over the rounds of a debate: agents' stances, and what judges say of each round."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.debate import Debate, RecordedJudgement, profile
from core.judgement import Judge, Judgement
from core.rounds.stances import moments, stance_paths


class LineKind(StrEnum):
    """What a line is of."""

    STANCE = "stance"
    JUDGE = "judge"
    PART = "one agent's strength"  # a judge of separate QBAFs, agent by agent
    RECORDED = "recorded judgement"


@dataclass(frozen=True)
class Line:
    """Scores over a debate's moments.

    Attributes:
        kind: What the line is of.
        name: An agent's id or a judge's name.
        scores: One for each moment, before the debate first; None where there is none. In [0, 1].
        judge: For a part, the judge it is a part of.
    """

    kind: LineKind
    name: str
    scores: tuple[float | None, ...]
    judge: str = ""

    @property
    def last(self) -> float | None:
        """Return the last known score; None where there is none."""
        return next((score for score in reversed(self.scores) if score is not None), None)


@dataclass(frozen=True)
class Trajectory:
    """Lines over the moments of one debate.

    Attributes:
        moments: What they are called, before the debate first.
        lines: Each with a score, or None, for every moment.
        threshold: From which score on is True.
    """

    moments: tuple[str, ...]
    lines: tuple[Line, ...]
    threshold: float

    def of(self, *kinds: LineKind) -> tuple[Line, ...]:
        """Return the lines of these kinds."""
        return tuple(line for line in self.lines if line.kind in kinds)


def judged_rounds(debate: Debate, judge: Judge) -> tuple[Judgement, ...]:
    """Return what a judge says of each round of a debate."""
    return tuple(judge.judge(profile(debate, step.number)) for step in debate.rounds)


def trajectory(
    debate: Debate,
    judged: Mapping[str, Sequence[Judgement]],
    threshold: float,
    *,
    parts: bool = False,
    recorded: bool = True,
) -> Trajectory:
    """Return the lines of a debate.

    Args:
        debate: The debate.
        judged: By what to call the judge, its judgement of each round.
        threshold: From which score on is True.
        parts: Whether to add, for judges of separate QBAFs, the strength of the claim for each agent.
        recorded: Whether to add the judgements of the log that name the round they are of.
    """
    lines = [Line(LineKind.STANCE, path.agent, (path.first, *path.after)) for path in stance_paths(debate)]
    for name, listed in judged.items():
        lines.append(Line(LineKind.JUDGE, name, (None, *(said.score for said in listed))))
        if parts:
            lines += _parts(name, listed)
    if recorded:
        lines += _recorded(debate)
    return Trajectory(moments(debate), tuple(lines), threshold)


def _parts(judge: str, listed: Sequence[Judgement]) -> list[Line]:
    agents = dict.fromkeys(part.judge for said in listed for part in said.parts)
    by_round = [{part.judge: part.score for part in said.parts} for said in listed]
    return [Line(LineKind.PART, agent, (None, *(said.get(agent) for said in by_round)), judge) for agent in agents]


def _recorded(debate: Debate) -> list[Line]:
    """Return a line for each judge in the log that judged a round by its number; its first judgement of each counts."""
    numbers = [step.number for step in debate.rounds]
    found: dict[str, dict[int, float]] = {}
    for one in debate.judgements:
        number = round_judged(one)
        if number in numbers and one.score is not None and number is not None:
            found.setdefault(one.judge, {}).setdefault(number, one.score)
    return [
        Line(LineKind.RECORDED, judge, (None, *(scores.get(number) for number in numbers)))
        for judge, scores in found.items()
    ]


def round_judged(recorded: RecordedJudgement) -> int | None:
    """Return the number of the round that a judgement of a log is of; None where it does not say."""
    number = recorded.settings.get("round")
    return number if isinstance(number, int) and not isinstance(number, bool) else None


__all__ = ["Line", "LineKind", "Trajectory", "judged_rounds", "round_judged", "trajectory"]
