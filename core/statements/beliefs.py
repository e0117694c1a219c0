"""What judges of a debate believed after each round, as the log has it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.debate import Debate, RecordedJudgement
from core.rounds.trajectory import round_judged

_AFTER = re.compile(r"^(.+?),? (?:after )?(?:round|turn) (\d{1,6})$")


@dataclass(frozen=True)
class Belief:
    """How likely a judge held the claim to be true, in [0, 1], after a round; round 0 is before the first."""

    judge: str
    round: int
    score: float


def beliefs_of(debate: Debate) -> tuple[Belief, ...]:
    """Return the beliefs of all judges for which the log names a round, each judge's in order of the rounds.

    A judgement names its round in its settings (``round``) or in the judge's name ("..., after round 2"); ``steps``
    lists one distribution after another, the first before anything was said. Judgements without a score, such as a
    moderator's who only names a side, hold no belief that could be drawn.
    """
    found: dict[str, dict[int, float]] = {}
    for judgement in debate.judgements:
        judge, number = _of(judgement)
        if number is not None and judgement.score is not None:
            found.setdefault(judge, {})[number] = judgement.score
        for place, share in _steps(judgement.settings):
            found.setdefault(judge, {})[place] = share
    return tuple(
        Belief(judge, number, score) for judge, scores in found.items() for number, score in sorted(scores.items())
    )


def standing(debate: Debate) -> tuple[RecordedJudgement, ...]:
    """Return the judgements that came with the log, of those that one judge gave round after round the last alone."""
    last: dict[str, tuple[int, RecordedJudgement]] = {}
    kept: list[RecordedJudgement] = []
    for judgement in debate.judgements:
        judge, number = _of(judgement)
        if number is None:
            kept.append(judgement)
            continue
        before = last.get(judge)
        if before is None:
            kept.append(judgement)
        elif number < before[0]:
            continue
        else:
            kept = [judgement if one is before[1] else one for one in kept]
        last[judge] = (number, judgement)
    return tuple(kept)


def moves(beliefs: Sequence[Belief]) -> Mapping[str, tuple[Belief, Belief]]:
    """Return each judge's first and last belief."""
    ends: dict[str, tuple[Belief, Belief]] = {}
    for belief in beliefs:
        ends[belief.judge] = (ends[belief.judge][0] if belief.judge in ends else belief, belief)
    return ends


def _of(judgement: RecordedJudgement) -> tuple[str, int | None]:
    named = _AFTER.match(judgement.judge)
    judge = judgement.judge if named is None else named[1]
    given = round_judged(judgement)
    return judge, given if given is not None or named is None else int(named[2])


def _steps(settings: Mapping[str, object]) -> list[tuple[int, float]]:
    steps = settings.get("steps")
    if not isinstance(steps, (list, tuple)):
        return []
    shares = [(place, _share(step)) for place, step in enumerate(steps)]
    return [(place, share) for place, share in shares if share is not None]


def _share(step: object) -> float | None:
    """Return the first number of a distribution, where it is one in [0, 1]."""
    first = step[0] if isinstance(step, (list, tuple)) and step else None
    if isinstance(first, bool) or not isinstance(first, (int, float)) or not 0.0 <= first <= 1.0:
        return None
    return float(first)


__all__ = ["Belief", "beliefs_of", "moves", "standing"]
