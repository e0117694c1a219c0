"""A server that tells whoever asks what it was sent: the key is in every part of its answers, in every spelling."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tests.llm.fault_server import Fault, FaultServer, Question, completion


class EchoingServer(FaultServer):
    """Answers as ``FaultServer`` does, with the caller's key added to every text that is read."""

    async def _answer(self, question: Question, first_attempt: bool, request: Request) -> Response:
        key = request.headers.get("authorization", "").removeprefix("Bearer ")
        fault = self.fault(question)
        self.answered[question.key] += 1
        headers = {"x-request-id": key, "x-key": f"Bearer {key}"}
        match fault:
            case Fault.KEY_REFUSED:
                return JSONResponse({"error": {"message": f"Wrong key: {key}, {quote(key, '')}"}}, 401, headers)
            case Fault.BAD_REQUEST:
                return JSONResponse({"error": {"message": f"Bad request of {escaped(key)}"}, "key": key}, 400, headers)
            case Fault.CUT_BODY:
                return JSONResponse({"choices": [], "model": key, "said": escaped(key)}, 200, headers)
        refusal = f"I help nobody with the key {key}." if fault is Fault.REFUSAL else None
        sent = completion(self._text(question, key), refusal, f"stop {key}", system_fingerprint=key)
        sent["id"], sent["model"] = key, f"fake-1 for {key}"
        top = [{"token": f"true {key}", "logprob": -0.1, "bytes": None}, {"token": key, "logprob": -3.0, "bytes": None}]
        sent["choices"][0]["logprobs"] = {"content": [{**top[0], "top_logprobs": top}]}
        sent["choices"][0]["message"]["reasoning_content"] = f"They sent {key}."
        return JSONResponse(sent, 200, headers)

    def _text(self, question: Question, key: str) -> str:
        record = json.loads(self._good(question))
        said = {name: f"{value} Sent with {key} / {quote(key, '')}" for name, value in record.items() if is_text(value)}
        text = json.dumps({**record, **said})
        # Every second question gets it in escapes, as JSON allows, which reading the reply takes away.
        return text.replace(key, escaped(key)) if int(question.key[:2], 16) % 2 else text


def is_text(value: Any) -> bool:
    """Return whether a value of a reply is a text."""
    return isinstance(value, str)


def escaped(key: str) -> str:
    """Return a key with every character escaped as JSON allows."""
    return "".join(f"\\u{ord(character):04x}" for character in key)


def spellings(key: str) -> tuple[str, ...]:
    """Return a key as it may stand in a file."""
    return key, quote(key, ""), escaped(key), json.dumps(escaped(key))[1:-1]
