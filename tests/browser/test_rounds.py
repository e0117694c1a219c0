"""A reader follows a debate over its rounds and contests an earlier one, with the keyboard alone and on a phone."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.journey import prepared_database, settled, visit
from tests.browser.test_journeys import tab_to
from tests.browser.test_whole_app import PLATFORM

pytestmark = pytest.mark.browser

ROUNDS = "debate?d=microwave-inside-out&tab=Rounds"


@pytest.fixture(scope="module")
def address(serve, tmp_path_factory):
    return serve(database=prepared_database(tmp_path_factory.mktemp("rounds") / "moot.duckdb"))


def test_a_reader_goes_from_the_trajectory_over_the_changes_to_a_contest_of_an_earlier_round(open_context, address):
    page = visit(open_context().pages[0], address, ROUNDS)
    chart = page.locator(".js-plotly-plot").first
    expect(chart).to_be_visible()
    expect(chart.get_by_text("Stances of the agents")).to_be_visible()
    for name in ("Debater 1", "Debater 2", "Debater 3", "DF-QuAD"):
        expect(chart.get_by_text(name, exact=True)).to_be_visible()
    tab_to(page, "radio", "Stances and scores")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(page.get_by_role("heading", name="What changed from round to round")).to_be_visible()
    settled(page)
    removed = page.locator("del").filter(has_text="At the usual frequency")
    expect(removed).to_be_visible()
    expect(page.locator("strong").filter(has_text="Handbooks give")).to_be_visible()
    expect(page).to_have_url(re.compile("part=What"))
    page.reload()
    expect(removed).to_be_visible()  # the address keeps the part
    page.get_by_role("radio", name="Stances and scores").click()
    page.get_by_role("link", name="Contest round 1").click()
    expect(page.get_by_role("heading", name="Contest", exact=True)).to_be_visible()
    settled(page)
    expect(page.get_by_role("radio", name="1", exact=True)).to_be_checked()


@pytest.mark.parametrize("part", ["Stances and scores", "What changed", "Who moved", "What was held"])
def test_the_rounds_are_accessible_on_a_phone_in_the_dark(open_context, address, part):
    page = open_context(viewport={"width": 390, "height": 844}, color_scheme="dark").pages[0]
    visit(page, address, f"{ROUNDS}&part={part.replace(' ', '+')}")
    found = {violation["id"] for violation in Axe().run(page).response["violations"]}
    assert found <= PLATFORM
    wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
