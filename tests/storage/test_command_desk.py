"""Questions of a command line about runs: what is wrong is said as it would be there, and nonsense is turned away."""

from __future__ import annotations

import pytest

from core.errors import InvalidSetting, MootError
from core.judges.semantics_judge import SemanticsJudge
from core.runs.plan import Budget
from storage.debate_desk import DebateDesk
from storage.debate_run_worker import DebateRunWorker
from storage.run_desk import About, RunDesk, begin_question, question
from storage.run_worker import RunWorker


@pytest.fixture
def run_desk(database):
    worker = RunWorker(database)
    yield RunDesk(database, lambda: worker)
    worker.stop()


@pytest.fixture
def debate_desk(database):
    worker = DebateRunWorker(database)
    yield DebateDesk(database, lambda: worker)
    worker.stop()


@pytest.fixture(params=["run_desk", "debate_desk"])
def desk(request):
    return request.getfixturevalue(request.param)


@pytest.mark.parametrize("asked", [{}, {"about": "dance"}, {"about": "look"}, {"about": ["look"]}])
def test_a_question_of_another_shape_is_turned_away(desk, asked):
    with pytest.raises(MootError, match="not one that Moot asks"):
        desk.answer(asked)


def test_a_run_that_is_not_there_is_said_to_be_missing(desk):
    with pytest.raises(MootError, match="'nowhere' is in this database"):
        desk.answer(question(About.LOOK, "nowhere"))


def test_what_is_wrong_with_a_setting_reaches_the_command_line(run_desk):
    asked = begin_question([SemanticsJudge()], [], [], None, Budget(), None, False)
    asked["judges"]["judges"][0]["conservativeness"] = 0.5
    with pytest.raises(InvalidSetting, match="onservativeness"):
        run_desk.answer(asked)
