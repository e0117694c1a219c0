"""Runs of judges that a command line asks the app for: begin, look, write, cancel."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import Any

from core.judges.registry import AnyJudge, judges_of
from core.runs.plan import Budget
from core.runs.progress import begun_line
from storage.command_desk import CommandDesk, judges_record
from storage.judge_choice import chosen_debates
from storage.judgement_file import judgement_lines
from storage.prompt_files import find_prompts
from storage.run_repository import RunRepository
from storage.run_worker import RunWorker


class About(StrEnum):
    """What a question is about."""

    BEGIN = "begin"
    LOOK = "look"
    WRITE = "write"
    CANCEL = "cancel"


class RunDesk(CommandDesk[RunWorker]):
    """Answers questions about runs of judges."""

    def _answered(self, question: Mapping[str, Any]) -> dict[str, Any]:
        match About(question["about"]):
            case About.BEGIN:
                return self._begin(question)
            case About.LOOK:
                return self._told(str(question["run"]))
            case About.WRITE:
                run = RunRepository(self._database).get(str(question["run"]))
                debates = RunRepository(self._database).debates(run.id)
                return {"lines": list(judgement_lines(self._database, run.judges, debates))}
            case About.CANCEL:
                self._worker().cancel(str(question["run"]))
                return {}

    def _begin(self, question: Mapping[str, Any]) -> dict[str, Any]:
        if question["resume"] is None:
            debates = chosen_debates(self._database, question["datasets"], question["debates"], question["limit"])
            judges, budget = judges_of(question["judges"], find_prompts), Budget.from_json(question["budget"])
            run = self._worker().create(judges, debates, budget)
        else:
            run = RunRepository(self._database).get(str(question["resume"]))
        self._start(run.id, question)
        return {"run": run.id, "line": begun_line(run)}


def begin_question(
    judges: Sequence[AnyJudge],
    datasets: Sequence[str],
    debates: Sequence[str],
    limit: int | None,
    budget: Budget,
    resume: str | None,
    retry_failed: bool,
) -> dict[str, Any]:
    """Return the question that begins a run, or goes on with one; the answer has ``run`` and ``line``."""
    return {
        "about": About.BEGIN.value,
        "judges": judges_record(judges),
        "datasets": list(datasets),
        "debates": list(debates),
        "limit": limit,
        "budget": budget.to_json(),
        "resume": resume,
        "retry_failed": retry_failed,
    }


def question(about: About, run: str) -> dict[str, Any]:
    """Return a question about a run.

    Args:
        about: LOOK, whose answer has ``line``, ``ended``, ``done`` and ``report`` (lines); WRITE, whose answer has the
            judgements as ``lines``; or CANCEL.
        run: Its id.
    """
    return {"about": about.value, "run": run}


__all__ = ["About", "RunDesk", "begin_question", "question"]
