"""``export compare``: charts and tables of judges from the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from core.comparison_files import comparison_files
from storage.comparison_choice import picked_judges
from storage.comparison_source import material
from storage.database import Database
from storage.debate_repository import DebateRepository
from tests.pages.judged import NAMED, SAID, five_debates, keep
from tests.storage.debates import a_dataset

ROOT = Path(__file__).resolve().parents[1]
DATA = ("csv", "html", "markdown", "latex")


@pytest.fixture
def path(tmp_path):
    database = tmp_path / "moot.duckdb"
    with Database.open(database) as opened:
        DebateRepository(opened).add(a_dataset("zoo set"), five_debates())
    keep(database, NAMED, SAID, "small local model, demonstration")
    return database


def run(path, *arguments):
    command = [sys.executable, str(ROOT / "cli.py"), "--db", str(path), "export", "compare", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=180, check=False)


def test_every_chart_and_table_becomes_a_file_with_its_caption(path, tmp_path):
    folder = tmp_path / "files"
    done = run(path, "-o", str(folder), *(part for kind in DATA for part in ("--format", kind)))
    assert done.returncode == 0, done.stderr
    names = sorted(file.name for file in folder.iterdir())
    assert sorted(done.stdout.split()) == names
    with Database.open(path) as database:
        of = material(database, picked_judges(database, ()), None).comparison()
        day = names[0].rsplit("_", 1)[1].split(".")[0]
        expected = dict(comparison_files(of, of.pair, DATA, day))
    assert {name: (folder / name).read_bytes() for name in names} == expected
    summary = next(folder.glob("*table-summary*.md")).read_text("utf-8")
    assert "small local model" in summary
    assert "n = 4 of 5 debates" in summary


def test_judges_filter_and_labels_are_chosen(path, tmp_path):
    folder = tmp_path / "files"
    options = ("--judge", "mean stance", "--judge", NAMED.name, "--search", "two", "--hide-labels", "--format", "csv")
    done = run(path, "-o", str(folder), "--dataset", "zoo set", *options)
    assert done.returncode == 0, done.stderr
    lines = next(folder.glob("debates_zoo-set_table-summary*")).read_text("utf-8-sig").splitlines()
    assert "Filter: words 'two'." in lines[0]
    assert lines[2].startswith("Mean stance,vote,1.0,")  # the baseline first
    assert not list(folder.glob("*accuracy*"))


def test_choices_are_listed(path):
    done = run(path, "--list")
    assert done.stdout.startswith("preset LLM vs semantics: ")
    assert NAMED.name in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-o", "out", "--judge", "nobody"), "'nobody' is neither a judge nor a preset"),
        (("-o", "out", "--format", "gif"), "There is no format 'gif'"),
        (("-o", "out", "--protocol", "duel"), "There is no protocol 'duel'"),
        (("-o", "out", "--pair", "1", "9"), "The pair must be two of the judges 1 to"),
        (("-o", "out", "--published", "x"), "means 0 published tables"),
        (("-o", "out", "--dataset", "x"), "There is no dataset 'x'"),
        ((), "Say which folder to write into"),
    ],
)
def test_what_makes_no_sense_is_said_in_one_line(path, tmp_path, arguments, message):
    done = run(path, *(str(tmp_path / "out") if part == "out" else part for part in arguments))
    assert done.returncode in (1, 2)
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists() or not list((tmp_path / "out").iterdir())
