"""How quickly the real Contest page follows a hand: ``python -m bench.bench_contest`` prints ``name: value``.

The same clock as ``bench_board``, on the page that people use: with the editor, every semantics side by side and the
change log, all of which Python draws anew on every release. ``drag`` ends when the frame judged in the browser is
painted, ``release`` when Python's judgements have replaced it and are painted. Medians of 20.
"""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from bench.bench_board import TIMED
from tests.browser.conftest import ARGUMENTS, chromium
from tests.browser.journey import choose_in_map, large_debate, prepared_database, settled, visit
from tests.browser.serving import served

SIZES = (50, 200)
REPEATS = 20


def figures() -> dict[str, float]:
    """Return medians and worst times in milliseconds; nothing where no Chromium is found."""
    path = chromium()
    if path is None:
        return {}
    result: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        database = prepared_database(Path(place) / "moot.duckdb", *(large_debate(size) for size in SIZES))
        with served(database) as address:
            browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
            for size in SIZES:
                page = browser.new_page(viewport={"width": 1440, "height": 1000})
                visit(page, address, f"contest?d=large-{size}")
                for name, times in _measure(page).items():
                    result[f"contest_{name}_{size}_milliseconds"] = statistics.median(times)
                    result[f"contest_{name}_{size}_worst_milliseconds"] = max(times)
                page.close()
            browser.close()
    return result


def _measure(page: Page) -> dict[str, list[float]]:
    choose_in_map(page, "a1")
    board = page.locator(".board")
    expect(board.locator("[type=range]")).to_be_visible()
    settled(page)
    page.wait_for_timeout(500)
    times: dict[str, list[float]] = {"drag": [], "release": []}
    for number in range(REPEATS):
        value = 0.1 + 0.8 * ((number * 7) % REPEATS) / REPEATS
        times["drag"].append(board.evaluate(TIMED, {"event": "input", "value": value, "answered": False}))
        times["release"].append(board.evaluate(TIMED, {"event": "change", "value": None, "answered": True}))
        settled(page)
        page.wait_for_timeout(100)
    return times


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name}: {value:.4g}")
