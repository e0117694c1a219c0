"""Scripted debaters: they answer every step sensibly, each time the same, and break the rules now and then."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from core.debate import DebateProtocol
from core.debating.agent import AgentSpec
from core.debating.claim import Claim
from core.debating.plan import DebatePlan
from core.errors import CallFailed
from core.llm.endpoint import Endpoint
from core.llm.request import ChatReply, ChatRequest
from storage.debate_prompt_files import load_debate_prompts
from tests.llm.fault_server import Question
from tests.llm.judging import an_endpoint

PROMPTS = load_debate_prompts()
SINGLE, PRIVATE, SHARED = (
    DebateProtocol.SINGLE_TURN,
    DebateProtocol.MULTI_TURN_PRIVATE,
    DebateProtocol.MULTI_TURN_SHARED,
)
_OWN = re.compile(r'^- \[(\S+)\] ("(?:[^"\\]|\\.)*")', re.MULTILINE)
_LISTED = re.compile(r'^- \[(\S+)\] ("(?:[^"\\]|\\.)*") \(likelihood [^,]+, by (.+)\)$', re.MULTILINE)
_TURN_OF = re.compile(r"You are (.+?)\. You may")


def an_agent(name: str = "A1", endpoint: Endpoint | None = None, **fields: Any) -> AgentSpec:
    """Return an agent whose model is named after it."""
    values: dict[str, Any] = {"model": f"model-{name}"}
    return AgentSpec(name, endpoint or an_endpoint(), **(values | fields))


def a_plan(protocol: DebateProtocol, endpoint: Endpoint | None = None, agents: int = 3, **fields: Any) -> DebatePlan:
    """Return a plan of agents A1, A2, ... and three rounds."""
    specs = tuple(an_agent(f"A{number}", endpoint) for number in range(1, agents + 1))
    values: dict[str, Any] = {"agents": specs, "prompts": PROMPTS}
    return DebatePlan(protocol, **(values | fields))


def some_claims(count: int) -> tuple[Claim, ...]:
    """Return claims; every second one is true."""
    return tuple(Claim(f"c{n}", f"Claim number {n} holds.", n % 2 == 0) for n in range(count))


def step_of(text: str) -> str:
    """Return which step a prompt asks for, by its template."""
    for words, step in (
        ("before any argument", "prior"),
        ("give the strongest pro", "pro"),
        ("give the strongest con", "con"),
        ("list the pros and cons", "arguments"),
        ("look at what the other", "revision"),
        ("it is your turn", "turn"),
        ("look at one", "base_score"),
        ("weigh the arguments", "posterior"),
    ):
        if words in text:
            return step
    raise AssertionError(text)


def usual_answer(model: str, text: str) -> str:
    """Return what a debater says to a prompt: worked out from the prompt alone, so the same each time."""
    number = int(hashlib.sha256(f"{model}\0{text}".encode()).hexdigest()[:12], 16)
    match step_of(text):
        case "prior" | "posterior" | "base_score":
            return json.dumps({"likelihood": number % 101})
        case "pro" | "con" as side:
            return json.dumps({"argument": f"A {side} of {model}: {number}."})
        case "arguments":
            return json.dumps(
                {"pros": texts(f"pro {number}", number % 3), "cons": texts(f"con {number}", number // 3 % 3)}
            )
        case "revision":
            own = _OWN.findall(text.split("\nWhat ")[0])
            kept = [{"id": name, "text": json.loads(said)} for place, (name, said) in enumerate(own) if place != 3]
            if kept:
                kept[0]["text"] += " Or so it seems."
            pros = [entry for entry in kept if "-pro" in entry["id"]]
            cons = [entry for entry in kept if "-con" in entry["id"]]
            return json.dumps({"pros": [*pros[:4], {"id": "new", "text": f"New {number}."}], "cons": cons[:4]})
        case _:
            listed = _LISTED.findall(text)
            name = _TURN_OF.findall(text)[0]
            own = [one for one in listed if one[2] == name]
            others = [one for one in listed if one[2] != name]
            edits = [{"id": one[0], "text": "", "likelihood": number % 101} for one in own[:1]]
            edits += [{"id": one[0], "text": "Mine now.", "likelihood": 0} for one in others[:1]]
            return json.dumps(
                {"edits": edits, "new_pros": texts(f"pro {number}", number % 2), "new_cons": texts(f"con {number}", 1)}
            )


def texts(stem: str, count: int) -> list[str]:
    return [f"Text {stem}-{place}." for place in range(count)]


def server_answer(question: Question) -> str:
    """Return the usual answer to what came in at a server."""
    return usual_answer(question.body["model"], question.body["messages"][1]["content"])


class Debaters:
    """A client without a network; ``say`` answers a request, and the usual answer is what there is otherwise."""

    def __init__(self, say: Callable[[ChatRequest], str | CallFailed | None] = lambda request: None) -> None:
        self.say = say
        self.asked: list[ChatRequest] = []

    async def complete(self, request: ChatRequest) -> ChatReply:
        self.asked.append(request)
        said = self.say(request)
        if isinstance(said, CallFailed):
            raise said
        text = usual_answer(request.model, request.messages[1].text) if said is None else said
        return ChatReply(text, f"{request.model}-2026", tokens_in=100, tokens_out=10)


def steps_asked(asked: Sequence[ChatRequest]) -> list[tuple[str, str]]:
    """Return whose step each request was, by model, and which."""
    return [(request.model, step_of(request.messages[1].text)) for request in asked]
