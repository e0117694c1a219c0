"""Where language models are asked: an OpenAI-compatible address and how it likes to be treated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any
from urllib.parse import urlsplit

from core.errors import InvalidSetting
from core.secret_text import holds_secret

OPENAI_HOST = "api.openai.com"
OPENAI_KEY = "OPENAI_API_KEY"
KEY_PLACE = (
    "put the key into an environment variable and give that variable's name as the environment variable with its key, "
    "which is key_variable in a file"
)
VARIABLE = re.compile(r"[A-Z_][A-Z0-9_]*")  # of the environment, in capitals: so a key is never taken for one


class ResponseFormat(StrEnum):
    """How a reply's shape is asked for, the strictest first."""

    JSON_SCHEMA = "json_schema"
    JSON_OBJECT = "json_object"
    PLAIN = "plain"


@dataclass(frozen=True)
class Endpoint:
    """An OpenAI-compatible endpoint. Name and address are its identity; the rest is manners.

    Attributes:
        name: For people, and part of the key under which replies are kept.
        base_url: Up to and including ``/v1``; without user names, passwords or parameters.
        key_variable: The environment variable that holds the key, never the key itself; empty where none is needed.
            Unless given it is OPENAI_API_KEY for OpenAI's own address and nothing elsewhere, so that no key is sent to
            an address that nobody chose it for.
        timeout: Seconds for one attempt.
        retries: Attempts after the first, for rate limits, server errors and broken connections.
        concurrency: Calls under way at once.
        calls_per_minute: Calls begun per minute at most; None for no limit.
        formats: Response formats to try, in order.

    Raises:
        InvalidSetting: If a value is out of range, or the address would carry a secret.
    """

    name: str
    base_url: str
    key_variable: str | None = None
    timeout: float = 60.0
    retries: int = 4
    concurrency: int = 4
    calls_per_minute: float | None = None
    formats: tuple[ResponseFormat, ...] = tuple(ResponseFormat)

    def __post_init__(self) -> None:
        object.__setattr__(self, "base_url", self.base_url.rstrip("/"))
        object.__setattr__(self, "formats", tuple(ResponseFormat(name) for name in self.formats))
        address = urlsplit(self.base_url)
        if address.scheme not in {"http", "https"} or not address.hostname:
            raise InvalidSetting(
                f"Endpoint {self.name!r} has no web address; it needs one such as http://127.0.0.1:8411/v1."
            )
        if address.username or address.password or address.query or address.fragment:
            raise InvalidSetting(
                f"The address of endpoint {self.name!r} holds a user name, password or parameters; {KEY_PLACE}."
            )
        own = address.hostname == OPENAI_HOST and address.scheme == "https"  # never over an open line
        if self.key_variable is None:
            object.__setattr__(self, "key_variable", OPENAI_KEY if own else "")
        if not self.name.strip():
            raise InvalidSetting("An endpoint needs a name.")
        if holds_secret(self.name) or holds_secret(self.base_url):
            raise InvalidSetting(f"The name or address of an endpoint holds what looks like a key; {KEY_PLACE}.")
        if not self.formats:
            raise InvalidSetting(f"Endpoint {self.name!r} allows no response format; it needs at least 'plain'.")
        if self.key_variable and (VARIABLE.fullmatch(self.key_variable) is None or holds_secret(self.key_variable)):
            raise InvalidSetting(
                f"What endpoint {self.name!r} gives as the environment variable with its key (key_variable) is no name "
                "of one; it must be a name such as OPENAI_API_KEY, and not the key."
            )
        for what, value, least in (
            ("timeout", self.timeout, 0.001),
            ("number of retries", self.retries, 0),
            ("concurrency", self.concurrency, 1),
            ("number of calls per minute", self.calls_per_minute, 0.001),
        ):
            if value is not None and not value >= least:
                raise InvalidSetting(f"The {what} of endpoint {self.name!r} is {value}; it must be at least {least}.")

    def to_json(self) -> dict[str, Any]:
        """Return the endpoint as plain JSON values."""
        return {**asdict(self), "formats": [name.value for name in self.formats]}

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Endpoint:
        """Return the endpoint that ``to_json`` wrote; what is absent takes its default.

        Raises:
            InvalidSetting: If the record has unknown fields or values of the wrong kind.
        """
        if not isinstance(record, Mapping):
            raise InvalidSetting("An endpoint is a mapping with name and base_url.")
        unknown = set(record) - {field.name for field in fields(cls)}
        if unknown:
            raise InvalidSetting(f"An endpoint has no field {min(unknown, key=str)!r}.")
        try:
            return cls(**record)
        except (TypeError, ValueError, AttributeError) as error:
            if isinstance(error, InvalidSetting):
                raise
            raise InvalidSetting(f"This is not an endpoint: {error}.") from error


ENDPOINTS = {
    endpoint.name: endpoint
    for endpoint in (
        Endpoint("openai", f"https://{OPENAI_HOST}/v1"),
        Endpoint("local", "http://127.0.0.1:8411/v1", timeout=900.0, concurrency=1),
    )
}


__all__ = ["ENDPOINTS", "KEY_PLACE", "OPENAI_KEY", "Endpoint", "ResponseFormat"]
