"""Debates made from transcripts, stored in a real DuckDB beside the originals."""

import json

import pytest

from core.audit import Action
from core.debate import Message, profile
from core.errors import InvalidGraph, NotAllowed, UnknownDebate
from core.native import debate_to_json
from core.opinion import TOPIC, RelationKind
from core.statements.taken import TakenArgument
from storage.audit_log import AuditLog
from storage.content_stamp import content_stamp
from storage.debate_repository import DebateRepository
from storage.statement_drafts import StatementDrafts
from storage.statement_repository import Derived, StatementRepository
from tests.storage.debates import HOSTILE, a_dataset, a_debate
from tests.storage.integrity import problems
from tests.storage.people import OTHER, REVIEWER, VIEWER

SUPPORT, ATTACK = RelationKind.SUPPORT, RelationKind.ATTACK
TALK = a_debate(
    "talk", transcript=(Message("A1", "It is near.", 0), Message("A2", "Rain is forecast.", 0), Message("M", "So?", 1))
)
TAKEN = (
    TakenArgument("S1", "It is near.", (1,), SUPPORT, author="A1"),
    TakenArgument("P1-1", "It will rain.", (2,), ATTACK, "S1", "A2", 0.6, "m-1", quote="Rain is forecast."),
)


@pytest.fixture
def stored(database):
    """Return a database with a talk and another debate."""
    DebateRepository(database).add(a_dataset("Set"), [TALK, a_debate("other")])
    return database


def entry(database, action=Action.STATEMENTS_TAKEN):
    (found,) = (one for one in AuditLog(database).entries() if one.action == action)
    return found


def test_the_debate_stands_in_a_data_set_of_its_own_and_the_original_is_as_it_was(stored):
    before = debate_to_json(DebateRepository(stored).get("talk"))
    name = StatementRepository(stored, REVIEWER).save("talk", TAKEN)
    debates = DebateRepository(stored)
    assert debate_to_json(debates.get("talk")) == before
    made = debates.get(name)
    assert name == "talk-statements"
    assert [argument.text for argument in profile(made).arguments] == ["It is near.", "It will rain."]
    assert made.claim == TALK.claim
    first, second = debates.datasets()
    assert (second.name, second.debate_count, second.argument_count) == ("Set, from statements", 1, 2)
    assert (first.debate_count, first.name) == (2, "Set")
    assert problems(stored) == []
    assert debates.profiles([name])[name] == profile(made)


def test_later_ones_go_into_the_same_data_set_under_ids_of_their_own(stored):
    repository = StatementRepository(stored, REVIEWER)
    stamp = content_stamp(stored)
    names = [repository.save("talk", TAKEN[:1]) for _ in range(3)]
    assert len(set(names)) == 3
    assert [one.debate_count for one in DebateRepository(stored).datasets()] == [2, 3]
    assert repository.made_of("talk") == tuple(Derived(name, 1) for name in names)
    assert repository.made_of("other") == ()
    assert problems(stored) == []
    assert content_stamp(stored) != stamp


def test_whatever_is_kept_of_the_data_set_is_found_to_be_old(stored):
    repository = StatementRepository(stored, REVIEWER)
    repository.save("talk", TAKEN)
    stamp = content_stamp(stored)
    repository.save("talk", TAKEN[:1])
    assert content_stamp(stored) != stamp


def test_the_log_tells_who_took_how_many_from_where(stored):
    name = StatementRepository(stored, REVIEWER).save("talk", TAKEN, "Somebody else")
    told = entry(stored)
    assert (told.person, told.role) == (REVIEWER.id, "reviewer")
    assert json.loads(told.after) == {
        "debate": name,
        "of": "talk",
        "by": REVIEWER.shown,  # as signed in, whatever name is given
        "arguments": 2,
        "by hand": 1,
        "proposed and accepted": {"m-1": 1},
    }
    assert AuditLog(stored).check().intact


def test_where_nobody_signs_in_the_name_that_is_given_stands(stored):
    name = StatementRepository(stored).save("talk", TAKEN, " Ria ")
    told = DebateRepository(stored).get(name).provenance
    assert told["arguments_from"][1]["origin"] == "proposed by m-1, accepted by Ria"
    assert told["from_data_set"] == "Set"


def test_a_viewer_may_not_and_nothing_is_stored(stored):
    with pytest.raises(NotAllowed, match="may not turn statements into arguments"):
        StatementRepository(stored, VIEWER).save("talk", TAKEN)
    assert DebateRepository(stored).count() == 2


def test_what_cannot_be_a_debate_leaves_nothing_behind(stored):
    repository = StatementRepository(stored, REVIEWER)
    with pytest.raises(InvalidGraph, match="was not taken"):
        repository.save("talk", TAKEN[1:])
    with pytest.raises(InvalidGraph, match="the transcript has not"):
        repository.save("other", TAKEN[:1])
    with pytest.raises(UnknownDebate):
        repository.save("gone", TAKEN)
    assert len(DebateRepository(stored).datasets()) == 1
    assert problems(stored) == []


def test_hostile_texts_and_names_are_stored_as_they_are(database):
    debate = a_debate("x'; --", transcript=tuple(Message(text, text, 0) for text in HOSTILE))
    DebateRepository(database).add(a_dataset("'; DROP TABLE debate; --"), [debate])
    taken = [TakenArgument(f"S{n}", text, (n,), SUPPORT, TOPIC, text) for n, text in enumerate(HOSTILE, 1)]
    name = StatementRepository(database).save(debate.id, taken, HOSTILE[0])
    made = profile(DebateRepository(database).get(name))
    assert [argument.text for argument in made.arguments] == list(HOSTILE)
    assert [argument.author for argument in made.arguments] == list(HOSTILE)
    assert problems(database) == []


def test_what_is_taken_from_a_made_debate_stands_beside_it(stored):
    repository = StatementRepository(stored, REVIEWER)
    first = repository.save("talk", TAKEN)
    second = repository.save(first, TAKEN[:1])
    assert len(DebateRepository(stored).datasets()) == 2
    assert repository.made_of(first) == (Derived(second, 1),)
    assert problems(stored) == []


def test_the_data_set_can_be_removed_like_any_other(stored):
    StatementRepository(stored).save("talk", TAKEN)
    debates = DebateRepository(stored)
    debates.remove_dataset(debates.datasets()[1].id)
    assert debates.count() == 2
    assert problems(stored) == []


# --- drafts -----------------------------------------------------------------------------------------------------------


def test_a_draft_is_its_owners_alone_and_replaced_by_what_is_taken_later(stored):
    mine, theirs = StatementDrafts(stored, REVIEWER), StatementDrafts(stored, OTHER)
    mine.keep("talk", TAKEN)
    assert mine.get("talk") == TAKEN
    assert (theirs.get("talk"), mine.get("other")) == ((), ())
    mine.keep("talk", TAKEN[:1])
    assert mine.get("talk") == TAKEN[:1]
    mine.keep("talk", ())
    assert mine.get("talk") == ()


def test_a_viewer_keeps_no_draft_and_nobody_one_of_a_debate_that_is_not_here(stored):
    with pytest.raises(NotAllowed):
        StatementDrafts(stored, VIEWER).keep("talk", TAKEN)
    drafts = StatementDrafts(stored, REVIEWER)
    drafts.keep("gone", TAKEN)
    assert drafts.get("gone") == ()


def test_a_draft_that_cannot_be_read_any_more_is_none(stored):
    with stored.write() as cursor:
        cursor.execute("INSERT INTO statement_draft VALUES (?, 'talk', '[{}]', now())", [REVIEWER.id])
    assert StatementDrafts(stored, REVIEWER).get("talk") == ()


def test_drafts_go_with_their_debate(stored):
    StatementDrafts(stored, REVIEWER).keep("talk", TAKEN)
    debates = DebateRepository(stored)
    debates.remove_dataset(debates.datasets()[0].id)
    with stored.read() as cursor:
        assert cursor.execute("SELECT * FROM statement_draft").fetchall() == []
