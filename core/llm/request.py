"""What is asked of a language model, and what comes back: values, each request with a key of its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

from core.errors import InvalidSetting
from core.llm.endpoint import KEY_PLACE, Endpoint, ResponseFormat
from core.secret_text import credential_in


class Role(StrEnum):
    """Who speaks in a chat."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"


@dataclass(frozen=True)
class Message:
    """One message of a chat."""

    role: Role
    text: str


@dataclass(frozen=True)
class Parameters:
    """How a model samples its reply. None leaves a parameter to the endpoint.

    Attributes:
        temperature: 0 or more.
        top_p: In (0, 1].
        seed: Asks for the same sample each time, where the endpoint knows how.
        max_tokens: The longest reply.
        top_logprobs: How many alternatives of the first token to report, 0 to 20.
        extra: Further fields of the request's body, as JSON text; "{}" for none.
    """

    temperature: float | None = 0.0
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int = 64
    top_logprobs: int = 0
    extra: str = "{}"

    def __post_init__(self) -> None:
        if self.temperature is not None and not 0.0 <= self.temperature <= 2.0:
            raise InvalidSetting(f"The temperature is {self.temperature}; it must lie in [0, 2].")
        if self.top_p is not None and not 0.0 < self.top_p <= 1.0:
            raise InvalidSetting(f"top_p is {self.top_p}; it must lie in (0, 1].")
        if self.max_tokens < 1:
            raise InvalidSetting(f"max_tokens is {self.max_tokens}; it must be at least 1.")
        if not 0 <= self.top_logprobs <= 20:
            raise InvalidSetting(f"top_logprobs is {self.top_logprobs}; it must lie in 0 to 20.")
        for name in ("temperature", "top_p"):  # 1 and 1.0 are the same, so they must make the same key
            value = getattr(self, name)
            object.__setattr__(self, name, None if value is None else float(value))
        object.__setattr__(self, "extra", canonical(self.extra_fields))

    @property
    def extra_fields(self) -> dict[str, Any]:
        """Return the further fields.

        Raises:
            InvalidSetting: If they are no JSON object.
        """
        try:
            values = json.loads(self.extra)
        except ValueError as error:
            raise InvalidSetting(f"The extra fields {self.extra!r} are not JSON.") from error
        if not isinstance(values, dict):
            raise InvalidSetting(f"The extra fields {self.extra!r} are no JSON object.")
        credential = credential_in(values)
        if credential is not None:
            raise InvalidSetting(
                f"The extra field {credential[:40]!r} is a credential or holds one, which Moot stores nowhere; "
                f"{KEY_PLACE}."
            )
        return values

    def to_json(self) -> dict[str, Any]:
        """Return what is set, as plain JSON values."""
        plain = {
            "temperature": self.temperature,
            "top_p": self.top_p,
            "seed": self.seed,
            "max_tokens": self.max_tokens,
            "top_logprobs": self.top_logprobs or None,
            "extra": self.extra_fields or None,
        }
        return {name: value for name, value in plain.items() if value is not None}


@dataclass(frozen=True)
class ChatRequest:
    """One call. Equal requests have equal keys, and a stored reply is used instead of a second call.

    Attributes:
        endpoint: Where to; only its name and address are part of the key.
        model: The name asked for; the reply says who answered.
        messages: In order.
        parameters: How to sample.
        schema: A JSON schema of the reply, as text; empty for a free text.
        sample: Tells apart several samples of the same question, from 0.
    """

    endpoint: Endpoint
    model: str
    messages: tuple[Message, ...]
    parameters: Parameters = field(default_factory=Parameters)
    schema: str = ""
    sample: int = 0

    @cached_property
    def key(self) -> str:
        """Return the SHA-256 of all that the reply depends on, as 64 hexadecimal digits."""
        return hashlib.sha256(canonical(self.to_json()).encode()).hexdigest()

    def to_json(self) -> dict[str, Any]:
        """Return what the key is made of, as plain JSON values."""
        return {
            "endpoint": self.endpoint.name,
            "base_url": self.endpoint.base_url,
            "model": self.model,
            "parameters": self.parameters.to_json(),
            "messages": [[message.role.value, message.text] for message in self.messages],
            "schema": self.schema,
            "sample": self.sample,
        }


@dataclass(frozen=True)
class ChatReply:
    """What came back.

    Attributes:
        text: The reply's text as it came; empty where there was none.
        model: Who answered, by the reply's own account.
        finish_reason: Why the reply ended: "stop", "length", "content_filter", ...
        refusal: The refusal, where the endpoint marks one.
        tokens_in, tokens_out, tokens_cached: As counted by the endpoint; None where it does not say. Cached tokens
            are part of tokens_in.
        seconds: From the first attempt to the last byte, retries included.
        format: The response format that the endpoint accepted.
        top: Alternatives of the first token with their natural log-probabilities.
    """

    text: str
    model: str
    finish_reason: str = "stop"
    refusal: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None
    tokens_cached: int | None = None
    seconds: float = 0.0
    format: ResponseFormat = ResponseFormat.PLAIN
    top: tuple[tuple[str, float], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """Return the reply as plain JSON values."""
        return {
            "text": self.text,
            "model": self.model,
            "finish_reason": self.finish_reason,
            "refusal": self.refusal,
            "tokens_in": self.tokens_in,
            "tokens_out": self.tokens_out,
            "tokens_cached": self.tokens_cached,
            "seconds": self.seconds,
            "format": self.format.value,
            "top": [list(pair) for pair in self.top],
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> ChatReply:
        """Return the reply that ``to_json`` wrote."""
        top = tuple((str(token), float(logprob)) for token, logprob in record.get("top") or ())
        return cls(**{**record, "format": ResponseFormat(record["format"]), "top": top})


def canonical(value: Any) -> str:
    """Return a JSON value as text that is equal for equal values."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


__all__ = ["ChatReply", "ChatRequest", "Message", "Parameters", "Role", "canonical"]
