"""``export report``: the page's reports from the command line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from core.preferences import Preferences
from core.report.items import FreeNote, JudgedDebate
from core.report.report import Report
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.report_files import KINDS, report_file
from storage.report_repository import ReportRepository
from tests.storage.debates import a_dataset, a_debate

ROOT = Path(__file__).resolve().parents[1]
REPORT = Report("Zoo", "Ada", "2026-05-01").with_item(JudgedDebate("zoo", None, Preferences().judging()), "look")


@pytest.fixture
def path(tmp_path):
    database = tmp_path / "moot.duckdb"
    with Database.open(database) as opened:
        DebateRepository(opened).add(a_dataset("zoo set"), [a_debate()])
        ReportRepository(opened).keep("kept", REPORT)
    return database


def run(path, *arguments, given: bytes | None = None):
    command = [sys.executable, str(ROOT / "cli.py"), "--db", str(path), "export", "report", *arguments]
    return subprocess.run(command, capture_output=True, input=given, timeout=180, check=False)


@pytest.mark.parametrize("kind", KINDS)
def test_a_recipe_gives_the_very_file_of_the_page(path, tmp_path, kind):
    with Database.open(path) as database:
        expected = report_file(database, REPORT, kind)
    recipe, target = tmp_path / "zoo.recipe.json", tmp_path / "out"
    recipe.write_text(REPORT.recipe, "utf-8")
    done = run(path, str(recipe), "-o", str(target), "--format", kind)
    assert done.returncode == 0, done.stderr
    assert target.read_bytes() == expected


def test_a_kept_report_is_listed_and_written_by_its_name(path):
    with Database.open(path) as database:
        expected = report_file(database, REPORT, "html")
    assert run(path, "--list").stdout.decode().strip() == f"kept: command line, recipe {REPORT.hash}"
    assert run(path, "--name", "kept").stdout == expected


def test_a_recipe_is_read_from_standard_input_and_labels_can_be_hidden(path):
    shown, hidden = (
        run(path, "-", "--format", "md", *more, given=REPORT.recipe.encode()) for more in ((), ("--hide-labels",))
    )
    assert b"label: True" in shown.stdout
    assert b"label: True" not in hidden.stdout
    assert b"Gold labels are hidden" in hidden.stdout


def test_a_report_of_what_is_not_here_says_so_and_is_written_all_the_same(path):
    done = run(path, "-", "--format", "md", given=Report().with_item(JudgedDebate("lake")).recipe.encode())
    assert done.returncode == 0
    assert b"not in this database" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "Name either a recipe's file or"),
        (("x.json",), "x.json cannot be read"),
        (("-",), "This is no recipe of a report"),
        (("--name", "nobody"), "No report is kept as 'nobody' in this database; there are 'kept'."),
        (("--name", "kept", "--format", "pdf"), "There is no report format 'pdf'"),
    ],
)
def test_what_makes_no_sense_is_said_in_one_line(path, arguments, message):
    done = run(path, *arguments, given=FreeNote("no recipe").text.encode())
    assert done.returncode in (1, 2)
    assert message in done.stderr.decode()
    assert len(done.stderr.decode().strip().splitlines()) == 1
    assert done.stdout == b""
