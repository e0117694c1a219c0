"""Where a command line's questions about runs are answered by the app, because the app holds the database.

Questions and answers are plain JSON values, as the inbox carries them. No key is among them: the app asks with the keys
of its own environment.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, TypeVar

from core.errors import MootError
from core.judges.llm_judge import LlmJudge
from core.judges.registry import AnyJudge
from core.runs.plan import Budget, RunState
from core.runs.progress import Progress, progress_line, report_lines
from storage.database import Database
from storage.prompt_files import load_prices
from storage.worker import Worker

W = TypeVar("W", bound=Worker[Any])


class CommandDesk(ABC, Generic[W]):
    """The app's side, for one kind of runs. What can be asked is a subclass's business."""

    def __init__(self, database: Database, worker: Callable[[], W]) -> None:
        """Take the database, and what hands out the worker that carries out its runs."""
        self._database = database
        self._worker = worker

    def answer(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a question that a function of the desk's module made.

        Raises:
            MootError: If the question cannot be read, or what it asks for cannot be done.
        """
        try:
            return self._answered(question)
        except MootError:
            raise
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise MootError("The question is not one that Moot asks; nothing was done.") from error

    @abstractmethod
    def _answered(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer to a question; a question of another shape raises whatever comes of that."""

    def _start(self, run: str, question: Mapping[str, Any]) -> None:
        """Begin a run, or go on with it, as a question with ``budget`` and ``retry_failed`` has it."""
        budget = Budget.from_json(question["budget"])
        self._worker().start(run, budget if budget.to_json() else None, bool(question["retry_failed"]))

    def _told(self, run: str) -> dict[str, Any]:
        """Return a look at a run: ``line``, ``ended``, ``done`` and ``report`` (lines)."""
        progress: Progress[Any] = self._worker().progress(run)
        currency = load_prices().currency
        state = progress.run.state
        return {
            "line": progress_line(progress, currency),
            "ended": state not in (RunState.WAITING, RunState.RUNNING),
            "done": state is RunState.DONE and not progress.in_vain,
            "report": report_lines(progress, currency),
        }


def judges_record(judges: Iterable[AnyJudge]) -> dict[str, Any]:
    """Return judges with their endpoints as plain JSON values that ``judges_of`` reads."""
    listed = list(judges)
    endpoints = {one.endpoint.name: one.endpoint.to_json() for one in listed if isinstance(one, LlmJudge)}
    return {"judges": [one.settings() for one in listed], "endpoints": list(endpoints.values())}


__all__ = ["CommandDesk", "judges_record"]
