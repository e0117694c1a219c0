"""What testing language models would take, worked out before anything is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from core.experiments.experiment import Experiment
from core.judges.llm_judge import LlmJudge
from core.llm.prices import PriceTable
from core.llm.tokens import sent_tokens
from core.properties.calls import requests
from core.properties.debate_set import DebateSet
from core.properties.property import Property
from storage.database import Database
from storage.prompt_files import find_prompts
from storage.property_debates import debates_of, stamp_of
from storage.property_known import known_answers
from storage.property_repository import PropertyRepository
from storage.property_testing import Test, tests_of
from storage.run_estimate import Estimate, answer_tokens

MOST_WRITTEN = 150  # debates whose prompts are all written; of more, as many are taken for the rest
KEYS_AT_ONCE = 5_000


def estimate_experiment(database: Database, experiment: Experiment, prices: PriceTable) -> Estimate:
    """Return what an experiment would take: ``cases`` are the tests to do, ``stored`` those that are done already.

    Raises:
        MootError: If a judge or the data set is not here.
    """
    repository = PropertyRepository(database)
    waiting: dict[tuple[str, str], list[Test]] = {}
    cases = stored = 0
    for test in tests_of(database, experiment):
        if repository.answer(test.question, stamp_of(database, test.source)) is not None:
            stored += 1
            continue
        cases += 1
        if test.judge.model is not None:
            waiting.setdefault((test.source.key, test.judge.id), []).append(test)
    calls = tokens = 0
    cost: float | None = 0.0
    for tests in waiting.values():
        judge = tests[0].judge.model
        if judge is None:
            continue
        debates = debates_of(database, tests[0].source)
        one = estimate_calls(database, judge, [test.checked for test in tests], debates, experiment.seed, prices)
        calls, tokens = calls + one.calls, tokens + one.tokens
        cost = None if cost is None or one.cost is None else cost + one.cost
    return Estimate(cases, stored, calls, tokens, cost)


def estimate_calls(
    database: Database,
    judge: LlmJudge,
    properties: Sequence[Property],
    debates: DebateSet,
    seed: int,
    prices: PriceTable,
) -> Estimate:
    """Return what testing properties of a language model would take; of many debates some stand for all.

    Asking again after an unreadable reply is not in it.
    """
    count = len(debates)
    places: list[int] = np.unique(np.linspace(0, count - 1, min(count, MOST_WRITTEN)).astype(int)).tolist()
    some = debates if len(places) == count else debates.only(places)
    known = known_answers(database, properties, judge, some, seed)
    asked = list(requests(properties, judge, some, seed, find_prompts, known))
    there = _stored(database, [request.key for request in asked])
    fresh = [request for request in asked if request.key not in there]
    factor = count / len(places)
    sent, received = sum(map(sent_tokens, fresh)), len(fresh) * answer_tokens(judge)
    price = prices.price(judge.endpoint.name, (judge.model,))
    cost = None if price is None else factor * price.of(sent, received)
    return Estimate(len(asked), len(there), round(factor * len(fresh)), round(factor * (sent + received)), cost)


def _stored(database: Database, keys: Sequence[str]) -> set[str]:
    found: set[str] = set()
    with database.read() as cursor:
        for chunk in _chunks(keys):
            rows = cursor.execute(
                "SELECT key FROM reply WHERE key IN (SELECT unnest(?::VARCHAR[]))", [list(chunk)]
            ).fetchall()
            found.update(name for (name,) in rows)
    return found


def _chunks(keys: Sequence[str]) -> Iterable[Sequence[str]]:
    return (keys[first : first + KEYS_AT_ONCE] for first in range(0, len(keys), KEYS_AT_ONCE))


__all__ = ["estimate_calls", "estimate_experiment"]
