"""Imports in the background, and looks at files of any size."""

import json
import threading
import zipfile

import pyarrow
import pyarrow.parquet
import pytest

from core.errors import NotAllowed
from storage import file_look, importer
from storage.debate_repository import DebateRepository
from storage.file_look import look, paths_in
from storage.import_desk import ImportDesk, ImportState
from storage.importer import Wish
from storage.readers import read_file
from tests.storage.people import VIEWER


def record(number):
    return {
        "format": "moot-debate/1",
        "debate_id": f"d{number}",
        "claim": f"Claim {number}.",
        "rounds": [{"round": 0, "arguments": [{"id": "a", "text": "x" * 50, "base_score": 0.5}]}],
    }


def native(count):
    return "\n".join(json.dumps(record(number)) for number in range(count)).encode()


@pytest.fixture
def desk(database):
    opened = ImportDesk(database)
    yield opened
    opened.stop()


def test_an_import_goes_on_in_the_background_and_tells_what_became_of_it(desk, database):
    ended = threading.Event()
    job = desk.start(native(3), "logs/three.jsonl", Wish(), ended.set)
    assert ended.wait(60)
    found = desk.wait(job, 60)
    assert found is not None
    assert (found.file, found.state, found.debates) == ("three.jsonl", ImportState.DONE, 3)
    assert found.report is not None
    assert DebateRepository(database).count() == 3
    again = desk.wait(desk.start(native(3), "copy.jsonl", Wish()), 60)
    assert again is not None
    assert again.state is ImportState.REFUSED
    assert [one.file for one in desk.jobs()] == ["copy.jsonl", "three.jsonl"]
    desk.forget(job)
    assert desk.job(job) is None


def test_an_import_that_is_cancelled_leaves_nothing(desk, database, monkeypatch):
    reached, go_on = threading.Event(), threading.Event()

    def held_up(*args, **kwargs):
        reached.set()
        go_on.wait(60)
        return read_file(*args, **kwargs)

    monkeypatch.setattr(importer, "read_file", held_up)
    job = desk.start(native(3), "three.jsonl", Wish())
    waiting = desk.start(native(4), "four.jsonl", Wish())
    assert reached.wait(60)
    assert desk.job(waiting).state is ImportState.WAITING
    desk.cancel(waiting)
    desk.cancel(job)
    go_on.set()
    assert desk.wait(job, 60).state is ImportState.CANCELLED
    assert desk.wait(waiting, 60).state is ImportState.CANCELLED
    assert DebateRepository(database).count() == 0
    assert not desk.running()


def test_viewers_neither_begin_nor_stop_imports(desk):
    with pytest.raises(NotAllowed):
        desk.start(native(1), "one.jsonl", Wish(person=VIEWER))
    with pytest.raises(NotAllowed):
        desk.cancel("1", VIEWER)


def test_a_mistake_of_ours_is_shown_and_not_only_logged(desk, monkeypatch):
    monkeypatch.setattr("storage.import_desk.import_file", lambda *_: 1 // 0)
    found = desk.wait(desk.start(native(1), "one.jsonl", Wish()), 60)
    assert (found.state, "mistake in Moot" in found.trouble) == (ImportState.FAILED, True)


def test_a_small_file_is_looked_at_whole():
    found = look(native(3), "three.jsonl")
    assert (found.whole, len(found.read.debates)) == (True, 3)


@pytest.fixture
def short_looks(monkeypatch):
    """Let every file count as large."""
    monkeypatch.setattr(file_look, "WHOLE", 100)
    monkeypatch.setattr(file_look, "HEAD", 2000)
    monkeypatch.setattr(file_look, "HEAD_ROWS", 4)
    monkeypatch.setattr(file_look, "SOME", 5)


def test_of_a_large_file_the_beginning_is_looked_at(short_looks, tmp_path):
    path = tmp_path / "many.jsonl"
    path.write_bytes(native(50))
    found = look(path, "many.jsonl")
    assert not found.whole
    assert 1 < len(found.read.debates) < 50
    assert [issue for issue in found.read.issues if issue.severity == "error"] == []  # no line was cut in the middle


def test_of_a_large_archive_the_first_debates_are_looked_at(short_looks, tmp_path):
    path = tmp_path / "logs.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.jsonl", native(20))
    found = look(path, "logs.zip")
    assert (found.whole, len(found.read.debates), found.read.refused) == (False, 5, False)


def test_of_a_folder_the_first_debates_are_looked_at(short_looks, tmp_path):
    (tmp_path / "a.jsonl").write_bytes(native(3))
    found = look(tmp_path, "logs")
    assert (found.whole, len(found.read.debates), found.read.refused) == (True, 3, False)
    (tmp_path / "b.jsonl").write_bytes(native(9))
    assert (look(tmp_path, "logs").whole, len(look(tmp_path, "logs").read.debates)) == (False, 5)


def test_of_a_large_parquet_file_the_first_rows_are_looked_at(short_looks, tmp_path):
    path = tmp_path / "rows.parquet"
    rows = [{"debate_id": f"d{n}", "claim": f"C{n}.", "polarity": "pro", "argument": f"Text {n}."} for n in range(30)]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    found = look(path, "rows.parquet")
    assert (found.whole, len(found.read.debates)) == (False, 4)


def test_the_paths_of_a_file_are_offered_with_a_guess(short_looks, tmp_path):
    path = tmp_path / "turns.jsonl"
    lines = [{"thesis": f"T{n} is so.", "turns": [{"says": "Yes it is.", "who": "ann"}]} for n in range(40)]
    path.write_text("\n".join(map(json.dumps, lines)))
    found = paths_in(path, "turns.jsonl")
    assert found.guess is not None
    assert (found.guess.claim, found.guess.statements[0].agent) == ("thesis", "turns[].who")
    assert "turns[].says" in {str(choice.path) for choice in found.choices}
    assert {str(choice.path) for choice in paths_in(path, "turns.jsonl", "turns[]").choices} == {"", "says", "who"}
