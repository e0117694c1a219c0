"""Reports opened by a real browser: nothing runs, nothing is asked for, everything fits, paper shows all of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, Request, expect

from core.report.html import PAGE, STYLE, to_html
from storage.report_files import TEMPLATES
from tests.core.report_documents import HOSTILE, a_document

pytestmark = pytest.mark.browser

EVERYTHING = " ".join(text for text in HOSTILE if len(text) < 1_000)


def written(folder: Path, text: str) -> str:
    templates = {name: (TEMPLATES / name).read_text("utf-8") for name in (PAGE, STYLE)}
    path = folder / "report.html"
    path.write_text(to_html(a_document(text), templates), "utf-8")
    return path.as_uri()


def opened(open_context, address: str, **options: object) -> tuple[Page, list[str], list[Request]]:
    """Return a report's page, with what went wrong and what it asked for."""
    page = open_context(**options).new_page()
    problems: list[str] = []
    asked: list[Request] = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("dialog", lambda dialog: problems.append(dialog.message))
    page.on("request", lambda request: asked.append(request))
    page.goto(address)
    return page, problems, asked


def test_a_report_of_hostile_texts_runs_nothing_and_asks_for_nothing(open_context, tmp_path):
    address = written(tmp_path, EVERYTHING)
    page, problems, asked = opened(open_context, address)
    expect(page.locator("h1")).to_contain_text("<script>alert(1)</script>")
    assert problems == []
    assert [request.url for request in asked] == [address]
    assert page.locator("script, iframe, img, form, object, embed, link, base").count() == 0


def test_its_policy_stops_a_script_even_where_one_gets_in(open_context, tmp_path):
    address = written(tmp_path, "words")
    path = tmp_path / "report.html"
    path.write_text(path.read_text("utf-8").replace("<main>", "<script>document.title='run'</script><main>"), "utf-8")
    page, problems, _ = opened(open_context, address)
    assert page.title() == "words"
    assert any("Content Security Policy" in problem for problem in problems)


@pytest.mark.parametrize("text", ["words", EVERYTHING, "x" * 10_000])
@pytest.mark.parametrize("width", [390, 1440])
def test_a_report_is_no_wider_than_its_window(open_context, tmp_path, text, width):
    page, _, _ = opened(open_context, written(tmp_path, text), viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_report_follows_the_readers_light_or_dark(open_context, tmp_path):
    address = written(tmp_path, "words")
    grounds = []
    for scheme in ("light", "dark"):
        page, _, _ = opened(open_context, address, color_scheme=scheme)
        grounds.append(
            page.evaluate(
                "[getComputedStyle(document.body).backgroundColor,"
                " getComputedStyle(document.querySelector('svg rect')).fill]"
            )
        )
    assert grounds == [["rgb(255, 255, 255)"] * 2, ["rgb(14, 17, 23)"] * 2]


def test_paper_is_light_and_shows_what_is_folded_on_screen(open_context, tmp_path):
    page, _, _ = opened(open_context, written(tmp_path, "words"), color_scheme="dark")
    folded = page.locator("details table").first
    expect(folded).not_to_be_visible()
    page.emulate_media(media="print")
    expect(folded).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


def test_a_report_has_no_serious_fault_of_accessibility(open_context, tmp_path):
    from axe_playwright_python.sync_playwright import Axe

    for scheme in ("light", "dark"):
        page, _, _ = opened(open_context, written(tmp_path, "words"), color_scheme=scheme, bypass_csp=True)
        found = Axe().run(page).response["violations"]
        assert [fault["id"] for fault in found if fault["impact"] in ("serious", "critical")] == []


def test_contents_lead_to_their_sections_by_keyboard(open_context, tmp_path):
    page, _, _ = opened(open_context, written(tmp_path, "words"))
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("location.hash") == "#item-2"
