"""Ask a language model: the protocol, and the one module of core that speaks to the outside."""

from __future__ import annotations

import json
import logging
import re
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import openai
from openai.types.chat import ChatCompletion

from core.errors import CallFailed, CallFailure
from core.llm.endpoint import Endpoint, ResponseFormat
from core.llm.request import ChatReply, ChatRequest
from core.secret_text import KEY_MARK, without_key

# What these say when they are asked for every detail holds headers, and an endpoint may send the key back in one.
for _name in ("openai", "httpx", "httpx2", "httpcore", "httpcore2"):
    logging.getLogger(_name).setLevel(logging.WARNING)

NO_KEY = "none"  # the library insists on a key; servers that need none ignore it
LONGEST_MESSAGE = 400
KEY_LIKE = re.compile(r"\b(?:sk|pk|rk|key|gsk|xai)-[\w*.\-]{4,}|\bBearer\s+\S+", re.IGNORECASE)

_FORMAT_WORDS = re.compile(
    r"response_?format|json_?schema|json_?object|structured output|grammar|schema", re.IGNORECASE
)
_TOKEN_LIMIT_WORDS = re.compile(r"max_completion_tokens", re.IGNORECASE)
_SCHEMA_NAME = "reply"


class ChatClient(Protocol):
    """Anything that answers requests."""

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Return the reply.

        Raises:
            CallFailed: If there is none.
        """
        ...


class OpenAIClient:
    """Asks one endpoint, with retries that heed Retry-After. When it may be asked is for its caller to see.

    It belongs to the event loop that it is first used in. The key is handed over at construction, kept by the
    library alone, and taken out of whatever the endpoint says back, in replies as in errors.
    """

    def __init__(self, endpoint: Endpoint, key: str | None = None) -> None:
        """Make a client; nothing is sent yet.

        Raises:
            CallFailed: If the key holds characters that no header can.
        """
        if key and not (key.isascii() and key.isprintable()):
            where = endpoint.key_variable or "it"
            raise CallFailed(
                CallFailure.KEY_REFUSED, f"{endpoint.name}: the key holds characters that no key has; look at {where}."
            )
        self._endpoint = endpoint
        self._client = openai.AsyncOpenAI(
            api_key=key or NO_KEY,
            base_url=endpoint.base_url,
            timeout=endpoint.timeout,
            max_retries=endpoint.retries,
        )
        self._without_key = without_key(key)
        self._scrub = _scrubber(key)
        self._refused_formats: dict[str, int] = {}  # by model: how many of the endpoint's formats it turned down
        self._new_token_limit: set[str] = set()  # models that know the limit by its newer name only

    def __repr__(self) -> str:
        return f"OpenAIClient({self._endpoint.name!r})"

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Return the reply, in the strictest response format that the endpoint takes.

        Raises:
            CallFailed: If there is none, after the retries; it never holds the key.
        """
        started = time.monotonic()
        while True:
            refused = self._refused_formats.get(request.model, 0)
            formats = self._formats(request)
            wanted = formats[min(refused, len(formats) - 1)]
            newer = request.model in self._new_token_limit
            try:
                return await self._asked(request, wanted, newer, started)
            except openai.APIStatusError as error:
                if not newer and _mentions(error, _TOKEN_LIMIT_WORDS) and error.status_code < 500:
                    self._new_token_limit.add(request.model)
                elif refused < len(formats) - 1 and _refuses_format(error):
                    self._refused_formats[request.model] = refused + 1
                else:
                    # Without its cause: the library's error holds the request with its headers.
                    raise self._failure(error) from None
            except (openai.OpenAIError, ValueError, TypeError, LookupError, AttributeError) as error:
                raise self._failure(error) from None

    async def close(self) -> None:
        """Let go of the connections."""
        await self._client.close()

    def _formats(self, request: ChatRequest) -> tuple[ResponseFormat, ...]:
        return self._endpoint.formats if request.schema else (ResponseFormat.PLAIN,)

    async def _asked(
        self, request: ChatRequest, wanted: ResponseFormat, newer_token_limit: bool, started: float
    ) -> ChatReply:
        body = _body(request, wanted, newer_token_limit)
        completion: object = await self._client.chat.completions.create(**body)
        try:
            return _reply(completion, wanted, time.monotonic() - started, self._without_key)
        except (AttributeError, TypeError, IndexError, ValueError, KeyError):
            shown = self._scrub(repr(completion))[:LONGEST_MESSAGE]
            del completion  # so that no traceback holds what was sent as it was sent
            raise CallFailed(
                CallFailure.MALFORMED, f"{self._endpoint.name} sent something that is no chat completion: {shown}"
            ) from None

    def _failure(self, error: Exception) -> CallFailed:
        kind = _kind(error)
        said = self._scrub(_said(error))
        text = f"{self._endpoint.name}: {kind.value}{f': {said}' if said else ''}"
        if kind is CallFailure.KEY_REFUSED and self._endpoint.key_variable:
            text += f" (the key is read from the environment variable {self._endpoint.key_variable})"
        return CallFailed(kind, text)


class Clients:
    """A client for each endpoint, made when it is first asked; itself a client."""

    def __init__(self, key_for: Callable[[Endpoint], str | None]) -> None:
        self._key_for = key_for
        self._clients: dict[Endpoint, OpenAIClient] = {}

    def __repr__(self) -> str:
        return f"Clients({sorted(endpoint.name for endpoint in self._clients)})"

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Return the reply of the request's endpoint.

        Raises:
            CallFailed: If there is none.
        """
        if request.endpoint not in self._clients:
            self._clients[request.endpoint] = OpenAIClient(request.endpoint, self._key_for(request.endpoint))
        return await self._clients[request.endpoint].complete(request)

    async def close(self) -> None:
        """Let go of all connections."""
        for client in self._clients.values():
            await client.close()


def _body(request: ChatRequest, wanted: ResponseFormat, newer_token_limit: bool) -> dict[str, Any]:
    parameters = request.parameters
    limit = "max_completion_tokens" if newer_token_limit else "max_tokens"
    body: dict[str, Any] = {
        "model": request.model,
        "messages": [{"role": message.role.value, "content": message.text} for message in request.messages],
        limit: parameters.max_tokens,
    }
    for name in ("temperature", "top_p", "seed"):
        if getattr(parameters, name) is not None:
            body[name] = getattr(parameters, name)
    if parameters.top_logprobs:
        body |= {"logprobs": True, "top_logprobs": parameters.top_logprobs}
    if wanted is ResponseFormat.JSON_SCHEMA:
        shape = {"name": _SCHEMA_NAME, "strict": True, "schema": json.loads(request.schema)}
        body["response_format"] = {"type": "json_schema", "json_schema": shape}
    elif wanted is ResponseFormat.JSON_OBJECT:
        body["response_format"] = {"type": "json_object"}
    if parameters.extra_fields:
        body["extra_body"] = parameters.extra_fields
    return body


def _reply(completion: object, used: ResponseFormat, seconds: float, without_key: Callable[[str], str]) -> ChatReply:
    """Return a completion as our own value, every text in it without the key.

    Raises:
        AttributeError, TypeError, IndexError, ValueError, KeyError: If it is none; servers send all kinds of things.
    """
    if not isinstance(completion, ChatCompletion):
        raise TypeError
    choice = completion.choices[0]
    usage = completion.usage
    details = usage.prompt_tokens_details if usage else None
    content = choice.logprobs.content if choice.logprobs else None
    top = content[0].top_logprobs if content else []
    return ChatReply(
        text=without_key(_text(choice.message.content)),
        model=without_key(_text(completion.model)),
        finish_reason=without_key(_text(choice.finish_reason)),
        refusal=without_key(_text(choice.message.refusal)),
        tokens_in=_count(usage.prompt_tokens if usage else None),
        tokens_out=_count(usage.completion_tokens if usage else None),
        tokens_cached=_count(details.cached_tokens if details else None),
        seconds=seconds,
        format=used,
        top=tuple((without_key(str(entry.token)), float(entry.logprob)) for entry in top),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""  # the library does not check what servers send


def _count(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _kind(error: Exception) -> CallFailure:
    match error:
        case openai.APITimeoutError():
            return CallFailure.TIMEOUT
        case openai.APIConnectionError():
            return CallFailure.CONNECTION
        case openai.AuthenticationError() | openai.PermissionDeniedError():
            return CallFailure.KEY_REFUSED
        case openai.NotFoundError():
            return CallFailure.NOT_FOUND
        case openai.RateLimitError():
            return CallFailure.RATE_LIMIT
        case openai.APIStatusError(status_code=status) if status >= 500:
            return CallFailure.SERVER
        case openai.APIStatusError():
            return CallFailure.BAD_REQUEST
        case _:
            return CallFailure.MALFORMED


def _said(error: Exception) -> str:
    """Return what the endpoint said, in one line."""
    if isinstance(error, openai.APIConnectionError):
        return ""
    body = getattr(error, "body", None)
    text = body.get("message") if isinstance(body, Mapping) else None
    return " ".join(str(text or error).split())


def _refuses_format(error: openai.APIStatusError) -> bool:
    return error.status_code in {400, 404, 415, 422, 500, 501} and _mentions(error, _FORMAT_WORDS)


def _mentions(error: openai.APIStatusError, words: re.Pattern[str]) -> bool:
    return words.search(f"{error.message} {error.body!r}") is not None


def _scrubber(key: str | None) -> Callable[[str], str]:
    """Return what takes a key, and whatever looks like one, out of a text and shortens it."""
    spelled = without_key(key)

    def scrub(text: str) -> str:
        if key:
            text = spelled(text.replace(key, KEY_MARK))
        return KEY_LIKE.sub(KEY_MARK, text)[:LONGEST_MESSAGE]

    return scrub


__all__ = ["ChatClient", "Clients", "OpenAIClient"]
