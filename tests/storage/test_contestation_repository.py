from __future__ import annotations

import json
from dataclasses import replace

import pytest

from core.contestation import Contestation, Edit, EditKind
from core.errors import MootError, UnknownDebate
from core.opinion import RelationKind
from storage.contestation_repository import ContestationRepository
from tests.storage.debates import HOSTILE, a_dataset, a_debate

EDITS = (
    Edit(EditKind.SET_BASE_SCORE, "A1-pro1", 0.8, 0.1 + 0.2, note="too high"),
    Edit(EditKind.ADD_ARGUMENT, "R1", None, 0.5, "New.", "A1-pro1", RelationKind.ATTACK, "https://example.org"),
    Edit(EditKind.REMOVE_ARGUMENT, "A2-con1"),
    Edit(EditKind.SHIFT_PROS, after=-0.1),
)
CHALLENGE = Contestation(
    "",
    "zoo",
    0,
    EDITS,
    "The score is too high.",
    "Ada",
    before={"df-quad": {"score": 0.7, "verdict": "true"}},
    after={"df-quad": {"score": 0.1 + 0.2, "verdict": "false"}},
    settings={"conservativeness": 1.0, "semantics": ["df-quad"]},
    tags=("first", "score"),
)


@pytest.fixture
def contestations(database, repository):
    repository.add(a_dataset(), [a_debate(), a_debate("lake")])
    return ContestationRepository(database)


def test_a_contestation_comes_back_as_it_was_saved(contestations):
    saved = contestations.save(CHALLENGE)
    assert contestations.get(saved.id) == saved
    assert replace(saved, id="", created_at="") == replace(CHALLENGE, role="admin")  # the command line's
    assert contestations.count() == 1


def test_an_id_fits_into_a_link_and_a_time_is_utc(contestations):
    saved = contestations.save(replace(CHALLENGE, created_at="2026-05-01T12:00:00+02:00"))
    assert len(saved.id) == 10
    assert saved.id.isalnum()
    assert saved.created_at == "2026-05-01T10:00:00.000000+00:00"
    assert contestations.save(CHALLENGE).created_at.endswith("+00:00")


def test_the_same_contestation_saved_twice_is_stored_once(contestations):
    timed = replace(CHALLENGE, created_at="2026-05-01T12:00:00Z")
    saved = contestations.save(timed)
    assert contestations.save(timed) == saved
    assert contestations.save(saved) == saved
    assert contestations.count() == 1


def test_a_saved_contestation_cannot_be_changed(contestations):
    saved = contestations.save(CHALLENGE)
    with pytest.raises(MootError, match="cannot be changed"):
        contestations.save(replace(saved, reason="Something else."))
    assert contestations.get(saved.id).reason == CHALLENGE.reason


def test_a_fork_names_its_parent(contestations):
    parent = contestations.save(CHALLENGE)
    fork = contestations.save(replace(CHALLENGE, parent=parent.id))
    assert contestations.get(fork.id).parent == parent.id
    assert fork.id != parent.id
    with pytest.raises(MootError, match="forked from"):
        contestations.save(replace(CHALLENGE, parent="nobody"))


def test_what_is_not_stored_is_named(contestations):
    with pytest.raises(MootError, match="'gone'"):
        contestations.get("gone")
    with pytest.raises(UnknownDebate, match="'nowhere'"):
        contestations.save(replace(CHALLENGE, debate_id="nowhere"))


def test_a_time_that_is_none_is_refused(contestations):
    with pytest.raises(MootError, match="ISO 8601"):
        contestations.save(replace(CHALLENGE, created_at="yesterday"))


def test_a_debates_contestations_come_oldest_first(contestations):
    days = ["2026-05-03", "2026-05-01", "2026-05-02"]
    for day in days:
        contestations.save(replace(CHALLENGE, created_at=f"{day}T00:00:00Z"))
    contestations.save(replace(CHALLENGE, debate_id="lake"))
    found = contestations.for_debate("zoo")
    assert [one.created_at[:10] for one in found] == sorted(days)
    assert all(one.edits == EDITS for one in found)
    assert contestations.for_debate("nowhere") == ()


def test_the_table_shows_the_newest_first(contestations):
    first = contestations.save(replace(CHALLENGE, created_at="2026-05-01T00:00:00Z"))
    second = contestations.save(replace(CHALLENGE, created_at="2026-05-02T00:00:00Z", edits=(), parent=first.id))
    listed = contestations.list()
    assert listed.id.to_list() == [second.id, first.id]
    assert listed.edits.to_list() == [0, 4]
    assert listed.claim.to_list() == [a_debate().claim] * 2
    assert json.loads(listed.after[0]) == CHALLENGE.after
    assert contestations.list(limit=1, offset=1).id.to_list() == [first.id]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_in_a_contestation_comes_back_unchanged(contestations, text):
    value = replace(
        CHALLENGE,
        reason=text,
        author=text,
        tags=(text,),
        before={text: text},
        edits=(replace(EDITS[1], argument=text, text=text, note=text, source=text),),
    )
    saved = contestations.save(value)
    assert replace(contestations.get(saved.id), id="", created_at="") == replace(value, role="admin")


def test_a_contestation_with_signs_no_column_can_hold_is_saved_without_them(contestations):
    saved = contestations.save(replace(CHALLENGE, reason="n\0ul \ud800", before={"score": float("nan")}))
    assert saved.reason == "n\ufffdul \ufffd"
    assert saved.before == {"score": None}
    assert contestations.get(saved.id) == saved
