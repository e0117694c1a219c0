"""Judges on the bench: how each can be tested, and what is known of it without asking anybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from core.comparison.population import NONE
from core.diagnostics import FEWEST
from core.errors import InvalidSetting, MootError
from core.experiments.experiment import ANY_MODEL, Experiment, JudgeChoice
from core.experiments.source import Source
from core.judgement import DecisionRule, Judgement
from core.judges.llm_judge import LlmJudge
from core.judges.recorded_judge import RecordedJudge
from core.judges.registry import AnyJudge, Family, family_of, judge_id, judge_of, settings_id
from core.opinion import OpinionProfile
from core.perturbations.judge_edit import PromptFinder
from core.properties.calls import NOTHING, Known
from core.properties.check import measured
from core.properties.debate_set import DebateSet
from core.properties.discrimination import discrimination
from core.properties.known import check_known
from core.properties.outcomes import Outcomes
from core.properties.property import Property
from core.properties.result import NOT_ASKED, PropertyResult
from core.properties.trial import BASELINE
from core.strict_json import storable
from storage.database import Database
from storage.judge_catalogue import Candidate, candidates
from storage.judgement_repository import JudgementRepository, StoredJudge
from storage.prompt_files import find_prompts
from storage.property_coverage import Coverage
from storage.property_debates import debates_of
from storage.property_known import kin_key, known_answers
from storage.property_recorded import RECORDED, decided, recorded_said, recorded_variants
from storage.property_repository import PropertyRepository
from storage.run_repository import RunRepository

CANNOT_BE_ASKED = "its judgements came with the debates, so it cannot be asked again"
MOST_TRIED = 8  # stored language models of which it is seen how much of an experiment each has answered


@dataclass(frozen=True)
class Described:
    """A judge of which only the settings are there, such as a language model whose prompts are gone."""

    name: str
    described: Mapping[str, Any] = field(compare=False, hash=False)

    @property
    def rule(self) -> DecisionRule:
        """Return the rule in its settings."""
        keys = ("threshold", "abstention", "strict")
        return DecisionRule(**{key: self.described[key] for key in keys if key in self.described})

    def settings(self) -> dict[str, Any]:
        """Return the settings."""
        return dict(self.described)

    def judge(self, profile: OpinionProfile) -> Judgement:
        """Refuse to judge.

        Raises:
            InvalidSetting: Always.
        """
        raise InvalidSetting(f"{self.name} cannot be asked: what it was asked with is not in this database.")


@dataclass(frozen=True)
class Benched:
    """A judge to be tested.

    Attributes:
        id: Its id.
        name: What to call it.
        family: How it is grouped.
        judge: What judges.
        settings: Plain values.
        judged: How many judgements are stored.
        origin: What is to be said wherever its judgements are shown; empty for nothing.
    """

    id: str
    name: str
    family: str
    judge: AnyJudge | Described
    settings: Mapping[str, Any] = field(compare=False, hash=False)
    judged: int = 0
    origin: str = ""

    @property
    def model(self) -> LlmJudge | None:
        """Return the language model that can be asked, if it is one."""
        return self.judge if isinstance(self.judge, LlmJudge) else None

    @property
    def local(self) -> bool:
        """Return whether it judges here and now."""
        return not isinstance(self.judge, LlmJudge | RecordedJudge | Described)

    @classmethod
    def of(cls, judge: AnyJudge) -> Benched:
        """Return a judge that is not stored."""
        return cls(judge_id(judge), judge.name, family_of(judge).value, judge, judge.settings())


def benched(database: Database, known: Sequence[Candidate]) -> tuple[Benched, ...]:
    """Return candidates as judges to be tested, and the stored language models that have judged nothing yet."""
    stored = {one.id: one for one in JudgementRepository(database).judges()}
    prompts = cache(find_prompts)  # dozens of models have the same, and reading them takes a while
    found = [
        Benched(
            one.id,
            one.name,
            one.family,
            one.judge if one.judge is not None else _model(database, stored[one.id], prompts),
            one.settings,
            one.judged,
            one.origin,
        )
        for one in known
        if one.judge is not None or one.id in stored
    ]
    here = {one.id for one in found}
    found += [
        Benched(one.id, one.shown, one.family.value, _model(database, one, prompts), one.settings)
        for one in stored.values()
        if one.id not in here and one.family is Family.LLM
    ]
    return tuple(found)


def chosen(database: Database, experiment: Experiment) -> tuple[Benched, ...]:
    """Return the judges of an experiment, each once.

    Raises:
        MootError: If a stored judge is not here, or settings describe none.
    """
    found: dict[str, Benched] = {}
    known = benched(database, candidates(database))
    model = _stored_model(database, experiment, known)
    for place, choice in enumerate(experiment.judges, 1):
        try:
            for one in _of_choice(database, choice, known, model):
                found.setdefault(one.id, one)
            if choice.stored == ANY_MODEL:  # beside it, those whose judgements came with the debates
                for settings in recorded_variants(database, choice.changes, experiment.dataset):
                    name = f"{settings['model']} as recorded, {settings['naming']}, {settings['stance']}"
                    judge = Described(name, settings)
                    kind = Family.RECORDED.value
                    found.setdefault(settings_id(settings), Benched(settings_id(settings), name, kind, judge, settings))
        except MootError as error:
            raise InvalidSetting(f"Judge {place} of the experiment ({choice.words}): {error}") from error
    return tuple(found.values())


def known_outcomes(database: Database, one: Benched, debates: DebateSet) -> Outcomes:
    """Return what is stored of a judge that does not judge here: recorded judgements, or those of runs."""
    if isinstance(one.judge, Described) and RECORDED in one.settings:
        variant = recorded_said(database, one.settings)
        return Outcomes.of(variant.get(name) for name in debates.ids)
    with database.read() as cursor:
        if isinstance(one.judge, RecordedJudge):
            rows = cursor.execute(
                "SELECT d.id, r.score, r.verdict, r.status FROM recorded_judgement AS r JOIN debate AS d "
                "ON d.number = r.debate WHERE r.judge = ? AND r.kind = ?",
                [storable(one.judge.judge), storable(one.judge.kind)],
            ).fetchall()
        else:
            rows = cursor.execute(
                "SELECT j.debate_id, j.score, j.verdict, j.status FROM judgement AS j JOIN debate AS d "
                "ON d.id = j.debate_id AND d.dataset_id = j.dataset_id WHERE j.judge_id = ?",
                [one.id],
            ).fetchall()
    said = {name: decided(score, verdict, status) for name, score, verdict, status in rows}
    return Outcomes.of(said.get(name) for name in debates.ids)


def seen_whole(database: Database, one: Benched, result: PropertyResult) -> PropertyResult:
    """Return a result with what all stored judgements of its model tell, where the debates tested are too few to tell.

    A model that copies numbers on all the debates does so on the few that are tested.
    """
    if one.model is None or result.rate is None or result.judged >= FEWEST:
        return result
    debates = debates_of(database, Source())
    known = known_answers(database, (), one.model, debates)
    judged = [place for place, name in enumerate(debates.ids) if (BASELINE, name) in known]
    if len(judged) < FEWEST:
        return result
    some = debates.only(judged)
    said = Outcomes.of(known[BASELINE, name] for name in some.ids)
    return replace(result, discrimination=discrimination(one.model, some, said, one.model.rule))


def without_asking(
    tested: Property,
    one: Benched,
    debates: DebateSet,
    outcomes: Outcomes,
    seed: int = 0,
    tolerance: float | None = None,
    known: Known = NOTHING,
) -> PropertyResult:
    """Return what stored judgements alone say of a property.

    Of one of single judgements that is all; of others as much as is ``known`` of what its trials ask.
    """
    note = ""
    if tested.needs_trials:
        if one.model is not None:
            said = check_known(tested, one.model, debates, known, seed=seed, tolerance=tolerance)
            if said is not None:
                return replace(said, origin=one.origin)
        note = NOT_ASKED if one.model is not None else CANNOT_BE_ASKED
    found = measured(
        tested,
        one.judge,
        debates,
        outcomes,
        (),
        (),
        seed=seed,
        tolerance=tolerance,
        note=note,
    )
    judged = int((outcomes.statuses != NONE).sum())
    if not note and found.rate is not None and judged < len(debates):
        note = f"only on {judged:,} of {len(debates):,} debates, those that it judged"
        found = replace(found, note=note)
    return replace(found, origin=one.origin)


def _model(database: Database, stored: StoredJudge, prompts: PromptFinder) -> AnyJudge | Described:
    """Return a stored judge with its prompts: those it was stored with, or else the present ones if they are the same.

    Judgements that were made elsewhere come without prompts.
    """
    endpoints = RunRepository(database).known_endpoints()
    try:
        return JudgementRepository(database).judge(stored.id, endpoints)
    except MootError:
        pass
    try:
        return judge_of(stored.settings, prompts, endpoints)
    except MootError:
        return Described(stored.name, stored.settings)


def _of_choice(
    database: Database, choice: JudgeChoice, listed: Sequence[Benched], model: Benched | None
) -> list[Benched]:
    if not choice.stored:
        judge = judge_of(choice.settings, find_prompts, RunRepository(database).known_endpoints())
        return [next((one for one in listed if one.id == judge_id(judge)), Benched.of(judge))]
    if choice.stored == ANY_MODEL:
        return [] if model is None else _changed(database, model, choice, listed)
    named = [one for one in listed if choice.stored in (one.id, one.name, getattr(one.judge, "name", ""))]
    if not named:
        raise MootError(f"No judge {choice.stored!r} is in this database.")
    return _changed(database, named[0], choice, listed)


def _changed(database: Database, base: Benched, choice: JudgeChoice, listed: Sequence[Benched]) -> list[Benched]:
    if not choice.changes:
        return [base]
    changed = {**base.settings, **choice.changes}
    same = [one for one in listed if one.id == settings_id(changed)]
    if same:
        return same
    made = Benched.of(judge_of(changed, find_prompts, RunRepository(database).known_endpoints()))
    return [replace(made, origin=base.origin)] if changed.get("model") == base.settings.get("model") else [made]


def _stored_model(database: Database, experiment: Experiment, listed: Sequence[Benched]) -> Benched | None:
    """Return the language model that has answered most of what an experiment asks; None if none is stored.

    Where several have, it is the one with the most judgements, and of these the one that is asked in the plainest way.
    """
    choices = [choice for choice in experiment.judges if choice.stored == ANY_MODEL]
    models = [one for one in listed if one.model is not None]
    if not choices or not models:
        return None
    asked = Counter[object]()
    for one in models:
        asked[one.settings.get("model")] += one.judged
    models.sort(key=lambda one: (one.judged, asked[one.settings.get("model")], _plain(one.settings)), reverse=True)
    there = {kin_key(one.settings) for one in models if one.judged}
    tested = set(PropertyRepository(database).tested_judges())
    alike: dict[object, Benched] = {}
    for one in models:
        keys = tuple(kin_key({**one.settings, **choice.changes}) for choice in choices)
        ids = {settings_id({**one.settings, **choice.changes}) for choice in choices}
        if not (there.isdisjoint(keys) and tested.isdisjoint(ids)):
            alike.setdefault(keys, one)
    firsts = {one.settings.get("model"): one for one in reversed(alike.values())}
    tried = sorted(alike.values(), key=lambda one: firsts[one.settings.get("model")] is not one)[:MOST_TRIED]
    if len(tried) < 2 or experiment.simulation is not None:
        return models[0]
    coverage = Coverage(database, experiment)
    best, most = models[0], -1
    for one in tried:
        try:
            judges = [made for choice in choices for made in _changed(database, one, choice, listed)]
        except MootError:  # it does not exist with these changes
            continue
        count = coverage.of({made.id: made.model for made in judges if made.model is not None})
        if count > most:
            best, most = one, count
        if most >= coverage.most * len({made.id for made in judges}):
            break  # all of it
    return best


def _plain(settings: Mapping[str, Any]) -> tuple[bool, ...]:
    return (
        settings.get("evidence") == "debate",
        settings.get("order") is None,
        settings.get("repeats") == 1,
        settings.get("example") is None,
        settings.get("score_mode") == "printed",
        settings.get("stance") == "prior",
        settings.get("naming") == "named",
    )


__all__ = [
    "CANNOT_BE_ASKED", "NOT_ASKED", "Benched", "Described", "benched", "chosen", "known_outcomes", "seen_whole",
    "without_asking",
]  # fmt: skip
