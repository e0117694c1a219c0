"""An LLM judge from settings that people write, each fault named."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from core.errors import InvalidSetting
from core.judgement import DecisionRule
from core.judges.framing import StanceVariant
from core.judges.llm_judge import Evidence, LlmJudge, Naming, ScoreMode
from core.llm.circumstances import PromptProtocol
from core.llm.endpoint import ENDPOINTS, Endpoint
from core.llm.prompts import PromptSet
from core.llm.record import Order
from core.llm.request import canonical

SETTINGS = frozenset(
    {
        "kind", "endpoint", "model", "evidence", "naming", "stance", "protocol", "score_mode", "reasoning", "example",
        "temperature", "top_p", "seed", "max_tokens", "extra", "order", "repeats", "prompts", "prompt_hash",
        "threshold", "abstention", "strict",
    }
)  # fmt: skip


def llm_judge_of(
    settings: Mapping[str, Any], prompts: PromptSet, endpoints: Mapping[str, Endpoint] = ENDPOINTS
) -> LlmJudge:
    """Return the judge that ``settings`` described; what is absent takes its default.

    Args:
        settings: Plain values. ``endpoint`` is an endpoint's name, or a mapping with name, address and manners.
        prompts: The templates to use.
        endpoints: Endpoints that may be meant by name; a mapping with name and address only takes their manners.

    Raises:
        InvalidSetting: If a value is unknown or of the wrong kind, or the prompts are not those of the settings.
    """
    unknown = set(settings) - SETTINGS
    if unknown:
        raise InvalidSetting(f"An LLM judge has no setting {min(unknown, key=str)!r}.")
    if settings.get("prompt_hash") not in (None, prompts.hash):
        raise InvalidSetting(
            f"The prompt templates {prompts.name!r} are not those that this judge was defined with; "
            "leave prompt_hash out to judge with the present ones, as another judge."
        )
    choices = {
        "evidence": Evidence,
        "naming": Naming,
        "stance": StanceVariant,
        "protocol": PromptProtocol,
        "score_mode": ScoreMode,
    }
    plain = ("reasoning", "example", "temperature", "top_p", "seed", "max_tokens", "repeats")
    try:
        values: dict[str, Any] = {key: settings[key] for key in plain if key in settings}
        values |= {key: choice(settings[key]) for key, choice in choices.items() if key in settings}
        if "extra" in settings:
            values["extra"] = canonical(settings["extra"])
        if settings.get("order") is not None:
            values["order"] = _order(settings["order"])
        _check_kinds(values)
        rule = {key: settings[key] for key in ("threshold", "abstention", "strict") if key in settings}
        return LlmJudge(
            _endpoint(settings.get("endpoint", "openai"), endpoints),
            str(settings["model"]),
            prompts,
            **values,
            rule=DecisionRule(**rule),
        )
    except InvalidSetting:
        raise
    except KeyError as error:
        raise InvalidSetting("An LLM judge needs a model's name.") from error
    except (TypeError, ValueError) as error:
        raise InvalidSetting(f"These are not settings of an LLM judge: {error}.") from error


def _endpoint(value: object, endpoints: Mapping[str, Endpoint]) -> Endpoint:
    if isinstance(value, str):
        if value not in endpoints:
            raise InvalidSetting(f"There is no endpoint {value!r}; there are {', '.join(endpoints)}.")
        return endpoints[value]
    if not isinstance(value, Mapping):
        raise InvalidSetting("An endpoint is a name, or a mapping with name and base_url.")
    known = endpoints.get(str(value.get("name")))
    if known is not None and set(value) <= {"name", "base_url"} and value.get("base_url") == known.base_url:
        return known
    return Endpoint.from_json(value)


def _order(value: object) -> Order:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, (list, tuple)) and all(
        isinstance(place, int) and not isinstance(place, bool) for place in value
    ):
        return tuple(value)
    raise InvalidSetting(
        f"The agent order is {value!r}; it must be a whole number as seed, or a list of places from 0."
    )


def _check_kinds(values: Mapping[str, Any]) -> None:
    for name in ("seed", "max_tokens", "repeats"):
        value = values.get(name)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
            raise InvalidSetting(f"The setting {name!r} is {value!r}; it must be a whole number.")
    for name in ("temperature", "top_p"):
        value = values.get(name)
        # A comparison and not isfinite, which fails on an integer that no float can hold.
        if value is not None and (
            isinstance(value, bool) or not isinstance(value, (int, float)) or not -math.inf < value < math.inf
        ):
            raise InvalidSetting(f"The setting {name!r} is {value!r}; it must be a number.")
    if not isinstance(values.get("reasoning", False), bool):
        raise InvalidSetting(f"The setting 'reasoning' is {values['reasoning']!r}; it must be true or false.")


__all__ = ["SETTINGS", "llm_judge_of"]
