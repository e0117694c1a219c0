"""Experiments and questions about contested debates stand in the audit log as runs of judges do."""

import pytest

from core.audit import Action
from core.debate import profile
from core.errors import CallFailed, CallFailure, MootError
from core.experiments import Experiment
from core.llm.circumstances import Circumstances
from core.llm.endpoint import Endpoint
from core.llm.prices import PriceTable
from core.properties.contestability import Contestability
from core.runs.plan import RunState, Spending
from storage.audit_log import AuditLog
from storage.contested_judging import ContestedJudging
from storage.experiment_repository import ExperimentRepository
from tests.llm.fault_server import FaultServer
from tests.llm.judging import a_debate, a_judge, an_endpoint
from tests.storage.people import ADMIN, REVIEWER
from tests.storage.test_property_testing import SEMANTICS


def test_an_experiment_is_logged_from_its_making_to_its_removal(database):
    repository = ExperimentRepository(database, REVIEWER)
    made = repository.create(Experiment("x", (SEMANTICS,), (Contestability(),)), 1)
    repository.set_state(made.id, RunState.RUNNING)
    repository.ended(made.id, RunState.DONE, "", Spending(), ())
    ExperimentRepository(database, ADMIN).remove(made.id)
    entries = AuditLog(database).about("run", made.id)
    told = [(entry.action, entry.role) for entry in sorted(entries, key=lambda entry: entry.sequence)]
    assert told == [
        (Action.RUN_CREATED, "reviewer"),
        (Action.RUN_STARTED, "reviewer"),
        (Action.RUN_ENDED, "reviewer"),
        (Action.RUN_REMOVED, "admin"),
    ]
    assert AuditLog(database).check().intact


class Refusing:
    """A client whose endpoint refuses the key."""

    async def complete(self, request):
        raise CallFailed(CallFailure.KEY_REFUSED, "fake: the key was refused")


def test_a_model_that_was_asked_in_vain_is_logged_too(database):
    debate = a_debate()
    asking = ContestedJudging(database, PriceTable(), client=Refusing, person=REVIEWER)
    with pytest.raises(MootError, match="the key was refused"):
        asking.ask(a_judge(an_endpoint(key_variable="")), profile(debate), Circumstances.of(debate))
    (entry,) = [entry for entry in AuditLog(database).entries() if entry.action == Action.ASKED]
    assert "no answer" in str(entry.after)


def test_a_model_asked_about_a_contested_debate_is_logged_with_who_asked(database):
    debate = a_debate()
    with FaultServer() as server:
        judge = a_judge(Endpoint("fake", server.base_url, "", retries=0))
        said = ContestedJudging(database, PriceTable(), person=REVIEWER).ask(
            judge, profile(debate), Circumstances.of(debate)
        )
    assert said.score == 0.75
    (entry,) = [entry for entry in AuditLog(database).entries() if entry.action == Action.ASKED]
    assert entry.role == "reviewer"
    assert judge.name in str(entry.after)
