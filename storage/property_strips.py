"""What a judge said of some debates under every trial of a test: worked out, or found among what is stored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.experiments.source import Source
from core.judges.recorded_judge import RecordedJudge
from core.overview import Scored
from core.properties.debate_set import DebateSet
from core.properties.judging import ask
from core.properties.result import PropertyResult
from core.properties.trial import BASELINE, Trial
from core.property_strips import StripRow
from storage.database import Database
from storage.prompt_files import find_prompts
from storage.property_bench import Benched, Described
from storage.property_debates import claims_of
from storage.property_known import known_answers


def strip_rows(
    database: Database, one: Benched, result: PropertyResult, debates: DebateSet, places: Sequence[int], source: Source
) -> tuple[StripRow, ...]:
    """Return what a judge said of each of some debates; nothing is asked.

    Args:
        database: Where judgements, replies and claims are.
        one: The judge.
        result: Of the test.
        debates: On which it was tested.
        places: Of the debates wanted.
        source: Of the debates.
    """
    some = debates.only(places)
    trials = [trial.trial for trial in result.trials]
    said = _said(database, one, result, some, trials)
    claims = {} if source.simulated else claims_of(database, some.ids)
    violated = {witness.debate for witness in result.witnesses}
    return tuple(
        StripRow(
            name,
            claims.get(name) or some.load(place)[0].claim,
            said.get((BASELINE, name)),
            tuple(said.get((trial, name)) for trial in trials),
            name in violated,
        )
        for place, name in enumerate(some.ids)
    )


def _said(
    database: Database, one: Benched, result: PropertyResult, debates: DebateSet, trials: Sequence[Trial]
) -> Mapping[tuple[Trial, str], Scored]:
    judge, found = one.judge, _of_witnesses(result)
    if isinstance(judge, RecordedJudge | Described):
        return found
    if one.model is not None:
        return found | dict(known_answers(database, [result.checked], one.model, debates, result.seed, replies=True))
    for trial in (BASELINE, *trials):
        outcomes = ask(trial, judge, debates, result.seed, find_prompts).outcomes
        for place, name in enumerate(debates.ids):
            answer = outcomes.at(place)
            if answer is not None:
                found[trial, name] = answer
    return found


def _of_witnesses(result: PropertyResult) -> dict[tuple[Trial, str], Scored]:
    found = {(witness.first, witness.debate): witness.before for witness in result.witnesses}
    return found | {(witness.second, witness.debate): witness.after for witness in result.witnesses}


__all__ = ["strip_rows"]
