"""A real browser and a real server for the tests in this folder."""

import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, Playwright, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
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
PATIENCE = 60.0  # seconds until a server that does not answer counts as broken

expect.set_options(timeout=15_000)  # a busy machine may be slow; what is awaited is a state and never a time

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
def driver(chromium_path: str) -> Iterator[Playwright]:
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture
def open_context(driver: Playwright, chromium_path: str, tmp_path: Path) -> Iterator[OpenContext]:
    """Return a function that opens a browser with a profile of its own, with Playwright's context options."""
    opened: list[BrowserContext] = []

    def open_one(**options: object) -> BrowserContext:
        context = driver.chromium.launch_persistent_context(
            str(tmp_path / f"browser{len(opened)}"),
            executable_path=chromium_path,
            args=ARGUMENTS,
            **{"viewport": {"width": 1440, "height": 1000}, **options},  # type: ignore[arg-type]
        )
        context.set_default_timeout(30_000)
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
    running: list[subprocess.Popen[bytes]] = []

    def start(script: Path = ROOT / "app.py", database: Path | None = None, **environment: str) -> str:
        folder = tmp_path_factory.mktemp("server")
        port = free_port()
        log = (folder / "log.txt").open("wb")
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", str(script), f"--server.port={port}", "--server.headless=true"],
            cwd=ROOT,
            env={
                **os.environ,
                "PYTHONPATH": str(ROOT),
                "MOOT_DB": str(database or folder / "moot.duckdb"),
                **environment,
            },
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        log.close()
        running.append(process)
        address = f"http://127.0.0.1:{port}"
        if not wait_until_up(address, process):
            pytest.fail(f"The server did not start:\n{(folder / 'log.txt').read_text(errors='replace')[-2000:]}")
        return address

    yield start
    for process in running:
        process.terminate()
    for process in running:
        process.wait(timeout=PATIENCE)


def free_port() -> int:
    """Return a port that nobody uses at this moment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def wait_until_up(address: str, process: subprocess.Popen[bytes]) -> bool:
    """Wait until a server answers; return whether it does."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=5) as answer:
                if answer.status == 200:
                    return True
        except (urllib.error.URLError, OSError):
            time.sleep(0.05)
    return False
