"""Multi-turn private: each agent keeps its own list, and revises it after seeing the others' of the round before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.debating.agent import AgentSpec
from core.debating.asker import Asker, Other, other
from core.debating.course import Course, Placed, RoundDraft, Steps
from core.debating.question import Question
from core.debating.reading import Kept, Revision
from core.debating.stances import base_scores, posteriors, priors
from core.opinion import Argument


@dataclass(frozen=True)
class _Before:
    """What the round before came to."""

    placed: Mapping[str, tuple[Placed, ...]]  # by agent
    stances: Mapping[str, float | None]

    def others(self, agent: AgentSpec) -> tuple[Other, ...]:
        return tuple(
            other(name, self.stances.get(name), placed) for name, placed in self.placed.items() if name != agent.name
        )


def private(asker: Asker, course: Course) -> Steps[None]:
    """Hold the debate: round 0 as in a single turn with any number of arguments, then rounds of revision."""
    plan = asker.plan
    draft = course.begin(0)
    yield from priors(asker, course, draft)
    answers = yield from course.ask([asker.arguments(agent) for agent in plan.agents])
    for agent, answer in zip(plan.agents, answers, strict=True):
        for pro, texts in ((True, answer.value.pros), (False, answer.value.cons)) if answer.value else ():
            for text in texts:
                draft.put(_new(course, agent, text, pro))
    stances: dict[str, float | None] = dict(draft.priors)
    yield from _rest(asker, course, draft, list(draft.placed), stances, ())
    for number in range(1, plan.rounds):
        before = _Before({agent.name: draft.of(agent.name) for agent in plan.agents}, dict(stances))
        draft = course.begin(number)
        yield from _revise(asker, course, draft, before, stances)
    course.check()


def _revise(
    asker: Asker, course: Course, draft: RoundDraft, before: _Before, stances: dict[str, float | None]
) -> Steps[None]:
    agents = asker.plan.agents
    answers = yield from course.ask(
        [
            asker.revision(
                agent, draft.number, before.placed[agent.name], stances.get(agent.name), before.others(agent)
            )
            for agent in agents
        ]
    )
    unscored: list[str] = []
    for agent, answer in zip(agents, answers, strict=True):
        own = before.placed[agent.name]
        # Whoever gives no readable answer stands by what it said before.
        revised = own if answer.value is None else _revised(course, agent, own, answer.value)
        known = {one.argument.id: one.argument.text for one in own}
        for one in revised:
            draft.put(one)
        unscored += [one.argument.id for one in revised if known.get(one.argument.id) != one.argument.text]
    shown = tuple((agent, before.others(agent)) for agent in agents)
    yield from _rest(asker, course, draft, unscored, stances, shown)


def _rest(
    asker: Asker,
    course: Course,
    draft: RoundDraft,
    unscored: Sequence[str],
    stances: dict[str, float | None],
    shown: Sequence[tuple[AgentSpec, tuple[Other, ...]]],
) -> Steps[None]:
    """Have new and changed arguments scored, and stances taken; ``stances`` then holds each agent's latest."""
    yield from base_scores(asker, course, draft, unscored)
    others = {agent.name: seen for agent, seen in shown}

    def posterior(agent: AgentSpec) -> Question[float]:
        return asker.posterior(
            agent, draft.number, stances.get(agent.name), draft.of(agent.name), others.get(agent.name, ())
        )

    yield from posteriors(asker, course, draft, posterior)
    stances.update({name: stance for name, stance in draft.posteriors.items() if stance is not None})


def _revised(course: Course, agent: AgentSpec, own: Sequence[Placed], revision: Revision) -> list[Placed]:
    """Return an agent's new list; an argument whose text stays keeps its base score."""
    known = {one.argument.id: one for one in own}
    revised: list[Placed] = []
    sides: tuple[tuple[bool, tuple[Kept, ...]], ...] = ((True, revision.pros), (False, revision.cons))
    for pro, kept in sides:
        for entry in kept:
            before = None if entry.id is None else known[entry.id]
            if before is not None and before.argument.text == entry.text:
                revised.append(before)
            elif before is not None:
                revised.append(Placed(Argument(before.argument.id, entry.text, agent.name), pro))
            else:
                revised.append(_new(course, agent, entry.text, pro))
    return revised


def _new(course: Course, agent: AgentSpec, text: str, pro: bool) -> Placed:
    return Placed(Argument(course.new_id(f"{agent.name}-{'pro' if pro else 'con'}"), text, agent.name), pro)


__all__ = ["private"]
