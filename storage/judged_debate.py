"""What picked judges say of one stored debate, in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from core.debate import Debate, profile
from core.judgement import Judgement
from core.judges.recorded_judge import RecordedJudge
from storage.database import Database
from storage.judge_catalogue import Candidate
from storage.judgement_repository import JudgementRepository


@dataclass(frozen=True)
class Said:
    """What a judge says of a debate.

    Attributes:
        judge: The judge.
        judgement: None where it has not judged the debate.
        models: Who answered, for judgements by language models.
        calls, tokens, cost, seconds: What it took; None where unknown or nothing was asked.
        origin: What is to be said with it; empty for nothing.
    """

    judge: Candidate
    judgement: Judgement | None
    models: tuple[str, ...] = ()
    calls: int = 0
    tokens: int | None = None
    cost: float | None = None
    seconds: float | None = None
    origin: str = ""


def said_of(database: Database, judges: Sequence[Candidate], debate: Debate) -> tuple[Said, ...]:
    """Return what every judge says of a debate's last round, in order."""
    stored = {
        one.judge_id: one
        for one in JudgementRepository(database).on_debates(
            [judge.id for judge in judges if judge.judge is None], [debate.id]
        )
    }
    held = profile(debate)
    found = []
    for judge in judges:
        if isinstance(judge.judge, RecordedJudge):
            found.append(Said(judge, judge.judge.judgement(debate)))
        elif judge.judge is not None:
            found.append(Said(judge, judge.judge.judge(held)))
        elif judge.id in stored:
            one = stored[judge.id]
            known = one.tokens_in is not None and one.tokens_out is not None
            tokens = (one.tokens_in or 0) + (one.tokens_out or 0) if known else None
            found.append(Said(judge, one.judgement, one.models, one.calls, tokens, one.cost, one.seconds, one.origin))
        else:
            found.append(Said(judge, None))
    return tuple(found)


__all__ = ["Said", "said_of"]
