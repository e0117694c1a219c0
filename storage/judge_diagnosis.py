"""Diagnose stored judges from their stored judgements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from core.diagnostics import DiagnosedCase, Diagnosis, ExampleEffect, diagnosis, example_effects
from core.errors import MootError
from core.judgement import DecisionRule
from core.judges.llm_judge import LlmJudge, ScoreMode
from core.judges.llm_settings import llm_judge_of
from core.judges.registry import Family, settings_id
from core.llm.prompts import PromptSet
from core.opinion import OpinionProfile
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.judgement_repository import FoundJudgement, JudgementRepository, StoredJudge
from storage.prompt_files import load_prompts


def diagnose(database: Database, judge: str, debates: Sequence[str] | None = None) -> Diagnosis:
    """Return what a stored judge's scores look like; every repeat counts.

    Args:
        database: Where its judgements are.
        judge: Its id.
        debates: Only these debates; all that it judged unless given.

    Raises:
        MootError: If there is no such judge.
    """
    repository = JudgementRepository(database)
    stored = _stored(repository, judge)
    found = repository.by_judge(judge) if debates is None else repository.on_debates([judge], debates)
    return _diagnosis(stored, found, _profiles(database, [stored], found))


def diagnose_all(database: Database, debates: Mapping[str, Sequence[str]]) -> dict[str, Diagnosis]:
    """Return what the scores of several stored judges look like; what they share is read once.

    Args:
        database: Where their judgements are.
        debates: The debates to look at, by the judge's id.

    Raises:
        MootError: If there is no such judge.
    """
    if not debates:
        return {}
    repository = JudgementRepository(database)
    known = {one.id: one for one in repository.judges()}
    stored = [known.get(judge) or _stored(repository, judge) for judge in debates]
    wanted = {judge: set(names) for judge, names in debates.items()}
    every = list(dict.fromkeys(name for names in debates.values() for name in names))
    found = repository.on_debates(list(debates), every)
    profiles = _profiles(database, stored, found)
    return {
        one.id: _diagnosis(
            one, [said for said in found if said.judge_id == one.id and said.debate_id in wanted[one.id]], profiles
        )
        for one in stored
    }


def example_effect(database: Database, judge: str) -> tuple[ExampleEffect, ...]:
    """Return how scores change among the stored judges that differ from one in the prompt's example number alone."""
    repository = JudgementRepository(database)
    wanted = _without_example(_stored(repository, judge))
    alike = [one for one in repository.judges() if one.family is Family.LLM and _without_example(one) == wanted]
    alike.sort(key=lambda one: (one.settings.get("example") is not None, one.settings.get("example") or 0.0))
    scores = [
        (
            one.settings.get("example"),
            {f.debate_id: f.judgement.score for f in repository.by_judge(one.id) if f.judgement.score is not None},
        )
        for one in alike
    ]
    return example_effects([entry for entry in scores if entry[1]]) if len(scores) > 1 else ()


def _profiles(
    database: Database, judges: Sequence[StoredJudge], found: Sequence[FoundJudgement]
) -> dict[str, OpinionProfile]:
    """Return the profiles that are needed to know what the prompts showed."""
    if not any(_prints(one) for one in judges):
        return {}
    return DebateRepository(database).profiles(dict.fromkeys(one.debate_id for one in found))


def _diagnosis(
    stored: StoredJudge, found: Sequence[FoundJudgement], profiles: Mapping[str, OpinionProfile]
) -> Diagnosis:
    rule = DecisionRule(
        float(stored.settings.get("threshold", 0.5)),
        float(stored.settings.get("abstention", 0.0)),
        bool(stored.settings.get("strict", False)),
    )
    judge = _printing(stored)
    cases = []
    for one in found:
        visible = judge.visible_numbers(profiles[one.debate_id]) if judge is not None else ()
        said = one.judgement
        scores = [part.score for part in said.parts] if said.parts else [said.score]
        cases += [DiagnosedCase(score, visible) for score in scores if score is not None]
    return diagnosis(cases, rule)


def _prints(stored: StoredJudge) -> bool:
    return stored.family is Family.LLM and stored.settings.get("score_mode") == ScoreMode.PRINTED


def _printing(stored: StoredJudge) -> LlmJudge | None:
    """Return a language model that prints its scores, and so may copy them; None for any other judge."""
    if not _prints(stored):
        return None
    # Which numbers a prompt shows depends on the settings and not on the templates' words, so any will do.
    plain = {key: value for key, value in stored.settings.items() if key not in {"prompts", "prompt_hash"}}
    return llm_judge_of(plain, _any_prompts())


@cache
def _any_prompts() -> PromptSet:
    return load_prompts()


def _stored(repository: JudgementRepository, judge: str) -> StoredJudge:
    for one in repository.judges():
        if one.id == judge:
            return one
    raise MootError(f"No judge {judge!r} is in this database.")


def _without_example(stored: StoredJudge) -> str:
    return settings_id({**stored.settings, "example": None})


__all__ = ["diagnose", "diagnose_all", "example_effect"]
