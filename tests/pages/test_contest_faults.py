"""What must not go wrong on the Contest page: debates that change under it, a full disk, comments without a place."""

from dataclasses import replace

import pytest
import streamlit as st

from core.errors import UnwritableDatabase
from pages.components import state
from storage.database import Database
from storage.dataset import Dataset
from tests.pages.conftest import zoo
from tests.pages.test_contest_page import CONTEST, by_label, choose, main_row, save, unfold
from tests.pages.test_other_pages import words

FULL = "There is no space left on the disk of moot.duckdb."


def imported_anew(base_score: float) -> None:
    """Remove the data set and bring the debate in again, with another base score under the same ids."""
    debates = state.debates()
    debates.remove_dataset(debates.datasets()[0].id)
    changed = zoo()
    first, *others = changed.rounds[0].arguments
    arguments = (replace(first, base_score=base_score), *others)
    changed = replace(changed, rounds=(replace(changed.rounds[0], arguments=arguments),))
    debates.add(Dataset("d1", "Test set", "test.jsonl", "1" * 64, 1, "moot-debate/1"), [changed])


def test_a_debate_imported_anew_under_its_old_id_is_judged_as_it_is_now(open_page):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    by_label(page.slider, "Base score").set_value(0.3).run()
    by_label(unfold(page, "together").button, "All cons −0.10").click().run()
    assert main_row(page)["Original"] == "✓ True 0.60"
    state.drafts()._keeper.flush()
    imported_anew(0.2)
    page.run()
    assert main_row(page)["Original"] == "✕ False 0.30"  # 0.5 - 0.5 * (0.6 - 0.2)
    assert main_row(page)["After your edits"] == "✕ False 0.30"
    assert by_label(page.button, "Undo").disabled
    assert by_label(page.button, "Redo").disabled


@pytest.fixture
def full_disk(monkeypatch):
    """Return a function that fills the disk, and one that frees it again."""
    ways = {name: getattr(Database, name) for name in ("write", "log")}

    def full(self, **_):
        raise UnwritableDatabase(FULL)

    def set_to(made):
        for name in ways:
            monkeypatch.setattr(Database, name, made(name))

    return (lambda: set_to(lambda _: full)), lambda: set_to(ways.__getitem__)


def failed_once():
    """Try to write the drafts now, as the thread behind does in a moment."""
    keeper = state.drafts()._keeper
    keeper._wake.set()
    while not keeper._failure:
        keeper._thread.join(0.01)


def test_a_full_disk_is_said_and_edits_go_on_without_a_false_conflict(open_page, full_disk):
    fill, free = full_disk
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    fill()
    by_label(page.slider, "Base score").set_value(0.3).run()
    assert not page.exception, page.exception
    failed_once()
    by_label(page.slider, "Base score").set_value(0.4).run()
    assert not page.exception
    said = " ".join(error.value.replace("\\", "") for error in page.error)
    assert "Unsaved edits cannot be written: There is no space left on the disk" in said
    assert "Another tab" not in words(page)
    assert main_row(page)["After your edits"] == "✕ False 0.40"
    assert "1 contestation with unsaved edits" in words(page)
    save(page)
    assert "There is no space left" in " ".join(error.value.replace("\\", "") for error in page.error)
    free()
    page.run()
    by_label(page.slider, "Base score").set_value(0.45).run()
    state.drafts()._keeper.flush()
    page.run()
    assert not page.error
    assert "Another tab" not in words(page)
    st.cache_resource.clear()
    assert main_row(open_page(CONTEST, d="zoo"))["After your edits"] == "✕ False 0.42"  # 0.425


def test_every_page_opens_on_a_full_disk(open_page, full_disk):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    full_disk[0]()
    by_label(page.slider, "Base score").set_value(0.3).run()
    assert not page.exception, page.exception
    failed_once()
    page.switch_page("../explore/home.py").run()
    assert not page.exception
    assert "Unsaved edits cannot be written" in page.sidebar.error[0].value


def test_a_saved_contestation_can_be_commented_on_where_it_is_shown(open_page):
    page = choose(open_page(CONTEST, zoo(), d="zoo"), "A1-pro1")
    by_label(page.slider, "Base score").set_value(0.3).run()
    save(page)
    page.run()
    (name,) = [page.query_params["c"]] if isinstance(page.query_params["c"], str) else page.query_params["c"]
    key = f"banner|{name}"
    page.text_area(key=f"comment.text|{key}").set_value("Rain was forecast.").run()
    page.button(key=f"comment.add|{key}").click().run()
    assert "Rain was forecast." in words(page)
    assert f"on contestation {name}" in words(page).replace("\\", "")  # in the list of all comments too
    about = by_label(page.selectbox, "About")
    assert f"contestation {name}: The rain is overrated here." in about.options
