"""Judges on the bench: how each can be tested, and what is known of it without asking anybody."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.errors import InvalidSetting, MootError
from core.experiments.experiment import ANY_MODEL, Experiment, JudgeChoice
from core.judgement import DecisionRule, Judgement, JudgementStatus, Verdict
from core.judges.llm_judge import LlmJudge
from core.judges.recorded_judge import RecordedJudge
from core.judges.registry import AnyJudge, Family, family_of, judge_id, judge_of, settings_id
from core.opinion import OpinionProfile
from core.overview import Scored
from core.properties.check import measured
from core.properties.debate_set import DebateSet
from core.properties.outcomes import Outcomes
from core.properties.property import Property
from core.properties.result import PropertyResult
from core.strict_json import storable
from storage.database import Database
from storage.judge_catalogue import Candidate, candidates
from storage.judgement_repository import JudgementRepository, StoredJudge
from storage.prompt_files import find_prompts
from storage.run_repository import RunRepository

CANNOT_BE_ASKED = "its judgements came with the debates, so it cannot be asked again"
NOT_ASKED = "not tested yet: the model has to be asked"


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
    found = [
        Benched(
            one.id,
            one.name,
            one.family,
            one.judge if one.judge is not None else _model(database, stored[one.id]),
            one.settings,
            one.judged,
            one.origin,
        )
        for one in known
        if one.judge is not None or one.id in stored
    ]
    here = {one.id for one in found}
    found += [
        Benched(one.id, one.shown, one.family.value, _model(database, one), one.settings)
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
    for place, choice in enumerate(experiment.judges, 1):
        try:
            for one in _of_choice(database, choice, known):
                found.setdefault(one.id, one)
        except MootError as error:
            raise InvalidSetting(f"Judge {place} of the experiment ({choice.words}): {error}") from error
    return tuple(found.values())


def known_outcomes(database: Database, one: Benched, debates: DebateSet) -> Outcomes:
    """Return what is stored of a judge that does not judge here: recorded judgements, or those of runs."""
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
    said = {
        name: Scored(score, Verdict(verdict) if verdict else None, JudgementStatus(status))
        for name, score, verdict, status in rows
    }
    return Outcomes.of(said.get(name) for name in debates.ids)


def without_asking(
    tested: Property,
    one: Benched,
    debates: DebateSet,
    outcomes: Outcomes,
    seed: int = 0,
    tolerance: float | None = None,
) -> PropertyResult:
    """Return what stored judgements alone say of a property: all of one of single judgements, nothing of others."""
    note = ""
    if tested.needs_trials:
        note = NOT_ASKED if one.model is not None else CANNOT_BE_ASKED
    return measured(
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


def _model(database: Database, stored: StoredJudge) -> AnyJudge | Described:
    """Return a stored judge with its prompts: those it was stored with, or else the present ones if they are the same.

    Judgements that were made elsewhere come without prompts.
    """
    endpoints = RunRepository(database).known_endpoints()
    try:
        return JudgementRepository(database).judge(stored.id, endpoints)
    except MootError:
        pass
    try:
        return judge_of(stored.settings, find_prompts, endpoints)
    except MootError:
        return Described(stored.name, stored.settings)


def _of_choice(database: Database, choice: JudgeChoice, known: Iterable[Benched]) -> list[Benched]:
    if not choice.stored:
        judge = judge_of(choice.settings, find_prompts, RunRepository(database).known_endpoints())
        return [next((one for one in known if one.id == judge_id(judge)), Benched.of(judge))]
    listed = list(known)
    if choice.stored == ANY_MODEL:
        models = [one for one in listed if one.model is not None]
        base = max(models, key=lambda one: (one.judged, _plain(one.settings)), default=None)
        if base is None:
            return []
    else:
        named = [one for one in listed if choice.stored in (one.id, one.name, getattr(one.judge, "name", ""))]
        if not named:
            raise MootError(f"No judge {choice.stored!r} is in this database.")
        base = named[0]
    if not choice.changes:
        return [base]
    changed = {**base.settings, **choice.changes}
    same = [one for one in listed if one.id == settings_id(changed)]
    if same:
        return same
    return [Benched.of(judge_of(changed, find_prompts, RunRepository(database).known_endpoints()))]


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
    "CANNOT_BE_ASKED", "NOT_ASKED", "Benched", "Described", "benched", "chosen", "known_outcomes", "without_asking",
]  # fmt: skip
