"""The Report page and the buttons that add to it, run by Streamlit's AppTest."""

from __future__ import annotations

from functools import partial

import pytest

from core.contestation import Contestation, Edit, EditKind
from core.report.items import ComparedJudges, FreeNote, JudgedDebate, SavedContestation
from core.report.report import Report
from core.roles import LOCAL_USER
from storage.contestation_repository import ContestationRepository
from storage.database import Database
from storage.report_files import report_file
from storage.report_repository import ReportRepository
from tests.pages.conftest import HOSTILE, store, zoo
from tests.pages.judged import NAMED, SAID, five_debates, keep

REPORT = "records/report"


def labelled(elements, label):
    return [element for element in elements if element.label == label]


def words(page):
    return " ".join(element.value for kind in ("markdown", "caption", "text", "info") for element in page.get(kind))


def basket(path) -> Report:
    """Return what the page's own database, which is open, holds."""
    from pages.components import state

    with state.database().read() as cursor:
        rows = cursor.execute("SELECT recipe FROM report_basket WHERE person = ?", [LOCAL_USER.id]).fetchall()
    return Report.from_recipe(rows[0][0]) if rows else Report()


def filled(path, *items):
    """Put items into the local user's basket before any page is open."""
    with Database.open(path) as database:
        repository = ReportRepository(database, LOCAL_USER)
        for item in items:
            repository.change(partial(Report.with_item, item=item))


def test_an_empty_report_says_how_to_fill_it(open_page):
    assert "nothing in your report yet" in words(open_page(REPORT, zoo()))


def test_a_debate_is_added_once_and_counted_in_the_header(open_page, database_path):
    page = open_page("explore/debate", zoo(), d="zoo")
    labelled(page.button, "Add to report")[0].click().run()
    assert not page.exception
    (entry,) = basket(database_path).entries
    assert isinstance(entry.item, JudgedDebate)
    assert (entry.item.debate, entry.item.round_number) == ("zoo", None)
    assert labelled(page.button, "In the report")[0].disabled
    assert not labelled(page.button, "Add to report")
    assert "Added to the report, which has 1 item now" in [toast.value for toast in page.toast]


def test_a_saved_contestation_is_added(open_page, database_path):
    store(database_path, zoo())
    with Database.open(database_path) as database:
        edit = Edit(EditKind.SET_BASE_SCORE, "A1-pro1", 0.8, 0.3)
        saved = ContestationRepository(database).save(
            Contestation("", "zoo", 0, (edit,), "The score is too high.", "Ada")
        )
    page = open_page("judge/contest", d="zoo", c=saved.id)
    labelled(page.button, "Add to report")[0].click().run()
    assert [entry.item for entry in basket(database_path).entries] == [SavedContestation(saved.id)]


def test_charts_of_compared_judges_are_added_with_what_the_page_shows(open_page, database_path):
    store(database_path, *five_debates())
    keep(database_path, NAMED, SAID)
    page = open_page("judge/compare", q="one")
    page.session_state["compare.accuracy.files"] = True  # a click on Download chart
    page.run()
    labelled(page.button, "Add chart to report")[0].click().run()
    assert not page.exception
    (entry,) = basket(database_path).entries
    assert isinstance(entry.item, ComparedJudges)
    assert entry.item.judges[0]["kind"] == "llm"


def test_items_are_moved_noted_and_removed(open_page, database_path):
    store(database_path, zoo())
    filled(database_path, FreeNote("first"), JudgedDebate("zoo"), SavedContestation("gone"))
    page = open_page(REPORT)
    assert "The family should visit the zoo." in words(page)
    assert "Missing" in words(page)
    labelled(page.button, "Down")[0].click().run()
    assert [type(entry.item) for entry in basket(database_path).entries[:2]] == [JudgedDebate, FreeNote]
    labelled(page.text_area, "Note")[0].set_value("Look here.").run()
    assert basket(database_path).entries[0].note == "Look here."
    labelled(page.button, "Remove")[2].click().run()
    assert len(basket(database_path).entries) == 2
    labelled(page.button, "Write a note")[0].click().run()
    labelled(page.text_area, "Words")[1].set_value("second").run()
    assert basket(database_path).entries[2].item == FreeNote("second")
    assert labelled(page.button, "Up")[0].disabled
    assert labelled(page.button, "Down")[2].disabled


def test_the_head_is_kept(open_page, database_path):
    page = open_page(REPORT, zoo())
    labelled(page.text_input, "Title")[0].set_value("Quarterly").run()
    labelled(page.text_input, "By")[0].set_value("Ada").run()
    labelled(page.toggle, "Gold labels")[0].set_value(False).run()
    labelled(page.toggle, "Agents by number")[0].set_value(True).run()
    kept = basket(database_path)
    assert (kept.title, kept.author, kept.labels, kept.anonymised) == ("Quarterly", "Ada", False, True)


def test_hidden_labels_stay_hidden_in_the_report_whatever_it_says(open_page, database_path):
    store(database_path, zoo())
    filled(database_path, JudgedDebate("zoo"))
    page = open_page(REPORT)
    labelled(page.toggle, "Hide gold labels")[0].set_value(True).run()
    toggle = labelled(page.toggle, "Gold labels")[0]
    assert (toggle.value, toggle.disabled) == (False, True)
    labelled(page.text_input, "Keep under a name")[0].set_value("hidden")
    labelled(page.button, "Keep")[0].click().run()
    from pages.components import state

    report = ReportRepository(state.database()).get("hidden")
    assert report.labels is False
    assert b"label: True" not in report_file(state.database(), report, "html")


def test_a_report_is_kept_and_its_items_are_added_again(open_page, database_path):
    store(database_path, zoo())
    filled(database_path, FreeNote("first"))
    page = open_page(REPORT)
    labelled(page.text_input, "Keep under a name")[0].set_value("one")
    labelled(page.button, "Keep")[0].click().run()
    assert "recipe" in words(page)
    labelled(page.button, "Remove")[0].click().run()
    assert basket(database_path).entries == ()
    labelled(page.button, "Add its items")[0].click().run()
    assert [entry.item for entry in basket(database_path).entries] == [FreeNote("first")]
    labelled(page.button, "Keep")[0].click().run()
    labelled(page.text_input, "Keep under a name")[0].set_value(" ")
    labelled(page.button, "Keep")[0].click().run()
    assert "Not kept" in page.error[0].value


@pytest.mark.parametrize("preview", [False, True])
def test_hostile_texts_are_shown_as_texts(open_page, database_path, preview):
    store(database_path, zoo(claim=HOSTILE, text=HOSTILE))
    filled(database_path, JudgedDebate("zoo"), FreeNote(HOSTILE))
    page = open_page(REPORT)
    labelled(page.toggle, "Preview")[0].set_value(preview).run()
    assert not page.exception
    assert any(HOSTILE.split()[0] in text.value for text in page.text)


def test_every_page_still_opens_with_things_in_the_report(open_page, database_path):
    store(database_path, zoo())
    filled(database_path, FreeNote("first"))
    for name in ("explore/home", "explore/browse", "explore/debate", "judge/contest", "judge/compare", "records/data"):
        assert not open_page(name).exception
