"""A language model asked to find arguments in a transcript: what is asked, and what the whole would take."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from core.errors import InvalidSetting
from core.llm.endpoint import Endpoint
from core.llm.prices import PriceTable
from core.llm.prompts import PromptSet
from core.llm.request import ChatReply, ChatRequest, Message, Parameters, Role
from core.llm.tokens import sent_tokens
from core.statements.marks import without_marks
from core.statements.turns import Turn
from core.strict_json import storable

MOST_TURNS = 12  # in one question
MOST_CHARACTERS = 6_000  # of turns in one question, unless one turn alone is longer
LONGEST_TURN = 24_000  # characters of a turn that a model is shown
MOST_PROPOSALS = 24  # in one reply
LONGEST_REPLY = 3_000  # tokens
ECHOED = 2_000  # characters of an unreadable reply that are sent back when asking again
USUAL_REPLY = 90  # tokens of a proposal
USUAL_PROPOSALS = 1.5  # for each turn

_TEXT: Mapping[str, Any] = {"type": "string"}


class StatementPrompts(PromptSet):
    """The templates that models are asked with for arguments in a transcript."""

    templates: ClassVar[tuple[str, ...]] = ("instructions", "turns", "ask_again")


@dataclass(frozen=True)
class Batch:
    """A part of a transcript for one question: turns that follow each other, in which somebody speaks."""

    number: int  # from 1
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class Proposer:
    """Who is asked, and how.

    Attributes:
        endpoint, model: Who.
        prompts: With which templates.
        temperature: As models sample; 0 is the steadiest.
    """

    endpoint: Endpoint
    model: str
    prompts: StatementPrompts
    temperature: float = 0.0

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise InvalidSetting("A model needs a name, as its endpoint calls it.")

    def request(self, claim: str, batch: Batch) -> ChatRequest:
        """Return the question about a part of a transcript; no label is part of it.

        Raises:
            InvalidSetting: If a template cannot be filled in.
        """
        shown = [replace(turn, text=read_text(turn)) for turn in batch.turns]
        return ChatRequest(
            self.endpoint,
            self.model,
            (
                Message(Role.SYSTEM, self.prompts.render("instructions", most=MOST_PROPOSALS)),
                Message(Role.USER, self.prompts.render("turns", claim=claim, turns=shown)),
            ),
            Parameters(temperature=self.temperature, max_tokens=LONGEST_REPLY),
            schema(),
        )

    def again(self, request: ChatRequest, reply: ChatReply, detail: str) -> ChatRequest:
        """Return the question once more, with the reply that could not be read and the error named."""
        said = storable(reply.text[:ECHOED]) if reply.text.strip() else "…"
        asked = self.prompts.render("ask_again", problem=detail)
        return replace(request, messages=(*request.messages, Message(Role.ASSISTANT, said), Message(Role.USER, asked)))


@dataclass(frozen=True)
class Expected:
    """What asking would take; tokens and cost are rough, and asking again is not in it.

    Attributes:
        turns: In which somebody speaks.
        calls: Questions that have no stored reply yet.
        stored: Questions that have one.
        tokens: Sent and received together.
        cost: In the price table's currency; None where the price is unknown.
    """

    turns: int
    calls: int
    stored: int
    tokens: int
    cost: float | None


def read_text(turn: Turn) -> str:
    """Return what a model is shown of a turn: its words without the log's marks, cut where it is very long."""
    return without_marks(turn.text)[:LONGEST_TURN]


def batches(turns: Sequence[Turn]) -> tuple[Batch, ...]:
    """Return the turns in which somebody speaks in parts that fit into a question each, in order; each turn once."""
    parts: list[list[Turn]] = []
    size = 0
    for turn in turns:
        if not turn.usable:
            continue
        length = len(read_text(turn))
        if not parts or len(parts[-1]) >= MOST_TURNS or size + length > MOST_CHARACTERS:
            parts.append([])
            size = 0
        parts[-1].append(turn)
        size += length
    return tuple(Batch(number, tuple(part)) for number, part in enumerate(parts, 1))


def expected(
    proposer: Proposer, claim: str, parts: Sequence[Batch], prices: PriceTable, stored: Sequence[bool]
) -> Expected:
    """Return what asking about parts of a transcript would take.

    Args:
        proposer: Who is asked.
        claim: The debate's claim.
        parts: What is asked about.
        prices: What calls cost.
        stored: For each part, whether its reply is stored already.
    """
    sent = received = 0.0
    for part, there in zip(parts, stored, strict=True):
        if not there:
            sent += sent_tokens(proposer.request(claim, part))
            received += min(LONGEST_REPLY, USUAL_REPLY * USUAL_PROPOSALS * len(part.turns))
    price = prices.price(proposer.endpoint.name, (proposer.model,))
    cost = None if price is None else price.of(sent, received)
    calls = len(parts) - sum(stored)
    turns = sum(len(part.turns) for part in parts)
    return Expected(turns, calls, sum(stored), round(sent + received), cost if calls else 0.0)


def schema() -> str:
    """Return the JSON schema of a reply, as text."""
    entry = {
        "id": _TEXT,
        "turn": {"type": "integer"},
        "quote": _TEXT,
        "argument": _TEXT,
        "side": {"type": "string", "enum": ["pro", "con"]},
        "about": _TEXT,
    }
    listed = {"type": "array", "items": _object(entry), "maxItems": MOST_PROPOSALS}
    return json.dumps(_object({"arguments": listed}))  # not sorted: models write the keys in the schema's order


def _object(properties: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


__all__ = ["Batch", "Expected", "Proposer", "StatementPrompts", "batches", "expected", "read_text", "schema"]
