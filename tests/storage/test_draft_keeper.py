from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest

from core.errors import MootError
from storage.database import Database
from storage.draft_keeper import DraftKeeper
from tests.storage.debates import HOSTILE
from tests.storage.test_contestation_repository import EDITS


@pytest.fixture
def drafts(database):
    keeper = DraftKeeper(database)
    yield keeper
    keeper.close()


def test_a_draft_is_kept_per_person_and_debate(drafts):
    drafts.save("Ada", "zoo", 0, EDITS[:1])
    drafts.save("Ada", "lake", None, EDITS[:2])
    drafts.save("Bo", "zoo", 0, ())
    assert drafts.draft("Ada", "zoo").edits == EDITS[:1]
    assert drafts.draft("Ada", "lake").round_number is None
    assert drafts.draft("Bo", "zoo").edits == ()
    assert drafts.draft("Bo", "lake") is None
    assert [draft.draft_of for draft in drafts.drafts("Ada")] == ["lake", "zoo"]


def test_a_draft_goes_on_from_version_to_version(drafts):
    first = drafts.save("Ada", "zoo", 0, EDITS[:1])
    second = drafts.save("Ada", "zoo", 0, EDITS[:2], first.version)
    assert (first.conflict, second.conflict) == (False, False)
    assert second.version > first.version
    draft = drafts.draft("Ada", "zoo")
    assert (draft.edits, draft.version) == (EDITS[:2], second.version)


def test_two_tabs_never_overwrite_each_other_silently(drafts):
    start = drafts.save("Ada", "zoo", 0, EDITS[:1])
    left = drafts.save("Ada", "zoo", 0, EDITS[:2], start.version)
    right = drafts.save("Ada", "zoo", 0, EDITS[:3], start.version)
    assert not left.conflict
    assert right.conflict
    assert right.other.edits == EDITS[:2]
    assert drafts.draft("Ada", "zoo").edits == EDITS[:2]
    forced = drafts.save("Ada", "zoo", 0, EDITS[:3], right.version)  # the person chose to
    assert not forced.conflict
    assert drafts.draft("Ada", "zoo").edits == EDITS[:3]


def test_two_tabs_that_both_begin_a_draft_conflict_too(drafts):
    assert not drafts.save("Ada", "zoo", 0, EDITS[:1]).conflict
    assert drafts.save("Ada", "zoo", 0, EDITS[:2]).conflict


def test_a_tab_does_not_bring_back_what_another_one_dropped(drafts):
    start = drafts.save("Ada", "zoo", 0, EDITS[:1])
    assert drafts.drop("Ada", "zoo")
    assert drafts.draft("Ada", "zoo") is None
    assert drafts.drafts("Ada") == ()
    late = drafts.save("Ada", "zoo", 0, EDITS[:2], start.version)
    assert late.conflict
    assert late.other is None


def test_versions_never_repeat_after_a_draft_was_dropped(drafts):
    start = drafts.save("Ada", "zoo", 0, EDITS[:1])
    drafts.drop("Ada", "zoo")
    fresh = drafts.save("Ada", "zoo", 0, EDITS[:2])
    assert not fresh.conflict
    assert fresh.version > start.version
    assert drafts.save("Ada", "zoo", 0, EDITS[:3], start.version).conflict


def test_nothing_is_dropped_where_there_is_no_draft(drafts):
    drafts.save("Ada", "zoo", 0, EDITS[:1])
    assert drafts.drop("Ada", "zoo")
    assert not drafts.drop("Ada", "zoo")
    assert not drafts.drop("Bo", "zoo")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_in_a_draft_comes_back_unchanged(drafts, text):
    edits = (replace(EDITS[1], argument=text, text=text, note=text, source=text),)
    assert not drafts.save(text, text, 0, edits).conflict
    drafts.flush()
    assert drafts.draft(text, text).edits == edits


def test_what_is_kept_outlives_the_server(path):
    with Database.open(path) as database:
        first = DraftKeeper(database)
        kept = first.save("Ada", "zoo", 1, EDITS[:2])
        first.save("Ada", "lake", None, EDITS[:1])
        first.drop("Ada", "lake")
        first.close()
    with Database.open(path) as database:
        second = DraftKeeper(database)
        found = second.draft("Ada", "zoo")
        assert found is not None
        assert (found.edits, found.round_number, found.version) == (EDITS[:2], 1, kept.version)
        assert second.draft("Ada", "lake") is None
        assert second.save("Ada", "zoo", 1, EDITS[:1], 0).conflict  # known from the file, not from memory
        second.close()


def test_edits_reach_the_file_without_being_asked_for(database):
    written = threading.Event()
    original = database.write

    def noticed():
        written.set()
        return original()

    database.write = noticed
    keeper = DraftKeeper(database)
    keeper.save("Ada", "zoo", 0, EDITS)
    assert written.wait(10)
    keeper.close()


def test_many_edits_go_into_one_write(database):
    keeper = DraftKeeper(database)
    keeper.flush()
    count = 0
    original = database.write

    def counted():
        nonlocal count
        count += 1
        return original()

    database.write = counted
    version = 0
    for number in range(100):
        version = keeper.save("Ada", "zoo", 0, EDITS[: number % 3], version).version
    keeper.close()
    assert 1 <= count < 100
    found = DraftKeeper(database).draft("Ada", "zoo")
    assert found is not None
    assert found.version == version


def failing(database, error):
    """Let every write fail, and return what tells that one did, and what lets them go through again."""
    original, failed = database.write, threading.Event()

    def write():
        failed.set()
        raise error

    database.write = write
    return failed, lambda: setattr(database, "write", original)


def told(keeper, wanted):
    """Wait until the keeper has trouble, or has none any more, and return it."""
    end = time.monotonic() + 10
    while bool(trouble := keeper.trouble) != wanted and time.monotonic() < end:
        keeper._thread.join(0.01)
    return trouble


def test_a_write_that_fails_is_told_of_and_tried_again(database):
    keeper = DraftKeeper(database)
    failed, mend = failing(database, MootError("the disk is full"))
    first = keeper.save("Ada", "zoo", 0, EDITS[:1])
    assert failed.wait(10)
    assert told(keeper, True) == "the disk is full"
    again = keeper.save("Ada", "zoo", 0, EDITS[:2], first.version)
    assert not again.conflict
    assert not keeper.save("Ada", "zoo", 0, EDITS[:2], again.version).conflict  # and the next one is no conflict either
    assert edits_of(keeper) == EDITS[:2]
    mend()
    assert told(keeper, False) == ""
    assert edits_of(DraftKeeper(database)) == EDITS[:2]
    keeper.close()


def test_drafts_are_listed_while_they_cannot_be_written(database):
    keeper = DraftKeeper(database)
    written = keeper.save("Ada", "written", 0, EDITS[:1])
    dropped = keeper.save("Ada", "dropped", 0, EDITS[:1])
    keeper.save("Bob", "his", 0, EDITS[:1])
    keeper.flush()
    _, mend = failing(database, MootError("the disk is full"))
    keeper.drop("Ada", "dropped", dropped.version)
    keeper.save("Ada", "held", 0, EDITS[:2])
    keeper.save("Ada", "written", 0, EDITS[:2], written.version)
    listed = {draft.draft_of: draft.edits for draft in keeper.drafts("Ada")}
    assert listed == {"held": EDITS[:2], "written": EDITS[:2]}
    assert keeper.drafts("Ada")[0].draft_of == "written"  # the one kept last
    mend()
    keeper.flush()
    assert {draft.draft_of: draft.edits for draft in keeper.drafts("Ada")} == listed
    keeper.close()


def edits_of(keeper):
    found = keeper.draft("Ada", "zoo")
    return None if found is None else found.edits


def test_a_draft_of_another_tab_survives_the_saving_of_this_one(drafts):
    mine = drafts.save("Ada", "zoo", 0, EDITS[:1])
    drafts.save("Ada", "zoo", 0, EDITS[:2], mine.version)  # another tab goes on
    assert not drafts.drop("Ada", "zoo", mine.version)
    assert edits_of(drafts) == EDITS[:2]


def test_the_writer_outlives_an_error_of_any_kind(database):
    keeper = DraftKeeper(database)
    original, failed = database.write, threading.Event()

    def odd():
        failed.set()
        raise RuntimeError("something odd")

    database.write = odd
    keeper.save("Ada", "zoo", 0, EDITS[:1])
    assert failed.wait(10)
    database.write = original
    keeper.close()
    assert edits_of(DraftKeeper(database)) == EDITS[:1]
