"""The Audit log page, run by Streamlit's AppTest."""

from core.contestation import Contestation, Edit, EditKind
from storage.contestation_repository import ContestationRepository
from storage.database import Database
from storage.setting_repository import SettingRepository
from tests.pages.conftest import HOSTILE, store, zoo

AUDIT = "records/audit"
JUDGED = {"DF-QuAD": {"score": 0.6, "verdict": "true", "status": "ok"}}
AFTER = {"DF-QuAD": {"score": 0.35, "verdict": "false", "status": "ok"}}
EDIT = Edit(EditKind.SET_BASE_SCORE, "A1-pro1", 0.8, 0.3)


def filled(path, reason="The animals are asleep in winter."):
    store(path, zoo())
    with Database.open(path) as database:
        SettingRepository(database).set("note", 1)
        return ContestationRepository(database).save(
            Contestation("", "zoo", 0, (EDIT,), reason, "Ada", before=JUDGED, after=AFTER)
        )


def words(page):
    return " ".join(element.value for kind in ("markdown", "caption", "text", "info") for element in page.get(kind))


def table(page):
    return next(frame.value for frame in page.dataframe if "Number" in frame.value.columns)


def by_label(elements, label):
    return next(element for element in elements if element.label == label)


def test_the_log_says_who_changed_what_to_what_and_why(open_page, database_path):
    saved = filled(database_path)
    frame = table(open_page(AUDIT))
    assert list(frame["Action"]) == ["contestation saved", "setting changed", "data set imported", "log begun"]
    first = frame.iloc[0]
    assert first["Object"] == f"contestation {saved.id}"
    assert first["Change"] == "DF-QuAD: ✓ True 0.60 → ✕ False 0.35"
    assert first["Reason"] == "The animals are asleep in winter."
    assert (first["Who"], first["Role"]) == ("command line", "admin")


def test_the_log_says_that_it_is_intact_and_gives_the_head_to_note(open_page, database_path):
    filled(database_path)
    page = open_page(AUDIT)
    assert "Log intact, 4 entries, head hash " in words(page)
    head = next(code.value for code in page.code)
    assert head.startswith("4:")
    assert not page.error


def test_a_log_that_was_changed_is_said_to_be_broken(open_page, database_path):
    filled(database_path)
    with Database.open(database_path) as database, database.write() as cursor:
        cursor.execute("UPDATE audit SET reason = 'Another reason.' WHERE sequence = 4")
    page = open_page(AUDIT)
    assert "LOG BROKEN" in words(page)
    assert "Entry 4" in page.error[0].value


def test_verify_looks_again(open_page, database_path):
    filled(database_path)
    page = open_page(AUDIT)
    by_label(page.button, "Verify").click().run()
    assert "Log intact, 4 entries" in words(page)


def test_entries_are_filtered_by_action_person_and_words(open_page, database_path):
    filled(database_path)
    page = open_page(AUDIT)
    by_label(page.multiselect, "Action").set_value(["setting changed"]).run()
    assert list(table(page)["Object"]) == ["setting note"]
    by_label(page.multiselect, "Action").set_value([]).run()
    by_label(page.multiselect, "Who").set_value(["moot"]).run()
    assert list(table(page)["Action"]) == ["log begun"]
    by_label(page.multiselect, "Who").set_value([]).run()
    by_label(page.text_input, "Object, reason or name").set_value("ASLEEP").run()
    assert list(table(page)["Action"]) == ["contestation saved"]
    by_label(page.text_input, "Object, reason or name").set_value("nothing like it").run()
    assert "No entry matches" in words(page)


def test_a_link_brings_its_filters_along(open_page, database_path):
    filled(database_path)
    page = open_page(AUDIT, about="asleep")
    assert by_label(page.text_input, "Object, reason or name").value == "asleep"
    assert len(table(page)) == 1


def test_an_entry_about_a_contestation_leads_to_it(open_page, database_path):
    saved = filled(database_path)
    page = open_page(AUDIT)
    page.session_state["audit.table"] = {"selection": {"rows": [0], "columns": []}}
    page.run()
    assert f"contestation saved, contestation {saved.id}" in words(page)
    assert "Hash " in words(page)
    links = [link.proto for link in page.get("page_link")]
    assert any(link.label == "Open the contestation" and saved.id in link.query_string for link in links)


def test_hostile_texts_are_shown_as_they_are(open_page, database_path):
    filled(database_path, HOSTILE)
    page = open_page(AUDIT)
    assert table(page)["Reason"].iloc[0] == HOSTILE
    page.session_state["audit.table"] = {"selection": {"rows": [0], "columns": []}}
    page.run()
    assert any(HOSTILE in text.value for text in page.text)
    assert not page.exception
