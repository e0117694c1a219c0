"""One step of a debate asked of one agent, and what comes of asking: an answer, or why there is none."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic, TypeVar

from core.errors import CallFailed, CallFailure
from core.llm.replies import Problem
from core.llm.request import ChatReply, ChatRequest, Message, Role
from core.strict_json import storable

ECHOED = 2_000  # characters of an unreadable reply that are sent back when asking again
T = TypeVar("T")


class Stage(StrEnum):
    """What an agent is asked for."""

    PRIOR = "prior stance"
    PRO = "pro"
    CON = "con"
    ARGUMENTS = "arguments"
    REVISION = "revision"
    TURN = "turn"
    BASE_SCORE = "base score"
    POSTERIOR = "posterior stance"


class AnswerStatus(StrEnum):
    """What came of a question."""

    OK = "ok"
    UNREADABLE = "unreadable"  # also when asked again with the error named
    REFUSED = "refused"
    NO_REPLY = "no reply"
    NOT_ASKED = "not asked yet"

    @property
    def halts(self) -> bool:
        """Return whether the debate cannot go on, because asking later may bring what is missing."""
        return self in {AnswerStatus.NO_REPLY, AnswerStatus.NOT_ASKED}


@dataclass(frozen=True)
class Read(Generic[T]):
    """What a reply says, or why it cannot be read."""

    value: T | None
    problem: Problem | None = None
    detail: str = ""


@dataclass(frozen=True)
class Question(Generic[T]):
    """One step of one agent.

    Attributes:
        agent, round, stage: Whose step it is, in which round, and which.
        request: What to send.
        read: Reads a reply.
        ask_again: Says what is wrong with a reply that cannot be read.
        argument: The id of the argument that a base score is asked for.
    """

    agent: str
    round: int
    stage: Stage
    request: ChatRequest
    read: Callable[[ChatReply], Read[T]]
    ask_again: Callable[[str], str]
    argument: str = ""

    def again(self, reply: ChatReply, detail: str) -> ChatRequest:
        """Return the request with the reply that could not be read, and the error named."""
        # As it is stored, so that the same is asked when the debate is held again from stored replies.
        said = Message(Role.ASSISTANT, storable(reply.text[:ECHOED]) if reply.text.strip() else "…")
        asked = Message(Role.USER, self.ask_again(detail))
        return replace(self.request, messages=(*self.request.messages, said, asked))


@dataclass(frozen=True)
class Answer(Generic[T]):
    """What came of a question.

    Attributes:
        value: What the agent says; None unless the status is OK.
        status, detail: How it went, and what was wrong, in a sentence.
        keys: The requests whose replies this rests on, the last one counting.
        text, model: Of the last reply.
        failure: Why there is no reply, with the key of the request that brought none.
    """

    value: T | None
    status: AnswerStatus
    detail: str = ""
    keys: tuple[str, ...] = ()
    text: str = ""
    model: str = ""
    failure: tuple[str, CallFailed] | None = None


NOT_ASKED = CallFailed(CallFailure.CONNECTION, "This was not asked yet.")  # stands in for a reply that is not there
Reply = ChatReply | CallFailed
Asking = Generator[ChatRequest, Reply, Answer[T]]


def asking(question: Question[T]) -> Asking[T]:
    """Ask a question: yield one request or two, take the reply to each, and return the answer.

    A reply that cannot be read is asked for once more, with the error named. A refusal is not.
    """
    keys: list[str] = []
    request = question.request
    reply: Reply = yield request
    if isinstance(reply, CallFailed):
        return _unanswered(request, reply, keys)
    keys.append(request.key)
    read = question.read(reply)
    if read.problem not in (None, Problem.REFUSED):
        request = question.again(reply, read.detail)
        second: Reply = yield request
        if isinstance(second, CallFailed):
            return _unanswered(request, second, keys)
        keys.append(request.key)
        reply, read = second, question.read(second)
    status = (
        AnswerStatus.OK
        if read.problem is None
        else AnswerStatus.REFUSED
        if read.problem is Problem.REFUSED
        else AnswerStatus.UNREADABLE
    )
    return Answer(read.value, status, read.detail, tuple(keys), storable(reply.text), storable(reply.model))


def _unanswered(request: ChatRequest, failure: CallFailed, keys: Sequence[str]) -> Answer[Any]:
    if failure is NOT_ASKED:
        return Answer(None, AnswerStatus.NOT_ASKED, str(failure), tuple(keys))
    return Answer(None, AnswerStatus.NO_REPLY, str(failure), tuple(keys), failure=(request.key, failure))


__all__ = ["NOT_ASKED", "Answer", "AnswerStatus", "Asking", "Question", "Read", "Reply", "Stage", "asking"]
