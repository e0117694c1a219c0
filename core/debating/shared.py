"""Multi-turn shared: one common list of arguments, on which the agents act in turn; stances stay private.

An agent may change only what it added itself. What it asks for beyond that is left undone and logged in the round's
edits under ``ignored``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from core.debating.agent import AgentSpec
from core.debating.asker import Asker
from core.debating.course import Course, Placed, RoundDraft, Steps
from core.debating.question import Question
from core.debating.reading import Turn, WantedEdit
from core.debating.stances import base_scores, posteriors, priors
from core.opinion import Argument


def shared(asker: Asker, course: Course) -> Steps[None]:
    """Hold the debate: in each round every agent has one turn, then all stances are taken anew."""
    stances: dict[str, float | None] = {}
    framework: dict[str, Placed] = {}
    for number in range(asker.plan.rounds):
        draft = course.begin(number)
        draft.placed.update(framework)
        if number == 0:
            yield from priors(asker, course, draft)
            stances.update(draft.priors)
        for agent in asker.plan.turns(number, asker.claim):
            yield from _take_turn(asker, course, draft, agent, stances.get(agent.name))
        yield from _take_stances(asker, course, draft, stances)
        framework = draft.placed
    course.check()


def _take_turn(asker: Asker, course: Course, draft: RoundDraft, agent: AgentSpec, stance: float | None) -> Steps[None]:
    (answer,) = yield from course.ask([asker.turn(agent, draft.number, tuple(draft.placed.values()), stance)])
    if answer.value is None:
        if not answer.status.halts:
            draft.edits.append(_record(agent, [], (), (), []) | {answer.status.value: answer.detail})
        return
    turn: Turn = answer.value
    applied: list[dict[str, Any]] = []
    ignored: list[dict[str, Any]] = []
    for wanted in turn.edits:
        breach = _breach(draft, agent, wanted)
        if breach is not None:
            ignored.append(breach)
            continue
        done = _applied(draft, agent, wanted)
        if done is not None:
            applied.append(done)
    new = []
    for pro, texts in ((True, turn.new.pros), (False, turn.new.cons)):
        for text in texts:
            name = course.new_id("pro" if pro else "con")
            draft.put(Placed(Argument(name, text, agent.name), pro))
            new.append(name)
    draft.edits.append(_record(agent, applied, turn.new.pros, turn.new.cons, ignored))
    yield from base_scores(asker, course, draft, new)


def _take_stances(asker: Asker, course: Course, draft: RoundDraft, stances: dict[str, float | None]) -> Steps[None]:
    def posterior(agent: AgentSpec) -> Question[float]:
        whole = tuple(draft.placed.values())
        return asker.posterior(agent, draft.number, stances.get(agent.name), (), framework=whole)

    yield from posteriors(asker, course, draft, posterior)
    stances.update({name: stance for name, stance in draft.posteriors.items() if stance is not None})


def _breach(draft: RoundDraft, agent: AgentSpec, wanted: WantedEdit) -> dict[str, Any] | None:
    """Return the record of an edit that the agent may not make; None for one that it may."""
    one = draft.placed.get(wanted.id)
    if one is None:
        return {**_wanted(wanted), "why": "there is no such argument"}
    if one.argument.author != agent.name:
        return {**_wanted(wanted), "owner": one.argument.author, "why": "the argument is another agent's"}
    return None


def _applied(draft: RoundDraft, agent: AgentSpec, wanted: WantedEdit) -> dict[str, Any] | None:
    """Make an edit and return its record; None where it changes nothing."""
    one = draft.placed[wanted.id]
    before = one.argument
    after = before
    if wanted.text is not None:
        after = replace(after, text=wanted.text)
    if wanted.base_score is not None:
        after = replace(after, base_score=wanted.base_score, base_score_raw=None)
    if after == before:
        return None
    draft.put(replace(one, argument=replace(after, last_edited_by=agent.name)))
    changed: dict[str, Any] = {"id": wanted.id}
    if after.base_score != before.base_score:
        changed["base_score"] = after.base_score
    if after.text != before.text:
        changed["argument"] = after.text
    return changed


def _wanted(wanted: WantedEdit) -> dict[str, Any]:
    written: dict[str, Any] = {"id": wanted.id}
    if wanted.base_score is not None:
        written["base_score"] = wanted.base_score
    if wanted.text is not None:
        written["argument"] = wanted.text
    return written


def _record(
    agent: AgentSpec,
    applied: list[dict[str, Any]],
    pros: tuple[str, ...],
    cons: tuple[str, ...],
    ignored: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return what an agent did in its turn, as docs/format.md has it."""
    record: dict[str, Any] = {"agent_id": agent.name, "edits": applied, "new_pros": list(pros), "new_cons": list(cons)}
    return record | ({"ignored": ignored} if ignored else {})


__all__ = ["shared"]
