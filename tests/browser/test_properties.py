"""A violation opens in Contest with its change, and axe finds nothing of ours on any tab of Properties.

How it is documented, with the mouse and with the keyboard alone, is in test_click_counts.py.
"""

from urllib.parse import quote_plus

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.journey import first_row, prepared_database, visit
from tests.browser.test_whole_app import PLATFORM

pytestmark = pytest.mark.browser

JUDGE = "qwen2.5-coder-0.5b-instruct-q4_k_m at local, named, prior, printed, seed 1"
CELL = f"properties?property=Contestability&of={quote_plus(JUDGE)}"


@pytest.fixture(scope="module")
def address(serve, tmp_path_factory):
    return serve(database=prepared_database(tmp_path_factory.mktemp("properties") / "moot.duckdb"))


def test_a_violation_opens_in_contest_with_its_change_as_edits(open_context, address):
    page = visit(open_context().pages[0], address, CELL)
    first_row(page)
    page.get_by_role("button", name="Open in Contest").click()
    expect(page.get_by_role("heading", name="Contest", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Undo")).to_be_enabled()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    "view", ["Two judges", "Growing changes", "Published tables", "Growing debates", "Experiments", "cell"]
)
def test_axe_finds_nothing_of_ours_on_any_tab(open_context, address, view, scheme):
    page = open_context(color_scheme=scheme).pages[0]
    visit(page, address, CELL if view == "cell" else f"properties?view={view.replace(' ', '+')}")
    found = {violation["id"] for violation in Axe().run(page).response["violations"]}
    assert found <= PLATFORM
