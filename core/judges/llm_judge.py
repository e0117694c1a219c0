"""Judging by a language model, as two pure functions: a profile to requests, and replies to a judgement.

Whoever runs the judge sends the requests; nothing in here speaks to a model. A reply that cannot be read is a status,
never a score.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from core.errors import CallFailed, InvalidSetting
from core.judgement import DecisionRule, Judgement, JudgementStatus, Verdict
from core.judges.framing import StanceVariant, mean
from core.llm.circumstances import Circumstances, PromptProtocol
from core.llm.endpoint import ENDPOINTS, Endpoint, ResponseFormat
from core.llm.prompts import PromptSet, shown_number
from core.llm.record import Order, Record, laid_out
from core.llm.replies import REASONING_KEY, SCORE_KEY, Problem, Reading, read_score, read_truth
from core.llm.request import ChatReply, ChatRequest, Message, Parameters, Role
from core.opinion import OpinionProfile, Stance, checked_score

TOP_LOGPROBS = 20  # as many as endpoints report
SCORES = tuple(round(hundredth / 100, 2) for hundredth in range(101))  # what a printed score may be
ECHOED = 2_000  # characters of an unreadable reply that are sent back when asking again


class Naming(StrEnum):
    """Whether the judge sees who said what."""

    NAMED = "named"
    ANONYMISED = "anonymised"


class Evidence(StrEnum):
    """What the judge reads."""

    DEBATE = "debate"
    CLAIM = "claim alone"  # the baseline that knows nothing of the debate


class ScoreMode(StrEnum):
    """Where the score comes from."""

    PRINTED = "printed"
    LOG_PROBABILITY = "log-probability"  # P(true) among true and false as the first word


Answer = ChatReply | CallFailed

_OF_NO_MATTER = (
    ("naming", Naming.NAMED),
    ("stance", StanceVariant.NONE),
    ("protocol", PromptProtocol.AUTO),
    ("order", None),
)


@dataclass(frozen=True)
class VisibleNumber:
    """A number that stands in a prompt, with what it is, such as "base score of A1's pro"."""

    what: str
    value: float


@dataclass(frozen=True)
class LlmJudge:
    """A language model with a prompt; its settings are its identity.

    Attributes:
        endpoint, model: Whom to ask. Only the endpoint's name and address are part of the identity.
        prompts: The templates.
        naming, stance, protocol: What the prompt shows; AUTO tells of the protocol as each debate was held.
        evidence: The debate, or the claim alone; then naming, stance, protocol and order do not matter.
        score_mode: Printed, or from log-probabilities.
        reasoning: Also ask for reasons, which become the judgement's explanation.
        example: A number shown in the prompt as an example of an answer; None shows none.
        temperature, top_p, seed, max_tokens: How the model samples; None leaves it to the endpoint. ``max_tokens`` None
            takes what the answer needs.
        extra: Further fields of the request's body, as JSON text.
        order: The agents' order: None as recorded, a seed, or places from 0.
        repeats: How often each debate is judged, 1 or more; the score is the mean.
        rule: From score to verdict.

    Raises:
        InvalidSetting: If a value lies outside its range, or settings contradict each other.
    """

    endpoint: Endpoint
    model: str
    prompts: PromptSet
    naming: Naming = Naming.NAMED
    stance: StanceVariant = StanceVariant.NONE
    protocol: PromptProtocol = PromptProtocol.AUTO
    evidence: Evidence = Evidence.DEBATE
    score_mode: ScoreMode = ScoreMode.PRINTED
    reasoning: bool = False
    example: float | None = None
    temperature: float | None = 0.0
    top_p: float | None = None
    seed: int | None = None
    max_tokens: int | None = None
    extra: str = "{}"
    order: Order = None
    repeats: int = 1
    rule: DecisionRule = field(default_factory=DecisionRule)

    def __post_init__(self) -> None:
        if not self.model.strip():
            raise InvalidSetting("An LLM judge needs a model's name.")
        if not 1 <= self.repeats <= 1000:
            raise InvalidSetting(f"The number of repeats is {self.repeats}; it must lie in 1 to 1000.")
        if self.reasoning and self.score_mode is ScoreMode.LOG_PROBABILITY:
            raise InvalidSetting("A score from log-probabilities is one word, so it cannot come with reasoning.")
        if isinstance(self.order, tuple) and sorted(self.order) != list(range(len(self.order))):
            raise InvalidSetting(f"The agent order {list(self.order)} is no permutation of places from 0.")
        object.__setattr__(self, "extra", self.parameters.extra)
        object.__setattr__(self, "example", checked_score("The example number", self.example))
        if self.evidence is Evidence.CLAIM:  # what does not matter must not make another judge
            for name, value in _OF_NO_MATTER:
                object.__setattr__(self, name, value)

    @property
    def parameters(self) -> Parameters:
        """Return how the model samples."""
        by_logprob = self.score_mode is ScoreMode.LOG_PROBABILITY
        needed = 1 if by_logprob else 400 if self.reasoning else 32
        return Parameters(
            self.temperature,
            self.top_p,
            self.seed,
            self.max_tokens or needed,
            TOP_LOGPROBS if by_logprob else 0,
            self.extra,
        )

    @property
    def name(self) -> str:
        """Return a readable name that no judge with other settings has."""
        words = [f"{self.model}{_place(self.endpoint)}"]
        if self.evidence is Evidence.CLAIM:
            words.append(self.evidence.value)
        else:
            words += [self.naming.value, "no stance" if self.stance is StanceVariant.NONE else self.stance.value]
            if self.protocol is not PromptProtocol.AUTO:
                words.append(f"told {self.protocol.value}")
        words.append(self.score_mode.value)
        words += [
            text
            for text, said in (
                ("with reasoning", self.reasoning),
                (f"example {shown_number(self.example)}", self.example is not None),
                ("default temperature", self.temperature is None),
                (f"temperature {self.temperature:g}" if self.temperature is not None else "", bool(self.temperature)),
                (f"top_p {self.top_p}", self.top_p is not None),
                (f"seed {self.seed}", self.seed is not None),
                (f"at most {self.max_tokens} tokens", self.max_tokens is not None),
                (f"order {_order_text(self.order)}", self.order is not None),
                (f"{self.repeats} repeats", self.repeats != 1),
                (f"{self.rule}", self.rule != DecisionRule()),
                (self.extra, self.extra != "{}"),
                (f"prompt {self.prompts.hash[:6]}", self.prompts.name != "standard"),
            )
            if said
        ]
        return ", ".join(words)

    def settings(self) -> dict[str, Any]:
        """Return the settings as plain JSON values; ``llm_judge_of`` reads them."""
        return {
            "kind": "llm",
            "endpoint": {"name": self.endpoint.name, "base_url": self.endpoint.base_url},
            "model": self.model,
            "evidence": self.evidence.value,
            "naming": self.naming.value,
            "stance": self.stance.value,
            "protocol": self.protocol.value,
            "score_mode": self.score_mode.value,
            "reasoning": self.reasoning,
            "example": self.example,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "seed": self.seed,
            "max_tokens": self.max_tokens,
            "extra": self.parameters.extra_fields,
            "order": list(self.order) if isinstance(self.order, tuple) else self.order,
            "repeats": self.repeats,
            "prompts": self.prompts.name,
            "prompt_hash": self.prompts.hash,
            "threshold": self.rule.threshold,
            "abstention": self.rule.abstention,
            "strict": self.rule.strict,
        }

    def requests(self, profile: OpinionProfile, circumstances: Circumstances | None = None) -> tuple[ChatRequest, ...]:
        """Return what to ask about a profile: one request for each repeat.

        Args:
            profile: What is judged. The gold label is no part of it, so no prompt can hold it.
            circumstances: How the debate was held; what the profile tells unless given.

        Raises:
            InvalidSetting: If the agent order does not fit the profile, or a template cannot be filled in.
        """
        held = circumstances or Circumstances.guessed(profile)
        messages = (Message(Role.SYSTEM, self._instructions(held)), Message(Role.USER, self._case(profile, held)))
        schema = "" if self.score_mode is ScoreMode.LOG_PROBABILITY else _schema(self.reasoning)
        first = ChatRequest(self.endpoint, self.model, messages, self.parameters, schema)
        return tuple(replace(first, sample=sample) for sample in range(self.repeats))

    def again(self, request: ChatRequest, reply: ChatReply) -> ChatRequest | None:
        """Return what to ask when a reply cannot be read, naming the error; None where asking again is no use."""
        reading = self.read(reply)
        if self.score_mode is ScoreMode.LOG_PROBABILITY or reading.problem in (None, Problem.REFUSED):
            return None
        if any(message.role is Role.ASSISTANT for message in request.messages):
            return None  # asked again already
        text = self.prompts.render("ask_again", problem=reading.detail, reasoning=self.reasoning)
        said = (
            (Message(Role.ASSISTANT, reply.text[:ECHOED]),) if reply.text.strip() else (Message(Role.ASSISTANT, "…"),)
        )
        return replace(request, messages=(*request.messages, *said, Message(Role.USER, text)))

    def read(self, reply: ChatReply) -> Reading:
        """Return what one reply says."""
        return read_truth(reply) if self.score_mode is ScoreMode.LOG_PROBABILITY else read_score(reply)

    def judgement(self, answers: Sequence[Answer]) -> Judgement:
        """Return the judgement that the answers come to.

        The score is the mean of the readable repeats. A call without a reply leaves the judgement open: its status is
        ERROR, and it has no verdict, whatever the other repeats say.

        Args:
            answers: For each request, in order, the last reply or why there is none.
        """
        parts = tuple(self._part(place, answer) for place, answer in enumerate(answers))
        scores = [part.score for part in parts if part.score is not None]
        failed = [part for part in parts if part.status is JudgementStatus.ERROR]
        if failed or not scores or not parts:
            worst = failed or [p for p in parts if p.status is JudgementStatus.REFUSED] or list(parts)
            status = worst[0].status if worst else JudgementStatus.ERROR
            why = worst[0].explanation if worst else "Nothing was asked."
            return self._made(None, status, why, parts, answers)
        score = mean(scores)
        verdict = self.rule.verdict(score)
        status = JudgementStatus.ABSTAINED if verdict is Verdict.UNCERTAIN else JudgementStatus.OK
        reasons = [part.explanation for part in parts if part.score is not None]
        why = reasons[0] if len(parts) == 1 else f"Score {score:.2f}, the mean of {len(scores)} replies."
        return self._made(score, status, why, parts, answers)

    def visible_numbers(
        self, profile: OpinionProfile, circumstances: Circumstances | None = None
    ) -> tuple[VisibleNumber, ...]:
        """Return the numbers in [0, 1] that the prompt about a profile shows, in their order, to find copied scores."""
        shown = [] if self.example is None else [VisibleNumber("example in the prompt", self.example)]
        if self.evidence is Evidence.CLAIM:
            return tuple(shown)
        record = self._record(profile, circumstances or Circumstances.guessed(profile))
        stances: list[VisibleNumber] = []
        if self.stance is not StanceVariant.NONE:
            stances = [
                VisibleNumber(f"{self.stance.value} stance of agent {place}", side.stance)
                for place, side in enumerate(record.agents, 1)
                if side.stance is not None
            ]
        listed = [("pro", a) for a in record.pros] + [("con", a) for a in record.cons]
        listed += [("argument about an argument", a) for a in record.further if not a.direct]
        scores = [
            VisibleNumber(f"base score of a {kind}", argument.base_score)
            for kind, argument in listed
            if argument.base_score is not None
        ]
        return (*shown, *stances, *scores)

    def _protocol(self, held: Circumstances) -> PromptProtocol:
        return held.protocol if self.protocol is PromptProtocol.AUTO else self.protocol

    def _instructions(self, held: Circumstances) -> str:
        return self.prompts.render(
            "instructions",
            naming=self.naming.value,
            stance=self.stance.value,
            protocol=self._protocol(held).value,
            claim_alone=self.evidence is Evidence.CLAIM,
            score_mode=self.score_mode.value,
            reasoning=self.reasoning,
            example=self.example,
        )

    def _case(self, profile: OpinionProfile, held: Circumstances) -> str:
        if self.evidence is Evidence.CLAIM:
            return self.prompts.render("claim", claim=profile.claim)
        record = self._record(profile, held)
        return self.prompts.render(
            "debate",
            naming=self.naming.value,
            stance=self.stance.value,
            protocol=self._protocol(held).value,
            rounds=held.rounds,
            turns=record.turns,
            agents=record.agents,
            others=record.others,
            pros=record.pros,
            cons=record.cons,
            further=record.further,
            claim=profile.claim,
        )

    def _record(self, profile: OpinionProfile, held: Circumstances) -> Record:
        return laid_out(profile, held, self.order, self._stance_of)

    def _stance_of(self, stance: Stance) -> float | None:
        return stance.posterior if self.stance is StanceVariant.POSTERIOR else stance.prior

    def _part(self, place: int, answer: Answer) -> Judgement:
        name = f"repeat {place + 1}"
        if isinstance(answer, CallFailed):
            return Judgement(name, None, None, JudgementStatus.ERROR, explanation=str(answer))
        reading = self.read(answer)
        if reading.score is None:
            refused = reading.problem is Problem.REFUSED
            status = JudgementStatus.REFUSED if refused else JudgementStatus.UNREADABLE
            return Judgement(name, None, None, status, explanation=reading.detail)
        verdict = self.rule.verdict(reading.score)
        status = JudgementStatus.ABSTAINED if verdict is Verdict.UNCERTAIN else JudgementStatus.OK
        how = "printed" if reading.mass is None else f"true and false hold {reading.mass:.0%} of the probability"
        why = reading.reasoning or f"Score {reading.score:.2f}, {how}."
        notes = () if reading.mass is None else (f"True and false together hold {reading.mass:.3f}.",)
        return Judgement(name, reading.score, verdict, status, explanation=why, notes=notes)

    def _made(
        self,
        score: float | None,
        status: JudgementStatus,
        why: str,
        parts: tuple[Judgement, ...],
        answers: Sequence[Answer],
    ) -> Judgement:
        verdict = None if score is None else self.rule.verdict(score)
        replies = [answer for answer in answers if isinstance(answer, ChatReply)]
        notes = [note for part in parts for note in part.notes] if len(parts) == 1 else []
        unread = [part for part in parts if part.score is None]
        if score is not None and unread:
            notes.append(f"{len(unread)} of {len(parts)} replies gave no score and are left out of the mean.")
        others = sorted({reply.model for reply in replies if reply.model and reply.model != self.model})
        if others:
            notes.append(f"Asked for {self.model}; answered by {', '.join(others)}.")
        if self.score_mode is ScoreMode.PRINTED:
            used = sorted({reply.format.value for reply in replies} - {ResponseFormat.JSON_SCHEMA.value})
            if used:
                notes.append(f"The endpoint did not take a JSON schema; asked as {', '.join(used)} instead.")
        return Judgement(
            self.name, score, verdict, status, {}, why, self.settings(), parts if len(parts) > 1 else (), tuple(notes)
        )


def _schema(reasoning: bool) -> str:
    """Return the reply's JSON schema. The score is one of 101 numbers: a plain number may be printed without end."""
    score = {"type": "number", "enum": list(SCORES)}
    properties = {REASONING_KEY: {"type": "string"}, SCORE_KEY: score} if reasoning else {SCORE_KEY: score}
    # Not sorted: models write the keys in the schema's order, and the reasons are to come before the score.
    return json.dumps(
        {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}
    )


def _place(endpoint: Endpoint) -> str:
    """Return where a model is asked: nothing for OpenAI, the address too for places that are not ours by name."""
    if endpoint.name in ENDPOINTS and ENDPOINTS[endpoint.name].base_url == endpoint.base_url:
        return "" if endpoint.name == "openai" else f" at {endpoint.name}"
    return f" at {endpoint.name} ({endpoint.base_url})"


def _order_text(order: Order) -> str:
    return "-".join(map(str, order)) if isinstance(order, tuple) else f"seed {order}"


__all__ = ["Evidence", "LlmJudge", "Naming", "ScoreMode", "VisibleNumber"]
