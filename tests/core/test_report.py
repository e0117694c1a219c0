"""A report as a value: order, notes, recipe and hash."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import InvalidSetting
from core.report.items import (
    ComparedJudges,
    FreeNote,
    JudgedDebate,
    Piece,
    PropertyWitness,
    SavedContestation,
    item_from_json,
    item_key,
    item_to_json,
)
from core.report.report import FORMAT, MOST_ENTRIES, Entry, Report

JUDGE = {"kind": "semantics", "semantics": "df-quad"}
ITEMS = (
    SavedContestation("abc"),
    JudgedDebate("zoo", 1, {"semantics": ["df-quad"]}),
    ComparedJudges((JUDGE, {"kind": "mean stance"}), Piece.CHART, "scores 1 and 2", "d1", {"tags": ["a"]}, "not right"),
    ComparedJudges((JUDGE,), Piece.TABLE, "cases", debates=("zoo",), what="one"),
    PropertyWitness({"property": "contestability", "debate": "zoo"}, JUDGE),
    FreeNote("words"),
)
COMPARED = {"kind": "comparison", "judges": [], "piece": "chart", "name": "accuracy"}
FOUR = Report("Four", entries=tuple(Entry(item) for item in ITEMS[:4]))

texts = st.text(max_size=40)
notes = st.lists(texts, unique=True, max_size=6)


@pytest.mark.parametrize("item", ITEMS)
def test_every_item_comes_back_from_json_as_it_was(item):
    record = json.loads(json.dumps(item_to_json(item)))
    assert item_from_json(record) == item
    assert item_key(item_from_json(record)) == item_key(item)


def test_no_two_different_items_have_one_key():
    assert len({item_key(item) for item in ITEMS}) == len(ITEMS)


@given(title=texts, author=texts, written=notes, note=texts, labels=st.booleans(), anonymised=st.booleans())
def test_a_report_comes_back_from_its_recipe_with_the_same_hash(title, author, written, note, labels, anonymised):
    report = Report(title, author, "2026-05-01", labels, anonymised)
    for text in written:
        report = report.with_item(FreeNote(text), note)
    again = Report.from_recipe(report.recipe)
    assert again.hash == report.hash
    assert again.recipe == report.recipe
    assert "\n" not in report.recipe


def test_whatever_changes_in_a_report_changes_its_hash():
    hashes = {
        one.hash
        for one in (
            FOUR,
            FOUR.moved(FOUR.keys[0], 1),
            FOUR.noted(FOUR.keys[0], "look"),
            FOUR.without(FOUR.keys[0]),
            Report("Four", labels=False, entries=FOUR.entries),
            Report("Four", anonymised=True, entries=FOUR.entries),
            Report("Four", date="2026-05-01", entries=FOUR.entries),
        )
    }
    assert len(hashes) == 7


def test_an_item_is_in_a_report_once():
    assert FOUR.with_item(ITEMS[0]) is FOUR
    with pytest.raises(InvalidSetting, match="no item twice"):
        Report(entries=(Entry(FreeNote("a")), Entry(FreeNote("a"))))


@given(at=st.integers(0, 3), steps=st.integers(-6, 6))
def test_moving_an_item_keeps_the_order_of_the_others(at, steps):
    moved = FOUR.moved(FOUR.keys[at], steps)
    assert moved.keys.index(FOUR.keys[at]) == min(max(at + steps, 0), 3)
    assert [key for key in moved.keys if key != FOUR.keys[at]] == [key for key in FOUR.keys if key != FOUR.keys[at]]


def test_moving_removing_or_noting_what_is_not_there_changes_nothing():
    assert FOUR.moved("nothing", 1) == FOUR.without("nothing") == FOUR.noted("nothing", "x") == FOUR


def test_the_words_of_a_note_can_be_changed():
    report = Report().with_item(FreeNote("first"))
    assert report.noted(report.keys[0], "second").entries == (Entry(FreeNote("second")),)


@pytest.mark.parametrize(
    ("record", "message"),
    [
        ({}, "its format is not"),
        ({"format": "moot-report/2"}, "its format is not"),
        ({"format": FORMAT, "script": 1}, "no field 'script'"),
        ({"format": FORMAT, "title": 3}, "are texts"),
        ({"format": FORMAT, "labels": "yes"}, "true or false"),
        ({"format": FORMAT, "date": "tomorrow"}, "must be a day"),
        ({"format": FORMAT, "entries": {}}, "are a list"),
        ({"format": FORMAT, "entries": [3]}, "is an item"),
        ({"format": FORMAT, "entries": [{"item": {"kind": "film"}}]}, "no item of the kind 'film'"),
        ({"format": FORMAT, "entries": [{"item": {"kind": "note"}}]}, "no item of the kind 'note'"),
        ({"format": FORMAT, "entries": [{"item": {"kind": "note", "text": 1}}]}, "holds a int"),
        ({"format": FORMAT, "entries": [{"item": {"kind": "note", "text": "a", "x": 1}}]}, "no field 'x'"),
        ({"format": FORMAT, "entries": [{"item": COMPARED | {"judges": [3]}}]}, "no item of the kind"),
        ({"format": FORMAT, "entries": [{"item": COMPARED | {"piece": "film"}}]}, "no item of the kind"),
        ({"format": FORMAT, "entries": [{"item": {"kind": "note", "text": "x" * 20_001}}]}, "at most 20,000"),
        ({"format": FORMAT, "title": "x" * 301}, "at most 300"),
        ({"format": FORMAT, "entries": [{"item": {"kind": "note", "text": str(n)}} for n in range(MOST_ENTRIES + 1)]},
         "at most 200 items"),
    ],
)  # fmt: skip
def test_what_is_no_recipe_is_refused_with_the_reason(record, message):
    with pytest.raises(InvalidSetting, match=message):
        Report.from_json(record)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "[" * 100_000])
def test_what_is_no_json_is_refused(text):
    with pytest.raises(InvalidSetting, match="no recipe"):
        Report.from_recipe(text)
