"""A debate from its first question to its outcome, whatever its protocol: questions out, answers in."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from core.debate import DebateProtocol
from core.debating.asker import Asker
from core.debating.claim import Claim
from core.debating.course import Course, Halted, Steps
from core.debating.outcome import Outcome, outcome
from core.debating.plan import DebatePlan
from core.debating.private import private
from core.debating.shared import shared
from core.debating.single_turn import single_turn

STEPS: Mapping[DebateProtocol, Callable[[Asker, Course], Steps[None]]] = {
    DebateProtocol.SINGLE_TURN: single_turn,
    DebateProtocol.MULTI_TURN_PRIVATE: private,
    DebateProtocol.MULTI_TURN_SHARED: shared,
}


def debate_steps(plan: DebatePlan, claim: Claim) -> Steps[Outcome]:
    """Hold a debate: yield questions that may be asked at once, take their answers, and return the outcome.

    What asks sees the claim's text alone. The label joins the outcome at the end.
    """
    course = Course([agent.name for agent in plan.agents])
    try:
        yield from STEPS[plan.protocol](Asker(plan, claim.text), course)
    except Halted:
        return outcome(plan, claim, course)
    return outcome(plan, claim, course)


__all__ = ["debate_steps"]
