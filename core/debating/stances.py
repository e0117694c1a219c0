"""Asking for stances and base scores: the steps that all protocols share."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from core.debating.agent import AgentSpec
from core.debating.asker import Asker
from core.debating.course import Course, RoundDraft, Steps
from core.debating.plan import StanceUse
from core.debating.question import Answer, AnswerStatus, Question

LONGEST_RAW = 200  # characters of a reply kept where a base score should be


def priors(asker: Asker, course: Course, draft: RoundDraft) -> Steps[None]:
    """Ask every agent for its stance before any argument, where stances are used."""
    if asker.plan.stances is StanceUse.NONE:
        return
    agents = asker.plan.agents
    answers = yield from course.ask([asker.prior(agent) for agent in agents])
    for agent, answer in zip(agents, answers, strict=True):
        draft.priors[agent.name] = answer.value


def posteriors(
    asker: Asker, course: Course, draft: RoundDraft, question: Callable[[AgentSpec], Question[float]]
) -> Steps[None]:
    """Ask every agent for its stance after the arguments, where that is used."""
    if asker.plan.stances is not StanceUse.POSTERIOR:
        return
    agents = asker.plan.agents
    answers = yield from course.ask([question(agent) for agent in agents])
    for agent, answer in zip(agents, answers, strict=True):
        draft.posteriors[agent.name] = answer.value


def base_scores(asker: Asker, course: Course, draft: RoundDraft, names: Iterable[str]) -> Steps[None]:
    """Ask the authors of arguments for the base score of each, argument by argument."""
    agents = {agent.name: agent for agent in asker.plan.agents}
    asked = list(names)
    answers = yield from course.ask(
        [asker.base_score(agents[_author(draft, name)], draft.number, draft.placed[name]) for name in asked]
    )
    for name, answer in zip(asked, answers, strict=True):
        draft.score(name, answer.value, _raw(answer))


def _author(draft: RoundDraft, name: str) -> str:
    return draft.placed[name].argument.author or ""


def _raw(answer: Answer[float]) -> str | None:
    """Return what was said where no score can be read."""
    if answer.status is not AnswerStatus.UNREADABLE:
        return None
    return answer.text.strip()[:LONGEST_RAW] or None


__all__ = ["base_scores", "posteriors", "priors"]
