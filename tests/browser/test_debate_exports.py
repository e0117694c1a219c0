"""Debates taken away in another tool's format, in a real browser."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from storage.readers import read_file
from tests.browser.journey import prepared_database, visit

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def address(serve, tmp_path_factory):
    return serve(database=prepared_database(tmp_path_factory.mktemp("exports") / "moot.duckdb"))


def test_a_debate_goes_out_as_argdown_by_the_keyboard_and_is_read_again(open_context, address):
    page = visit(open_context(accept_downloads=True).pages[0], address, "debate?d=family-outing")
    page.get_by_role("button", name="Other formats").first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("combobox", name="Format").last.fill("Argdown")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Left out:")).to_be_visible()
    found = Axe().run(page, options={"rules": {"color-contrast": {"enabled": True}}}).response["violations"]
    assert [each["id"] for each in found if each["impact"] in ("serious", "critical")] == []
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Download", exact=True).click()
    assert waiting.value.suggested_filename == "family-outing.argdown"
    file = read_file(Path(waiting.value.path()), "family-outing.argdown")
    assert (file.format, [debate.id for debate in file.debates]) == ("argdown", ["family-outing"])
