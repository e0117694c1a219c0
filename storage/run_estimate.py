"""What a run would take, worked out before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.debate import profile
from core.errors import MootError
from core.judges.llm_judge import LlmJudge
from core.judges.registry import AnyJudge, judge_id
from core.llm.circumstances import Circumstances
from core.llm.prices import PriceTable
from core.llm.tokens import sent_tokens
from storage.database import Database, first_row
from storage.debate_repository import DebateRepository

SAMPLE = 12  # debates whose prompts are written to see how long they are
ANSWER = 12  # tokens of a printed score; reasons take most of what they may


@dataclass(frozen=True)
class Estimate:
    """What is to come; tokens and cost are rough, and asking again after unreadable replies is not in them.

    Attributes:
        cases: Judgements that are not stored yet.
        stored: Judgements that are.
        calls: What language models will be asked.
        tokens: Sent and received.
        cost: In the price table's currency; None where a price is unknown.
    """

    cases: int
    stored: int
    calls: int
    tokens: int
    cost: float | None


def estimate(database: Database, judges: Sequence[AnyJudge], debates: Sequence[str], prices: PriceTable) -> Estimate:
    """Return what putting debates before judges would take."""
    repository = DebateRepository(database)
    chosen = list(dict.fromkeys(debates))
    places: list[int] = np.unique(np.linspace(0, len(chosen) - 1, SAMPLE).astype(int)).tolist() if chosen else []
    held = [repository.get(chosen[place]) for place in places]
    cases = stored = calls = 0
    tokens, cost = 0.0, 0.0
    unpriced = False
    for judge in judges:
        there = _stored(database, judge_id(judge), chosen)
        stored += there
        cases += len(chosen) - there
        if not isinstance(judge, LlmJudge) or there == len(chosen):
            continue
        asked = (len(chosen) - there) * judge.repeats
        calls += asked
        lengths = []
        for debate in held:
            try:
                lengths.append(sent_tokens(judge.requests(profile(debate), Circumstances.of(debate))[0]))
            except MootError:  # it does not fit the judge, and will be marked as an error without a call
                continue
        sent = asked * (sum(lengths) / len(lengths) if lengths else 0.0)
        received = asked * answer_tokens(judge)
        tokens += sent + received
        price = prices.price(judge.endpoint.name, (judge.model,))
        if price is None:
            unpriced = True
        else:
            cost += price.of(sent, received)
    return Estimate(cases, stored, calls, round(tokens), None if unpriced else cost)


def answer_tokens(judge: LlmJudge) -> int:
    """Return how many tokens an answer of a judge takes, roughly."""
    most = judge.parameters.max_tokens or ANSWER
    return most if judge.reasoning else min(most, ANSWER)


def _stored(database: Database, judge: str, debates: Sequence[str]) -> int:
    with database.read() as cursor:
        row = first_row(
            cursor.execute(
                "SELECT count(*) FROM judgement AS j JOIN debate AS d ON d.id = j.debate_id "
                "AND d.dataset_id = j.dataset_id WHERE j.judge_id = ? AND d.id IN (SELECT unnest(?::VARCHAR[]))",
                [judge, list(debates)],
            )
        )
    return int(row[0]) if row else 0


__all__ = ["Estimate", "answer_tokens", "estimate"]
