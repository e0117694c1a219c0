"""Every published table fills on the sample, without a call and with what must be known of a small model."""

from __future__ import annotations

import pytest

from core.experiments.layout import OWN, covered
from core.runs.plan import Budget
from storage.database import Database
from storage.debated_sample import load_debated_sample
from storage.experiment_files import preset, preset_numbers
from storage.experiment_report import layout_of, published_table
from storage.property_testing import ExperimentRun
from storage.sample import ORIGIN, load_sample

NOBODY_AGREES = {5, 13}  # of the sample's debates of several rounds none is unanimous beforehand


@pytest.fixture(scope="module")
def sample():
    with Database.open(":memory:") as database:
        load_sample(database)
        yield database


@pytest.mark.parametrize("number", preset_numbers())
def test_every_row_of_every_published_table_fills_on_the_sample(sample, number):
    ended = ExperimentRun(sample, preset(number), budget=Budget(calls=0), keep=False).carry_out()
    table = published_table(number)
    assert table is not None
    frame = layout_of(table, ended.results).frame
    assert covered(frame) == len(frame)
    models = frame[(frame["judge"] == "LLM") & (frame["debates"] > 0)]
    told = models if number not in NOBODY_AGREES else models[models[f"{OWN}: rate %"].notna()]
    assert told["remark"].str.startswith(ORIGIN).all()
    single = frame[frame["protocol"] == "single-turn"]
    assert set(single["debates"]) == {26}


@pytest.fixture(scope="module")
def both():
    with Database.open(":memory:") as database:
        load_sample(database)
        load_debated_sample(database)
        yield database


@pytest.mark.parametrize("number", preset_numbers())
def test_every_row_fills_with_both_samples_and_says_on_how_many_debates_where_not_on_all(both, number):
    results = ExperimentRun(both, preset(number), budget=Budget(calls=0), keep=False).carry_out().results
    table = published_table(number)
    assert table is not None
    frame = layout_of(table, results).frame
    assert covered(frame) == len(frame)
    single = frame[frame["protocol"] == "single-turn"]
    assert set(single["debates"]) <= {26, 32}
    if all(tested.needs_trials for tested in preset(number).tested):
        assert single[single["debates"] == 26]["remark"].str.contains("only on 26 of 32 debates, those").all()
