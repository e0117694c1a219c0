"""How much of a run of debates is answered already by replies that are stored, worked out before anything is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.debating.claim import Claim
from core.debating.course import Steps
from core.debating.estimate import usual_reply
from core.debating.outcome import Outcome
from core.debating.plan import DebatePlan
from core.debating.protocols import debate_steps
from core.debating.question import Answer, Asking, Question, asking
from core.llm.request import ChatReply, ChatRequest

MOST_CLAIMS = 50  # whose debates are followed; of more, these many evenly from first to last

Find = Callable[[Sequence[str]], Mapping[str, ChatReply]]
"""Returns the stored replies among requests' keys."""


@dataclass(frozen=True)
class Reuse:
    """Calls of a run.

    Attributes:
        stored: How many are answered by a reply that is stored.
        asked: How many are not. What follows from a reply that is not stored counts as asked, and is as rough as any
            estimate.
        exact: Whether every claim was followed; else both are scaled up from some of them.
    """

    stored: int
    asked: int
    exact: bool

    @property
    def total(self) -> int:
        """Return how many calls there are together."""
        return self.stored + self.asked


def reusable(plan: DebatePlan, claims: Sequence[Claim], find: Find) -> Reuse:
    """Return how many of a run's calls are answered by stored replies.

    The debates are held side by side: a question with a stored reply goes on from that reply, one without from an
    answer of the usual kind. So what depends on a changed prompt or agent comes out as new, and nothing else.

    Args:
        plan: How the debates are held.
        claims: About what.
        find: Where replies are stored; it is asked once for each step of all debates together.
    """
    if not claims:
        return Reuse(0, 0, exact=True)
    count = min(len(claims), MOST_CLAIMS)
    followed = [claims[place] for place in np.unique(np.linspace(0, len(claims) - 1, count).astype(int)).tolist()]
    debates = [_Followed(debate_steps(plan, claim)) for claim in followed]
    while any(debate.waiting for debate in debates):
        steps = [step for debate in debates for step in debate.waiting if step.request is not None]
        found = find(list(dict.fromkeys(step.request.key for step in steps if step.request is not None)))
        for step in steps:
            step.take(found)
        for debate in debates:
            debate.go_on()
    stored, asked = (sum(getattr(debate, name) for debate in debates) for name in ("stored", "asked"))
    scale = len(claims) / len(followed)
    return Reuse(round(stored * scale), round(asked * scale), exact=len(followed) == len(claims))


class _Step:
    """A question under way: the request that waits for a reply, or the answer."""

    def __init__(self, question: Question[Any]) -> None:
        self._question = question
        self._asking: Asking[Any] = asking(question)
        self.request: ChatRequest | None = next(self._asking)
        self.answer: Answer[Any] | None = None
        self.stored = 0
        self.asked = 0

    def take(self, found: Mapping[str, ChatReply]) -> None:
        """Take the reply to the request that waits, or one of the usual kind where none is stored."""
        if self.request is None:
            return
        reply = found.get(self.request.key)
        if reply is None:
            self.asked += 1
            reply = usual_reply(self._question)
        else:
            self.stored += 1
        try:
            self.request = self._asking.send(reply)
        except StopIteration as end:
            self.request, self.answer = None, end.value


class _Followed:
    """A debate that is followed along."""

    def __init__(self, steps: Steps[Outcome]) -> None:
        self._steps = steps
        self.stored = 0
        self.asked = 0
        self.waiting: list[_Step] = [_Step(question) for question in next(steps)]

    def go_on(self) -> None:
        """Go on to the next questions once all of these are answered."""
        answers = [step.answer for step in self.waiting if step.answer is not None]
        if not self.waiting or len(answers) < len(self.waiting):
            return
        self.stored += sum(step.stored for step in self.waiting)
        self.asked += sum(step.asked for step in self.waiting)
        try:
            self.waiting = [_Step(question) for question in self._steps.send(answers)]
        except StopIteration:
            self.waiting = []


__all__ = ["MOST_CLAIMS", "Find", "Reuse", "reusable"]
