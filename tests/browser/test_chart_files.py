"""Charts as files, drawn and opened by a real browser."""

import pandas as pd
import plotly.graph_objects as go
import pytest
from playwright.sync_api import Request

from core.chart_export import chart_file
from core.errors import NoBrowser
from core.figures import Chart
from core.palette import LIGHT
from core.table_export import Caption
from storage.chart_images import browser_path, draw

pytestmark = pytest.mark.browser

CAPTION = Caption("Accuracy", "zoo", ("A",), 2, 3)
MARKS = {"svg": b"<svg", "png": b"\x89PNG\r\n\x1a\n", "pdf": b"%PDF-"}


def some_chart() -> Chart:
    bars = go.Bar(x=[1, 2], y=[3, 4], marker={"pattern": {"shape": "/"}})
    lines = go.Scatter(x=[1, 2], y=[3, 4], mode="markers+text", text=["✓", "✕"])
    return Chart(go.Figure([bars, lines]), "Two bars.", pd.DataFrame({"value": [3, 4]}))


@pytest.fixture
def drawing(chromium_path, monkeypatch):
    monkeypatch.setenv("BROWSER_PATH", chromium_path)
    assert browser_path() == chromium_path
    return draw


def test_a_stand_alone_page_draws_its_chart_and_asks_for_nothing(open_context, tmp_path):
    path = tmp_path / "chart.html"
    path.write_bytes(chart_file(some_chart(), "html", CAPTION, LIGHT))
    page = open_context().new_page()
    asked: list[Request] = []
    problems: list[str] = []
    page.on("request", lambda request: asked.append(request))
    page.on("console", lambda message: problems.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.goto(path.as_uri())
    page.wait_for_selector("#chart .main-svg")
    page.locator("summary").click()
    assert page.locator("td").all_inner_texts() == ["3", "4"]
    assert [request.url for request in asked if not request.url.startswith(("file:", "data:", "blob:"))] == []
    assert problems == []


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_an_image_is_drawn_and_drawn_the_same_again(drawing, kind):
    first, second = (chart_file(some_chart(), kind, CAPTION, LIGHT, drawing) for _ in range(2))
    assert first.startswith(MARKS[kind])
    assert first == second


def test_a_pdf_is_drawn(drawing):
    assert chart_file(some_chart(), "pdf", CAPTION, LIGHT, drawing).startswith(MARKS["pdf"])


def test_a_browser_that_does_not_start_is_said(drawing, monkeypatch):
    monkeypatch.setenv("BROWSER_PATH", "/bin/false")
    with pytest.raises(NoBrowser, match="BrowserFailedError"):
        chart_file(some_chart(), "png", CAPTION, LIGHT, drawing)


def test_a_browser_that_is_not_there_is_said(monkeypatch):
    monkeypatch.setenv("BROWSER_PATH", "/nowhere/chromium")
    assert browser_path() is None
    with pytest.raises(NoBrowser, match="Install one"):
        chart_file(some_chart(), "png", CAPTION, LIGHT, draw)
