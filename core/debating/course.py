"""A debate under way: its rounds so far, a record of every question, and where it halts."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from core.debate import Round
from core.debating.question import Answer, AnswerStatus, Question, Stage
from core.errors import CallFailed, MootError
from core.opinion import TOPIC, Argument, Relation, RelationKind, Stance

T = TypeVar("T")
Result = TypeVar("Result")
Batch = tuple[Question[Any], ...]
Steps = Generator[Batch, Sequence[Answer[Any]], Result]
"""Yields questions that may be asked at once, takes their answers in the same order, and returns at the end."""


class Halted(MootError):
    """A debate that cannot go on for now; it says at which question."""


@dataclass(frozen=True)
class CallRecord:
    """One question of a debate and how it went.

    Attributes:
        round, agent, stage, argument: The question.
        status, detail: How it went.
        keys: The requests whose replies it rests on.
        model: Who answered last, by the reply's own account.
    """

    round: int
    agent: str
    stage: Stage
    argument: str
    status: AnswerStatus
    detail: str
    keys: tuple[str, ...]
    model: str

    @property
    def place(self) -> str:
        """Return which question it was, for a sentence."""
        what = f"{self.stage.value} of {self.argument}" if self.argument else self.stage.value
        return f"round {self.round}, {self.agent}, {what}"

    def to_json(self) -> dict[str, Any]:
        """Return the record as plain JSON values, without what is as usual."""
        record: dict[str, Any] = {"round": self.round, "agent": self.agent, "stage": self.stage.value}
        if self.argument:
            record["argument"] = self.argument
        if self.status is not AnswerStatus.OK:
            record |= {"status": self.status.value, "detail": self.detail}
        if self.model:
            record["model"] = self.model
        return record | {"replies": list(self.keys)}


@dataclass(frozen=True)
class Placed:
    """An argument and its side."""

    argument: Argument
    pro: bool


@dataclass
class RoundDraft:
    """A round under way; ``begun`` says whether any of its questions had a reply."""

    number: int
    priors: dict[str, float | None] = field(default_factory=dict)
    posteriors: dict[str, float | None] = field(default_factory=dict)
    placed: dict[str, Placed] = field(default_factory=dict)
    edits: list[Mapping[str, Any]] = field(default_factory=list)
    begun: bool = False

    def put(self, placed: Placed) -> None:
        """Add an argument, or replace the one of the same id."""
        self.placed[placed.argument.id] = placed

    def score(self, name: str, base_score: float | None, raw: str | None) -> None:
        """Give an argument its base score, or what was said instead of one."""
        one = self.placed[name]
        self.put(replace(one, argument=replace(one.argument, base_score=base_score, base_score_raw=raw)))

    def of(self, agent: str) -> tuple[Placed, ...]:
        """Return an agent's arguments."""
        return tuple(one for one in self.placed.values() if one.argument.author == agent)

    def frozen(self, agents: Iterable[str]) -> Round:
        """Return the round as it stands."""
        stances = tuple(
            Stance(name, self.priors.get(name), self.posteriors.get(name))
            for name in agents
            if name in self.priors or name in self.posteriors
        )
        relations = tuple(
            Relation(name, TOPIC, RelationKind.SUPPORT if one.pro else RelationKind.ATTACK)
            for name, one in self.placed.items()
        )
        return Round(
            self.number, stances, tuple(one.argument for one in self.placed.values()), relations, tuple(self.edits)
        )


class Course:
    """What a debate has come to so far. The protocols fill it; it is read at the end, or where the debate halts."""

    def __init__(self, agents: Sequence[str]) -> None:
        self._agents = tuple(agents)
        self._done: list[Round] = []
        self._draft: RoundDraft | None = None
        self._numbers: dict[str, int] = {}
        self.calls: list[CallRecord] = []
        self.failures: dict[str, CallFailed] = {}
        self.halt: CallRecord | None = None

    def begin(self, number: int) -> RoundDraft:
        """Begin a round; the one before it is closed."""
        self._close()
        self._draft = RoundDraft(number)
        return self._draft

    def rounds(self) -> tuple[Round, ...]:
        """Return the rounds so far, the one under way as it stands."""
        under_way = self._draft
        return (*self._done, under_way.frozen(self._agents)) if under_way and under_way.begun else tuple(self._done)

    def new_id(self, stem: str) -> str:
        """Return an id that no argument of this debate has had: the stem with the next number."""
        self._numbers[stem] = self._numbers.get(stem, 0) + 1
        return f"{stem}{self._numbers[stem]}"

    def ask(self, questions: Sequence[Question[T]]) -> Steps[list[Answer[T]]]:
        """Ask questions, all at once, and return the answers in order.

        What cannot be read leaves a gap, and the debate goes on. A question without a reply halts it, not here but
        before the next question, so that what came beside it still finds its place.

        Raises:
            Halted: If an earlier question had no reply.
        """
        self.check()
        if not questions:
            return []
        answers: Sequence[Answer[T]] = yield tuple(questions)
        for question, answer in zip(questions, answers, strict=True):
            record = CallRecord(
                question.round,
                question.agent,
                question.stage,
                question.argument,
                answer.status,
                answer.detail,
                answer.keys,
                answer.model,
            )
            self.calls.append(record)
            if answer.failure is not None:
                key, failure = answer.failure
                self.failures[key] = failure
            if answer.status.halts and self.halt is None:
                self.halt = record
            if not answer.status.halts and self._draft is not None:
                self._draft.begun = True
        return list(answers)

    def check(self) -> None:
        """Go on, unless a question had no reply.

        Raises:
            Halted: If one had none.
        """
        if self.halt is not None:
            raise Halted(f"Stopped at {self.halt.place}: {self.halt.detail}")

    def _close(self) -> None:
        if self._draft is not None:
            self._done.append(self._draft.frozen(self._agents))


__all__ = ["Batch", "CallRecord", "Course", "Halted", "Placed", "RoundDraft", "Steps"]
