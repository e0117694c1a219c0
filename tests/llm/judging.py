"""Judges and debates for the tests of LLM judging."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.debate import Agent, Debate, DebateProtocol, Round
from core.judges.framing import StanceVariant
from core.judges.llm_judge import LlmJudge, Naming
from core.llm.endpoint import Endpoint
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance
from storage.prompt_files import load_prompts

PROMPTS = load_prompts()
KEY = "sk-test-0123456789abcdefSECRET"


def an_endpoint(base_url: str = "http://127.0.0.1:9/v1", **fields: Any) -> Endpoint:
    """Return an endpoint that retries quickly."""
    values: dict[str, Any] = {"key_variable": "MOOT_TEST_KEY", "timeout": 30.0}
    return Endpoint("fake", base_url, **(values | fields))


def a_judge(endpoint: Endpoint | None = None, **fields: Any) -> LlmJudge:
    """Return a judge: named, no stance, printed score."""
    return LlmJudge(endpoint or an_endpoint(), "fake-model", PROMPTS, **fields)


def six_variants(endpoint: Endpoint) -> tuple[LlmJudge, ...]:
    """Return a judge in the paper's six prompt variants."""
    return tuple(
        replace(a_judge(endpoint), naming=naming, stance=stance) for naming in Naming for stance in StanceVariant
    )


def a_debate(number: int = 0, **fields: Any) -> Debate:
    """Return a small debate of two agents, unlike those of other numbers."""
    one = Round(
        0,
        (Stance("A1", 0.61, 0.71), Stance("A2", 0.32, 0.22)),
        (Argument("p", f"Pro of {number}.", "A1", 0.83), Argument("c", f"Con of {number}.", "A2", 0.44)),
        (Relation("p", TOPIC, RelationKind.SUPPORT), Relation("c", TOPIC, RelationKind.ATTACK)),
    )
    values: dict[str, Any] = {
        "claim": f"Claim number {number} holds.",
        "label": number % 2 == 0,
        "protocol": DebateProtocol.SINGLE_TURN,
        "agents": (Agent("A1"), Agent("A2")),
        "rounds": (one,),
    }
    return Debate(f"debate-{number}", **(values | fields))
