"""A real browser and a real server for the tests in this folder."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.browser.serving import ROOT, served

MAC_CHROME = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

expect.set_options(timeout=30_000)  # a busy machine may be slow; what is awaited is a state and never a time

Serve = Callable[..., str]
OpenContext = Callable[..., BrowserContext]


def chromium() -> str | None:
    """Return the path of a Chromium on this machine, or None."""
    named = os.environ.get("MOOT_CHROMIUM")
    candidates = [named] if named else ["chromium", "chromium-browser", "google-chrome", MAC_CHROME]
    return next((found for name in candidates if (found := shutil.which(name))), None)


@pytest.fixture(scope="session")
def chromium_path() -> str:
    found = chromium()
    if found is None:
        reason = "No Chromium found: install chromium or google-chrome, or set MOOT_CHROMIUM to its path."
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@pytest.fixture(scope="module")
def chromium_browser(chromium_path: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def open_context(chromium_browser: Browser) -> Iterator[OpenContext]:
    """Return a function that opens a window which shares nothing with any other, with Playwright's context options."""
    opened: list[BrowserContext] = []

    def open_one(**options: object) -> BrowserContext:
        context = chromium_browser.new_context(
            **{"viewport": {"width": 1440, "height": 1000}, **options},  # type: ignore[arg-type]
        )
        context.set_default_timeout(30_000)
        context.new_page()
        opened.append(context)
        return context

    yield open_one
    for context in opened:
        context.close()


@pytest.fixture
def browser_page(open_context: OpenContext) -> Page:
    """Return an empty page, 1440 by 1000, in light colours."""
    return open_context(color_scheme="light").pages[0]


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serve]:
    """Return a function that starts Moot, or another Streamlit script, and gives back its address.

    Every server has a port and, unless one is given, a database of its own.
    """
    with ExitStack() as running:

        def start(script: Path = ROOT / "app.py", database: Path | None = None, **environment: str) -> str:
            place = database or tmp_path_factory.mktemp("server") / "moot.duckdb"
            return running.enter_context(served(place, script, **environment))

        yield start
