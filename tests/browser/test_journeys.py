"""What people come for, from the first page to the saved link, in a real browser, with the mouse and without."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.journey import choose_in_map, prepared_database, settled, tile, visit

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(serve, tmp_path_factory):
    return serve(database=prepared_database(tmp_path_factory.mktemp("journeys") / "moot.duckdb"))


def drag_what_if(page: Page, value: float) -> None:
    """Drag the slider under the map with the mouse, and let it go."""
    slider = page.locator(".board [type=range]")
    slider.scroll_into_view_if_needed()
    box = slider.bounding_box()
    assert box is not None
    now = float(slider.input_value())
    edge = 8  # half of the handle
    at = lambda share: box["x"] + edge + share * (box["width"] - 2 * edge)  # noqa: E731
    page.mouse.move(at(now), box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(at((now + value) / 2), box["y"] + box["height"] / 2)
    page.mouse.move(at(value), box["y"] + box["height"] / 2)
    page.mouse.up()


def flip(page: Page) -> Locator:
    """Return the word on the main judge's tile that says its verdict flipped."""
    return tile(page, "DF-QuAD").get_by_text("flipped")


def give_reason_and_save(page: Page, reason: str) -> None:
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox", name="Your name").fill("A reviewer")
    dialog.get_by_role("textbox", name="Reason").fill(reason)
    dialog.get_by_text("I have read the original arguments").click()
    dialog.get_by_role("button", name="Save contestation").click()
    expect(page).to_have_url(re.compile(r"[?&]c=\w+"))


def test_a_first_visit_ends_with_a_saved_contestation_under_a_link(open_context, address):
    page = open_context().pages[0]
    visit(page, address)
    page.get_by_role("button", name="Contest this debate").click()
    expect(page.locator(".board[data-drawn]")).to_be_visible()
    expect(tile(page, "DF-QuAD")).to_contain_text("✓ True 0.52")
    choose_in_map(page, "A3-con1")
    expect(page.get_by_role("slider", name="Base score").first).to_be_visible()
    drag_what_if(page, 0.95)
    expect(flip(page)).to_be_visible()
    expect(tile(page, "DF-QuAD")).to_contain_text("✕ False")
    page.get_by_role("button", name="Save…").click()
    give_reason_and_save(page, "The queue was there every single time.")
    link = page.url

    other = open_context().pages[0]
    other.goto(link)
    expect(other.get_by_text("The queue was there every single time.")).to_have_count(2)  # banner and list
    expect(flip(other)).to_be_visible()

    original = visit(open_context().pages[0], address, "debate?d=family-outing")
    expect(original.locator(".board .tile").first).to_contain_text("✓ True 0.52")


def tab_to(page: Page, role: str, name: str, most: int = 80) -> None:
    """Press Tab until the element with the role and name has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        focused = page.evaluate(
            """() => { let e = document.activeElement;
                       while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
                       const label = e.getAttribute('aria-label') || (e.labels && e.labels[0] && e.labels[0].innerText)
                           || e.innerText || '';
                       return [e.getAttribute('role') || e.tagName.toLowerCase(), e.type || '', label.trim()]; }"""
        )
        if role in (focused[0], focused[1]) and focused[2].startswith(name):
            return
    raise AssertionError(f"Tab never reached {role} {name!r}; it stands at {focused}.")


def test_the_same_journey_works_with_the_keyboard_alone(open_context, address):
    page = visit(open_context().pages[0], address, "contest?d=seared-steak")
    expect(tile(page, "DF-QuAD")).to_contain_text("✕ False 0.496")
    tab_to(page, "combobox", "Argument")
    page.keyboard.type("A1-pro1")
    page.keyboard.press("Enter")
    expect(page.get_by_role("slider", name="Base score").first).to_be_visible()
    settled(page)
    tab_to(page, "range", "Base score")
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        settled(page)
    page.keyboard.press("End")
    expect(flip(page)).to_be_visible()
    settled(page)
    page.keyboard.press("Alt+Z")
    expect(flip(page)).to_be_hidden()
    settled(page)
    page.keyboard.press("Alt+Y")
    expect(flip(page)).to_be_visible()
    settled(page)
    page.keyboard.press("Alt+S")
    expect(page.get_by_role("dialog")).to_be_visible()
    tab_to(page, "text", "Your name")
    page.keyboard.type("Keyboard only")
    tab_to(page, "textarea", "Reason")
    page.keyboard.type("Crust and juice are two things.")
    tab_to(page, "checkbox", "I have read")
    page.keyboard.press("Space")
    tab_to(page, "button", "Save contestation")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"[?&]c=\w+"))
    expect(page.get_by_text("Saved contestation.")).to_be_visible()


def test_a_refused_save_says_what_is_missing_and_keeps_the_dialog(open_context, address):
    page = visit(open_context().pages[0], address, "contest?d=venus-day")
    choose_in_map(page, "A1-pro1")
    page.get_by_role("button", name="−0.10").last.click()
    page.get_by_role("button", name="Save…").click()
    page.get_by_role("dialog").get_by_role("button", name="Save contestation").click()
    problem = page.get_by_role("dialog").get_by_text("Not saved yet.")
    expect(problem).to_contain_text("a reason of at least 10 characters")


def test_browsing_finds_a_debate_and_its_filters_survive_a_reload(open_context, address):
    page = visit(open_context().pages[0], address, "browse")
    page.get_by_role("textbox", name="Search").fill("honey")
    page.get_by_role("textbox", name="Search").press("Enter")
    expect(page.get_by_text(re.compile(r"^1 of \d+ debates"))).to_be_visible()
    expect(page).to_have_url(re.compile(r"q=honey"))
    page.reload()
    expect(page.get_by_text(re.compile(r"^1 of \d+ debates"))).to_be_visible()


def test_a_row_leads_to_the_debate(open_context, address):
    page = visit(open_context().pages[0], address, "browse?q=honey")
    table = page.locator('[data-testid="stDataFrame"] canvas').first
    table.click(position={"x": 15, "y": 35 + 17}, force=True)  # the grid lies under its own scroll layer
    page.get_by_role("button", name="Read", exact=True).click()
    expect(page).to_have_url(re.compile(r"/debate\?d="))
    expect(page.locator(".board[data-drawn]")).to_be_visible()


def test_a_file_dropped_on_the_data_page_can_be_browsed_and_contested(open_context, address):
    page = visit(open_context().pages[0], address, "data")
    rows = (
        "debate_id,claim,label,agent,polarity,argument,base_score\n"
        "drop,Dropped files become debates.,true,A1,pro,The table says so.,0.8\n"
        "drop,Dropped files become debates.,true,A2,con,Tables may lie.,0.4\n"
    )
    page.locator('input[type="file"]').set_input_files(
        {"name": "dropped.csv", "mimeType": "text/csv", "buffer": rows.encode()}
    )
    page.get_by_role("button", name="Import 1 debate").click()
    expect(page.get_by_text("Imported: 1 debate is in the database now.")).to_be_visible()
    visit(page, address, "contest?d=drop")
    expect(tile(page, "DF-QuAD")).to_contain_text("✓ True 0.70")


def test_a_table_is_downloaded_as_it_is_shown(open_context, address):
    page = visit(open_context(accept_downloads=True).pages[0], address, "contest?d=family-outing")
    page.get_by_role("button", name="Download table").first.click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="CSV", exact=True).click()
    text = waiting.value.path().read_text(encoding="utf-8-sig")
    assert text.splitlines()[0].startswith("Semantics,Original")
    assert "DF-QuAD,✓ True 0.52" in text
