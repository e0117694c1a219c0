"""What judges that need no language model say of many stored debates, and how far their verdicts are from flipping."""

from __future__ import annotations

import math
from collections.abc import Iterable

from core.flip_distances import flip_distances
from core.judges.many import LocalJudge, ProfileArrays, judge_many
from core.judges.semantics_judge import SemanticsJudge
from core.least import Stop, never
from core.overview import Scored
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.profile_arrays import profile_arrays


def judged(
    database: Database, judge: LocalJudge, ids: Iterable[str] | None = None, arrays: ProfileArrays | None = None
) -> dict[str, Scored]:
    """Return a judge's judgement of each stored debate's last round, by debate id.

    Args:
        database: Where the debates are.
        judge: Who judges.
        ids: Which debates; all of them unless given.
        arrays: Their profiles, where these were read before, for another judge.
    """
    held = profile_arrays(database, ids) if arrays is None else arrays
    scored = judge_many(judge, held)
    alone = [name for name, found in zip(held.debates, scored, strict=True) if found is None]
    profiles = DebateRepository(database).profiles(alone) if alone else {}
    return {
        name: found if found is not None else Scored.of(judge.judge(profiles[name]))
        for name, found in zip(held.debates, scored, strict=True)
        if found is not None or name in profiles
    }


def to_flip(
    database: Database, judge: SemanticsJudge, ids: Iterable[str] | None = None, stop: Stop = never
) -> dict[str, float]:
    """Return how far a judge's verdict on each stored debate's last round is from flipping, by debate id.

    Args:
        database: Where the debates are.
        judge: Who judges.
        ids: Which debates; all of them unless given.
        stop: Ends the search; what was not reached is not in the result.

    Returns:
        The least change of one base score, in [0, 1]; infinity where it is proved that none flips the verdict; NaN
        where that is not known.
    """
    arrays = profile_arrays(database, ids)
    distances = flip_distances(judge, arrays, stop)
    ended = not stop()
    return {
        name: distance
        for name, distance in zip(arrays.debates, distances.tolist(), strict=True)
        if ended or not math.isnan(distance)
    }


__all__ = ["judged", "to_flip"]
