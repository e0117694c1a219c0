"""Debates with stored judgements of a language model's judges, for the pages that compare judges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from core.debate import Debate
from core.judgement import DecisionRule, Judgement, JudgementStatus
from core.judges.framing import StanceVariant
from core.judges.llm_judge import LlmJudge
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.judgement_repository import JudgementRepository
from storage.judgement_rows import KeptJudgement
from tests.llm.judging import a_judge
from tests.pages.conftest import zoo

# By id: base score of the pro, of the con, the label. DF-QuAD on 0.5 gives 0.5 + 0.5 (pro - con).
FIVE = {
    "one": (0.8, 0.6, True),  # 0.60, True
    "two": (0.2, 0.9, True),  # 0.15, False
    "three": (0.7, 0.1, False),  # 0.80, True
    "four": (0.1, 0.5, False),  # 0.30, False
    "five": (0.5, 0.4, None),  # 0.55, True
}
SAID = {"one": 0.9, "two": 0.8, "three": 0.2, "four": 0.7, "five": 0.6}  # right on one, two and three
NAMED = replace(a_judge(), stance=StanceVariant.PRIOR)


def five_debates() -> tuple[Debate, ...]:
    """Return debates on which DF-QuAD and the language model differ on two, three and four."""
    made = []
    for name, (pro, con, label) in FIVE.items():
        base = zoo(name, claim=f"Claim {name} holds.")
        arguments = tuple(
            replace(argument, base_score=score)
            for argument, score in zip(base.rounds[0].arguments, (pro, con), strict=True)
        )
        made.append(replace(base, label=label, rounds=(replace(base.rounds[0], arguments=arguments),), tags=(name,)))
    return tuple(made)


def keep(path: Path, judge: LlmJudge, said: Mapping[str, Sequence[float] | float | None], origin: str = "") -> str:
    """Store what a judge said: a score, several repeats, or None for a call that failed; return the judge's id."""
    with Database.open(path) as database:
        repository = JudgementRepository(database)
        name = repository.define(judge)
        dataset = DebateRepository(database).datasets()[0].id
        repository.keep(
            KeptJudgement(name, dataset, debate, _judgement(judge, score), origin=origin)
            for debate, score in said.items()
        )
    return name


def _judgement(judge: LlmJudge, said: Sequence[float] | float | None) -> Judgement:
    if said is None:
        return Judgement(judge.name, None, None, JudgementStatus.ERROR, explanation="No reply came.")
    if isinstance(said, (int, float)):
        return Judgement(judge.name, said, DecisionRule().verdict(said), explanation=f"Because of {said:.2f}.")
    parts = tuple(
        Judgement(f"repeat {place}", score, DecisionRule().verdict(score)) for place, score in enumerate(said, 1)
    )
    score = sum(said) / len(said)
    return Judgement(judge.name, score, DecisionRule().verdict(score), explanation="The mean.", parts=parts)
