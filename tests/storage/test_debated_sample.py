from __future__ import annotations

import json

import pytest

from core.debate import DebateProtocol, profile
from core.debating.outcome import DEMONSTRATION
from core.judgement import JudgementStatus
from core.judges.registry import semantics_judges
from core.origin import origin_words
from storage.debated_sample import FOLDER, is_loaded, load_debated_sample
from storage.judgement_repository import JudgementRepository
from storage.sample import load_sample


@pytest.fixture
def loaded(database, repository):
    load_debated_sample(database)
    return repository


def test_a_model_debated_in_all_three_protocols(loaded):
    debates = [loaded.get(name) for name in loaded.ids()]
    assert {debate.protocol for debate in debates} == {
        DebateProtocol.SINGLE_TURN,
        DebateProtocol.MULTI_TURN_PRIVATE,
        DebateProtocol.MULTI_TURN_SHARED,
    }
    for debate in debates:
        assert debate.provenance["state"] == "complete"
        assert len(debate.agents) == 3
        assert len(debate.rounds) == (1 if debate.protocol is DebateProtocol.SINGLE_TURN else 3)


def test_every_debate_says_who_held_it_and_that_it_is_a_demonstration(loaded):
    for name in loaded.ids():
        debate = loaded.get(name)
        assert origin_words(debate) == ("debated by qwen2.5-coder-1.5b-instruct-q4_k_m", DEMONSTRATION)
        assert "hand-written" not in json.dumps(debate.provenance)
    assert all(DEMONSTRATION in dataset.note for dataset in loaded.datasets())
    assert not loaded.list().is_sample.any()


def test_they_come_in_without_problems_once_and_beside_the_other_sample(database, repository):
    load_sample(database)
    before = repository.count()
    assert not is_loaded(database)
    first = load_debated_sample(database)
    assert [issue for imported in first for issue in imported.issues] == []
    assert is_loaded(database)
    assert repository.count() == before + sum(imported.debates for imported in first)
    assert all(imported.already_here for imported in load_debated_sample(database))


def test_judgements_of_the_model_come_along(database, loaded):
    repository = JudgementRepository(database)
    for name in loaded.ids():
        found = repository.for_debate(name)
        assert len(found) == 5
        assert {one.origin for one in found} == {DEMONSTRATION}
        assert {one.judgement.status for one in found} <= {JudgementStatus.OK, JudgementStatus.UNREADABLE}


@pytest.mark.parametrize("judge", semantics_judges(), ids=lambda judge: judge.name)
def test_every_semantics_judge_judges_each_of_them(loaded, judge):
    for name in loaded.ids():
        judgement = judge.judge(profile(loaded.get(name)))
        assert judgement.status is JudgementStatus.OK
        assert 0 <= judgement.score <= 1


def test_no_address_or_path_of_a_machine_is_shipped():
    for file in FOLDER.rglob("*.jsonl"):
        text = file.read_text("utf-8")
        for trace in ("/root", "/tmp", "/home"):
            assert trace not in text
