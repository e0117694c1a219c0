"""Tests of language models from what is stored: judgements in place of calls, partial results, recorded variants."""

from __future__ import annotations

from dataclasses import replace

import pytest

from core.debate import DebateProtocol, RecordedJudgement
from core.experiments import Experiment, JudgeChoice, Source
from core.experiments.experiment import ANY_MODEL
from core.experiments.layout import NO_MODEL, NOT_JUDGED
from core.judgement import Judgement, JudgementStatus
from core.judges.framing import StanceVariant
from core.judges.registry import judge_id
from core.properties.contestability import Contestability
from core.properties.groundedness import NonHallucination
from core.properties.reproducibility import Determinism, PermutationIndependence
from core.properties.result import NOT_ASKED
from core.properties.robustness import JudgeRobustness
from core.properties.trial import BASELINE
from core.runs.plan import Budget
from storage.debate_repository import DebateRepository
from storage.experiment_files import preset
from storage.experiment_report import layout_of, published_table
from storage.judge_catalogue import candidates
from storage.judgement_repository import JudgementRepository
from storage.judgement_rows import KeptJudgement
from storage.property_bench import benched
from storage.property_debates import FEW_DATASETS, debates_of, stamp_of, stamps_within
from storage.property_estimate import estimate_experiment
from storage.property_known import known_answers
from storage.property_strips import strip_rows
from storage.property_testing import ExperimentRun
from tests.llm.judging import a_debate, a_judge
from tests.storage.debates import a_dataset
from tests.storage.test_property_testing import PRICES, carried_out, falling
from tests.storage.test_run_worker import ScriptedClient

ORIGIN = "small local model, demonstration"
JUDGE = a_judge(stance=StanceVariant.PRIOR)
NO_CALLS = Budget(calls=0)


@pytest.fixture
def stored(database):
    DebateRepository(database).add(a_dataset("zoo set"), [a_debate(number) for number in range(4)])
    return database


def say(database, judge, scores, origin=ORIGIN, parts=None):
    """Store what a judge said of the first debates."""
    repository = JudgementRepository(database)
    name = repository.define(judge)
    dataset = DebateRepository(database).datasets()[0].id

    def said(score, number):
        several = () if parts is None else tuple(one(judge, part) for part in parts[number])
        return replace(one(judge, score), parts=several)

    repository.keep(
        KeptJudgement(name, dataset, f"debate-{number}", said(score, number), origin=origin)
        for number, score in enumerate(scores)
    )
    return name


def one(judge, score):
    if score is None:
        return Judgement(judge.name, None, None, JudgementStatus.ERROR, explanation="No reply came.")
    return Judgement(judge.name, score, judge.rule.verdict(score))


def without_calls(database, *properties, judge=JUDGE, **more):
    experiment = Experiment("x", (JudgeChoice(stored=JudgementRepository(database).define(judge)),), properties, **more)
    ended = ExperimentRun(database, experiment, budget=NO_CALLS, keep=False).carry_out()
    return ended.results


def test_judgements_in_other_orders_answer_what_a_test_of_orders_asks(stored):
    say(stored, JUDGE, [0.9, 0.9, 0.2, 0.7])
    say(stored, replace(JUDGE, order=(1, 0)), [0.9, 0.4, 0.2])
    (kept,) = without_calls(stored, PermutationIndependence(orders=2))
    result = kept.shown
    assert (result.debates, result.tested, result.violations) == (3, 3, 1)
    assert result.note == "only on 3 of 4 debates, those with stored answers"
    assert [witness.debate for witness in result.witnesses] == ["debate-1"]
    assert ORIGIN in result.remark


def test_samples_of_a_judge_that_asks_several_times_are_its_repeats(stored):
    parts = [(0.9, 0.9, 0.9), (0.9, 0.4, 0.9)]
    say(stored, replace(JUDGE, repeats=3), [0.9, 0.73], parts=parts)
    (kept,) = without_calls(stored, Determinism(repeats=3))
    assert (kept.result.tested, kept.result.violations, kept.result.verdict_changes) == (2, 1, 1)
    (few,) = without_calls(stored, Determinism(repeats=2))
    assert [one.after.score for one in few.result.witnesses] == [0.4]


def test_judgements_at_another_temperature_answer_a_test_of_the_judge(stored):
    hot = replace(JUDGE, temperature=1.0)
    for judge, scores in ((hot, [0.9] * 4), (replace(JUDGE, temperature=0.9), [0.9, 0.9, 0.1, 0.9])):
        say(stored, judge, scores)
    say(stored, replace(JUDGE, temperature=1.1), [0.9] * 4)
    (kept,) = without_calls(stored, JudgeRobustness(), judge=hot)
    assert (kept.result.note, kept.result.tested, kept.result.violations) == ("", 4, 1)


def test_what_no_stored_judge_was_asked_stays_untested_and_says_so(stored):
    say(stored, JUDGE, [0.9] * 4)
    (kept,) = without_calls(stored, Contestability())
    assert kept.result.rate is None
    assert kept.result.cell == "not tested yet: the model has to be asked"


def test_a_call_that_failed_is_no_answer(stored):
    say(stored, JUDGE, [0.9, None])
    known = known_answers(stored, (), JUDGE, debates_of(stored, Source()))
    assert set(known) == {(BASELINE, "debate-0")}


def test_only_what_is_not_known_is_asked_and_counted_before(stored):
    name = say(stored, JUDGE, [0.8] * 4)
    experiment = Experiment("x", (JudgeChoice(stored=name),), (Contestability(),))
    assert estimate_experiment(stored, experiment, PRICES).calls == 4  # with stronger pros
    client = ScriptedClient(falling)
    (kept,) = carried_out(stored, experiment, client).results
    assert len(client.asked) == 4
    assert (kept.result.tested, kept.result.violations) == (4, 4)


def test_an_earlier_result_on_some_of_the_debates_stands_in_where_no_call_may_be_made(stored):
    name = JudgementRepository(stored).define(JUDGE)
    part = Experiment("x", (JudgeChoice(stored=name),), (Contestability(),), limit=3)
    carried_out(stored, part, ScriptedClient(falling))
    (kept,) = without_calls(stored, Contestability())
    assert kept.source == Source(limit=3)
    assert kept.result.judged == 3
    assert kept.result.note == "only on 3 of 4 debates, those tested before"
    DebateRepository(stored).add(a_dataset("other"), [a_debate(9)])
    assert without_calls(stored, Contestability())[0].result.rate is None  # the first three may be others now


def test_an_earlier_result_stands_in_where_debates_were_added_and_not_where_some_are_gone(stored):
    repository = DebateRepository(stored)
    first = Source(repository.datasets()[0].id)
    repository.add(a_dataset("other"), [a_debate(9)])
    name = JudgementRepository(stored).define(JUDGE)
    asked = Experiment("x", (JudgeChoice(stored=name),), (Contestability(),))
    carried_out(stored, asked, ScriptedClient(falling))
    assert without_calls(stored, Contestability())[0].result.judged == 5
    repository.add(a_dataset("later"), [a_debate(10), a_debate(11)])
    (kept,) = without_calls(stored, Contestability())
    assert (kept.result.judged, kept.result.note) == (5, "only on 5 of 7 debates, those tested before")
    assert kept.stamp in stamps_within(stored, Source())
    assert kept.stamp not in stamps_within(stored, first)
    repository.remove_dataset(first.dataset)
    assert without_calls(stored, Contestability())[0].result.rate is None
    assert kept.stamp not in stamps_within(stored, Source())


def test_stamps_of_many_data_sets_are_those_before_others_were_added(database):
    stamps = []
    for number in range(FEW_DATASETS + 2):
        DebateRepository(database).add(a_dataset(f"set {number}"), [a_debate(number)])
        stamps.append(stamp_of(database, Source()))
    assert set(stamps) <= stamps_within(database, Source())
    assert stamps_within(database, Source(limit=3)) == {stamp_of(database, Source(limit=3))}


def test_the_stored_model_that_answers_most_of_an_experiment_is_taken_and_not_the_one_with_the_most_judgements(stored):
    other = replace(JUDGE, model="other-model")
    say(stored, other, [0.9] * 4)
    say(stored, JUDGE, [0.9] * 3)
    say(stored, replace(JUDGE, order=(1, 0)), [0.9] * 3)
    experiment = Experiment("x", (JudgeChoice(stored=ANY_MODEL),), (PermutationIndependence(orders=2),))
    (kept,) = ExperimentRun(stored, experiment, budget=NO_CALLS, keep=False).carry_out().results
    assert kept.judge_id == judge_id(JUDGE)
    assert kept.result.note == "only on 3 of 4 debates, those with stored answers"
    single = replace(experiment, properties=(NonHallucination(),))
    (kept,) = ExperimentRun(stored, single, budget=NO_CALLS, keep=False).carry_out().results
    assert kept.judge_id == judge_id(other)


def test_a_model_that_copies_everywhere_says_so_on_the_few_debates_of_a_part(database):
    debates = [a_debate(number) for number in range(12)]
    few = [replace(one, protocol=DebateProtocol.MULTI_TURN_PRIVATE) for one in debates[:2]]
    DebateRepository(database).add(a_dataset("zoo set"), [*few, *debates[2:]])
    say(database, JUDGE, [0.61, 0.83] * 6)  # the prior stance of A1, the base score of the pro
    (kept,) = without_calls(database, NonHallucination(), protocols=(DebateProtocol.MULTI_TURN_PRIVATE,))
    assert kept.result.debates == 2
    assert kept.result.caveat == "does not discriminate: copies numbers of its prompt (12 of 12)"


def recorded(number, score, *, anonymised):
    settings = {"variant": "prior", "anonymised": anonymised}
    return replace(a_debate(number), judgements=(RecordedJudgement("gpt", "llm", score, settings=settings),))


def layout(database, number):
    """Return a published table as it fills without any call."""
    results = ExperimentRun(database, preset(number), budget=NO_CALLS, keep=False).carry_out().results
    table = published_table(number)
    assert table is not None
    return layout_of(table, results).frame


def test_recorded_judgements_fill_the_rows_of_their_variant(database):
    listed = [recorded(0, 0.9, anonymised=False), recorded(1, 0.3, anonymised=False), recorded(2, 0.6, anonymised=True)]
    DebateRepository(database).add(a_dataset("zoo set"), listed)
    frame = layout(database, 4)
    rows = frame[(frame["judge"] == "LLM") & (frame["protocol"] == "single-turn")].set_index("setting")
    assert rows["debates"].to_dict() == {"named": 2, "anonymised": 1}
    assert rows["judge tested"]["named"] == "gpt as recorded, named, prior"


def test_every_row_that_stays_empty_says_why(stored):
    assert set(layout(stored, 8)["remark"]) == {NO_MODEL}
    say(stored, JUDGE, [0.9] * 4)
    frame = layout(stored, 1)
    unfilled = frame[frame["yours: accuracy %"].isna()]
    assert (unfilled["remark"] != "").all()
    assert f"{NOT_JUDGED}; to ask the model: python cli.py properties run table-01" in set(unfilled["remark"])
    (empty,) = {one for one in layout(stored, 6)["remark"] if "not tested" in one}
    assert empty == f"{NOT_ASKED}; to ask the model: python cli.py properties run table-06"


def test_a_debates_row_shows_each_answer_that_is_stored(stored):
    name = say(stored, JUDGE, [0.9, 0.9, 0.2, 0.7])
    say(stored, replace(JUDGE, order=(1, 0)), [0.9, 0.4, 0.2])
    (bench,) = [one for one in benched(stored, candidates(stored)) if one.id == name]
    debates = debates_of(stored, Source())
    (kept,) = without_calls(stored, PermutationIndependence(orders=2))
    rows = strip_rows(stored, bench, kept.result, debates, [1, 3], Source())
    assert [row.claim for row in rows] == ["Claim number 1 holds.", "Claim number 3 holds."]
    assert [row.spread for row in rows] == [pytest.approx(0.5), None]
    assert (rows[0].turned, rows[0].violated, rows[1].violated) == (1, True, False)


def test_stored_replies_are_found_for_the_row_of_a_debate(stored):
    name = JudgementRepository(stored).define(JUDGE)
    experiment = Experiment("x", (JudgeChoice(stored=name),), (Contestability(),))
    (kept,) = carried_out(stored, experiment, ScriptedClient(falling)).results
    (bench,) = [one for one in benched(stored, candidates(stored)) if one.id == name]
    (row,) = strip_rows(stored, bench, kept.result, debates_of(stored, Source()), [2], Source())
    assert [one.score for one in row.answers] == [0.8, 0.3]
