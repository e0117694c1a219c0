from __future__ import annotations

import gzip
import hashlib
import json
import os

import pytest

from core.debate import profile
from core.errors import Cancelled
from core.import_issue import Severity
from core.native import debates_to_native
from storage.debate_repository import DebateRepository
from storage.importer import FileReport, Wish, import_file, import_read_file, plain_name
from storage.judgement_file import content_hash
from storage.judgement_repository import JudgementRepository
from storage.readers import read_file
from tests.storage.debates import a_dataset, a_debate, a_long_debate

TWO = debates_to_native([a_debate(), a_long_debate()])


def test_a_file_comes_in_whole(database, repository):
    imported = import_read_file(database, read_file(TWO, "two.jsonl"))
    assert (imported.debates, imported.arguments, imported.already_here) == (2, 5, False)
    (dataset,) = repository.datasets()
    assert dataset.id == imported.dataset_id
    assert (dataset.name, dataset.file_name, dataset.format) == ("two", "two.jsonl", "moot-debate/1")
    assert (dataset.sha256, dataset.size) == (hashlib.sha256(TWO).hexdigest(), len(TWO))
    assert repository.get("zoo") == a_debate()
    assert repository.get("long") == a_long_debate()


def test_exporting_an_imported_file_gives_its_bytes_back(database, repository):
    import_read_file(database, read_file(TWO, "two.jsonl"))
    assert "".join(f"{line}\n" for line in repository.export()).encode() == TWO


def test_the_same_content_is_stored_once_under_any_name(database, repository):
    first = import_read_file(database, read_file(TWO, "two.jsonl"))
    second = import_read_file(database, read_file(TWO, "copy.jsonl"), dataset_name="Copy")
    assert second.already_here
    assert second.dataset_id == first.dataset_id
    assert [issue.code for issue in second.issues] == ["already_here"]
    assert "'two'" in second.issues[0].message
    assert repository.count() == 2


def test_the_same_content_is_stored_again_when_asked_for(database, repository):
    import_read_file(database, read_file(TWO, "two.jsonl"))
    second = import_read_file(database, read_file(TWO, "two.jsonl"), again=True)
    assert not second.already_here
    assert [dataset.name for dataset in repository.datasets()] == ["two", "two (2)"]
    assert repository.count() == 4
    assert "debate_id_taken" in [issue.code for issue in second.issues]


def test_a_refused_file_stores_nothing(database, repository):
    imported = import_read_file(database, read_file(b"", "empty.jsonl"))
    assert imported.dataset_id is None
    assert repository.datasets() == ()


def test_a_cancelled_import_can_be_done_afterwards(database, repository):
    read = read_file(TWO, "two.jsonl")
    with pytest.raises(Cancelled):
        import_read_file(database, read, cancelled=lambda: True)
    assert repository.datasets() == ()
    assert not import_read_file(database, read).already_here


def test_a_report_names_the_file_as_it_was_given(database, tmp_path):
    path = tmp_path / "two.jsonl.gz"
    path.write_bytes(gzip.compress(TWO, mtime=0))
    report = import_file(database, path, str(path), Wish())
    assert report == FileReport(str(path), "moot-debate/1", 2, 5)
    assert DebateRepository(database).datasets()[0].file_name == "two.jsonl.gz"  # the folder is nobody's business
    assert FileReport.from_json(report.to_json()) == report


@pytest.mark.parametrize(
    ("make", "code"),
    [
        (lambda path: None, "file_missing"),
        (lambda path: path.mkdir(), "file_is_folder"),
        (lambda path: path.touch(), None),
        (lambda path: path.symlink_to(path), "file_unreadable"),
        (os.mkfifo, "file_is_no_file"),
        (lambda path: path.symlink_to("/dev/zero"), "file_is_no_file"),
        (lambda path: path.write_bytes(b"\x00\xff" * 500), None),
    ],
)
def test_what_is_no_readable_log_is_a_refusal_and_no_exception(database, tmp_path, make, code):
    path = tmp_path / "log.jsonl"
    make(path)
    report = import_file(database, path, str(path), Wish())
    assert report.refused
    assert report.to_json()["format"] is None
    assert (report.debates, report.arguments) == (0, 0)
    errors = [issue.code for issue in report.issues if issue.severity is Severity.ERROR]
    assert errors == [code] if code else errors
    assert FileReport.from_json(report.to_json()) == report


def test_an_inbox_job_done_twice_stores_once_and_reports_alike(database, repository):
    wish = Wish(again=True, job="job/0")
    first = import_file(database, TWO, "two.jsonl", wish)
    assert import_file(database, TWO, "two.jsonl", wish) == first
    assert repository.count() == 2


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("debates.jsonl", "debates"),
        ("a/b/Debates.JSONL.gz", "Debates"),
        ("C:\\logs\\run 1.csv", "run 1"),
        (".json", ".json"),
        ("no ending", "no ending"),
        ("v1.2", "v1.2"),
        ("/", "file"),
    ],
)
def test_a_dataset_is_called_like_its_file(file, name):
    assert plain_name(file) == name


# --- Files of judgements ----------------------------------------------------------------------------------------------


def judgements(*changes):
    """Return a file with a person's verdict on the debate zoo, one line for each of the changes."""
    judge = {"format": "moot-judge/1", "judge": "r", "settings": {"kind": "human", "judge": "Reviewer 1"}}
    whole = {
        "format": "moot-judgement/1",
        "judge": "r",
        "debate_id": "zoo",
        "content": content_hash(profile(a_debate())),
        "status": "ok",
        "score": 0.9,
        "verdict": "true",
    }
    return "".join(f"{json.dumps(record)}\n" for record in (judge, *(whole | one for one in changes))).encode()


@pytest.mark.parametrize("packed", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_file_of_judgements_comes_in_where_its_debates_are(database, repository, packed):
    repository.add(a_dataset(), [a_debate()])
    report = import_file(database, packed(judgements({})), "said.jsonl", Wish())
    assert (report.format, report.judgements, report.debates, report.issues) == ("moot-judgement/1", 1, 0, ())
    (found,) = JudgementRepository(database).for_debate("zoo")
    assert (found.judgement.judge, found.judgement.score, found.origin) == (
        "Reviewer 1",
        0.9,
        "imported from said.jsonl",
    )
    again = import_file(database, packed(judgements({})), "said.jsonl", Wish())
    assert (again.judgements, [issue.code for issue in again.issues]) == (0, ["judgements_already_here"])


@pytest.mark.parametrize(
    ("changes", "code", "field"),
    [
        ({"score": 2}, "score_unreadable", "score"),
        ({"verdict": "maybe"}, "verdict_unreadable", "verdict"),
        ({"status": "fine"}, "status_unreadable", "status"),
        ({"parts": [{"judge": "a", "status": "ok", "score": "high"}]}, "score_unreadable", "parts[0].score"),
        ({"debate_id": "lake"}, "judgement_without_debate", "debate_id"),
        ({"content": "0" * 16}, "judged_debate_differs", "content"),
        ({"judge": "nobody"}, "judgement_without_judge", "judge"),
        ({"judge": None}, "wrong_type", "judge"),
        ({"cost": float("nan")}, "wrong_type", "cost"),
        ({"notes": "none"}, "wrong_type", "notes"),
        ({"format": "moot-judgement/7"}, "format_version", "format"),
    ],
)
def test_a_judgement_that_cannot_be_taken_is_named_by_line_and_field(database, repository, changes, code, field):
    repository.add(a_dataset(), [a_debate()])
    report = import_file(database, judgements({}, changes), "said.jsonl", Wish())
    assert report.judgements == 1
    (issue,) = report.issues
    assert (issue.code, issue.line, issue.field, issue.file) == (code, 3, field, "said.jsonl")


def test_a_file_of_judgements_without_their_debates_is_refused(database):
    report = import_file(database, judgements({}), "said.jsonl", Wish())
    assert report.refused
    assert report.issues[0].message == "Left out: no such debate ('zoo')."
    assert FileReport.from_json(report.to_json()) == report
