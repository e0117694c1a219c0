"""A server on this machine that speaks the OpenAI protocol and goes wrong in every way that real ones do."""

from __future__ import annotations

import hashlib
import json
import socket
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Any, Self

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

MODEL = "fake-1"


class Fault(Enum):
    """What happens to a question. A question is asked again after an unreadable answer; then it has four messages."""

    NONE = auto()
    FENCED = auto()  # a good answer in a fence
    PROSE = auto()  # a good answer with prose, and braces in it, around
    MENDED = auto()  # unreadable first, good when asked again
    RATE_LIMITED = auto()  # 429 with Retry-After on the first attempt
    BROKEN_ONCE = auto()  # 500 on the first attempt
    CUT_CONNECTION_ONCE = auto()
    HANGING_ONCE = auto()
    BROKEN = auto()  # 500 on every attempt
    HANGING = auto()
    CUT_BODY = auto()  # half a response, sent as if it were whole
    BAD_REQUEST = auto()
    CUT_JSON = auto()
    OUT_OF_RANGE = auto()
    WRONG_KEY = auto()
    EMPTY = auto()
    REFUSAL = auto()
    KEY_REFUSED = auto()
    NO_MODEL = auto()


CONTENT: dict[Fault, str] = {
    Fault.NONE: "%s",
    Fault.FENCED: "```json\n%s\n```",
    Fault.PROSE: 'In sum {as I see it} I say %s, "all told".',
    Fault.CUT_JSON: '{"score": 0.',
    Fault.OUT_OF_RANGE: '{"score": 7}',
    Fault.WRONG_KEY: '{"rating": 0.5}',
    Fault.EMPTY: "",
    Fault.REFUSAL: "",
}


@dataclass
class Question:
    """What came in."""

    key: str  # of the body, so equal questions have equal keys
    first: str  # a hash of the first two messages: the question without what was said since
    asked_again: bool
    body: dict[str, Any]


@dataclass
class FaultServer:
    """Serves until closed; ``fault`` says what happens to a question, ``score`` or ``reply`` what is a good answer."""

    fault: Callable[[Question], Fault] = lambda question: Fault.NONE
    score: Callable[[Question], str] = lambda question: "0.75"
    reply: Callable[[Question], str] | None = None  # the whole JSON object, instead of one with a score
    attempts: Counter[str] = field(default_factory=Counter)  # by key
    answered: Counter[str] = field(default_factory=Counter)  # whole answers, by key
    questions: dict[str, Question] = field(default_factory=dict)
    keys: set[str] = field(default_factory=set)  # what callers showed as their key
    on_answer: Callable[[int], None] = lambda count: None
    base_url: str = ""

    def __enter__(self) -> Self:
        listener = socket.create_server(("127.0.0.1", 0))
        app = Starlette(routes=[Route("/v1/chat/completions", self._complete, methods=["POST"])])
        config = uvicorn.Config(app, log_level="critical", ws="none", lifespan="off", timeout_graceful_shutdown=1)
        self._server = _Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listener]}, daemon=True)
        self._thread.start()
        assert self._server.ready.wait(30)
        self.base_url = f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(30)

    async def _complete(self, request: Request) -> Response:
        raw = await request.body()
        body = json.loads(raw)
        self.keys.add(request.headers.get("authorization", ""))
        texts = [message["content"] for message in body["messages"]]
        question = Question(
            hashlib.sha256(raw).hexdigest(),
            first_hash(texts),
            any(m["role"] == "assistant" for m in body["messages"]),
            body,
        )
        self.questions[question.key] = question
        self.attempts[question.key] += 1
        return await self._answer(question, self.attempts[question.key] == 1, request)

    async def _answer(self, question: Question, first_attempt: bool, request: Request) -> Response:
        fault = self.fault(question)
        match fault:
            case Fault.RATE_LIMITED if first_attempt:
                return _error(429, "Slow down.", {"retry-after": "0.01"})
            case Fault.BROKEN_ONCE if first_attempt:
                return _error(500, "Something broke.", {"retry-after": "0.01"})
            case Fault.CUT_CONNECTION_ONCE if first_attempt:
                return StreamingResponse(_half(), headers={"content-length": "1000"}, media_type="application/json")
            case Fault.HANGING_ONCE | Fault.HANGING if first_attempt or fault is Fault.HANGING:
                while (await request.receive())["type"] != "http.disconnect":
                    pass
                return Response()
            case Fault.BROKEN:
                return _error(500, "Something is broken.", {"retry-after": "0.01"})
            case Fault.BAD_REQUEST:
                return _error(400, "The request exceeds the available context size.")
            case Fault.KEY_REFUSED:
                shown = request.headers.get("authorization", "").removeprefix("Bearer ")
                return _error(401, f"Incorrect API key provided: {shown}.")
            case Fault.NO_MODEL:
                return _error(404, "There is no such model.")
            case Fault.CUT_BODY:
                return Response('{"id": "x", "choices": [{"mess', media_type="application/json")
            case Fault.MENDED:
                fault = Fault.NONE if question.asked_again else Fault.WRONG_KEY
        self.answered[question.key] += 1
        self.on_answer(sum(self.answered.values()))
        content = CONTENT.get(fault, CONTENT[Fault.NONE])
        refusal = "I cannot help with that." if fault is Fault.REFUSAL else None
        text = content % self._good(question) if "%s" in content else content
        return JSONResponse(completion(text, refusal, "length" if fault is Fault.CUT_JSON else "stop"))

    def _good(self, question: Question) -> str:
        return f'{{"score": {self.score(question)}}}' if self.reply is None else self.reply(question)


class _Server(uvicorn.Server):
    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


def first_hash(texts: list[str]) -> str:
    """Return a hash of the first two messages of a chat."""
    return hashlib.sha256("\0".join(texts[:2]).encode()).hexdigest()


def completion(text: str, refusal: str | None = None, finish: str = "stop", **changes: Any) -> dict[str, Any]:
    """Return a chat completion as servers send it: 100 tokens in, 40 of them cached, 10 out."""
    message = {"role": "assistant", "content": None if refusal else text, "refusal": refusal}
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": finish, "logprobs": None}],
        "usage": {
            "prompt_tokens": 100,
            "completion_tokens": 10,
            "total_tokens": 110,
            "prompt_tokens_details": {"cached_tokens": 40},
        },
        **changes,
    }


async def _half():
    yield b'{"id": "x"'


def _error(status: int, message: str, headers: dict[str, str] | None = None) -> Response:
    return JSONResponse({"error": {"message": message, "type": "fault"}}, status, headers)
