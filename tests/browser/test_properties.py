"""An auditor finds a broken property and documents it, with the mouse and with the keyboard alone."""

from urllib.parse import quote_plus

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, expect

from tests.browser.journey import prepared_database, settled, visit
from tests.browser.test_journeys import tab_to
from tests.browser.test_whole_app import PLATFORM

pytestmark = pytest.mark.browser

JUDGE = "qwen2.5-coder-0.5b-instruct-q4_k_m at local, named, prior, printed, seed 1"
CELL = f"properties?property=Contestability&of={quote_plus(JUDGE)}"


@pytest.fixture(scope="module")
def address(serve, tmp_path_factory):
    return serve(database=prepared_database(tmp_path_factory.mktemp("properties") / "moot.duckdb"))


def cell(page: Page, judge: int, name: str) -> Locator:
    """Return the button of a cell: of the judge in a row, counted from 0, and a property."""
    return page.locator(f'[class*="st-key-cell-{judge}-"] button').filter(has_text=name)


def choose(page: Page, begin: str) -> None:
    """Choose the option that begins so in the list that has the focus, by the keyboard."""
    page.keyboard.type(begin)
    expect(page.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")


def first_row(page: Page, x: int = 18) -> None:
    """Click the first row of the first table: its box, or what is at ``x``."""
    table = page.get_by_test_id("stDataFrame").first
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + x, box["y"] + 36 + 18)  # below the row of names


def test_a_violation_goes_from_the_grid_into_a_report_in_six_clicks(open_context, address):
    page = visit(open_context(accept_downloads=True).pages[0], address)
    page.get_by_role("link", name="Properties").click()  # 1
    expect(page.get_by_role("heading", name="Properties")).to_be_visible()
    settled(page)
    cell(page, 0, "Contestability").click()  # 2
    expect(page.get_by_role("heading", name="Violations")).to_be_visible()
    settled(page)
    first_row(page)  # 3
    page.get_by_role("button", name="Add to report").click()  # 4, beside the two judgements
    expect(page.get_by_role("button", name="In the report")).to_be_visible()
    page.get_by_role("link", name="Report (1)").click()  # 5
    expect(page.get_by_role("heading", name="Take away")).to_be_visible()
    settled(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="HTML", exact=True).click()  # 6
    text = waiting.value.path().read_text(encoding="utf-8")
    assert "Contestability is violated" in text
    assert "qwen2.5-coder-0.5b" in text


def test_the_same_journey_works_with_the_keyboard_alone(open_context, address):
    page = visit(open_context(accept_downloads=True).pages[0], address, "properties")
    tab_to(page, "combobox", "Property", 160)
    choose(page, "Contest")
    settled(page)
    tab_to(page, "combobox", "Judge", 5)
    choose(page, "qwen")
    expect(page.get_by_role("heading", name="Violations")).to_be_visible()
    settled(page)
    tab_to(page, "combobox", "Violation", 30)
    choose(page, "2.")
    expect(page.get_by_role("button", name="Add to report")).to_be_visible()
    settled(page)
    tab_to(page, "button", "Add to report", 30)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="In the report")).to_be_visible()
    settled(page)
    tab_to(page, "a", "Report (", 160)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Take away")).to_be_visible()
    settled(page)
    tab_to(page, "button", "HTML", 120)
    with page.expect_download() as waiting:
        page.keyboard.press("Enter")
    assert "Contestability is violated" in waiting.value.path().read_text(encoding="utf-8")


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
