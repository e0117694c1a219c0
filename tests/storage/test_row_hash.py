"""What the audit log vouches for of a data set, whatever its size."""

import hashlib
import json

import pytest

from storage import row_hash
from storage.debate_repository import DebateRepository
from storage.row_hash import Vouched, row_hashes
from tests.storage.debates import a_dataset, a_debate


def sha256(text):
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("at_once", [1, 2, 50_000])
def test_a_dataset_is_vouched_for_by_the_records_of_its_debates_in_their_order(database, monkeypatch, at_once):
    monkeypatch.setattr(row_hash, "AT_ONCE", at_once)
    DebateRepository(database).add(a_dataset(), [a_debate(name, claim=f"Claim é {name}.") for name in ("c", "a", "b")])
    with database.read() as cursor:
        rows = cursor.execute("SELECT id, record FROM debate ORDER BY position").fetchall()
        (name, of_file) = cursor.execute("SELECT id, sha256 FROM dataset").fetchall()[0]
        found = row_hashes(cursor, Vouched.DATASET)
    assert [row[0] for row in rows] == ["c", "a", "b"]
    said = {"id": name, "sha256": of_file, "debates": sha256("".join(sha256(f"{i} {record}") for i, record in rows))}
    expected = sha256(json.dumps(said, ensure_ascii=False, sort_keys=True, separators=(",", ":")))
    assert found == {name: expected}


def test_a_dataset_without_debates_has_a_hash_too(database):
    DebateRepository(database).add(a_dataset(), [a_debate("a")])
    with database.log() as logged:
        logged.cursor.execute("DELETE FROM debate")
        hashes = row_hashes(logged.cursor, Vouched.DATASET)
        (name, of_file) = logged.cursor.execute("SELECT id, sha256 FROM dataset").fetchall()[0]
        said = {"id": name, "sha256": of_file, "debates": None}
        assert hashes == {name: sha256(json.dumps(said, sort_keys=True, separators=(",", ":")))}
