from __future__ import annotations

from core.contestation import Contestation
from core.native import debates_to_native
from storage.contestation_repository import ContestationRepository
from storage.sample import FOLDER, load_sample
from tests.storage.debates import a_debate


def test_the_sample_loads_once(database, repository):
    first = load_sample(database)
    assert len(first) == len(list(FOLDER.glob("*.jsonl")))
    assert sum(imported.debates for imported in first) == repository.count() > 0
    assert all(dataset.is_sample and dataset.name.startswith("Sample: ") for dataset in repository.datasets())
    assert repository.list().is_sample.all()
    assert all(imported.already_here for imported in load_sample(database))
    assert len(repository.datasets()) == len(first)


def test_the_sample_comes_in_without_problems(database):
    assert [issue for imported in load_sample(database) for issue in imported.issues] == []


def test_a_changed_sample_replaces_the_one_before(database, repository, tmp_path):
    (tmp_path / "first.jsonl").write_bytes(debates_to_native([a_debate()]))
    load_sample(database, tmp_path)
    (tmp_path / "first.jsonl").write_bytes(debates_to_native([a_debate(claim="The lake is nearer.")]))
    load_sample(database, tmp_path)
    assert repository.ids() == ("zoo",)
    assert repository.get("zoo").claim == "The lake is nearer."


def test_a_contested_sample_stays_beside_the_changed_one(database, repository, tmp_path):
    (tmp_path / "first.jsonl").write_bytes(debates_to_native([a_debate()]))
    load_sample(database, tmp_path)
    saved = ContestationRepository(database).save(Contestation("", "zoo", 0, (), "It is wrong.", "Ada"))
    (tmp_path / "first.jsonl").write_bytes(debates_to_native([a_debate(claim="The lake is nearer.")]))
    load_sample(database, tmp_path)
    assert repository.count() == 2
    assert repository.get(saved.debate_id) == a_debate()
