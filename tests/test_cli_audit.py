from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.lock import Holder
from storage.setting_repository import SettingRepository
from tests.command import command
from tests.storage.debates import HOSTILE, a_dataset, a_debate

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture
def moot(tmp_path):
    """Return a function that runs a command on a database of its own."""

    return partial(command, tmp_path)


@pytest.fixture
def filled(tmp_path):
    path = tmp_path / "moot.duckdb"
    with Database.open(path) as database:
        DebateRepository(database).add(a_dataset(), [a_debate()])
        SettingRepository(database).set("note", HOSTILE[3])
    return path


def test_a_log_that_nobody_touched_is_intact(moot, filled):
    done = moot("audit", "verify")
    assert done.returncode == 0
    assert done.stdout.startswith("Log intact, 3 entries, head hash ")


def test_a_changed_entry_is_named_and_the_exit_code_says_so(moot, filled):
    with Database.open(filled) as database, database.write() as cursor:
        cursor.execute("UPDATE audit SET name = 'Somebody else' WHERE sequence = 2")
    done = moot("audit", "verify")
    assert done.returncode == 1
    assert done.stdout.startswith("Entry 2 (data set imported, ")
    report = json.loads(moot("audit", "verify", "--json").stdout)
    assert report["intact"] is False
    assert "Entry 2" in report["problems"][0]


def test_a_noted_head_is_looked_for(moot, filled):
    head = json.loads(moot("audit", "verify", "--json").stdout)["head"]
    assert moot("audit", "verify", "--head", head).returncode == 0
    wrong = moot("audit", "verify", "--head", f"9:{head.split(':')[1]}")
    assert wrong.returncode == 1
    assert "6 entries are missing at the end" in wrong.stdout
    assert moot("audit", "verify", "--head", "much").returncode == 1


def test_an_exported_log_is_checked_without_its_database(moot, filled, tmp_path):
    assert moot("audit", "export", "-o", "log.jsonl").returncode == 0
    lines = (tmp_path / "log.jsonl").read_text("utf-8").splitlines()
    filled.unlink()
    assert moot("audit", "verify", "--file", "log.jsonl").returncode == 0
    assert "Entry 2 is missing" in moot("audit", "verify", "--file", "-", stdin="\n".join(lines[::2])).stdout
    nothing = moot("audit", "verify", "--file", "-", stdin="")
    assert nothing.returncode == 1
    assert "is empty" in nothing.stdout


def test_the_export_can_be_narrowed_and_made_a_table_without_formulas(moot, filled):
    line = json.loads(moot("audit", "export", "--action", "setting changed").stdout)
    assert (line["object"], line["person"]) == ("note", "command line")
    assert moot("audit", "export", "--person", "moot").stdout.count("\n") == 1
    table = moot("audit", "export", "--format", "csv", "--search", "note").stdout
    assert table.splitlines()[0].endswith("sequence,moment,person,name,role,action,kind,object,before,after,reason,"
                                          "contents,previous,hash")  # fmt: skip
    assert ",=HYPERLINK" not in table


@pytest.mark.parametrize(
    "arguments", [("export", "--format", "xml"), ("export", "--action", "magic"), ("export", "-o", "no/such/file"), ()]
)
def test_wrong_usage_is_said(moot, filled, arguments):
    done = moot("audit", *arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_without_a_database_none_is_made(moot, tmp_path):
    done = moot("audit", "verify")
    assert done.returncode == 2
    assert not (tmp_path / "moot.duckdb").exists()


def test_while_the_app_holds_the_database_that_is_said(moot, filled):
    with Database.open(filled, Holder.APP):
        done = moot("audit", "verify")
    assert done.returncode == 1
    assert "the Moot app" in done.stderr


def test_what_the_command_line_does_is_logged_as_the_operators(moot, filled, tmp_path):
    assert moot("sample").returncode == 0
    entry = json.loads(moot("audit", "export", "--action", "judgements imported").stdout.splitlines()[0])
    assert (entry["person"], entry["role"]) == ("command line", "admin")
