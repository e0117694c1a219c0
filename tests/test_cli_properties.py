"""``properties run``: experiments from the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from storage.database import Database
from storage.debate_repository import DebateRepository
from tests.pages.conftest import zoo
from tests.pages.judged import NAMED, SAID, five_debates, keep
from tests.storage.debates import a_dataset

ROOT = Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "data" / "posthoc-theory-synthetic"


@pytest.fixture
def path(tmp_path):
    database = tmp_path / "moot.duckdb"
    with Database.open(database) as opened:
        DebateRepository(opened).add(a_dataset("zoo set"), five_debates())
    keep(database, NAMED, SAID)
    return database


def run(path, *arguments):
    command = [sys.executable, str(ROOT / "cli.py"), "--db", str(path), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=180, check=False, stdin=subprocess.DEVNULL)


def test_an_experiment_prints_the_grid_and_writes_its_files(path, tmp_path):
    folder = tmp_path / "files"
    done = run(path, "properties", "run", "seven-properties", "-o", str(folder), "--format", "csv", "--format", "latex")
    assert done.returncode == 0, done.stderr
    assert "42 tests to do, 0 done already; no call" in done.stderr
    assert "proved · 5/5" in done.stdout
    written = {file.suffix for file in folder.iterdir()}
    assert written == {".csv", ".tex"}
    again = run(path, "properties", "run", "seven-properties")
    assert "0 tests to do, 42 done already" in again.stderr
    assert again.stdout == done.stdout


def test_calls_are_announced_and_not_made_without_consent(path, tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("name: mine\njudges: [language model]\nproperties: [contestability]\n", "utf-8")
    done = run(path, "properties", "run", str(file))
    assert done.returncode == 2
    assert "5 calls, about" in done.stderr  # what it said of the five debates as recorded is stored
    assert "Say --yes to make these calls, or --max-calls 0 to make none." in done.stderr


def test_it_is_said_on_how_many_debates_a_model_was_tested(path):
    with Database.open(path) as opened:
        DebateRepository(opened).add(a_dataset("later"), [zoo("six")])
    done = run(path, "properties", "run", "table-04", "--max-calls", "0")
    assert done.returncode == 0, done.stderr
    assert f"{NAMED.name}, Non-hallucination: only on 5 of 6 debates, those that it judged" in done.stdout


def test_what_needs_no_call_is_filled_without_any(path):
    done = run(path, "properties", "run", "table-04", "--max-calls", "0", "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    models = [one for one in found if one["settings"]["kind"] == "llm" and one["settings"]["naming"] == "named"]
    assert [(one["tested"], one["source"]) for one in models] == [(5, {"protocol": "single-turn"})]


def test_hidden_labels_leave_no_accuracy_in_the_results(path):
    done = run(path, "properties", "run", "seven-properties", "--json", "--hide-labels")
    assert done.returncode == 0, done.stderr
    assert '"right' not in done.stdout
    assert '"right' in run(path, "properties", "run", "seven-properties", "--json").stdout


def test_a_mistake_is_said_with_its_line(path, tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text("name: x\njudges: [a]\nproperties: [honesty]\n", "utf-8")
    done = run(path, "properties", "run", str(file))
    assert done.returncode == 1
    assert "Line 3, properties[1]: There is no property 'honesty'" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_experiments_that_come_with_moot_are_listed(path):
    done = run(path, "properties", "list")
    assert [line.split(":")[0] for line in done.stdout.splitlines()] == sorted(
        ["seven-properties", "simulated", *(f"table-{number:02}" for number in range(1, 15))]
    )


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared debates are not here")
def test_every_preset_of_semantics_fills_on_published_style_debates(tmp_path):
    database = tmp_path / "moot.duckdb"
    logs = [str(file) for file in sorted(SHARED.iterdir()) if file.suffix in (".json", ".jsonl", ".csv")]
    done = run(database, "import", *logs)
    assert database.exists(), done.stderr
    for number in (9, 10, 11, 12, 13, 14):
        folder = tmp_path / f"table{number}"
        done = run(database, "properties", "run", f"table-{number:02}", "-o", str(folder), "--format", "csv")
        assert done.returncode == 0, done.stderr
        (table,) = [file for file in folder.iterdir() if f"published-{number}_" in file.name]
        header, *rows = table.read_text("utf-8-sig").splitlines()[1:]
        own = [place for place, name in enumerate(header.split(",")) if name.startswith("yours")]
        assert rows
        assert all(any(row.split(",")[place] for place in own) for row in rows), f"table {number}"
