"""Take the pictures of docs/screenshots: every page, wide and narrow, light and dark (``make screenshots``)."""

import sys
import tempfile
from pathlib import Path
from typing import Literal

from PIL import Image
from playwright.sync_api import Page, expect, sync_playwright

from tests.browser.conftest import ARGUMENTS, chromium
from tests.browser.journey import PAGES, choose_in_map, prepared_database, settled, tile, visit
from tests.browser.serving import served

WIDTHS = {1440: 1000, 390: 844}
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")


def main(folder: Path) -> None:
    """Write the pictures into a folder."""
    path = chromium()
    if path is None:
        sys.exit("No Chromium found: install chromium or google-chrome, or set MOOT_CHROMIUM to its path.")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        database = prepared_database(Path(place) / "moot.duckdb")
        with served(database) as address:
            browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
            for width, height in WIDTHS.items():
                for scheme in SCHEMES:
                    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
                    page = context.new_page()
                    for name, link in PAGES.items():
                        visit(page, address, link)
                        if name == "contest":
                            _contest(page)
                        _picture(page, folder / f"{name}-{width}-{scheme}.png", width, height)
                    context.close()
            browser.close()


def _contest(page: Page) -> None:
    """Make the picture of the contest page show a flip."""
    choose_in_map(page, "A3-con1")
    slider = page.locator(".board [type=range]")
    expect(slider).to_be_visible()
    slider.evaluate(
        """(range) => {
            range.value = 0.9;
            range.dispatchEvent(new Event('input', {bubbles: true}));
            range.dispatchEvent(new Event('change', {bubbles: true}));
        }"""
    )
    expect(tile(page, "DF-QuAD").get_by_text("flipped")).to_be_visible()
    settled(page)


def _picture(page: Page, file: Path, width: int, height: int) -> None:
    """Write the whole page, as tall as it is, in few colours so that the files stay small."""
    page.set_viewport_size({"width": width, "height": height})
    content = page.locator('[data-testid="stMain"]').evaluate("(main) => main.scrollHeight")
    page.set_viewport_size({"width": width, "height": max(height, min(int(content), 4000))})
    settled(page)
    page.wait_for_timeout(700)  # the map fits itself to the new size
    page.screenshot(path=file)
    Image.open(file).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(file, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
