"""Runs of debates that a command line asks the app for: estimate, begin, go on, look, replay, write.

Claims and templates travel whole, so that what is typed at the command line counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from core.debating.claim import Claim
from core.debating.plan import DebatePlan, plan_of
from core.debating.prompts import DebatePrompts
from core.debating.replaying import replay_report
from core.debating.run import DebateRun, estimate_line
from core.judges.registry import AnyJudge, judges_of
from core.llm.endpoint import ENDPOINTS, Endpoint
from core.roles import OPERATOR
from core.runs.plan import Budget
from core.runs.progress import begun_line
from storage.claim_source import claims_in_dataset
from storage.command_desk import CommandDesk, judges_record
from storage.database import Database
from storage.debate_filter import DebateFilter
from storage.debate_repository import DebateRepository
from storage.debate_run_repository import DebateRunRepository
from storage.debate_run_worker import DebateRunWorker
from storage.judging_afterwards import afterwards
from storage.prompt_files import find_prompts, load_prices

MOST_DIFFERING = 20  # debates of a replay that are listed
DEBATES = "debates"  # what marks a question as one of these


class About(StrEnum):
    """What a question is about."""

    ESTIMATE = "estimate"
    BEGIN = "begin"
    RESUME = "resume"
    LOOK = "look"
    REPLAY = "replay"
    WRITE = "write"


class DebateDesk(CommandDesk[DebateRunWorker]):
    """Answers questions about runs of debates."""

    def _answered(self, question: Mapping[str, Any]) -> dict[str, Any]:
        match About(question["about"]):
            case About.ESTIMATE:
                plan, claims = _read(self._database, question)
                return {"lines": [self._estimated(plan, claims)]}
            case About.BEGIN:
                return self._begin(question)
            case About.RESUME:
                return self._started(DebateRunRepository(self._database).get(str(question["run"])), question)
            case About.LOOK:
                return self._told(str(question["run"]))
            case About.REPLAY:
                return self._replayed(str(question["run"]))
            case About.WRITE:
                return {"lines": self._debates(str(question["run"]))}

    def _begin(self, question: Mapping[str, Any]) -> dict[str, Any]:
        plan, claims = _read(self._database, question)
        judges = judges_of(question["judges"], find_prompts) if question["judges"]["judges"] else ()
        then = afterwards(self._database, judges, Budget.from_json(question["judging"]), OPERATOR) if judges else None
        budget = Budget.from_json(question["budget"])
        run = self._worker().create(plan, claims, budget, str(question["dataset"]), then)
        answer = self._started(run, question)
        return answer | {"lines": [self._estimated(plan, claims), *answer["lines"]]}

    def _started(self, run: DebateRun, question: Mapping[str, Any]) -> dict[str, Any]:
        self._start(run.id, question)
        return {"run": run.id, "lines": [begun_line(run)]}

    def _estimated(self, plan: DebatePlan, claims: Sequence[Claim]) -> str:
        return estimate_line(self._worker().estimate(plan, claims), load_prices().currency)

    def _replayed(self, run: str) -> dict[str, Any]:
        held = list(self._worker().replay(run))
        found = replay_report(one.held_again for one in held)
        return {
            "sentence": found.sentence,
            "differing": found.lines(MOST_DIFFERING),
            "same": not found.differing,
            "lines": [one.record for one in held],
        }

    def _debates(self, run: str) -> list[str]:
        dataset = self._worker().dataset(run)
        if dataset is None:
            return []
        return list(DebateRepository(self._database).export(DebateFilter(datasets=(dataset,))))


def desk_answer(
    judges: Callable[[Mapping[str, Any]], dict[str, Any]], debates: DebateDesk
) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    """Return what answers questions about both kinds of runs.

    Args:
        judges: Answers questions about runs of judges.
        debates: Answers those about runs of debates, which say so.
    """

    def answer(question: Mapping[str, Any]) -> dict[str, Any]:
        return debates.answer(question) if question.get("of") == DEBATES else judges(question)

    return answer


def run_question(
    plan: DebatePlan,
    claims: Sequence[Claim] | str,
    limit: int | None,
    *,
    dataset: str = "",
    budget: Budget | None = None,
    judges: Sequence[AnyJudge] = (),
    judging: Budget | None = None,
    estimate: bool = False,
) -> dict[str, Any]:
    """Return the question that begins a run, or asks what it would take; the answer has ``run`` and ``lines``.

    Args:
        plan: How the debates are held.
        claims: About what; or a data set's name or id.
        limit: Only the first so many claims.
        dataset: What the data set is to be called.
        budget: Limits.
        judges: Who judges the debates once they are complete.
        judging: Limits of that.
        estimate: Whether nothing is to begin.
    """
    listed = None if isinstance(claims, str) else [[one.id, one.text, one.label] for one in claims]
    return {
        "of": DEBATES,
        "about": (About.ESTIMATE if estimate else About.BEGIN).value,
        "plan": plan.settings(),
        "prompts": dict(plan.prompts.texts),
        "endpoints": [endpoint.to_json() for endpoint in plan.endpoints],
        "claims": listed,
        "claims_of": claims if isinstance(claims, str) else None,
        "limit": limit,
        "dataset": dataset,
        "budget": (budget or Budget()).to_json(),
        "judges": judges_record(judges),
        "judging": (judging or Budget()).to_json(),
        "retry_failed": False,
    }


def resume_question(run: str, budget: Budget, retry_failed: bool) -> dict[str, Any]:
    """Return the question that goes on with a run; the answer has ``run`` and ``lines``."""
    return about_run(About.RESUME, run) | {"budget": budget.to_json(), "retry_failed": retry_failed}


def about_run(about: About, run: str) -> dict[str, Any]:
    """Return a question about a run.

    Args:
        about: LOOK, whose answer has ``line``, ``ended``, ``done`` and ``report`` (lines); WRITE, whose answer has the
            debates as ``lines``; REPLAY, whose answer has ``sentence``, ``differing`` (lines), ``same`` and ``lines``.
        run: Its id.
    """
    return {"of": DEBATES, "about": about.value, "run": run}


def _read(database: Database, question: Mapping[str, Any]) -> tuple[DebatePlan, tuple[Claim, ...]]:
    texts: Mapping[str, str] = question["prompts"]
    endpoints = {one.name: one for one in map(Endpoint.from_json, question["endpoints"])}
    plan = plan_of(
        question["plan"], lambda name, digest: DebatePrompts.from_texts(name, texts), {**ENDPOINTS, **endpoints}
    )
    if question["claims"] is None:
        return plan, claims_in_dataset(database, str(question["claims_of"]))[: question["limit"]]
    return plan, tuple(Claim(*one) for one in question["claims"])[: question["limit"]]


__all__ = ["About", "DebateDesk", "about_run", "desk_answer", "resume_question", "run_question"]
