"""A researcher compares a language model with semantics and takes charts and tables away, in a real browser."""

import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlencode

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from core.chart_export import chart_file
from core.comparison_report import accuracy_chart
from core.judgement import DecisionRule, Judgement
from core.palette import LIGHT
from storage.chart_images import draw
from storage.comparison_choice import picked_judges
from storage.comparison_source import material
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.judgement_repository import JudgementRepository
from storage.judgement_rows import KeptJudgement
from tests.browser.journey import prepared_database, settled, visit
from tests.browser.serving import ROOT
from tests.browser.test_whole_app import PLATFORM
from tests.pages.judged import NAMED

pytestmark = pytest.mark.browser


def with_a_model(path: Path) -> Path:
    """Return the sample's database, with repeated judgements of one more model."""
    prepared_database(path)
    with Database.open(path) as database:
        repository = JudgementRepository(database)
        judge = repository.define(NAMED)
        listed = DebateRepository(database).list()
        kept = []
        for place, (debate, dataset) in enumerate(zip(listed["id"], listed["dataset_id"], strict=True)):
            scores = (0.9, 0.4 if place % 7 == 0 else 0.8, 0.7)
            parts = tuple(
                Judgement(f"repeat {number}", score, DecisionRule().verdict(score), explanation=f"It is {score}.")
                for number, score in enumerate(scores, 1)
            )
            mean = sum(scores) / 3
            said = Judgement(
                judge, mean, DecisionRule().verdict(mean), explanation=f"Reasons of {debate}.", parts=parts
            )
            kept.append(KeptJudgement(judge, dataset, debate, said))
        repository.keep(kept)
    return path


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """Return two files with the same content: the app holds one, the command line reads the other."""
    path = with_a_model(tmp_path_factory.mktemp("compare") / "moot.duckdb")
    return path, Path(shutil.copy(path, path.with_name("copy.duckdb")))


@pytest.fixture(scope="module")
def address(serve, database):
    return serve(database=database[0])


def tile(page: Page, words: str):
    return page.get_by_role("button", name=re.compile(words))


def downloaded(page: Page, menu: str, file: str, place: int = 0) -> tuple[str, bytes]:
    """Open a menu and take a file: its name and its bytes."""
    page.get_by_role("button", name=menu).nth(place).click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name=file, exact=True).click()
    page.keyboard.press("Escape")
    settled(page)
    return waiting.value.suggested_filename, Path(waiting.value.path()).read_bytes()


def test_a_comparison_is_four_clicks_from_a_file(open_context, address):
    page = visit(open_context().pages[0], address)
    page.get_by_role("link", name="Compare judges", exact=True).click()  # 1
    expect(page.get_by_text(re.compile("^All numbers use the"))).to_be_visible()
    settled(page)
    expect(page.get_by_text("Small local model, demonstration").first).to_be_visible()  # "LLM vs semantics" already
    tile(page, "A ✓ True, B ✕ False").click()  # 2
    expect(page).to_have_url(re.compile("cases=outcome-true-false"))
    expect(tile(page, "A ✓ True, B ✕ False · shown")).to_be_visible()
    page.get_by_role("button", name="Download chart").first.click()  # 3
    with page.expect_download() as waiting:
        page.get_by_role("button", name="SVG", exact=True).last.click()  # 4
    assert waiting.value.suggested_filename.endswith(".svg")
    assert b"<svg" in Path(waiting.value.path()).read_bytes()[:300]


def test_a_case_opens_and_back_comes_to_the_same_cases(open_context, address):
    judges = urlencode({"j": [NAMED.name, "DF-QuAD, combined, mean prior"]}, doseq=True)
    page = visit(open_context().pages[0], address, f"compare?{judges}&cases=outcome-true-false")
    table = page.get_by_test_id("stDataFrame").nth(1)
    table.scroll_into_view_if_needed()
    box = table.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + 20, box["y"] + 35 * 1.5)  # the mark at the beginning of the first row
    page.get_by_role("button", name="Reasons side by side").click()
    expect(page.get_by_role("tab", name="One debate")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_text(re.compile("^Reasons of "))).to_be_visible()
    expect(page.get_by_role("img", name=re.compile(r"^Score 0\.\d+ on an axis from 0 to 1"))).to_have_count(2)
    page.get_by_test_id("stMain").get_by_role("link", name="Contest", exact=True).click()
    expect(page.locator("h1").first).to_have_text("Contest")
    page.go_back()
    expect(page.get_by_text(re.compile("^Reasons of "))).to_be_visible()
    expect(page).to_have_url(re.compile("cases=outcome-true-false.*tab=One"))
    expect(page.get_by_role("group", name="Selected values").first).to_contain_text("fake-model")


def test_files_of_the_page_and_of_the_command_line_are_the_same(open_context, address, database, tmp_path):
    page = visit(open_context().pages[0], address)
    visit(page, address, "compare")
    taken = dict(
        [
            downloaded(page, "Download chart", "CSV of its data"),
            downloaded(page, "Download chart", "HTML page"),
            downloaded(page, "Download table", "LaTeX (booktabs)"),
            downloaded(page, "Download table", "Markdown"),
        ]
    )
    command = [sys.executable, "cli.py", "--db", str(database[1]), "export", "compare", "-o", str(tmp_path)]
    formats = [part for kind in ("csv", "html", "latex", "markdown") for part in ("--format", kind)]
    subprocess.run([*command, *formats], cwd=ROOT, check=True, capture_output=True)
    assert len(taken) == 4
    for name, content in taken.items():
        assert (tmp_path / name).read_bytes() == content, name


def test_an_image_of_the_page_is_the_one_that_the_command_line_draws(
    open_context, address, database, chromium_path, monkeypatch
):
    monkeypatch.setenv("BROWSER_PATH", chromium_path)
    page = visit(open_context().pages[0], address, "compare")
    _, content = downloaded(page, "Download chart", "SVG")
    with Database.open(database[1]) as held:
        of = material(held, picked_judges(held, ()), None).comparison()
        piece = accuracy_chart(of)
        assert chart_file(piece.draw(LIGHT), "svg", piece.caption, LIGHT, draw) == content


def test_a_square_chooses_its_pair(open_context, address):
    page = visit(open_context().pages[0], address, "compare")
    squares = page.get_by_test_id("stPlotlyChart").nth(1)
    squares.scroll_into_view_if_needed()
    squares.locator(".scatterlayer .trace").nth(1).locator("path.point").last.click(force=True)
    expect(page).to_have_url(re.compile("cases=pair"))
    expect(page.get_by_role("combobox", name="Judge B")).to_have_value("Quadratic energy")
    expect(page.get_by_role("combobox", name="Judge A")).to_have_value("DF-QuAD")


def test_a_box_in_the_scores_shows_its_debates(open_context, address):
    page = visit(open_context().pages[0], address, "compare")
    page.get_by_role("radio", name="Scores").click()
    expect(page.get_by_text(re.compile(r"^Scores of .+ they come to different verdicts on"))).to_be_visible()
    settled(page)
    chart = page.get_by_test_id("stPlotlyChart").nth(2)
    chart.scroll_into_view_if_needed()
    chart.hover()
    chart.locator('[data-title="Box Select"]').click()
    area = chart.locator(".nsewdrag").first.bounding_box()
    assert area is not None
    page.mouse.move(area["x"] + 2, area["y"] + 2)
    page.mouse.down()
    page.mouse.move(area["x"] + area["width"] - 2, area["y"] + area["height"] - 2, steps=5)
    page.mouse.up()
    expect(page.get_by_text(re.compile("debates marked in the chart of scores"))).to_be_visible()


def test_a_link_brings_judges_pair_and_cases_and_says_what_is_not_here(open_context, address):
    pair = "a=Majority+of+stances&b=Mean+stance&pair_view=Scores"
    link = f"compare?j=Mean+stance&j=Nobody&j=Majority+of+stances&{pair}&cases=all"
    page = visit(open_context().pages[0], address, link)
    expect(page.get_by_text(re.compile("This link names judges that are not in this database: Nobody"))).to_be_visible()
    expect(page.get_by_text(re.compile(": all debates$"))).to_be_visible()
    expect(page.get_by_text("Majority of stances and Mean stance on")).to_be_visible()  # scores of A against B


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("tab", ["One debate", "Repeats and order", "By round", "Calibration"])
def test_axe_finds_nothing_of_ours_on_the_other_tabs(open_context, address, tab, scheme):
    page = visit(open_context(color_scheme=scheme).pages[0], address, f"compare?tab={tab}")
    expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
    settled(page)
    assert {violation["id"] for violation in Axe().run(page).response["violations"]} <= PLATFORM


def test_repeats_are_shown_as_signs_with_a_count(open_context, address):
    judges = urlencode({"j": [NAMED.name], "tab": "Repeats and order"}, doseq=True)
    page = visit(open_context().pages[0], address, f"compare?{judges}")
    expect(page.get_by_text("2 of 3 True").first).to_be_visible()
