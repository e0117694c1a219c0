"""A debater to be: which model, asked where and how."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from core.errors import InvalidSetting
from core.llm.endpoint import ENDPOINTS, Endpoint
from core.llm.request import Parameters

LONGEST_NAME = 40
_NAME = re.compile(r"\w[\w .+-]*")  # it stands in prompts, and begins the ids of arguments
_FIELDS = ("name", "endpoint", "model", "temperature", "persona", "seed", "max_tokens", "extra")


@dataclass(frozen=True)
class AgentSpec:
    """An agent of debates that are still to be held.

    Attributes:
        name: Unique in a debate; letters, digits, blanks and ``. + - _``.
        endpoint, model: Whom to ask.
        temperature: In [0, 2]; None leaves it to the endpoint.
        persona: Who the agent is, in words that it is told; empty for nobody in particular.
        seed: Asks for the same sample each time, where the endpoint knows how.
        max_tokens: The longest reply; None takes what each step needs. Models that reason first need more.
        extra: Further fields of the request's body, as JSON text.

    Raises:
        InvalidSetting: If a value lies outside its range.
    """

    name: str
    endpoint: Endpoint
    model: str
    temperature: float | None = 0.0
    persona: str = ""
    seed: int | None = None
    max_tokens: int | None = None
    extra: str = "{}"

    def __post_init__(self) -> None:
        if len(self.name) > LONGEST_NAME or _NAME.fullmatch(self.name) is None:
            raise InvalidSetting(
                f"The agent's name {self.name[:80]!r} must have 1 to {LONGEST_NAME} letters, digits, blanks, "
                "or . + - _, such as A1."
            )
        if not self.model.strip():
            raise InvalidSetting(f"Agent {self.name!r} needs a model's name.")
        object.__setattr__(self, "persona", self.persona.strip())
        object.__setattr__(self, "extra", self.parameters(1).extra)

    def parameters(self, needed: int) -> Parameters:
        """Return how the model samples a reply that needs so many tokens."""
        return Parameters(self.temperature, None, self.seed, self.max_tokens or needed, 0, self.extra)

    @property
    def identity(self) -> tuple[object, ...]:
        """Return all that its replies depend on: agents that share it differ by name alone."""
        place = (self.endpoint.name, self.endpoint.base_url)
        return (*place, self.model, self.temperature, self.persona, self.seed, self.max_tokens, self.extra)

    def settings(self) -> dict[str, Any]:
        """Return the agent as plain JSON values; ``agent_of`` reads them."""
        return {
            "name": self.name,
            "endpoint": {"name": self.endpoint.name, "base_url": self.endpoint.base_url},
            "model": self.model,
            "temperature": self.temperature,
            "persona": self.persona,
            "seed": self.seed,
            "max_tokens": self.max_tokens,
            "extra": self.parameters(1).extra_fields,
        }


def agent_of(settings: Mapping[str, Any], endpoints: Mapping[str, Endpoint] = ENDPOINTS) -> AgentSpec:
    """Return the agent that settings describe; what is absent takes its default.

    Args:
        settings: As ``AgentSpec.settings`` returns them; the endpoint may also be a name or an address.
        endpoints: How endpoints are to be treated, by name.

    Raises:
        InvalidSetting: If they describe none.
    """
    if not isinstance(settings, Mapping):
        raise InvalidSetting("An agent is a mapping of settings, such as name: A1 and model: gpt-4o-mini.")
    unknown = [key for key in settings if key not in _FIELDS]
    if unknown:
        raise InvalidSetting(f"An agent has no setting {unknown[0]!r}; it has {', '.join(_FIELDS)}.")
    values = dict(settings)
    missing = [key for key in ("name", "model") if not isinstance(values.get(key), str)]
    if missing:
        raise InvalidSetting(f"An agent needs a {missing[0]}, as text.")
    extra = values.pop("extra", None) or {}
    if not isinstance(extra, Mapping):
        raise InvalidSetting(f"The extra fields of agent {values['name']!r} are no mapping.")
    values["extra"] = Parameters(extra=_text_of(extra)).extra
    values["endpoint"] = endpoint_of(values.get("endpoint", "openai"), endpoints)
    try:
        return AgentSpec(**values)
    except (TypeError, AttributeError) as error:
        raise InvalidSetting(f"Agent {values['name']!r} has a value of the wrong kind: {error}.") from error


def endpoint_of(given: object, endpoints: Mapping[str, Endpoint] = ENDPOINTS) -> Endpoint:
    """Return the endpoint that a name, an address or a mapping means.

    Raises:
        InvalidSetting: If it means none.
    """
    if isinstance(given, Mapping):
        known = endpoints.get(str(given.get("name")))
        if known is not None and known.base_url == str(given.get("base_url", known.base_url)).rstrip("/"):
            return known
        return Endpoint.from_json(given)
    if isinstance(given, str) and given in endpoints:
        return endpoints[given]
    if isinstance(given, str) and given.startswith(("http://", "https://")):
        return Endpoint(given.split("://", 1)[1].split("/", 1)[0], given)
    raise InvalidSetting(f"There is no endpoint {given!r}; name one of {', '.join(endpoints)}, or an address.")


def _text_of(extra: Mapping[str, Any]) -> str:
    try:
        return json.dumps(dict(extra))
    except (TypeError, ValueError) as error:
        raise InvalidSetting(f"The extra fields of an agent are not JSON: {error}.") from error


__all__ = ["AgentSpec", "agent_of", "endpoint_of"]
