"""Every family of judges: a judge from its settings, its settings' hash as a stable id, and named groups of judges."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any

from core.errors import InvalidSetting
from core.judgement import DecisionRule
from core.judges.framing import Setting, StanceVariant
from core.judges.llm_judge import Evidence, LlmJudge, Naming, ScoreMode
from core.judges.llm_settings import llm_judge_of
from core.judges.recorded_judge import RecordedJudge
from core.judges.semantics_judge import SemanticsJudge
from core.judges.votes import MajorityVote, MeanStance
from core.judges.weighted_vote import WeightedVote
from core.llm.endpoint import ENDPOINTS, Endpoint
from core.llm.prompts import PromptSet
from core.llm.request import canonical
from core.semantics import SEMANTICS

ID_LENGTH = 12  # hexadecimal digits
MOST_VARIED = 500  # judges that one definition may come to
TOO_MANY = f"This definition comes to more than {MOST_VARIED} judges."

AnyJudge = SemanticsJudge | MajorityVote | MeanStance | WeightedVote | LlmJudge | RecordedJudge
PromptFinder = Callable[[str, str | None], PromptSet]  # by name, and by hash where that is given


class Family(StrEnum):
    """Kinds of judges, as they are grouped on screen."""

    SEMANTICS = "semantics"
    VOTE = "vote"
    LLM = "llm"
    HUMAN = "human"
    RECORDED = "recorded"


def family_of(judge: AnyJudge) -> Family:
    """Return a judge's family."""
    match judge:
        case SemanticsJudge():
            return Family.SEMANTICS
        case LlmJudge():
            return Family.LLM
        case RecordedJudge():
            return Family.HUMAN if judge.kind == "human" else Family.RECORDED
        case _:
            return Family.VOTE


def judge_id(judge: AnyJudge) -> str:
    """Return a stable id: a hash of the settings, so that equal judges have equal ids in every database."""
    return settings_id(judge.settings())


def settings_id(settings: Mapping[str, Any]) -> str:
    """Return the id of the judge with these settings, as ``settings`` returned them; 1 and 1.0 are the same."""
    return hashlib.sha256(canonical(_even(settings)).encode()).hexdigest()[:ID_LENGTH]


def judge_of(
    settings: Mapping[str, Any], prompts: PromptFinder, endpoints: Mapping[str, Endpoint] = ENDPOINTS
) -> AnyJudge:
    """Return the judge with these settings.

    Args:
        settings: Plain values with a ``kind``; what is absent takes its default.
        prompts: Finds the templates of an LLM judge.
        endpoints: Endpoints that LLM judges may name.

    Raises:
        InvalidSetting: If the kind is unknown or a value is not one it can have.
    """
    kind = settings.get("kind")
    match kind:
        case "semantics":
            _refuse_unknown(settings, set(SemanticsJudge().settings()))
            return SemanticsJudge.from_settings(settings)
        case "majority vote":
            _refuse_unknown(settings, set(MajorityVote().settings()))
            return MajorityVote(_rule(settings))
        case "mean stance":
            _refuse_unknown(settings, set(MeanStance().settings()))
            return MeanStance(_rule(settings))
        case "weighted vote":
            _refuse_unknown(settings, set(WeightedVote().settings()))
            weights = settings.get("weights") or {}
            if not isinstance(weights, Mapping):
                raise InvalidSetting("The weights of a weighted vote are a mapping from agent to number.")
            return WeightedVote.from_weights({str(agent): weight for agent, weight in weights.items()}, _rule(settings))
        case "llm":
            name, digest = str(settings.get("prompts", "standard")), settings.get("prompt_hash")
            return llm_judge_of(settings, prompts(name, digest), endpoints)
        case "recorded" | "human":
            return RecordedJudge.from_settings(settings)
    kinds = "semantics, majority vote, mean stance, weighted vote, llm, human"
    raise InvalidSetting(f"There is no kind of judge {kind!r}; there are {kinds}.")


def judges_of(
    definition: object, prompts: PromptFinder, endpoints: Mapping[str, Endpoint] = ENDPOINTS
) -> tuple[AnyJudge, ...]:
    """Return the judges that a definition comes to, each once.

    Args:
        definition: Settings; or a list of them; or a mapping with ``judges`` and optionally ``endpoints``. Settings may
            hold ``vary``: lists of values by setting, of which every combination is one judge.
        prompts, endpoints: As for ``judge_of``; endpoints of the definition come first.

    Raises:
        InvalidSetting: If it is none of these, or comes to too many judges.
    """
    if isinstance(definition, Mapping) and "judges" in definition:
        own = definition.get("endpoints") or ()
        if not isinstance(own, Sequence) or isinstance(own, str):
            raise InvalidSetting("The endpoints of a definition are a list.")
        added = [Endpoint.from_json(record) for record in own]
        return judges_of(definition["judges"], prompts, {**endpoints, **{one.name: one for one in added}})
    listed = definition if isinstance(definition, (list, tuple)) else [definition]
    found: dict[str, AnyJudge] = {}
    for settings in listed:
        if not isinstance(settings, Mapping):
            raise InvalidSetting("A judge is a mapping of settings, such as kind: llm and model: gpt-4o.")
        for one in _varied(settings):
            judge = judge_of(one, prompts, endpoints)
            found[judge_id(judge)] = judge
            if len(found) > MOST_VARIED:
                raise InvalidSetting(TOO_MANY)
    return tuple(found.values())


def semantics_judges() -> tuple[SemanticsJudge, ...]:
    """Return every registered semantics in each setting and stance variant of the paper."""
    return tuple(
        SemanticsJudge(semantics=key, setting=setting, variant=variant)
        for key in SEMANTICS
        for setting in Setting
        for variant in (StanceVariant.NONE, StanceVariant.PRIOR)
    )


def votes() -> tuple[AnyJudge, ...]:
    """Return the votes."""
    return (MajorityVote(), MeanStance(), WeightedVote())


def llm_variants(base: LlmJudge) -> tuple[LlmJudge, ...]:
    """Return a judge in every combination of naming and stance variant."""
    return tuple(
        replace(base, evidence=Evidence.DEBATE, naming=naming, stance=stance)
        for naming in Naming
        for stance in StanceVariant
    )


def presets(base: LlmJudge | None) -> dict[str, tuple[AnyJudge, ...]]:
    """Return named groups of judges to start from.

    Args:
        base: Names the model, its endpoint and prompts; None leaves out the groups that need one.
    """
    groups: dict[str, tuple[AnyJudge, ...]] = {"all-semantics": semantics_judges(), "votes": votes()}
    if base is None:
        return groups
    printed = replace(base, score_mode=ScoreMode.PRINTED)
    variants = llm_variants(printed)
    best = tuple(
        SemanticsJudge(semantics=key, variant=StanceVariant.PRIOR) for key in ("df-quad", "qe") if key in SEMANTICS
    )
    prior = replace(printed, stance=StanceVariant.PRIOR)
    return {
        "llm-vs-semantics": (prior, replace(prior, naming=Naming.ANONYMISED), *best),
        **groups,
        "llm-printed": variants,
        "llm-log-probability": tuple(
            replace(judge, score_mode=ScoreMode.LOG_PROBABILITY, reasoning=False) for judge in variants
        ),
        "named-vs-anonymised": tuple(replace(prior, naming=naming) for naming in Naming),
        "prior-vs-posterior-vs-none": tuple(replace(printed, stance=stance) for stance in StanceVariant),
        "claim-alone": tuple(
            replace(printed, evidence=Evidence.CLAIM, score_mode=mode, reasoning=False) for mode in ScoreMode
        ),
    }


def _even(value: Any) -> Any:
    """Return a JSON value in which whole numbers are integers, however they were written."""
    if isinstance(value, Mapping):
        return {key: _even(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [_even(entry) for entry in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _varied(settings: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    fixed = {key: value for key, value in settings.items() if key != "vary"}
    vary = settings.get("vary") or {}
    if not isinstance(vary, Mapping) or not all(isinstance(values, list) for values in vary.values()):
        raise InvalidSetting("What varies is a mapping from settings to lists of values.")
    if math.prod(map(len, vary.values())) > MOST_VARIED:
        raise InvalidSetting(TOO_MANY)  # before they are made: lists of some thousand values would take for ever
    for values in itertools.product(*vary.values()):
        yield {**fixed, **dict(zip(vary, values, strict=True))}


def _rule(settings: Mapping[str, Any]) -> DecisionRule:
    try:
        return DecisionRule(**{key: settings[key] for key in ("threshold", "abstention", "strict") if key in settings})
    except TypeError as error:
        raise InvalidSetting(f"This is no decision rule: {error}.") from error


def _refuse_unknown(settings: Mapping[str, Any], known: set[str]) -> None:
    unknown = set(settings) - known
    if unknown:
        first = min(unknown, key=str)  # a name may be a number in YAML
        raise InvalidSetting(f"A judge of the kind {settings.get('kind')!r} has no setting {first!r}.")


__all__ = ["AnyJudge", "Family", "family_of", "judge_id", "judge_of", "judges_of", "presets"]
