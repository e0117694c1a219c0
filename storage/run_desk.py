"""Runs that a command line asks the app for, because the app holds the database: begin, look, write, cancel.

Questions and answers are plain JSON values, as the inbox carries them. No key is among them: the app asks with the keys
of its own environment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from core.errors import MootError
from core.judges.llm_judge import LlmJudge
from core.judges.registry import AnyJudge, judges_of
from core.runs.judging import JudgingRun
from core.runs.plan import Budget, RunState
from core.runs.progress import Progress, begun_line, progress_line, report_lines
from storage.database import Database
from storage.judge_choice import chosen_debates
from storage.judgement_file import judgement_lines
from storage.prompt_files import find_prompts, load_prices
from storage.run_repository import RunRepository
from storage.run_worker import RunWorker


class About(StrEnum):
    """What a question is about."""

    BEGIN = "begin"
    LOOK = "look"
    WRITE = "write"
    CANCEL = "cancel"


class RunDesk:
    """The app's side."""

    def __init__(self, database: Database, worker: Callable[[], RunWorker]) -> None:
        """Take the database, and what hands out the worker that carries out its runs."""
        self._database = database
        self._worker = worker

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a question that a function of this module made.

        Raises:
            MootError: If the question cannot be read, or what it asks for cannot be done.
        """
        try:
            match About(question["about"]):
                case About.BEGIN:
                    return self._begin(question)
                case About.LOOK:
                    return _told(self._worker().progress(str(question["run"])))
                case About.WRITE:
                    run = RunRepository(self._database).get(str(question["run"]))
                    debates = RunRepository(self._database).debates(run.id)
                    return {"lines": list(judgement_lines(self._database, run.judges, debates))}
                case About.CANCEL:
                    self._worker().cancel(str(question["run"]))
                    return {}
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise MootError("The question is not one that Moot asks; nothing was done.") from error

    def _begin(self, question: Mapping[str, Any]) -> dict[str, Any]:
        worker = self._worker()
        budget = Budget.from_json(question["budget"])
        if question["resume"] is None:
            debates = chosen_debates(self._database, question["datasets"], question["debates"], question["limit"])
            run = worker.create(judges_of(question["judges"], find_prompts), debates, budget)
        else:
            run = RunRepository(self._database).get(str(question["resume"]))
        worker.start(run.id, budget if budget.to_json() else None, bool(question["retry_failed"]))
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
    endpoints = {one.endpoint.name: one.endpoint.to_json() for one in judges if isinstance(one, LlmJudge)}
    return {
        "about": About.BEGIN.value,
        "judges": {"judges": [one.settings() for one in judges], "endpoints": list(endpoints.values())},
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


def _told(progress: Progress[JudgingRun]) -> dict[str, Any]:
    currency = load_prices().currency
    state = progress.run.state
    return {
        "line": progress_line(progress, currency),
        "ended": state not in (RunState.WAITING, RunState.RUNNING),
        "done": state is RunState.DONE and not progress.in_vain,
        "report": report_lines(progress, currency),
    }


__all__ = ["About", "RunDesk", "begin_question", "question"]
