"""What language models said before of the very questions that a test asks, in place of calls.

A trial that changes the judge asks another judge about the debate as recorded; one that changes the order of the agents
asks the judge with that order; a repeat is one of the samples of a judge that asks several times. Judgements of all of
these may be stored.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from core.errors import MootError
from core.judgement import JudgementStatus
from core.judges.llm_judge import Evidence, LlmJudge
from core.judges.registry import Family, settings_id
from core.llm.request import ChatRequest
from core.overview import Scored
from core.perturbations.agents import AgentOrder
from core.properties.calls import Known, one_repeat
from core.properties.debate_set import DebateSet, seed_of
from core.properties.judging import judge_under, profile_under
from core.properties.property import Property
from core.properties.trial import BASELINE, Trial
from storage.database import Database
from storage.judgement_repository import JudgementRepository
from storage.judgement_rows import FoundJudgement
from storage.prompt_files import find_prompts
from storage.reply_repository import ReplyRepository


def known_answers(
    database: Database,
    properties: Iterable[Property],
    judge: LlmJudge,
    debates: DebateSet,
    seed: int = 0,
    *,
    replies: bool = False,
) -> Known:
    """Return what is stored of the answers that tests of properties need, by trial and debate.

    Args:
        database: Where judgements are.
        properties: To be tested.
        judge: The language model.
        debates: On which.
        seed: Of everything that is drawn.
        replies: Whether stored replies to the same requests are looked for too, which writes every prompt.
    """
    kin = _Kin(database)
    repeats: dict[Trial, int] = {}
    for trial in (BASELINE, *(trial for tested in properties for trial in tested.trials(judge))):
        question = replace(trial, repeat=0)
        repeats[question] = max(repeats.get(question, 0), trial.repeat + 1)
    found: dict[tuple[Trial, str], Scored] = {}
    for question, count in repeats.items():
        for asked, places in _as_judges(question, judge, debates, seed, kin):
            names = {debates.ids[place]: place for place in places}
            for name, answers in kin.answers(asked, list(names), count).items():
                if question.profile is None or _same(question, judge, asked, debates, names[name], seed):
                    found |= {(replace(question, repeat=place), name): said for place, said in enumerate(answers)}
    return {**_replied(database, repeats, judge, debates, seed), **found} if replies else found


def _replied(
    database: Database, repeats: Mapping[Trial, int], judge: LlmJudge, debates: DebateSet, seed: int
) -> dict[tuple[Trial, str], Scored]:
    """Return what stored replies come to, by trial and debate; a question that lacks one is left out."""
    asked: dict[tuple[Trial, str], tuple[LlmJudge, tuple[ChatRequest, ...]]] = {}
    for question, count in repeats.items():
        for place, name in enumerate(debates.ids):
            try:
                changed = judge_under(question, judge, find_prompts)
                if isinstance(changed, LlmJudge):
                    many = replace(changed, repeats=changed.repeats * count)
                    loaded = profile_under(question, debates.load(place), name, seed)
                    asked[question, name] = many, many.requests(*loaded)
            except MootError:  # the trial does not fit the debate
                continue
    keys = [request.key for _, requests in asked.values() for request in requests]
    facts = ReplyRepository(database).facts(keys)
    found = {}
    for (question, name), (many, requests) in asked.items():
        there = list(itertools.takewhile(lambda request: request.key in facts, requests))
        count = len(there) // judge.repeats
        said = many.judgement([facts[request.key][0] for request in there[: count * judge.repeats]])
        for place in range(count):
            found[replace(question, repeat=place), name] = one_repeat(said, judge, place, count)
    return found


class _Kin:
    """Stored language models, by their settings without the number of repeats."""

    def __init__(self, database: Database) -> None:
        self._repository = JudgementRepository(database)
        self._by_key: dict[str, list[tuple[int, str]]] = {}
        for one in self._repository.judges():
            if one.family is Family.LLM and one.judgement_count:
                repeats = int(one.settings.get("repeats", 1))
                self._by_key.setdefault(kin_key(one.settings), []).append((repeats, one.id))
        self._said: dict[str, dict[str, FoundJudgement]] = {}

    def __contains__(self, judge: LlmJudge) -> bool:
        return kin_key(judge.settings()) in self._by_key

    def answers(self, judge: LlmJudge, debates: Sequence[str], repeats: int) -> dict[str, list[Scored]]:
        """Return the first so many answers about each debate, or as many as there are, all of one judgement."""
        found: dict[str, list[Scored]] = {}
        kin = sorted(self._by_key.get(kin_key(judge.settings()), ()))  # the fewest repeats that are enough count
        for asked, name in kin:
            times, rest = divmod(asked, judge.repeats)
            if rest or not times:
                continue
            said = self._on(name, debates)
            for debate in debates:
                if debate in said and len(found.get(debate, ())) < repeats:
                    whole = said[debate].judgement
                    there = [one_repeat(whole, judge, place, times) for place in range(min(times, repeats))]
                    if all(one.status is not JudgementStatus.ERROR for one in there):  # else there was no reply
                        found[debate] = there
        return found

    def _on(self, judge: str, debates: Sequence[str]) -> Mapping[str, FoundJudgement]:
        if judge not in self._said:
            self._said[judge] = {one.debate_id: one for one in self._repository.by_judge(judge)}
        return self._said[judge]


def _as_judges(
    question: Trial, judge: LlmJudge, debates: DebateSet, seed: int, kin: _Kin
) -> list[tuple[LlmJudge, list[int]]]:
    """Return which judges, asked about which debates as recorded, answer a question; only judges that are stored."""
    try:
        asked = judge_under(question, judge, find_prompts)
    except MootError:
        return []
    if not isinstance(asked, LlmJudge):
        return []
    order = question.profile
    if order is None:
        return [(asked, list(range(len(debates))))] if asked in kin else []
    if not isinstance(order, AgentOrder) or asked.order is not None or asked.evidence is not Evidence.DEBATE:
        return []
    groups: dict[tuple[int, ...], list[int]] = {}
    for place, agents in enumerate(np.diff(debates.arrays.stance_starts).tolist()):
        own = seed_of(seed, question.sample, debates.ids[place])
        groups.setdefault(order.places(agents, own), []).append(place)
    found = []
    for places, where in groups.items():
        ordered = asked if places == tuple(range(len(places))) else replace(asked, order=places)
        if ordered in kin:
            found.append((ordered, where))
    return found


def _same(question: Trial, judge: LlmJudge, ordered: LlmJudge, debates: DebateSet, place: int, seed: int) -> bool:
    """Return whether a judge with an order is told the same as one without about the profile in that order."""
    loaded = debates.load(place)
    try:
        asked = judge_under(question, judge, find_prompts)
        if not isinstance(asked, LlmJudge):
            return False
        turned = profile_under(question, loaded, debates.ids[place], seed)
        return asked.requests(*turned)[0].messages == ordered.requests(*loaded)[0].messages
    except MootError:
        return False


def kin_key(settings: Mapping[str, Any]) -> str:
    """Return a text that is the same for judges which differ in nothing but how often they ask."""
    return settings_id({name: value for name, value in settings.items() if name != "repeats"})


__all__ = ["kin_key", "known_answers"]
