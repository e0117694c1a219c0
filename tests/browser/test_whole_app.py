"""What must hold on every page: accessible in both themes, silent towards other hosts, safe with hostile texts."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.journey import HOSTILE, LONG, PAGES, hostile_debate, prepared_database, settled, visit

pytestmark = pytest.mark.browser

# Streamlit's data grid draws an empty header cell on some tables; nothing of ours can change that.
PLATFORM = {"empty-table-header"}


@pytest.fixture(scope="module")
def address(serve, tmp_path_factory):
    return serve(database=prepared_database(tmp_path_factory.mktemp("app") / "moot.duckdb", hostile_debate()))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing_of_ours(open_context, address, name, scheme):
    page = visit(open_context(color_scheme=scheme).pages[0], address, PAGES[name])
    ours = []
    for violation in Axe().run(page).response["violations"]:
        if violation["id"] not in PLATFORM:
            places = "\n  ".join(node["html"][:300] for node in violation["nodes"][:5])
            ours.append(f"{violation['id']}: {violation['help']}\n  {places}")
    assert ours == []


@pytest.mark.parametrize("tab", ["Map", "Rounds", "Judges", "Provenance"])
def test_axe_finds_nothing_of_ours_on_any_tab_of_a_debate(open_context, address, tab):
    page = open_context(color_scheme="dark").pages[0]
    page.goto(f"{address}/debate?d=microwave-inside-out&tab={tab}")
    expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
    settled(page)
    found = {violation["id"] for violation in Axe().run(page).response["violations"]}
    assert found <= PLATFORM


def test_no_page_asks_anything_of_another_host(open_context, address):
    context = open_context()
    asked: list[str] = []
    context.on("request", lambda request: asked.append(request.url))
    context.route(re.compile(r"^https?://(?!127\.0\.0\.1)"), lambda route: route.abort())
    for path in PAGES.values():
        visit(context.pages[0], address, path)
    outside = [url for url in asked if not re.match(r"^(https?|wss?)://127\.0\.0\.1|^(data|blob):", url)]
    assert outside == []
    assert len(asked) > len(PAGES)


@pytest.mark.parametrize("path", ["browse", "debate", "contest"])
def test_hostile_texts_are_text_on_every_page(open_context, address, path):
    page = open_context().pages[0]
    page.on("dialog", lambda dialog: pytest.fail(f"A debate's text opened a dialog: {dialog.message}"))
    visit(page, address, "browse?q=hacked" if path == "browse" else f"{path}?d=hostile")
    if path != "browse":
        expect(page.get_by_text(HOSTILE.split(" ")[0], exact=False).first).to_be_visible()
    assert page.evaluate("window.hacked") is None
    assert page.locator("[data-testid=stMain] img").count() == 0
    assert page.locator("[data-testid=stMain] a[href^=javascript]").count() == 0
    assert page.locator("[data-testid=stMain] a[href*='example.org']").count() == 0


def test_a_text_of_10_000_characters_is_shown_whole_where_it_is_chosen(open_context, address):
    page = visit(open_context().pages[0], address, "debate?d=hostile&tab=Rounds")
    expect(page.get_by_text("It ends here.", exact=False).first).to_be_visible()
    assert len(LONG) > 10_000
    width = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0  # nothing makes the page scroll sideways


@pytest.mark.parametrize("name", PAGES)
def test_a_phone_shows_every_page_without_scrolling_sideways(open_context, address, name):
    page = visit(open_context(viewport={"width": 390, "height": 844}).pages[0], address, PAGES[name])
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("path", ["contest?d=family-outing", "settings", "data", "browse"])
def test_a_deep_link_to_a_cold_server_goes_through_app_py(open_context, serve, tmp_path_factory, path):
    address = serve(database=prepared_database(tmp_path_factory.mktemp("cold") / "moot.duckdb"))
    page = open_context().pages[0]
    page.goto(f"{address}/{path}")
    expect(page.locator("h1").first).to_have_text(path.split("?")[0].capitalize())
    expect(page.get_by_test_id("stSidebarNav")).to_be_visible()  # app.py drew the navigation
    expect(page.get_by_text("Decision rule:")).to_be_visible()  # and the footer after the page
