"""Single-turn: each agent by itself takes a stance, gives a pro and a con, scores them, and takes a stance again."""

from __future__ import annotations

from core.debating.agent import AgentSpec
from core.debating.asker import Asker
from core.debating.course import Course, Placed, Steps
from core.debating.question import Question
from core.debating.stances import base_scores, posteriors, priors
from core.opinion import Argument


def single_turn(asker: Asker, course: Course) -> Steps[None]:
    """Hold the debate. Agents see nothing of each other, so each step asks all of them at once."""
    draft = course.begin(0)
    yield from priors(asker, course, draft)
    wanted = [(agent, pro) for agent in asker.plan.agents for pro in (True, False)]
    answers = yield from course.ask([asker.argument(agent, pro) for agent, pro in wanted])
    for (agent, pro), answer in zip(wanted, answers, strict=True):
        if answer.value is not None:
            name = course.new_id(f"{agent.name}-{'pro' if pro else 'con'}")
            draft.put(Placed(Argument(name, answer.value, agent.name), pro))
    yield from base_scores(asker, course, draft, draft.placed)

    def posterior(agent: AgentSpec) -> Question[float]:
        return asker.posterior(agent, 0, draft.priors.get(agent.name), draft.of(agent.name))

    yield from posteriors(asker, course, draft, posterior)
    course.check()


__all__ = ["single_turn"]
