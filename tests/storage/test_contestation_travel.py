from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from core.errors import MootError
from core.import_issue import Severity
from core.native import debates_to_native
from storage.contestation_repository import ContestationRepository
from storage.database import IN_MEMORY, Database
from storage.debate_filter import DebateFilter
from storage.debate_repository import DebateRepository
from storage.draft_keeper import DraftKeeper
from storage.importer import import_read_file
from storage.readers import read_file
from tests.storage.debates import HOSTILE, a_dataset, a_debate
from tests.storage.test_contestation_repository import CHALLENGE, EDITS

SCHEMA = Path(__file__).resolve().parents[2] / "assets" / "schema" / "moot-debate-1.schema.json"


@pytest.fixture
def contestations(database, repository):
    repository.add(a_dataset(), [a_debate(), a_debate("lake")])
    return ContestationRepository(database)


def exported(repository):
    return "".join(f"{line}\n" for line in repository.export()).encode()


def brought_into_an_empty_database(content):
    """Return what an import of native bytes says, exports again and has saved on each debate."""
    with Database.open(IN_MEMORY) as other:
        imported = import_read_file(other, read_file(content, "again.jsonl"))
        found = DebateRepository(other)
        saved = ContestationRepository(other)
        return imported, exported(found), {name: saved.for_debate(name) for name in found.ids()}


def test_saved_contestations_travel_out_and_in_and_out_alike(repository, contestations):
    untouched = exported(repository).splitlines()[1]
    parent = contestations.save(replace(CHALLENGE, created_at="2026-05-02T00:00:00Z"))
    fork = contestations.save(replace(CHALLENGE, parent=parent.id, created_at="2026-05-01T00:00:00Z", tags=()))
    first = exported(repository)
    assert first.splitlines()[1] == untouched
    imported, second, saved = brought_into_an_empty_database(first)
    assert imported.issues == ()
    assert second == first
    assert saved == {"zoo": (fork, parent), "lake": ()}
    records = json.loads(first.splitlines()[0])["contestations"]
    assert [record["id"] for record in records] == [fork.id, parent.id]
    assert "debate_id" not in records[0]
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(json.loads(first.splitlines()[0]))
    for record in records:
        jsonschema.Draft202012Validator({"$defs": schema["$defs"], "$ref": "#/$defs/contestation"}).validate(record)


def test_what_is_saved_after_an_import_joins_what_came_with_the_record(repository, contestations):
    early = contestations.save(replace(CHALLENGE, created_at="2026-05-02T00:00:00Z"))
    with Database.open(IN_MEMORY) as other:
        import_read_file(other, read_file(exported(repository), "again.jsonl"))
        later = ContestationRepository(other).save(replace(CHALLENGE, parent=early.id, created_at="2026-05-01"))
        found = DebateRepository(other)
        third = exported(found)
        debate = found.with_contestations(found.get("zoo"))
    assert [record["id"] for record in debate.contestations] == [later.id, early.id]
    assert debates_to_native([debate]).splitlines()[0] == third.splitlines()[0]
    assert brought_into_an_empty_database(third)[1] == third


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_in_a_contestation_travels_unchanged(repository, contestations, text):
    added = replace(EDITS[1], argument=text, text=text, note=text, source=text)
    value = replace(CHALLENGE, reason=text, author=text, role=text, tags=(text,), before={text: text}, edits=(added,))
    saved = contestations.save(value)
    first = exported(repository)
    imported, second, found = brought_into_an_empty_database(first)
    assert (imported.issues, second, found["zoo"]) == ((), first, (saved,))


def test_importing_an_export_into_its_own_database_stores_no_contestation_twice(database, repository, contestations):
    parent = contestations.save(CHALLENGE)
    contestations.save(replace(CHALLENGE, parent=parent.id))
    first = exported(repository)
    imported = import_read_file(database, read_file(first, "again.jsonl"), again=True)
    assert contestations.count() == 2
    assert [issue.code for issue in imported.issues] == ["contestation_already_here"] * 2 + ["debate_id_taken"]
    assert imported.dataset_id is not None
    of_copy = repository.export(DebateFilter(datasets=(imported.dataset_id,)))
    assert "".join(f"{line}\n" for line in of_copy).encode() == first


def test_a_contestation_is_stored_under_the_id_its_debate_got(database, repository, contestations):
    with Database.open(IN_MEMORY) as other:
        DebateRepository(other).add(a_dataset(), [a_debate()])
        saved = ContestationRepository(other).save(CHALLENGE)
        content = exported(DebateRepository(other))
    imported = import_read_file(database, read_file(content, "other.jsonl"))
    name = f"zoo@{imported.dataset_id}"
    assert contestations.get(saved.id) == replace(saved, debate_id=name)
    assert contestations.for_debate(name) == (contestations.get(saved.id),)
    assert contestations.for_debate("zoo") == ()


def test_forks_come_in_whatever_their_order_in_the_file(repository, contestations):
    names = ["c", "b", "a"]
    for parent, name in zip([None, *names], names, strict=False):
        contestations.save(replace(CHALLENGE, id=name, parent=parent, created_at="2026-05-01"))
    imported, _, saved = brought_into_an_empty_database(exported(repository))
    assert imported.issues == ()
    assert {one.id: one.parent for one in saved["zoo"]} == {"a": "b", "b": "c", "c": None}


GOOD = {"id": "good", "author": "Ada", "reason": "", "edits": []}


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"by": "somebody", "text": "No."},
        GOOD | {"id": ""},
        GOOD | {"id": ["good"]},
        GOOD | {"surprise": 1},
        GOOD | {"round": 7},
        GOOD | {"round": True},
        GOOD | {"round": 10**30},
        GOOD | {"created_at": "yesterday"},
        GOOD | {"created_at": "0001-01-01T00:00:00+23:00"},
        GOOD | {"parent": "nowhere"},
        GOOD | {"parent": "good"},
        GOOD | {"tags": [1]},
        GOOD | {"edits": [1]},
        GOOD | {"edits": [{"kind": "explode"}]},
        GOOD | {"edits": [{"kind": "remove argument", "argument": {"a": 1}}]},
        GOOD | {"edits": [{"kind": "remove argument", "argument": "nobody"}]},
        GOOD | {"before": {"judge": {"verdict": "perhaps"}}},
        GOOD | {"after": {"judge": {"score": 10**350}}},
    ],
)
def test_a_contestation_that_cannot_be_read_stays_in_the_record_and_is_reported(database, repository, record):
    content = debates_to_native([a_debate(contestations=(record,))])
    imported = import_read_file(database, read_file(content, "odd.jsonl"))
    (issue,) = imported.issues
    assert (issue.severity, issue.code, issue.field) == (
        Severity.WARNING,
        "contestation_unreadable",
        "contestations[0]",
    )
    assert repository.issues(imported.dataset_id).message.to_list() == [issue.message]
    assert ContestationRepository(database).count() == 0
    assert exported(repository) == content


def test_an_id_that_another_contestation_has_is_reported(database, repository):
    other = GOOD | {"reason": "Another."}
    content = debates_to_native([a_debate(contestations=(GOOD, other)), a_debate("lake", contestations=(GOOD,))])
    imported = import_read_file(database, read_file(content, "odd.jsonl"))
    assert [issue.code for issue in imported.issues] == ["contestation_id_taken", "contestation_already_here"]
    assert ContestationRepository(database).get("good").reason == ""
    assert exported(repository) == content


def test_the_documented_example_comes_in_without_a_problem(database):
    page = (SCHEMA.parents[2] / "docs" / "format.md").read_text(encoding="utf-8")
    (example,) = [part for part in re.findall(r"```json\n(.*?)```", page, re.DOTALL) if '"contestations"' in part]
    assert import_read_file(database, read_file(example.encode(), "example")).issues == ()
    assert ContestationRepository(database).count() == 1


def test_an_import_that_breaks_off_leaves_no_contestation(database, repository, monkeypatch):
    def break_off(*_):
        raise MootError("The power went.")

    monkeypatch.setattr("storage.dataset_writer._insert_issues", break_off)  # after contestations are written
    content = debates_to_native([a_debate(contestations=(GOOD,))])
    with pytest.raises(MootError, match="power"):
        import_read_file(database, read_file(content, "good.jsonl"))
    assert (repository.count(), ContestationRepository(database).count()) == (0, 0)


def test_removing_a_dataset_takes_the_drafts_of_its_rounds_and_forks_only(database, repository):
    drafts = DraftKeeper(database)
    gone = repository.add(a_dataset("gone", "c" * 64), [a_debate("pond_%")])
    for name in ("pond_%", "pond_%#round 0", "pond_%#fork", "pondXY#round 0", "pond_%2#round 0", "zoo#round 0"):
        drafts.save("Ada", name, 0, ())
    drafts.flush()
    repository.remove_dataset(gone.id)
    left = {draft.draft_of for draft in drafts.drafts("Ada")}
    drafts.close()
    assert left == {"pondXY#round 0", "pond_%2#round 0", "zoo#round 0"}
