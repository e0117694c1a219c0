"""What judges that need no language model say of many stored debates."""

from __future__ import annotations

from collections.abc import Iterable

from core.judges.many import LocalJudge, ProfileArrays, judge_many
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


__all__ = ["judged"]
