"""What people of each role see and may do on the pages, run by Streamlit's AppTest with a token's claims."""

from __future__ import annotations

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from core.contestation import Contestation, Edit, EditKind
from core.roles import MOOT
from storage.audit_log import AuditLog
from storage.contestation_repository import ContestationRepository
from storage.database import Database
from tests.pages.conftest import HOSTILE, ROOT, store, zoo

PAGES = ("explore/home", "explore/browse", "explore/debate", "judge/contest", "judge/compare", "judge/properties",
         "records/report", "records/debating", "records/data", "records/audit", "records/settings")  # fmt: skip
CONTEST = "judge/contest"
ROLES = """
emails: {vera@example.org: viewer, ria@example.org: reviewer, otto@example.org: reviewer}
groups: {moot-admins: admin}
"""
EDIT = Edit(EditKind.SET_BASE_SCORE, "A1-pro1", 0.8, 0.3)


def token(name, **claims):
    return {
        "is_logged_in": True,
        "iss": "https://id.example",
        "sub": name.lower(),
        "name": name,
        "email": f"{name.lower()}@example.org",
        "email_verified": True,
        **claims,
    }


VERA, RIA, OTTO = token("Vera"), token("Ria"), token("Otto")
ADA = token("Ada", groups=["moot-admins"])
SIGNED_OUT = {"is_logged_in": False}


@pytest.fixture
def roles_file(tmp_path, monkeypatch):
    path = tmp_path / "roles.yaml"
    path.write_text(ROLES)
    monkeypatch.setenv("MOOT_ROLES", str(path))
    return path


@pytest.fixture
def open_as(database_path, roles_file):
    """Return a function that opens a page as somebody whom the identity provider vouches for."""
    store(database_path, zoo())
    with Database.open(database_path) as database:
        ContestationRepository(database, MOOT).save(
            Contestation("first", "zoo", 0, (EDIT,), "An earlier reason.", "Moot itself")
        )

    def opened(claims, page="explore/home", **query):
        app = AppTest.from_file(str(ROOT / "pages" / "navigation" / "main.py"), default_timeout=30)
        app.user = dict(claims)
        app.secrets["auth"] = {"client_id": "moot", "redirect_uri": "http://127.0.0.1:1/oauth2callback"}
        for key, value in query.items():
            app.query_params[key] = value
        app.run()
        if page != "explore/home":
            app.switch_page(f"../{page}.py").run()
        assert not app.exception, app.exception
        return app

    return opened


@pytest.fixture
def stored(database_path):
    """Return what tells whether anything was stored."""

    def look():
        st.cache_resource.clear()
        with Database.open(database_path) as database:
            found = [(entry.action, entry.person) for entry in AuditLog(database).entries()]
            with database.read() as cursor:
                tables = ("contestation", "edit", "draft", "setting", "comment", "ruling", "debate", "run", "judge")
                counts = {t: cursor.execute(f"SELECT count(*) FROM {t}").fetchall()[0][0] for t in tables}
        return counts, [entry for entry in found if entry[0] != "role at sign-in"]

    return look


def by_label(elements, label):
    return next(element for element in elements if element.label == label)


def labels(elements):
    return [element.label for element in elements]


def words(page):
    kinds = ("markdown", "caption", "text", "info", "warning", "error", "title")
    return " ".join(element.value for kind in kinds for element in page.get(kind))


# --- signed out -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("page", PAGES)
def test_who_is_signed_out_sees_the_sign_in_screen_and_nothing_else(open_as, page):
    app = open_as(SIGNED_OUT, page, d="zoo")
    assert labels(app.button) == ["Sign in"]
    assert "zoo" not in words(app)
    assert not app.dataframe
    assert not app.sidebar.children


def test_a_broken_roles_file_lets_nobody_in(open_as, roles_file):
    roles_file.write_text("emails: {ria@example.org: emperor}")
    app = open_as(RIA, CONTEST, d="zoo")
    assert "Nobody can sign in" in words(app)
    assert "emperor" in words(app)
    assert not app.dataframe


def test_roles_without_a_way_to_sign_in_let_nobody_in(open_page, roles_file):
    page = open_page("explore/home", zoo())
    assert "Nobody can sign in" in words(page)
    assert not page.dataframe


def test_an_unreadable_secrets_file_lets_nobody_in(open_page, tmp_path, monkeypatch):
    broken = tmp_path / "secrets.toml"
    broken.write_text("[auth\n")
    monkeypatch.setattr("pages.components.identity.st.get_option", lambda name: [str(broken)])
    page = open_page("explore/home", zoo())
    assert "Nobody can sign in" in words(page)
    assert not page.dataframe


def test_a_token_without_a_subject_lets_nobody_in(open_as):
    app = open_as({"is_logged_in": True, "email": "ria@example.org", "email_verified": True})
    assert "names no subject" in words(app)


# --- who is who -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("claims", "badge"),
    [
        (VERA, "Viewer"),
        (RIA, "Reviewer"),
        (ADA, "Admin"),
        (token("Stranger"), "Viewer"),
        (token("Ria", email_verified=False), "Viewer"),
        ({**RIA, "email_verified": "true"}, "Viewer"),
        ({**RIA, "groups": "moot-admins"}, "Admin"),
    ],
)
def test_the_sidebar_says_who_is_signed_in_in_which_role(open_as, claims, badge):
    app = open_as(claims)
    shown = " ".join(element.value for element in app.sidebar.markdown)
    assert badge in shown
    assert claims["name"] in words(app)
    assert "Sign out" in labels(app.sidebar.button)


def test_without_configuration_the_local_user_may_do_everything_and_that_is_said(open_page):
    page = open_page("explore/home", zoo())
    assert "No sign-in is configured: whoever opens this page may do everything." in words(page)
    assert "Sign out" not in labels(page.button)


def test_a_role_that_changes_is_logged_when_it_takes_effect(open_as, roles_file, database_path):
    open_as(RIA)
    open_as(RIA)
    roles_file.write_text("emails: {ria@example.org: admin}")
    app = open_as(RIA)
    assert "Admin" in words(app)
    roles_file.write_text("emails: {ria@example.org: viewer} ")
    app.run()  # in the same session
    assert "Viewer" in words(app)
    st.cache_resource.clear()
    with Database.open(database_path) as database:
        found = [(e.before, e.after) for e in AuditLog(database).entries() if e.action == "role at sign-in"]
    assert found == [('"admin"', '"viewer"'), ('"reviewer"', '"admin"'), ("null", '"reviewer"')]


# --- what each may do -------------------------------------------------------------------------------------------------


def edited(app):
    """Take an argument out, on the Contest page."""
    by_label(app.selectbox, "Argument").set_value("A1-pro1").run()
    by_label(app.toggle, "Counted").set_value(False).run()
    return app


def save(app, reason="The animals are asleep in winter."):
    by_label(app.button, "Save…").click().run()
    if "Reason" in labels(app.text_area):
        by_label(app.text_area, "Reason").set_value(reason)
        by_label(app.checkbox, "I have read the original arguments").check()
        by_label(app.button, "Save contestation").click().run()
    return app


def test_a_viewer_plays_and_nothing_is_stored(open_as, stored):
    before = stored()
    app = edited(open_as(VERA, CONTEST, d="zoo"))
    assert any("✕ False 0.20" in set(frame.value.get("After your edits", ())) for frame in app.dataframe)
    save(app)
    assert "Save contestation" not in labels(app.button)
    assert "reviewers and admins save them" in words(app)
    assert stored() == before


def test_a_viewer_is_offered_nothing_that_stores(open_as, stored):
    before = stored()
    offered = {
        *("Load sample debates", "Save settings", "Back to the defaults", "Remove", "Rule on it", "Add comment"),
        *("Add this judge", "Keep", "Keep as default", "Start the run", "Withdraw comment", "Remove contestation"),
    }
    for page in PAGES:
        app = open_as(VERA, page, d="zoo", c="first") if page == CONTEST else open_as(VERA, page, d="zoo")
        assert not offered & set(labels(app.button)), page
        assert not app.get("file_uploader"), page
    assert stored() == before


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("query", [{"c": "first", "d": "zoo", "save": "1", "role": "admin", "preferences": "{}"}])
def test_no_address_makes_a_viewer_store_anything(open_as, stored, page, query):
    before = stored()
    app = open_as(VERA, page, **query)
    app.run()
    assert "Viewer" in words(app)
    assert stored() == before


def test_a_viewers_settings_hold_in_the_session_alone(open_as, stored):
    before = stored()
    app = open_as(VERA, "records/settings")
    by_label(app.toggle, "Strict: at the threshold is False").set_value(True).run()
    by_label(app.button, "Use in this session").click().run()
    assert "> 0.50" in words(app)
    assert stored() == before


def test_what_a_viewer_sends_past_the_screen_is_refused(open_as, stored):
    """A browser can send any widget's state; what the session holds is not believed."""
    before = stored()
    app = edited(open_as(VERA, CONTEST, d="zoo"))
    key = "zoo|0|"
    for name, value in {"name": "Vera", "reason": "It is not so at all.", "tags": "", "read": True}.items():
        app.session_state[f"save.{name}|{key}"] = value
    app.session_state["moot.signed_in"] = "admin"
    save(app)
    assert stored() == before


def test_a_reviewer_saves_in_their_own_name_and_role(open_as, database_path):
    app = save(edited(open_as(RIA, CONTEST, d="zoo")))
    assert "Your name" not in labels(app.text_input)
    st.cache_resource.clear()
    with Database.open(database_path) as database:
        saved = [one for one in ContestationRepository(database).for_debate("zoo") if one.id != "first"]
        entry = AuditLog(database).entries(limit=1)[0]
    assert [(one.author, one.role) for one in saved] == [("Ria <ria@example.org>", "reviewer")]
    assert (entry.action, entry.person, entry.role) == ("contestation saved", "https://id.example|ria", "reviewer")


def test_a_reviewer_neither_rules_nor_removes_nor_sets_for_everybody(open_as):
    for page in (CONTEST, "records/data", "records/settings"):
        app = open_as(RIA, page, **({"d": "zoo", "c": "first"} if page == CONTEST else {}))
        assert not {"Rule on it", "Remove", "Remove contestation", "Save settings"} & set(labels(app.button)), page


def test_an_admin_rules_on_a_contestation_and_everybody_sees_it(open_as):
    app = open_as(ADA, CONTEST, d="zoo", c="first")
    by_label(app.text_area, "Reason for the ruling").set_value("The record bears it out.")
    by_label(app.button, "Rule on it").click().run()
    seen = open_as(VERA, CONTEST, d="zoo", c="first")
    assert "Upheld by Ada <ada@example.org>" in words(seen)
    assert "The record bears it out." in words(seen)
    assert sum(":blue-badge[Upheld]" in element.value for element in seen.markdown) == 2  # in the banner and the list


def test_a_ruling_without_a_reason_is_refused(open_as):
    app = open_as(ADA, CONTEST, d="zoo", c="first")
    by_label(app.button, "Rule on it").click().run()
    assert "needs a reason" in words(app)


def test_an_admin_removes_a_contestation_and_the_log_keeps_why(open_as, stored):
    app = open_as(ADA, CONTEST, d="zoo", c="first")
    by_label(app.text_input, "Reason for removing it").set_value("It names a private person.")
    by_label(app.button, "Remove contestation").click().run()
    assert not app.exception
    counts, entries = stored()
    assert counts["contestation"] == counts["edit"] == 0
    assert entries[0] == ("contestation removed", "https://id.example|ada")


# --- many people ------------------------------------------------------------------------------------------------------


def test_drafts_are_each_persons_own(open_as):
    edited(open_as(RIA, CONTEST, d="zoo"))
    again, other = open_as(RIA, CONTEST, d="zoo"), open_as(OTTO, CONTEST, d="zoo")
    assert "Resumed 1 unsaved edit" in words(again)
    assert "Resumed" not in words(other)


def test_who_saves_after_somebody_else_is_told_and_can_save_beside(open_as, database_path):
    ria, otto = edited(open_as(RIA, CONTEST, d="zoo")), edited(open_as(OTTO, CONTEST, d="zoo"))
    save(ria, "Ria says that it is so.")
    save(otto, "Otto says otherwise here.")
    by_label(otto.button, "Save…").click().run()  # AppTest closes the dialog, a browser does not
    assert "others have saved contestations" in words(otto)
    assert "Ria says that it is so." in words(otto)
    by_label(otto.text_area, "Reason").set_value("Otto says otherwise here.")
    by_label(otto.checkbox, "I have read the original arguments").check()
    by_label(otto.button, "Save mine beside").click().run()
    st.cache_resource.clear()
    with Database.open(database_path) as database:
        saved = ContestationRepository(database).for_debate("zoo")
    assert [one.reason for one in saved] == [
        "An earlier reason.",
        "Ria says that it is so.",
        "Otto says otherwise here.",
    ]


def test_who_saves_after_somebody_else_can_fork_theirs_instead(open_as, database_path):
    ria, otto = edited(open_as(RIA, CONTEST, d="zoo")), open_as(OTTO, CONTEST, d="zoo")
    by_label(otto.selectbox, "Argument").set_value("A2-con1").run()
    by_label(otto.slider, "Base score").set_value(0.2).run()
    save(ria, "Ria says that it is so.")
    save(otto, "Otto says otherwise here.")
    by_label(otto.button, "Save…").click().run()
    by_label(otto.button, "Fork it, with my edits on top").click().run()
    assert "Ria <ria@example.org> (reviewer)" in words(otto)
    save(otto, "Both of us are right.")
    st.cache_resource.clear()
    with Database.open(database_path) as database:
        _, theirs, fork = ContestationRepository(database).for_debate("zoo")
    assert fork.parent == theirs.id
    assert [edit.kind for edit in fork.edits] == [EditKind.REMOVE_ARGUMENT, EditKind.SET_BASE_SCORE]
    assert fork.author == "Otto <otto@example.org>"


def test_a_fork_comes_on_top_of_what_one_has_not_saved_of_it_and_overwrites_nothing(open_as, database_path):
    ria, otto = edited(open_as(RIA, CONTEST, d="zoo")), open_as(OTTO, CONTEST, d="zoo")
    by_label(otto.selectbox, "Argument").set_value("A2-con1").run()
    by_label(otto.slider, "Base score").set_value(0.2).run()
    save(ria, "Ria says that it is so.")
    save(otto, "Otto says otherwise here.")
    by_label(otto.button, "Save…").click().run()
    (theirs,) = {link.proto.query_string for link in otto.get("page_link") if link.proto.label == "Look at it"}
    elsewhere = open_as(OTTO, CONTEST, **dict(part.split("=") for part in theirs.split("&")))
    by_label(elsewhere.selectbox, "Argument").set_value("A2-con1").run()
    by_label(elsewhere.slider, "Base score").set_value(0.9).run()  # on Ria's, and not saved
    by_label(otto.button, "Fork it, with my edits on top").click().run()
    save(otto, "Both of us are right.")
    st.cache_resource.clear()
    with Database.open(database_path) as database:
        fork = ContestationRepository(database).for_debate("zoo")[-1]
    assert [edit.after for edit in fork.edits] == [None, 0.9, 0.2]


def test_who_has_a_debate_open_is_told_what_others_saved_since(open_as):
    otto = open_as(OTTO, CONTEST, d="zoo")
    assert "Others have saved" not in words(otto)
    save(edited(open_as(RIA, CONTEST, d="zoo")), "Ria says that it is so.")
    otto.run()
    assert "Others have saved contestations since you opened this debate." in words(otto)
    by_label(otto.button, "Seen").click().run()
    assert "Others have saved" not in words(otto)


def comment(app, text):
    next(area for area in app.text_area if area.label == "Comment" and "debate|zoo" in area.key).set_value(text)
    next(b for b in app.button if b.label == "Add comment" and "debate|zoo" in b.key).click().run()
    return app


def test_a_comment_is_seen_by_others_and_withdrawn_by_its_author(open_as):
    comment(open_as(RIA, "explore/debate", d="zoo"), HOSTILE)
    seen = open_as(VERA, "explore/debate", d="zoo")
    assert "Comments (1)" in [header.value for header in seen.header]
    assert any(text.value == HOSTILE.strip() for text in seen.text)
    assert "Withdraw comment" not in labels(seen.button)
    assert "Withdraw comment" not in labels(open_as(OTTO, "explore/debate", d="zoo").button)
    author = open_as(RIA, "explore/debate", d="zoo")
    by_label(author.button, "Withdraw comment").click().run()
    seen = open_as(VERA, "explore/debate", d="zoo")
    assert "Withdrawn by Ria <ria@example.org>." in words(seen)
    assert not any(text.value == HOSTILE.strip() for text in seen.text)


def test_an_empty_comment_is_refused(open_as):
    assert "A comment needs a text" in words(comment(open_as(RIA, "explore/debate", d="zoo"), "  "))


def test_an_admin_says_why_somebody_elses_comment_goes(open_as):
    comment(open_as(RIA, "explore/debate", d="zoo"), "An unkind word.")
    app = open_as(ADA, "explore/debate", d="zoo")
    by_label(app.button, "Withdraw comment").click().run()
    assert "Say why you withdraw" in words(app)
    by_label(app.text_input, "Reason for withdrawing it").set_value("Unkind.")
    by_label(app.button, "Withdraw comment").click().run()
    assert "Withdrawn by Ada <ada@example.org>: Unkind." in words(app)
