"""What a debate came to: the debate as a value with a record of how it was held, and where it stopped."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from core.debate import Agent, Debate, DebateProtocol
from core.debating.claim import Claim
from core.debating.course import CallRecord, Course
from core.debating.plan import DebatePlan
from core.debating.question import AnswerStatus
from core.errors import CallFailed
from core.llm.endpoint import ENDPOINTS
from core.wording import several

KIND = "debated by models"
DEMONSTRATION = "small local model, demonstration"
MOST_NAMED = 5  # gaps that the note names


class DebateState(StrEnum):
    """How far a debate came."""

    OPEN = "open"  # something was not asked yet
    COMPLETE = "complete"
    GAPS = "complete with gaps"  # some replies could not be read, also when asked again
    STOPPED = "stopped"  # a question had no reply


@dataclass(frozen=True)
class Outcome:
    """What a debate came to.

    Attributes:
        debate: As far as it came.
        state: How far that is.
        place: Where it stopped, in a sentence; empty where it did not.
        calls: Every question, in order.
        failures: Why requests had no reply, by key.
    """

    debate: Debate
    state: DebateState
    place: str
    calls: tuple[CallRecord, ...]
    failures: Mapping[str, CallFailed]


def outcome(plan: DebatePlan, claim: Claim, course: Course) -> Outcome:
    """Return what a course came to. Here, and not before, the claim's label comes in."""
    calls = tuple(call for call in course.calls if call.status is not AnswerStatus.NOT_ASKED)
    gaps = [call for call in calls if call.status in {AnswerStatus.UNREADABLE, AnswerStatus.REFUSED}]
    halt = course.halt
    if halt is None:
        state = DebateState.GAPS if gaps else DebateState.COMPLETE
    else:
        state = DebateState.OPEN if halt.status is AnswerStatus.NOT_ASKED else DebateState.STOPPED
    place = "" if halt is None else f"Stopped at {halt.place}: {halt.detail}"
    models = _models(plan, course)
    provenance: dict[str, Any] = {
        "kind": KIND,
        "models": sorted({model for names in models.values() for model in names}),
        "state": state.value,
        **({"stopped": place} if place else {}),
        **({"remark": DEMONSTRATION} if is_demonstration(plan) else {}),
        "plan": _told(plan),
        "calls": [call.to_json() for call in calls],
    }
    debate = Debate(
        id=claim.id,
        claim=claim.text,
        label=claim.label,
        protocol=plan.protocol,
        claim_id=claim.id,
        agents=tuple(
            Agent(
                agent.name,
                model=" + ".join(models[agent.name]),
                role="debater",
                persona=agent.persona or None,
                temperature=agent.temperature,
            )
            for agent in plan.agents
        ),
        rounds=course.rounds(),
        provenance=provenance,
        tags=_tags(state),
        note=_note(place, gaps) or None,
    )
    return Outcome(debate, state, place, calls, dict(course.failures))


def is_demonstration(plan: DebatePlan) -> bool:
    """Return whether an agent is asked at the address where ``make local-llm`` serves a small model."""
    return any(endpoint.base_url == ENDPOINTS["local"].base_url for endpoint in plan.endpoints)


def _models(plan: DebatePlan, course: Course) -> dict[str, list[str]]:
    """Return who answered for each agent by the replies' own account; who was asked for where nobody did."""
    answered = {agent.name: Counter[str]() for agent in plan.agents}
    for call in course.calls:
        if call.model:
            answered[call.agent][call.model] += 1
    return {agent.name: sorted(answered[agent.name]) or [agent.model] for agent in plan.agents}


def _told(plan: DebatePlan) -> dict[str, Any]:
    """Return what the record says of the plan: all that matters to this protocol, and no address."""
    told = plan.settings()
    if plan.protocol is not DebateProtocol.MULTI_TURN_SHARED:
        del told["order"]
        del told["seed"]
    if plan.protocol is DebateProtocol.SINGLE_TURN:
        del told["most_arguments"]
    for agent in told["agents"]:
        agent["endpoint"] = agent["endpoint"]["name"]
    return told


def _tags(state: DebateState) -> tuple[str, ...]:
    match state:
        case DebateState.COMPLETE:
            return ()
        case DebateState.GAPS:
            return ("gaps",)
        case _:
            return ("incomplete",)


def _note(place: str, gaps: list[CallRecord]) -> str:
    said = [f"{place.rstrip('.')}."] if place else []
    if gaps:
        listed = "; ".join(f"{call.place} ({call.status.value})" for call in gaps[:MOST_NAMED])
        more = f"; and {len(gaps) - MOST_NAMED} more" if len(gaps) > MOST_NAMED else ""
        said.append(f"{several(len(gaps), 'reply', 'replies')} gave nothing to use: {listed}{more}.")
    return " ".join(said)


__all__ = ["DEMONSTRATION", "KIND", "DebateState", "Outcome", "is_demonstration", "outcome"]
