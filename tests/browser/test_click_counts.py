"""The journeys within the clicks that they may take, counted in the browser; and from Home without a mouse at all."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.clicks import clicks, counted
from tests.browser.journey import choose_in_map, first_row, prepared_database, settled, tile, visit
from tests.browser.test_journeys import drag_what_if, flip, tab_to

pytestmark = pytest.mark.browser

REASON = "The queue was there every single time."
FLIPPED_BY = ("family-outing", "A3-con1", 0.95)


@pytest.fixture(scope="module")
def address(serve, tmp_path_factory):
    return serve(database=prepared_database(tmp_path_factory.mktemp("clicks") / "moot.duckdb"))


def cell(page: Page, judge: int, name: str) -> Locator:
    """Return the button of a cell: of the judge in a row, counted from 0, and a property."""
    return page.locator(f'[class*="st-key-cell-{judge}-"] button').filter(has_text=name)


def choose(page: Page, begin: str) -> None:
    """Choose the option that begins so in the list that has the focus, by the keyboard."""
    page.keyboard.type(begin)
    expect(page.get_by_role("option")).to_have_count(1)
    page.keyboard.press("Enter")


def write_reason(page: Page) -> None:
    """Write name and reason into the dialog, going from field to field with the Tab key."""
    expect(page.get_by_role("dialog").get_by_role("button", name="Save contestation")).to_be_visible()
    settled(page)
    tab_to(page, "text", "Your name")
    page.keyboard.type("A reviewer")
    tab_to(page, "textarea", "Reason")
    page.keyboard.type(REASON)


def tick_and_save(page: Page) -> None:
    """Tick that the arguments were read, and save, each with a click."""
    page.get_by_role("dialog").get_by_text("I have read the original arguments").click()
    page.get_by_role("dialog").get_by_role("button", name="Save contestation").click()
    expect(page).to_have_url(re.compile(r"[?&]c=\w+"))
    expect(page.get_by_text("Saved contestation.")).to_be_visible()


def test_a_judgement_is_contested_from_home_in_seven_clicks(open_context, address):
    page = visit(counted(open_context()), address)
    first_row(page, 120)  # 1, its claim, in "Worth a look"
    page.get_by_role("button", name="Contest", exact=True).click()  # 2
    expect(page.get_by_role("heading", name="Contest", exact=True)).to_be_visible()
    expect(page.locator(".board[data-drawn]")).to_be_visible()
    settled(page)
    arguments = page.locator(".board").evaluate("root => [...root.moot.map.looks.keys()]")
    choose_in_map(page, next(name for name in arguments if name != "topic"))  # 3
    expect(page.get_by_role("slider", name="Base score").first).to_be_visible()
    was = float(page.locator(".board [type=range]").input_value())
    drag_what_if(page, 0.1 if was > 0.5 else 0.9)  # 4
    settled(page)
    page.get_by_role("button", name="Save…").click()  # 5
    write_reason(page)
    tick_and_save(page)  # 6, 7
    assert clicks(page) == 7


def test_from_a_link_to_an_argument_it_takes_four(open_context, address):
    debate, argument, value = FLIPPED_BY
    page = visit(counted(open_context()), address, f"contest?d={debate}&n={argument}")
    expect(tile(page, "DF-QuAD")).to_contain_text("✓ True 0.52")
    drag_what_if(page, value)  # 1
    expect(flip(page)).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Save…").click()  # 2
    write_reason(page)
    tick_and_save(page)  # 3, 4
    assert clicks(page) == 4
    assert REASON in page.get_by_test_id("stMain").inner_text()


def test_it_begins_at_home_and_ends_with_a_saved_link_without_a_mouse(open_context, address):
    page = visit(counted(open_context()), address)
    tab_to(page, "button", "Contest this debate", 120)
    page.keyboard.press("Enter")
    expect(page.locator(".board[data-drawn]")).to_be_visible()
    expect(tile(page, "DF-QuAD")).to_contain_text("✓ True 0.52")
    settled(page)
    tab_to(page, "combobox", "Argument", 160)
    page.keyboard.type(FLIPPED_BY[1])
    page.keyboard.press("Enter")
    expect(page.get_by_role("slider", name="Base score").first).to_be_visible()
    settled(page)
    tab_to(page, "range", "Base score", 160)
    page.keyboard.press("End")
    expect(flip(page)).to_be_visible()
    settled(page)
    tab_to(page, "button", "Save…", 160)
    page.keyboard.press("Enter")
    write_reason(page)
    tab_to(page, "checkbox", "I have read")
    page.keyboard.press("Space")
    tab_to(page, "button", "Save contestation")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]c=\w+"))
    expect(page.get_by_text("Saved contestation.")).to_be_visible()
    assert clicks(page) == 0


def test_a_broken_property_is_documented_in_six_clicks(open_context, address):
    page = visit(counted(open_context(accept_downloads=True)), address)
    page.get_by_role("link", name="Properties").click()  # 1
    expect(page.get_by_role("heading", name="Properties")).to_be_visible()
    settled(page)
    cell(page, 0, "Contestability").click()  # 2
    expect(page.get_by_role("heading", name="Violations")).to_be_visible()
    settled(page)
    first_row(page)  # 3
    page.get_by_role("button", name="Add to report").click()  # 4
    expect(page.get_by_role("button", name="In the report")).to_be_visible()
    page.get_by_role("link", name="Report (1)").click()  # 5
    expect(page.get_by_role("heading", name="Take away")).to_be_visible()
    settled(page)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="HTML", exact=True).click()  # 6
    text = waiting.value.path().read_text(encoding="utf-8")
    assert "Contestability is violated" in text
    assert "qwen2.5-coder-0.5b" in text
    assert clicks(page) == 6


def test_a_broken_property_is_documented_from_home_without_a_mouse(open_context, address):
    page = visit(counted(open_context(accept_downloads=True)), address)
    tab_to(page, "a", "Properties", 40)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Properties")).to_be_visible()
    settled(page)
    tab_to(page, "combobox", "Property", 160)
    choose(page, "Contest")
    settled(page)
    tab_to(page, "combobox", "Judge", 5)
    choose(page, "qwen")
    expect(page.get_by_role("heading", name="Violations")).to_be_visible()
    settled(page)
    tab_to(page, "combobox", "Violation", 30)
    settled(page)  # on the way through the table its first row was chosen
    choose(page, "3.")
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
    assert clicks(page) == 0
