from __future__ import annotations

import json
import os
import stat
import threading

import pytest

from core.errors import DatabaseInUse, MootError
from core.native import debates_to_native
from storage.database import IN_MEMORY, Database
from storage.debate_repository import DebateRepository
from storage.importer import FileReport, Wish
from storage.inbox import MOST_ATTEMPTS, HandedFile, Inbox, hand_over, work_off
from storage.lock import Holder
from tests.storage import processes
from tests.storage.debates import a_debate

ONE = debates_to_native([a_debate()])
OTHER = debates_to_native([a_debate("lake")])

APP = """
import sys
from storage.database import Database
from storage.inbox import Inbox
from storage.lock import Holder
database = Database.open(sys.argv[1], Holder.APP)
if sys.argv[2] == "looks":
    Inbox(database).start()
print("open", flush=True)
sys.stdin.readline()
"""
# Dies after the import is committed, before anybody is told.
DYING_APP = """
import os, sys
from storage import inbox
from storage.database import Database
from storage.lock import Holder
database = Database.open(sys.argv[1], Holder.APP)
inbox._write_answer = lambda *_: os._exit(9)
print("open", flush=True)
while True:
    inbox.work_off(database)
"""


@pytest.fixture
def app(path):
    started = []

    def start(code=APP, *arguments):
        process = processes.start(code, path, *arguments)
        started.append(process)
        assert processes.read_line(process) == "open\n"
        return process

    yield start
    for process in started:
        processes.end(process)


@pytest.fixture
def stages(path):
    return path.parent / "inbox" / path.name


def lay_down(stages, name, job, files=()):
    folder = stages / "waiting" / name
    folder.mkdir(parents=True)
    (folder / "job.json").write_bytes(job if isinstance(job, bytes) else json.dumps(job).encode())
    for number, content in enumerate(files):
        (folder / str(number)).write_bytes(content)
    return folder


def left_over(stages):
    return {
        stage: sorted(entry.name for entry in (stages / stage).iterdir())
        for stage in ("making", "waiting", "working", "done", "failed")
        if (stages / stage).is_dir() and any((stages / stage).iterdir())
    }


def test_a_running_app_imports_what_is_handed_over(path, app, stages):
    process = app(APP, "looks")
    files = [HandedFile("logs/one.jsonl", ONE), HandedFile("empty.jsonl", b"")]
    reports = hand_over(path, files, Wish("Handed"))
    assert reports[0] == FileReport("logs/one.jsonl", "moot-debate/1", 1, 2)
    assert reports[1].refused
    assert reports[1].issues
    assert left_over(stages) == {}
    with pytest.raises(DatabaseInUse):
        Database.open(path)
    processes.end(process)
    with Database.open(path) as database:
        assert [dataset.name for dataset in DebateRepository(database).datasets()] == ["Handed"]


def test_what_is_in_the_inbox_is_nobody_elses_business(path, app, stages):
    app(APP, "looks")
    hand_over(path, [HandedFile("one.jsonl", ONE)])
    for folder in (stages.parent, *stages.iterdir()):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_an_app_that_does_not_look_is_not_waited_for_for_ever(path, app, stages):
    app(APP, "sleeps")
    with pytest.raises(MootError, match=r"held by the Moot app \(process \d+\) since .* did not take the job"):
        hand_over(path, [HandedFile("one.jsonl", ONE)], patience=0)
    assert left_over(stages) == {}


def test_the_command_does_the_work_itself_when_the_app_has_ended(path, app, stages):
    process = app(APP, "sleeps")
    reports = []
    waiting = threading.Thread(target=lambda: reports.extend(hand_over(path, [HandedFile("one.jsonl", ONE)])))
    waiting.start()
    processes.end(process)
    waiting.join(timeout=60)
    assert reports == [FileReport("one.jsonl", "moot-debate/1", 1, 2)]
    assert left_over(stages) == {}


def test_a_job_outlives_an_app_that_dies_and_is_not_carried_out_twice(path, app, stages):
    job = {"dataset": None, "again": True, "files": ["one.jsonl"]}
    lay_down(stages, "00-job", job, [ONE])
    assert app(DYING_APP).wait(timeout=60) == 9
    assert left_over(stages) == {"working": ["00-job"]}
    with Database.open(path, Holder.APP) as database:
        assert DebateRepository(database).count() == 1  # it had been committed
        assert work_off(database) == 1
        assert DebateRepository(database).count() == 1
    answer = json.loads((stages / "done" / "00-job.json").read_text())
    assert [(file["file"], file["debates"]) for file in answer["files"]] == [("one.jsonl", 1)]
    assert left_over(stages) == {"done": ["00-job.json"]}


def test_a_job_that_keeps_ending_the_app_is_set_aside(path, stages):
    folder = lay_down(stages, "00-job", {"dataset": None, "again": False, "files": ["one.jsonl"]}, [ONE])
    (folder / "attempts").write_text("x" * MOST_ATTEMPTS)
    with Database.open(path) as database:
        work_off(database)
        assert DebateRepository(database).count() == 0
    assert left_over(stages) == {"done": ["00-job.json"], "failed": ["00-job"]}
    assert "more than once" in json.loads((stages / "done" / "00-job.json").read_text())["error"]


@pytest.mark.parametrize(
    "job",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 100_000,
        [],
        {},
        {"dataset": None, "again": False},
        {"dataset": 3, "again": False, "files": ["a"]},
        {"dataset": None, "again": "yes", "files": ["a"]},
        {"dataset": None, "again": False, "files": [1]},
        {"dataset": None, "again": False, "files": {"a": 1}},
    ],
)
def test_a_broken_job_is_set_aside_once_and_the_next_one_is_done(path, stages, job):
    lay_down(stages, "00-broken", job, [ONE])
    lay_down(stages, "01-good", {"dataset": None, "again": False, "files": ["lake.jsonl"]}, [OTHER])
    with Database.open(path) as database:
        assert work_off(database) == 2
        assert work_off(database) == 0
        assert DebateRepository(database).ids() == ("lake",)
    assert left_over(stages) == {"done": ["00-broken.json", "01-good.json"], "failed": ["00-broken"]}
    assert "error" in json.loads((stages / "done" / "00-broken.json").read_text())


def test_rubbish_in_the_inbox_is_set_aside(path, stages):
    (stages / "waiting").mkdir(parents=True)
    (stages / "waiting" / "file").write_text("x")
    (stages / "waiting" / "empty").mkdir()
    (stages / "waiting" / "link").symlink_to(path.parent)
    with Database.open(path) as database:
        assert work_off(database) == 3
        assert work_off(database) == 0
    assert left_over(stages)["failed"] == ["empty", "file", "link"]
    assert not (path.parent / "attempts").exists()  # nothing was written through the link


def test_a_job_never_reaches_outside_its_folder(path, stages, tmp_path):
    secret = tmp_path / "secret.jsonl"
    secret.write_bytes(ONE)
    folder = lay_down(stages, "00-job", {"dataset": None, "again": False, "files": [str(secret), "link"]})
    (folder / "1").symlink_to(secret)
    with Database.open(path) as database:
        work_off(database)
        assert DebateRepository(database).count() == 0
    answer = json.loads((stages / "done" / "00-job.json").read_text())
    assert [file["issues"][0]["code"] for file in answer["files"]] == ["file_missing", "file_missing"]


def test_what_commands_left_that_went_away_goes_after_a_day(path, stages):
    for stage in ("waiting", "done", "making"):
        (stages / stage).mkdir(parents=True)
    for name, age in (("old", 2 * 24 * 3600), ("new", 3600)):
        report, half_made = stages / "done" / f"{name}.json", stages / "making" / name
        report.write_text("{}")
        half_made.mkdir()
        for left in (report, half_made):
            then = left.stat().st_mtime - age
            os.utime(left, (then, then))
    with Database.open(path) as database:
        work_off(database)
    assert left_over(stages) == {"done": ["new.json"], "making": ["new"]}


def test_two_databases_in_one_folder_have_inboxes_of_their_own(path, app, tmp_path):
    app(APP, "looks")
    hand_over(path, [HandedFile("one.jsonl", ONE)])
    with Database.open(tmp_path / "second.duckdb") as database:
        assert work_off(database) == 0
        assert DebateRepository(database).count() == 0


def test_the_inbox_thread_ends_with_stop_and_a_database_in_memory_has_none(path):
    with Database.open(path, Holder.APP) as database:
        inbox = Inbox(database)
        inbox.start()
        inbox.start()
        inbox.stop()
        assert "moot-inbox" not in [thread.name for thread in threading.enumerate()]
    with Database.open(IN_MEMORY) as database:
        Inbox(database).start()
        assert "moot-inbox" not in [thread.name for thread in threading.enumerate()]
