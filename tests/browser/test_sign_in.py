"""People of every role sign in at a real identity provider, and do what they may."""

import json
import shutil
import urllib.parse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from core.audit import Action, AuditEntry
from core.contestation import Contestation, Edit, EditKind
from core.roles import MOOT
from storage.audit_log import AuditLog
from storage.contestation_repository import ContestationRepository
from storage.database import Database
from tests import oidc_provider
from tests.browser.conftest import Serve
from tests.browser.journey import prepared_database, settled, visit
from tests.browser.test_whole_app import PLATFORM

pytestmark = pytest.mark.browser

PEOPLE: dict[str, dict[str, Any]] = {
    "vera": {"email": "vera@example.org", "email_verified": True, "name": "Vera Viewer"},
    "ria": {"email": "ria@example.org", "email_verified": True, "name": "Ria Reviewer"},
    "ada": {"name": "Ada Admin", "groups": ["moot-admins"]},
    "eve": {"email": "ria@example.org", "email_verified": False, "name": "Eve"},
    "mallory": {"name": "Mallory", "groups": ["moot-admins"]},
}
ROLES = """
emails:
  Ria@Example.org: reviewer
groups:
  moot-admins: admin
"""
DEBATE = "family-outing"
EARLIER = "challenge1"
ADDRESSES = ("", "browse", f"debate?d={DEBATE}", f"contest?d={DEBATE}", "compare", "data", "audit", "settings")


@pytest.fixture(scope="module")
def provider() -> Iterator[oidc_provider.Provider]:
    with oidc_provider.running(PEOPLE) as running:
        running.forgers.add("mallory")
        yield running


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = prepared_database(tmp_path_factory.mktemp("sign_in") / "moot.duckdb")
    with Database.open(path) as opened:
        edit = Edit(EditKind.SHIFT_PROS, after=-0.1)
        ContestationRepository(opened, MOOT).save(
            Contestation(EARLIER, DEBATE, 0, (edit,), "The pros are too strong.", "Moot itself")
        )
    return path


@pytest.fixture(scope="module")
def address(serve: Serve, provider, database, tmp_path_factory) -> str:
    home = tmp_path_factory.mktemp("home")
    (home / ".streamlit").mkdir()
    (home / ".streamlit" / "secrets.toml").write_text(provider.secrets_toml())
    (home / "roles.yaml").write_text(ROLES)
    started = serve(database=database, HOME=str(home), MOOT_ROLES=str(home / "roles.yaml"))
    provider.redirects.add(f"{started}/oauth2callback")
    return started


def sign_in(page: Page, address: str, who: str) -> None:
    page.goto(address)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("link", name=who, exact=True).click()
    page.wait_for_url(f"{address}/**")
    settled(page)


def sidebar(page: Page):
    return page.get_by_test_id("stSidebarContent")


def entries(database: Path, folder: Path) -> list[AuditEntry]:
    """Return the audit log as a copy of the files holds it, for the server holds the database itself."""
    copy = folder / "copy.duckdb"
    for ending in ("", ".wal", ".audit"):
        source = database.with_name(database.name + ending)
        if source.exists():
            shutil.copyfile(source, copy.with_name(copy.name + ending))
    with Database.open(copy) as opened:
        assert AuditLog(opened).check().intact
        return list(AuditLog(opened).entries())


def make_an_edit(page: Page, address: str, debate: str = DEBATE) -> None:
    visit(page, address, f"contest?d={debate}")
    page.get_by_text("All pros or all cons at once").click()
    page.get_by_role("button", name="All pros −0.10").click()
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()
    page.get_by_role("button", name="Save…").click()


def give_a_reason(page: Page, reason: str) -> None:
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Reason").fill(reason)
    dialog.get_by_text("I have read the original arguments").click()
    dialog.get_by_role("button", name="Save contestation").click()


def axe_finds(page: Page) -> set[str]:
    return {violation["id"] for violation in Axe().run(page).response["violations"]} - PLATFORM


def test_who_is_not_signed_in_sees_the_sign_in_screen_at_every_address(browser_page, address):
    for path in ADDRESSES:
        browser_page.goto(f"{address}/{path}")
        expect(browser_page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
        settled(browser_page)
        expect(browser_page.locator("h1")).to_have_text("Moot")
        expect(browser_page.get_by_test_id("stMain").get_by_role("button")).to_have_count(1)
        expect(browser_page.get_by_test_id("stPageLink")).to_have_count(0)
        expect(browser_page.get_by_test_id("stSidebarNavLink")).to_have_count(0)
        expect(sidebar(browser_page)).to_have_count(0)
        expect(browser_page.get_by_test_id("stDataFrame")).to_have_count(0)


def test_a_viewer_plays_by_page_and_address_and_saves_nothing(browser_page, address, database, tmp_path):
    sign_in(browser_page, address, "vera")
    expect(sidebar(browser_page)).to_contain_text("Vera Viewer <vera@example.org>")
    expect(sidebar(browser_page)).to_contain_text("Viewer")
    before = [entry.sequence for entry in entries(database, tmp_path)]
    make_an_edit(browser_page, address)
    expect(browser_page.get_by_role("dialog")).to_contain_text("reviewers and admins save them")
    expect(browser_page.get_by_role("button", name="Save contestation")).to_have_count(0)
    for path in (*ADDRESSES, f"contest?d={DEBATE}&c={EARLIER}&save=1"):
        browser_page.goto(f"{address}/{path}")
        expect(sidebar(browser_page)).to_contain_text("nothing you change is saved")
        settled(browser_page)
        for name in ("Load sample debates", "Save settings", "Remove", "Rule", "Add comment", "Keep as default"):
            expect(browser_page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    assert [entry.sequence for entry in entries(database, tmp_path)] == before


def test_a_reviewer_saves_in_their_own_name(browser_page, address, database, tmp_path):
    sign_in(browser_page, address, "ria")
    make_an_edit(browser_page, address)
    dialog = browser_page.get_by_role("dialog")
    expect(dialog).to_contain_text("Saved in the name of Ria Reviewer <ria@example.org>, reviewer")
    expect(dialog.get_by_label("Your name")).to_have_count(0)
    give_a_reason(browser_page, "Nothing in the record is as sure as that.")
    expect(browser_page.get_by_text("Saved contestation.", exact=False).first).to_be_visible()
    settled(browser_page)
    saved = entries(database, tmp_path)[0]
    assert (saved.action, saved.name, saved.role) == (Action.SAVED, "Ria Reviewer <ria@example.org>", "reviewer")
    expect(browser_page.get_by_role("button", name="Rule", exact=True)).to_have_count(0)


def test_an_admin_rules_and_the_log_on_screen_is_intact(browser_page, address, database, tmp_path):
    sign_in(browser_page, address, "ada")
    visit(browser_page, address, f"contest?d={DEBATE}&c={EARLIER}")
    browser_page.get_by_role("button", name="Rule", exact=True).click()
    reason = browser_page.get_by_role("textbox", name="Reason for the ruling")
    reason.fill("The record bears it out.")
    reason.press("Control+Enter")
    browser_page.get_by_role("button", name="Rule on it").click()
    expect(browser_page.get_by_text("Upheld by Ada Admin", exact=False)).to_be_visible()
    visit(browser_page, address, "audit")
    expect(browser_page.get_by_text("Log intact,", exact=False)).to_be_visible()
    ruled = entries(database, tmp_path)[0]
    assert (ruled.action, ruled.object, json.loads(ruled.after)) == (Action.RULED, EARLIER, "upheld")
    assert ruled.person.endswith("|ada")


def test_who_saves_after_somebody_else_is_told_and_forks_theirs(open_context, address):
    debate = "microwave-inside-out"
    ria, ada = open_context().pages[0], open_context().pages[0]
    sign_in(ria, address, "ria")
    sign_in(ada, address, "ada")
    visit(ada, address, f"contest?d={debate}")  # has it open while somebody else saves
    ada.get_by_text("All pros or all cons at once").click()
    ada.get_by_role("button", name="All cons +0.10").click()
    expect(ada.get_by_role("button", name="Undo")).to_be_enabled()
    make_an_edit(ria, address, debate)
    give_a_reason(ria, "The pros are too strong.")
    expect(ria.get_by_text("Saved contestation.", exact=False).first).to_be_visible()
    ada.get_by_role("button", name="Save…").click()
    give_a_reason(ada, "The cons are too weak.")
    dialog = ada.get_by_role("dialog")
    expect(dialog).to_contain_text("others have saved contestations of this debate meanwhile")
    expect(dialog).to_contain_text("The pros are too strong.")
    dialog.get_by_role("button", name="Fork it, with my edits on top").click()
    expect(ada.get_by_text("Saved contestation.", exact=False).first).to_be_visible()
    expect(dialog).to_have_count(0)
    settled(ada)
    expect(ada.get_by_test_id("stMain")).to_contain_text("1. all pros −0.10")
    expect(ada.get_by_test_id("stMain")).to_contain_text("2. all cons +0.10")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_of_ours_for_people_who_sign_in(open_context, address, scheme):
    page = open_context(color_scheme=scheme).pages[0]
    page.goto(address)
    expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    settled(page)
    assert axe_finds(page) == set()
    sign_in(page, address, "ada")
    visit(page, address, f"contest?d={DEBATE}&c={EARLIER}")
    assert axe_finds(page) == set()


def test_who_signs_out_is_out(browser_page, address):
    sign_in(browser_page, address, "ada")
    browser_page.get_by_role("button", name="Sign out").click()
    expect(browser_page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    browser_page.goto(f"{address}/settings")
    expect(browser_page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()


def test_an_address_that_the_provider_has_not_verified_gives_no_role(browser_page, address):
    sign_in(browser_page, address, "eve")
    expect(sidebar(browser_page)).to_contain_text("nothing you change is saved")
    expect(sidebar(browser_page)).not_to_contain_text("ria@example.org")


def test_a_token_with_a_false_signature_signs_nobody_in(browser_page, address, provider):
    issued = provider.issued
    sign_in(browser_page, address, "mallory")
    expect(browser_page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
    assert provider.issued == issued + 1


def test_a_made_up_cookie_or_code_signs_nobody_in(open_context, address):
    context = open_context()
    claims = urllib.parse.quote(json.dumps({"sub": "ada", "is_logged_in": True, "groups": ["moot-admins"]}))
    context.add_cookies([{"name": "_streamlit_user", "value": claims, "url": address}])
    page = context.pages[0]
    for path in ("settings", "oauth2callback?code=made-up&state=made-up"):
        page.goto(f"{address}/{path}")
        expect(page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()


def test_no_address_of_the_server_gives_the_database_away(address):
    files = ("data/moot.duckdb", "static/../data/moot.duckdb", "app/static/moot.duckdb", ".streamlit/secrets.toml")
    with httpx2.Client(base_url=address, follow_redirects=True) as client:
        for path in files:
            answer = client.get(f"/{path}")
            assert b"DUCK" not in answer.content[:100]
            assert b"cookie_secret" not in answer.content
