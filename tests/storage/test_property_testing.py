"""Experiments on stored debates: results with their stamp, calls made once, runs that go on where they were."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from core.audit import Action
from core.debate import DebateProtocol
from core.errors import InvalidSetting, MootError, NotAllowed, UnreadableFile
from core.experiments import Experiment, JudgeChoice, Source, experiment_of
from core.experiments.experiment import ANY_MODEL
from core.judgement import Judgement, Verdict
from core.judges.registry import judge_id
from core.judges.semantics_judge import SemanticsJudge, StanceVariant
from core.llm.prices import Price, PriceTable
from core.properties.check import check
from core.properties.contestability import Contestability
from core.properties.groundedness import NonHallucination
from core.properties.registry import usual_properties
from core.properties.reproducibility import Determinism
from core.properties.result import Standing
from core.property_words import note_lines
from core.roles import Person, Role
from core.runs.plan import Budget, RunState
from core.simulation import Simulation
from storage.audit_log import AuditLog
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.experiment_report import experiment_files, results_of
from storage.experiment_repository import ExperimentRepository
from storage.judgement_repository import JudgementRepository
from storage.judgement_rows import KeptJudgement
from storage.property_debates import debates_of, stamp_of
from storage.property_estimate import estimate_experiment
from storage.property_file import ResultPart, results_in, results_text
from storage.property_repository import PropertyRepository, Question
from storage.property_testing import ExperimentRun
from storage.property_testing import tests_of as parts_of
from storage.property_worker import PropertyWorker
from storage.sample import load_sample
from tests.llm.judging import a_debate, a_judge
from tests.storage.debates import a_dataset
from tests.storage.people import REVIEWER
from tests.storage.test_run_worker import PATIENCE, ScriptedClient

PRICES = PriceTable((Price("answerer", 1.0, 1.0), Price("fake-model", 1.0, 1.0)))
VIEWER = Person("v", "a viewer", Role.VIEWER)
SEMANTICS = JudgeChoice({"kind": "semantics", "semantics": "df-quad", "variant": "prior"})


@pytest.fixture
def stored(database):
    DebateRepository(database).add(a_dataset("zoo set"), [a_debate(number) for number in range(4)])
    return database


def asked(database, *properties, **more) -> Experiment:
    """Return an experiment with a stored language model."""
    name = JudgementRepository(database).define(a_judge())
    return Experiment("calls", (JudgeChoice(stored=name),), properties, **more)


def falling(request) -> str:
    """Say less where a pro is stronger: 0.83 + 0.1 stands in the prompt only after the change."""
    return '{"score": 0.3}' if "0.93" in request.messages[-1].text else '{"score": 0.8}'


def carried_out(database, experiment, client=None, **more):
    run = ExperimentRun(database, experiment, prices=PRICES, client=lambda: client or ScriptedClient(), **more)
    return run.carry_out()


def test_semantics_are_tested_without_any_call_and_what_is_stored_is_what_the_core_says(stored):
    ended = carried_out(stored, Experiment("x", (SEMANTICS,)))
    assert ended.state is RunState.DONE
    judge = SemanticsJudge("df-quad", variant=StanceVariant.PRIOR)
    debates = debates_of(stored, Source())
    assert [one.result for one in ended.results] == [check(one, judge, debates) for one in usual_properties()]
    kept = PropertyRepository(stored).latest([judge_id(judge)], Source())
    assert {one.result.checked.key for one in kept} == {one.key for one in usual_properties()}


def test_what_is_tested_already_is_not_tested_again_until_the_debates_change(stored):
    experiment = Experiment("x", (SEMANTICS,), (Contestability(),))
    first = carried_out(stored, experiment).results[0]
    question = parts_of(stored, experiment)[0].question
    repository = PropertyRepository(stored)
    kept = repository.answer(question, stamp_of(stored, Source()))
    assert kept is not None
    assert kept.id == first.id
    assert estimate_experiment(stored, experiment, PRICES).stored == 1
    DebateRepository(stored).add(a_dataset("other"), [a_debate(9)])
    assert repository.answer(question, stamp_of(stored, Source())) is None
    (stale,) = repository.latest([first.judge_id], Source())
    assert stale.stamp != stamp_of(stored, Source())
    assert carried_out(stored, experiment).results[0].result.debates == 5


def test_a_language_model_is_asked_once_and_its_violations_are_kept(stored):
    client = ScriptedClient(falling)
    ended = carried_out(stored, asked(stored, Contestability()), client)
    (kept,) = ended.results
    assert (kept.result.violations, kept.result.tested) == (4, 4)
    assert kept.result.witnesses[0].change == pytest.approx(-0.5)
    assert len(client.asked) == 8
    carried_out(stored, asked(stored, Contestability()), client, again=True)
    assert len(client.asked) == 8  # every reply was found again


def test_what_it_takes_is_known_before_and_is_what_is_asked(stored):
    experiment = asked(stored, Contestability(), Determinism(repeats=2))
    found = estimate_experiment(stored, experiment, PRICES)
    client = ScriptedClient()
    carried_out(stored, experiment, client)
    assert found.calls == len(client.asked) == 12  # four debates: as recorded, with stronger pros, once more
    assert found.cost is not None
    assert found.cost > 0
    assert estimate_experiment(stored, experiment, PRICES).calls == 0


def test_a_budget_ends_the_calls_and_more_of_it_goes_on(stored):
    experiment = asked(stored, Contestability())
    client = ScriptedClient(falling)
    ended = carried_out(stored, experiment, client, budget=Budget(calls=3))
    assert (ended.state, ended.reason) == (RunState.STOPPED, "The limit of 3 calls is reached.")
    assert len(client.asked) == 3
    ended = carried_out(stored, experiment, client, budget=Budget(calls=20))
    assert ended.state is RunState.DONE
    assert len(client.asked) == 8
    assert ended.results[0].result.violations == 4


def test_stored_judgements_are_enough_for_properties_of_single_judgements(stored):
    judge = a_judge()
    repository = JudgementRepository(stored)
    name = repository.define(judge)
    dataset = DebateRepository(stored).datasets()[0].id
    repository.keep(
        KeptJudgement(name, dataset, f"debate-{n}", Judgement(judge.name, 0.9, Verdict.TRUE)) for n in range(4)
    )
    client = ScriptedClient()
    ended = carried_out(stored, Experiment("x", (JudgeChoice(stored=ANY_MODEL),), (NonHallucination(),)), client)
    assert ended.results[0].result.tested == 4
    assert client.asked == []


def test_a_property_of_single_judgements_says_how_many_debates_the_model_judged_and_goes_on_with_the_others(stored):
    judge = a_judge()
    repository = JudgementRepository(stored)
    name = repository.define(judge)
    dataset = DebateRepository(stored).datasets()[0].id
    repository.keep(
        KeptJudgement(name, dataset, f"debate-{n}", Judgement(judge.name, 0.9, Verdict.TRUE)) for n in range(3)
    )
    experiment = Experiment("x", (JudgeChoice(stored=ANY_MODEL),), (NonHallucination(),))
    (some,) = carried_out(stored, experiment, budget=Budget(calls=0)).results
    assert (some.result.tested, some.result.note) == (3, "only on 3 of 4 debates, those that it judged")
    assert note_lines([some.result]) == [f"{judge.name}, Non-hallucination: {some.result.note}"]
    client = ScriptedClient()
    (whole,) = carried_out(stored, experiment, client).results
    assert (whole.result.tested, whole.result.note, note_lines([whole.result])) == (4, "", [])
    assert len(client.asked) == 1


def test_without_a_language_model_its_rows_are_left_out(stored):
    experiment = Experiment("x", (SEMANTICS, JudgeChoice(stored=ANY_MODEL)), (NonHallucination(),))
    assert len(carried_out(stored, experiment).results) == 1


def test_each_protocol_is_a_part_of_its_own_and_one_without_debates_is_left_out(stored):
    protocols = (DebateProtocol.SINGLE_TURN, DebateProtocol.MULTI_TURN_SHARED)
    ended = carried_out(stored, Experiment("x", (SEMANTICS,), (Determinism(),), protocols=protocols))
    assert [one.source.protocol for one in ended.results] == [DebateProtocol.SINGLE_TURN]


def test_simulated_debates_need_no_database_of_debates_and_their_results_say_what_they_are(database):
    experiment = Experiment("x", (SEMANTICS,), (Contestability(),), simulation=Simulation(debates=50))
    (kept,) = carried_out(database, experiment).results
    assert kept.source.simulated
    assert kept.source.words().startswith("simulated: 50 debates")
    assert kept.result.standing is Standing.PROVED


@pytest.mark.parametrize(
    ("experiment", "message"),
    [
        (Experiment("x", (SEMANTICS,), dataset="nothing"), "There is no data set 'nothing' in this database"),
        (Experiment("x", (JudgeChoice(stored="nobody"),)), "Judge 1 of the experiment .*No judge 'nobody'"),
        (Experiment("x", (JudgeChoice({"kind": "oracle"}),)), "Judge 1 of the experiment .*no kind of judge 'oracle'"),
    ],
)
def test_what_is_not_there_is_named(stored, experiment, message):
    with pytest.raises(MootError, match=message):
        carried_out(stored, experiment)


def test_a_viewer_stores_nothing_and_may_look(stored):
    experiment = Experiment("x", (SEMANTICS,), (Determinism(),))
    with pytest.raises(NotAllowed):
        carried_out(stored, experiment, person=VIEWER)
    assert len(carried_out(stored, experiment, person=VIEWER, keep=False).results) == 1
    assert PropertyRepository(stored).tested_judges() == ()


# --- in the background -----------------------------------------------------------------------------------------------


def worker_with(database, client) -> PropertyWorker:
    return PropertyWorker(database, PRICES, client=lambda: client)


def test_an_experiment_runs_in_the_background_and_is_kept_with_its_results(stored):
    worker = worker_with(stored, ScriptedClient(falling))
    kept = worker.create(asked(stored, Contestability(), NonHallucination()))
    worker.start(kept.id)
    assert worker.wait(kept.id, PATIENCE)
    after = ExperimentRepository(stored).get(kept.id)
    assert (after.state, after.done, after.total) == (RunState.DONE, 2, 2)
    assert after.spending.calls == 8
    progress = worker.progress(kept.id)
    assert (progress.done, progress.left, progress.spending) == (2, 0, after.spending)
    assert [one.result.checked.key for one in PropertyRepository(stored).get(after.results)] == [
        "contestability",
        "non-hallucination",
    ]


class WaitingClient(ScriptedClient):
    """Answers the first requests, and then waits until it is cancelled."""

    def __init__(self, answered: int) -> None:
        super().__init__(falling)
        self.left = answered
        self.waits = threading.Event()

    async def complete(self, request):
        import asyncio

        if self.left <= 0:
            self.waits.set()
            await asyncio.Event().wait()
        self.left -= 1
        return await super().complete(request)


def test_a_cancelled_experiment_goes_on_where_it_was(stored):
    waiting = WaitingClient(3)
    worker = worker_with(stored, waiting)
    kept = worker.create(asked(stored, Contestability()))
    worker.start(kept.id)
    assert waiting.waits.wait(PATIENCE)
    with pytest.raises(MootError, match=f"Experiment {kept.id} is running already"):
        worker.start(kept.id)
    assert worker.progress(kept.id).left == 1
    worker.acting_for(REVIEWER).cancel(kept.id)
    assert worker.wait(kept.id, PATIENCE)
    told = AuditLog(stored).about("run", kept.id)[-1]
    assert (told.action, told.person) == (Action.RUN_CANCELLED, REVIEWER.id)
    assert ExperimentRepository(stored).get(kept.id).state is RunState.CANCELLED
    client = ScriptedClient(falling)
    second = worker_with(stored, client)
    second.start(kept.id)
    assert second.wait(kept.id, PATIENCE)
    assert ExperimentRepository(stored).get(kept.id).state is RunState.DONE
    assert len(client.asked) == 8 - 3  # the replies that had arrived are not asked for again


def test_what_a_program_left_running_is_interrupted_when_the_next_one_starts(stored):
    repository = ExperimentRepository(stored)
    kept = repository.create(Experiment("x", (SEMANTICS,)), 7)
    repository.set_state(kept.id, RunState.RUNNING)
    worker_with(stored, ScriptedClient())
    assert repository.get(kept.id).state is RunState.INTERRUPTED


def test_only_an_admin_takes_an_experiment_off_the_list_and_its_results_stay(stored):
    ended = carried_out(stored, Experiment("x", (SEMANTICS,), (Determinism(),)))
    kept = ExperimentRepository(stored).create(Experiment("x", (SEMANTICS,)), 1)
    with pytest.raises(NotAllowed):
        ExperimentRepository(stored, VIEWER).remove(kept.id)
    ExperimentRepository(stored).remove(kept.id)
    assert ExperimentRepository(stored).all() == ()
    assert PropertyRepository(stored).get([ended.results[0].id])


# --- files -----------------------------------------------------------------------------------------------------------


def test_the_files_of_an_experiment_hold_the_table_the_published_figures_and_the_violations(stored):
    experiment = experiment_of(
        "name: x\ntable: 6\ndata: {protocols: [single-turn]}\njudges:\n"
        "  - {kind: semantics, semantics: df-quad, setting: separate, variant: prior}\nproperties: [contestability]\n"
    )
    ended = carried_out(stored, experiment)
    files = dict(experiment_files(stored, experiment, ended.results, ("csv", "latex", "html"), True))
    published = next(content for name, content in files.items() if "published-6" in name and name.endswith("csv"))
    assert b"yours: not lower,published: not lower" in published
    assert b"DF-QuAD,single-turn,4.0,4.0,500.0,4.0,500.0" in published
    again = dict(experiment_files(stored, experiment, ended.results, ("csv", "latex", "html"), True))
    assert files == again


def test_each_result_of_an_experiment_says_what_it_was_tested_on(stored):
    private = [replace(a_debate(7), protocol=DebateProtocol.MULTI_TURN_PRIVATE)]
    DebateRepository(stored).add(a_dataset("more"), private)
    protocols = (DebateProtocol.SINGLE_TURN, DebateProtocol.MULTI_TURN_PRIVATE)
    ended = carried_out(stored, Experiment("x", (SEMANTICS,), (Contestability(),), protocols=protocols))
    frame = results_of(ended.results).make().frame
    assert list(frame["tested_on"]) == ["All data sets, single-turn", "All data sets, multi-turn-private"]
    assert list(frame["debates"]) == [4, 1]
    files = dict(experiment_files(stored, Experiment("x", (SEMANTICS,)), ended.results, ("csv",), True))
    (written,) = [content for name, content in files.items() if "table-properties" in name]
    assert b'"All data sets, multi-turn-private"' in written


def test_results_survive_the_way_through_a_file(stored):
    ended = carried_out(stored, Experiment("x", (SEMANTICS,)))
    results = tuple(one.result for one in ended.results)
    parts = (ResultPart(Source(), "a stamp", "zoo", results), ResultPart(Source("zoo"), "another", "zoo", results[:1]))
    found = results_in(results_text(parts))
    assert found == parts
    assert [one.question for one in found[0].kept("")] == [one.question for one in ended.results]
    assert found[1].kept("seen")[0].source == Source("zoo")


@pytest.mark.parametrize("text", ["", "[]", '{"format": "x"}', '{"format": "moot-properties/1", "stamp": ""}'])
def test_what_is_no_file_of_results_is_refused(text):
    with pytest.raises(UnreadableFile):
        results_in(text)


def test_the_sample_comes_with_results_of_a_real_model_that_hold_until_other_debates_come():
    with Database.open(":memory:") as database:
        load_sample(database)
        repository = PropertyRepository(database)
        (judge,) = repository.tested_judges()
        found = {one.result.checked.key: one for one in repository.latest([judge], Source())}
        assert found["contestability"].result.violations == 4
        assert found["contestability"].result.discrimination.failing
        assert found["contestability"].origin
        assert {one.stamp for one in found.values()} == {stamp_of(database, Source())}
        load_sample(database)  # once more changes nothing
        DebateRepository(database).add(a_dataset("own"), [a_debate(0)])
        assert found["contestability"].stamp != stamp_of(database, Source())


def test_a_question_is_another_one_with_another_seed_property_or_source():
    base = Question("j", Determinism(), Source())
    others = [
        Question("k", Determinism(), Source()),
        Question("j", Determinism(repeats=4), Source()),
        Question("j", Determinism(), Source(limit=3)),
        Question("j", Determinism(), Source(), seed=1),
        Question("j", Determinism(), Source(), tolerance=0.1),
    ]
    assert len({base.key, *(one.key for one in others)}) == 6
    with pytest.raises(InvalidSetting):
        Source(limit=0)
