"""A debate as recorded: claim, agents, rounds, judgements found in the log, and where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from core.errors import InvalidGraph
from core.judgement import JudgementStatus, Verdict
from core.opinion import Argument, OpinionProfile, Relation, Stance, checked_score


class DebateProtocol(StrEnum):
    """How the agents debated."""

    SINGLE_TURN = "single-turn"
    MULTI_TURN_PRIVATE = "multi-turn-private"
    MULTI_TURN_SHARED = "multi-turn-shared"
    COURTROOM = "courtroom"
    TRANSCRIPT = "transcript"
    OTHER = "other"


@dataclass(frozen=True)
class Agent:
    """A debater. ``model`` None means the record does not say."""

    id: str
    name: str | None = None
    model: str | None = None
    role: str | None = None
    persona: str | None = None
    temperature: float | None = None


@dataclass(frozen=True)
class Round:
    """One time step: every agent's stance and the arguments held then.

    ``edits`` keeps, as plain JSON values, what each agent changed in a shared framework, for the record.
    """

    number: int
    stances: tuple[Stance, ...] = ()
    arguments: tuple[Argument, ...] = ()
    relations: tuple[Relation, ...] = ()
    edits: tuple[Mapping[str, Any], ...] = ()


@dataclass(frozen=True)
class Message:
    """One turn of a transcript."""

    speaker: str
    text: str
    round: int | None = None
    role: str | None = None
    model: str | None = None


@dataclass(frozen=True)
class RecordedJudgement:
    """A judgement that came with the log. ``settings`` holds the rest of what the record says, as JSON values."""

    judge: str
    kind: str = "llm"  # llm, semantics, vote, panel, human
    score: float | None = None
    verdict: Verdict | None = None
    status: JudgementStatus = JudgementStatus.OK
    explanation: str = ""
    settings: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "score", checked_score(f"Score of judge {self.judge!r}", self.score))


@dataclass(frozen=True)
class Debate:
    """One debate. Everything Moot knows of it fits in here and in the native format.

    Attributes:
        id: Unique in a database once stored; the source's id where that is unique.
        claim: The text to judge. Untrusted, like every text in a debate.
        label: The gold truth: True, False or None when unknown. Judges never see it.
        protocol: How the agents debated; decides whether the framework is shared.
        rounds: In order; judges read the last unless told otherwise.
        exhibits, contestations: Plain JSON values, kept as they came.
        provenance: Dataset, file name and hash, licence, generation settings: plain JSON values.
        tags: Short words to filter by.
        note: A sentence for the reader.
    """

    id: str
    claim: str
    label: bool | None = None
    protocol: DebateProtocol = DebateProtocol.OTHER
    claim_id: str | None = None
    title: str | None = None
    agents: tuple[Agent, ...] = ()
    rounds: tuple[Round, ...] = ()
    judgements: tuple[RecordedJudgement, ...] = ()
    transcript: tuple[Message, ...] = ()
    exhibits: tuple[Mapping[str, Any], ...] = ()
    contestations: tuple[Mapping[str, Any], ...] = ()
    provenance: Mapping[str, Any] = field(default_factory=dict)
    tags: tuple[str, ...] = ()
    note: str | None = None

    @property
    def shared(self) -> bool:
        """Return whether all agents hold one common framework."""
        return self.protocol is DebateProtocol.MULTI_TURN_SHARED


def profile(debate: Debate, round_number: int | None = None) -> OpinionProfile:
    """Return the opinion profile of one round, the last one unless a number is given.

    A prior stance is usually recorded in the first round only: an agent without one in the round asked for gets the
    latest one recorded before it. Agents that take no stance and put forward no argument (a court, a moderator) hold
    no opinion and are left out.

    Raises:
        InvalidGraph: If the debate has no such round.
    """
    if not debate.rounds and round_number is None:
        return OpinionProfile(debate.claim, shared=debate.shared)
    numbers = [r.number for r in debate.rounds]
    wanted = numbers[-1] if round_number is None else round_number
    if wanted not in numbers:
        raise InvalidGraph(f"Debate {debate.id!r} has no round {wanted}; it has {numbers}.")
    position = numbers.index(wanted)
    chosen = debate.rounds[position]
    priors = {s.agent_id: s.prior for r in debate.rounds[: position + 1] for s in r.stances if s.prior is not None}
    given = {s.agent_id: s for s in chosen.stances}
    holders = {s.agent_id for r in debate.rounds[: position + 1] for s in r.stances}
    holders |= {a.author for a in chosen.arguments if a.author is not None}
    ids = list(dict.fromkeys([*(a.id for a in debate.agents if a.id in holders), *given]))
    stances = tuple(
        Stance(agent, priors.get(agent), given[agent].posterior if agent in given else None) for agent in ids
    )
    return OpinionProfile(debate.claim, stances, chosen.arguments, chosen.relations, debate.shared)
