"""Every published table fills on the sample, without a call and with what must be known of a small model."""

from __future__ import annotations

import re
from io import StringIO

import pandas as pd
import pytest

from core.experiments.layout import OWN, covered
from core.palette import LIGHT
from core.runs.plan import Budget
from core.table_export import table_file
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


def test_a_filled_table_counts_the_debates_of_all_its_parts_and_writes_whole_numbers(both):
    results = ExperimentRun(both, preset(9), budget=Budget(calls=0), keep=False).carry_out().results
    table = published_table(9)
    assert table is not None
    text = table_file(layout_of(table, results).table.make(), "csv").decode("utf-8-sig")
    assert "n = 52 of 52 debates." in text
    assert "single-turn 32; multi-turn-private 11; multi-turn-shared 9." in text
    written = pd.read_csv(StringIO(text), comment="#", dtype=str)
    assert set(written["debates"]) == {"32", "11", "9"}


def test_the_picture_says_of_which_rows_its_remarks_are_and_keeps_its_blanks(sample):
    results = ExperimentRun(sample, preset(8), budget=Budget(calls=0), keep=False).carry_out().results
    table = published_table(8)
    assert table is not None
    figure = layout_of(table, results).chart.draw(LIGHT).figure
    said = " ".join(str(note.text) for note in figure.layout.annotations)
    assert "LLM, named, prior: small local model, demonstration; does not discriminate" in " ".join(
        re.sub("<[^>]*>", "", said).split()
    )
