"""Have the debates of a run judged: once they are complete, or later."""

from __future__ import annotations

from collections.abc import Sequence

from core.debating.afterwards import Afterwards
from core.debating.run import DebateRun
from core.errors import MootError
from core.judges.llm_judge import LlmJudge
from core.judges.registry import AnyJudge
from core.roles import Person
from core.runs.judging import JudgingRun
from core.runs.plan import Budget, RunState
from core.strict_json import storable
from storage.database import Database
from storage.debate_filter import DebateFilter
from storage.debate_repository import DebateRepository
from storage.debated_dataset import dataset_of
from storage.endpoint_rights import require_endpoints
from storage.judgement_repository import JudgementRepository
from storage.run_repository import RunRepository
from storage.run_worker import RunWorker


def afterwards(database: Database, judges: Sequence[AnyJudge], budget: Budget | None, person: Person) -> Afterwards:
    """Store judges, and return that they are to judge the debates of a run once these are complete.

    Raises:
        NotAllowed: If the person may not define judges, or have their endpoints asked.
    """
    endpoints = tuple(dict.fromkeys(judge.endpoint for judge in judges if isinstance(judge, LlmJudge)))
    require_endpoints(person, endpoints)
    repository = JudgementRepository(database, person)
    ids = tuple(dict.fromkeys(repository.define(judge) for judge in judges))
    return Afterwards(ids, endpoints, budget or Budget())


def judging_of(database: Database, worker: RunWorker, run: DebateRun, wanted: Afterwards) -> JudgingRun:
    """Return a run in which judges judge all debates that a run has brought into its data set, to be started.

    It is the one in which these judges judged these debates before, if there is one that is not under way: then only
    debates that were held again since have no judgement yet. Otherwise a new one is stored.

    Raises:
        NotAllowed: If who acts may not run judges.
        MootError: If there is no debate yet, or a judge is gone.
    """
    dataset = dataset_of(database, run)
    if dataset is None:
        raise MootError(f"Run {run.id} has no debates yet.")
    repository = JudgementRepository(database)
    known = {endpoint.name: endpoint for endpoint in wanted.endpoints}
    judges = [repository.judge(name, known) for name in wanted.judges]
    debates = DebateRepository(database).ids(DebateFilter(datasets=(dataset,)))
    name = f"Judges of {run.name}"
    runs = RunRepository(database)
    for before in runs.all():
        same = before.name == storable(name) and set(before.judges) == set(wanted.judges)
        if same and before.state is not RunState.RUNNING and set(runs.debates(before.id)) == set(debates):
            return before
    return worker.create(judges, debates, wanted.budget, name)


__all__ = ["afterwards", "judging_of"]
