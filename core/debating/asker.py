"""The questions of a debate: what each agent is sent at each step, and how its reply is read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from core.debating import schemas
from core.debating.agent import AgentSpec
from core.debating.course import Placed
from core.debating.plan import DebatePlan
from core.debating.question import Question, Read, Stage
from core.debating.reading import (
    Revision,
    Sides,
    Turn,
    read_argument,
    read_likelihood,
    read_revision,
    read_sides,
    read_turn,
)
from core.llm.request import ChatReply, ChatRequest, Message, Role

T = TypeVar("T")
FOR_NUMBER, FOR_TEXT, FOR_LIST = 32, 200, 1_200  # tokens that replies need
UNKNOWN = "not given"


@dataclass(frozen=True)
class Listed:
    """An argument as a prompt lists it; the likelihood in words."""

    id: str
    text: str
    likelihood: str
    author: str


@dataclass(frozen=True)
class Lists:
    """Arguments as a prompt lists them."""

    pros: tuple[Listed, ...] = ()
    cons: tuple[Listed, ...] = ()


@dataclass(frozen=True)
class Other:
    """Another agent as a prompt shows it."""

    name: str
    stance: str
    pros: tuple[Listed, ...]
    cons: tuple[Listed, ...]


@dataclass(frozen=True)
class Asker:
    """Writes the questions of one debate. It knows the claim's text, and nothing of its label or id."""

    plan: DebatePlan
    claim: str

    def prior(self, agent: AgentSpec) -> Question[float]:
        """Return the question for a stance before any argument."""
        return self._question(agent, 0, Stage.PRIOR, "prior", read_likelihood, schemas.likelihood(), FOR_NUMBER)

    def argument(self, agent: AgentSpec, pro: bool) -> Question[str]:
        """Return the question for one pro or con."""
        stage = Stage.PRO if pro else Stage.CON
        return self._question(agent, 0, stage, "argument", read_argument, schemas.argument(), FOR_TEXT, pro=pro)

    def arguments(self, agent: AgentSpec) -> Question[Sides]:
        """Return the question for any number of pros and cons."""
        most = self.plan.most_arguments
        return self._question(
            agent, 0, Stage.ARGUMENTS, "arguments", partial(read_sides, most=most), schemas.sides(most), FOR_LIST
        )

    def revision(
        self, agent: AgentSpec, number: int, own: Sequence[Placed], stance: float | None, others: Sequence[Other]
    ) -> Question[Revision]:
        """Return the question for a revised list, after the others' lists of the round before."""
        most = self.plan.most_arguments
        pros = {one.argument.id: one.argument.text for one in own if one.pro}
        cons = {one.argument.id: one.argument.text for one in own if not one.pro}
        return self._question(
            agent,
            number,
            Stage.REVISION,
            "revision",
            partial(read_revision, pros=pros, cons=cons, most=most),
            schemas.revision(tuple(pros), tuple(cons), most),
            FOR_LIST,
            own=listed(own),
            stance=in_percent(stance),
            others=tuple(others),
        )

    def turn(self, agent: AgentSpec, number: int, framework: Sequence[Placed], stance: float | None) -> Question[Turn]:
        """Return the question for a turn on the common list of arguments."""
        most = self.plan.most_arguments
        return self._question(
            agent,
            number,
            Stage.TURN,
            "turn",
            partial(read_turn, most=most),
            schemas.turn(most),
            FOR_LIST,
            name=agent.name,
            framework=listed(framework),
            yours=[one.argument.id for one in framework if one.argument.author == agent.name],
            stance=in_percent(stance),
        )

    def base_score(self, agent: AgentSpec, number: int, one: Placed) -> Question[float]:
        """Return the question for the likelihood of one argument."""
        return self._question(
            agent,
            number,
            Stage.BASE_SCORE,
            "base_score",
            read_likelihood,
            schemas.likelihood(),
            FOR_NUMBER,
            of=one.argument.id,
            pro=one.pro,
            text=one.argument.text,
        )

    def posterior(
        self,
        agent: AgentSpec,
        number: int,
        stance: float | None,
        own: Sequence[Placed],
        others: Sequence[Other] = (),
        framework: Sequence[Placed] | None = None,
    ) -> Question[float]:
        """Return the question for a stance after arguments: one's own and others' lists, or the common one."""
        return self._question(
            agent,
            number,
            Stage.POSTERIOR,
            "posterior",
            read_likelihood,
            schemas.likelihood(),
            FOR_NUMBER,
            name=agent.name,
            stance=in_percent(stance),
            own=listed(own),
            others=tuple(others),
            framework=None if framework is None else listed(framework),
        )

    def _question(
        self,
        agent: AgentSpec,
        number: int,
        stage: Stage,
        template: str,
        read: Callable[[ChatReply], Read[T]],
        schema: str,
        needed: int,
        of: str = "",
        **values: Any,
    ) -> Question[T]:
        shown: Mapping[str, Any] = {"claim": self.claim, "most": self.plan.most_arguments, **values}
        messages = (
            Message(
                Role.SYSTEM,
                self.plan.prompts.render("debater", persona=agent.persona, protocol=self.plan.protocol.value),
            ),
            Message(Role.USER, self.plan.prompts.render(template, **shown)),
        )
        request = ChatRequest(
            agent.endpoint, agent.model, messages, agent.parameters(needed), schema, self.plan.sample(agent)
        )
        ask_again = partial(self._ask_again, stage)
        return Question(agent.name, number, stage, request, read, ask_again, of)

    def _ask_again(self, stage: Stage, problem: str) -> str:
        return self.plan.prompts.render("ask_again", problem=problem, stage=stage.value)


def listed(arguments: Iterable[Placed]) -> Lists:
    """Return arguments for a prompt."""
    pros: list[Listed] = []
    cons: list[Listed] = []
    for one in arguments:
        shown = Listed(
            one.argument.id, one.argument.text, in_percent(one.argument.base_score), one.argument.author or ""
        )
        (pros if one.pro else cons).append(shown)
    return Lists(tuple(pros), tuple(cons))


def other(name: str, stance: float | None, arguments: Iterable[Placed]) -> Other:
    """Return another agent's opinion for a prompt."""
    lists = listed(arguments)
    return Other(name, in_percent(stance), lists.pros, lists.cons)


def in_percent(score: float | None) -> str:
    """Return a score as the whole number of percent that it was given in, or as near to that as can be."""
    return UNKNOWN if score is None else f"{score * 100:.4g}%"


__all__ = ["Asker", "Other", "in_percent", "listed", "other"]
