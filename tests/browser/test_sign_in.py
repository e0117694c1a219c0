"""People of every role sign in at a real identity provider, and do what they may."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.contestation import Contestation, Edit, EditKind
from core.roles import MOOT
from storage.contestation_repository import ContestationRepository
from storage.database import Database
from tests import oidc_provider
from tests.browser.journey import prepared_database, settled

pytestmark = pytest.mark.browser

PEOPLE = {
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
ADDRESSES = ("", "browse", "debate?d=family-outing", "contest?d=family-outing", "compare", "data", "audit", "settings")


@pytest.fixture(scope="module")
def provider() -> Iterator[oidc_provider.Provider]:
    with oidc_provider.running(PEOPLE) as running:
        running.forgers.add("mallory")
        yield running


@pytest.fixture(scope="module")
def database(tmp_path_factory) -> Path:
    path = prepared_database(tmp_path_factory.mktemp("sign_in") / "moot.duckdb")
    with Database.open(path) as opened:
        edit = Edit(EditKind.REMOVE_ARGUMENT, "A1-pro1")
        ContestationRepository(opened, MOOT).save(
            Contestation("challenge1", "family-outing", None, (edit,), "It is no reason at all.", "Moot itself")
        )
    return path


@pytest.fixture(scope="module")
def address(serve, provider, database, tmp_path_factory) -> str:
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
    settled(page)


def navigation(page: Page):
    return page.get_by_role("navigation")


def test_who_is_not_signed_in_sees_the_sign_in_screen_at_every_address(browser_page, address):
    for path in ADDRESSES:
        browser_page.goto(f"{address}/{path}")
        expect(browser_page.get_by_role("button", name="Sign in", exact=True)).to_be_visible()
        settled(browser_page)
        text = browser_page.locator("body").inner_text()
        assert "family" not in text.lower().replace("family-outing", "")
        expect(browser_page.locator("h1")).to_have_count(1)
        expect(browser_page.get_by_test_id("stSidebarContent").get_by_role("switch")).to_have_count(0)
