"""Baskets and kept reports."""

from __future__ import annotations

import threading
from dataclasses import replace

import pytest

from core.audit import Action
from core.errors import InvalidSetting, MootError, NotAllowed
from core.report.items import FreeNote, SavedContestation
from core.report.report import Report
from core.strict_json import storable
from storage.audit_log import AuditLog
from storage.database import Database
from storage.report_repository import ReportRepository
from tests.storage.debates import HOSTILE
from tests.storage.people import ADMIN, OTHER, REVIEWER, VIEWER

REPORT = Report("First").with_item(SavedContestation("abc"))


@pytest.fixture
def reports(database):
    return ReportRepository(database, REVIEWER)


def test_a_basket_is_empty_at_first_and_each_has_their_own(database, reports):
    reports.change(lambda basket: basket.with_item(FreeNote("mine")))
    assert reports.basket().entries
    assert ReportRepository(database, OTHER).basket() == Report()


def test_a_basket_survives_the_end_of_the_program(path):
    with Database.open(path) as database:
        ReportRepository(database, REVIEWER).change(lambda basket: replace(basket, title="Kept"))
    with Database.open(path) as database:
        assert ReportRepository(database, REVIEWER).basket().title == "Kept"


def test_two_tabs_that_add_at_once_lose_nothing(reports):
    started = threading.Barrier(8)

    def add(number):
        started.wait()
        reports.change(lambda basket: basket.with_item(FreeNote(f"note {number}")))

    threads = [threading.Thread(target=add, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {entry.item for entry in reports.basket().entries} == {FreeNote(f"note {number}") for number in range(8)}


def test_a_change_that_makes_no_valid_report_leaves_the_basket_as_it_was(reports):
    reports.change(lambda basket: replace(basket, title="Good"))
    with pytest.raises(InvalidSetting):
        reports.change(lambda basket: replace(basket, date="never"))
    assert reports.basket().title == "Good"


def test_a_viewer_can_neither_collect_nor_keep_nor_remove(database, reports):
    reports.keep("shared", REPORT)
    viewer = ReportRepository(database, VIEWER)
    for act in (
        lambda: viewer.change(lambda basket: basket.with_item(FreeNote("x"))),
        lambda: viewer.keep("theirs", REPORT),
        lambda: viewer.remove("shared"),
    ):
        with pytest.raises(NotAllowed):
            act()
    assert viewer.basket() == Report()
    assert viewer.get("shared") == REPORT


def test_a_kept_report_comes_back_with_its_hash_and_the_log_tells_of_it(database, reports):
    reports.keep(" quarterly ", REPORT)
    assert reports.get("quarterly") == REPORT
    (kept,) = reports.kept()
    assert (kept.name, kept.person, kept.hash) == ("quarterly", REVIEWER.id, REPORT.hash)
    (entry,) = AuditLog(database).about("report", "quarterly")
    assert entry.action == Action.REPORT
    assert REPORT.hash in entry.after
    assert AuditLog(database).check().intact


def test_keeping_the_same_twice_says_nothing_new(database, reports):
    reports.keep("one", REPORT)
    reports.keep("one", REPORT)
    reports.keep("one", REPORT.with_item(FreeNote("more")))
    assert [entry.action for entry in AuditLog(database).about("report", "one")] == [Action.REPORT] * 2


def test_a_name_belongs_to_whoever_kept_a_report_under_it(database, reports):
    reports.keep("one", REPORT)
    other = ReportRepository(database, OTHER)
    with pytest.raises(NotAllowed, match="choose another name"):
        other.keep("one", Report("Other"))
    with pytest.raises(NotAllowed, match="and admins may remove"):
        other.remove("one")
    ReportRepository(database, ADMIN).remove("one")
    assert reports.kept() == ()


@pytest.mark.parametrize("name", ["", "   ", "x" * 101])
def test_a_name_must_be_one(reports, name):
    with pytest.raises(MootError, match="1 to 100 characters"):
        reports.keep(name, REPORT)


def test_what_is_not_kept_is_named(reports):
    reports.keep("one", REPORT)
    for act in (reports.get, reports.remove):
        with pytest.raises(MootError, match="No report is kept as 'two'"):
            act("two")


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_texts_come_back_as_they_were(reports, text):
    reports.change(lambda _: Report(text[:300]).with_item(FreeNote(text), text))
    basket = reports.basket()
    assert (basket.title, basket.entries[0].item.text) == (storable(text[:300]), storable(text))
    assert basket.entries[0].note == storable(text)
