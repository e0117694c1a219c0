"""What a run of debates would take, worked out before anything is asked."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from core.debating.claim import Claim
from core.debating.plan import DebatePlan
from core.debating.protocols import debate_steps
from core.debating.question import Answer, Question, Stage, asking
from core.llm.prices import PriceTable
from core.llm.request import ChatReply
from core.llm.tokens import about_tokens, sent_tokens

SAMPLE = 8  # claims whose debates are imagined to see how long the prompts are
TYPICAL = 2  # pros, and cons, that an agent gives at first; later it adds one in two rounds or so
TEXT = "This stands for an argument of the usual length, one or two sentences that name a reason and what it rests on."


@dataclass(frozen=True)
class DebateEstimate:
    """What is to come. All of it is rough where agents choose how many arguments they give.

    Attributes:
        debates: How many.
        calls: What models will be asked, if each agent gives two pros and two cons; asking again is not in it.
        tokens_in, tokens_out: Sent and received.
        cost: In the price table's currency; None where a price is unknown.
    """

    debates: int
    calls: int
    tokens_in: int
    tokens_out: int
    cost: float | None

    @property
    def tokens(self) -> int:
        """Return the tokens sent and received together."""
        return self.tokens_in + self.tokens_out


def estimate(plan: DebatePlan, claims: Sequence[Claim], prices: PriceTable) -> DebateEstimate:
    """Return what debating claims would take, from imagined debates on a few of them."""
    if not claims:
        return DebateEstimate(0, 0, 0, 0, 0.0)
    places = np.unique(np.linspace(0, len(claims) - 1, SAMPLE).astype(int)).tolist()
    calls = sent = received = 0.0
    cost: float | None = 0.0
    agents = {agent.name: agent for agent in plan.agents}
    for place in places:
        for question, reply in _imagined(plan, claims[place]):
            tokens_in, tokens_out = sent_tokens(question.request), about_tokens(reply.text)
            calls, sent, received = calls + 1, sent + tokens_in, received + tokens_out
            agent = agents[question.agent]
            price = prices.price(agent.endpoint.name, (agent.model,))
            if price is None or cost is None:
                cost = None
            else:
                cost += price.of(tokens_in, tokens_out)
    scale = len(claims) / len(places)
    return DebateEstimate(
        len(claims),
        round(calls * scale),
        round(sent * scale),
        round(received * scale),
        None if cost is None else cost * scale,
    )


def usual_reply(question: Question[object]) -> ChatReply:
    """Return a reply of the usual kind and length, one that can be read."""
    return ChatReply(_usual(question), question.request.model)


def _imagined(plan: DebatePlan, claim: Claim) -> list[tuple[Question[object], ChatReply]]:
    """Return the questions of a debate in which every agent answers in the usual way, with the answers."""
    asked: list[tuple[Question[object], ChatReply]] = []
    steps = debate_steps(plan, claim)
    try:
        batch = next(steps)
        while True:
            answers: list[Answer[object]] = []
            for question in batch:
                reply = usual_reply(question)
                asked.append((question, reply))
                answers.append(_read(question, reply))
            batch = steps.send(answers)
    except StopIteration:
        return asked


def _read(question: Question[object], reply: ChatReply) -> Answer[object]:
    steps = asking(question)
    next(steps)
    try:
        steps.send(reply)
    except StopIteration as end:
        answer: Answer[object] = end.value
        return answer
    raise AssertionError(f"The usual reply to {question.stage} cannot be read.")


def _usual(question: Question[object]) -> str:
    texts = [f"{TEXT} {number}" for number in range(TYPICAL)]
    match question.stage:
        case Stage.PRIOR | Stage.POSTERIOR | Stage.BASE_SCORE:
            return '{"likelihood": 60}'
        case Stage.PRO | Stage.CON:
            return json.dumps({"argument": TEXT})
        case Stage.ARGUMENTS:
            return json.dumps({"pros": texts, "cons": texts})
        case Stage.REVISION:
            entries = [{"id": "new", "text": f"{text} (round {question.round})"} for text in texts]
            return json.dumps({"pros": entries, "cons": entries})
        case Stage.TURN:
            new = texts if question.round == 0 else texts[:1]
            return json.dumps({"edits": [], "new_pros": new, "new_cons": new if question.round == 0 else []})


__all__ = ["DebateEstimate", "estimate", "usual_reply"]
