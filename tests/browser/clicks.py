"""Counting what a person does: every press of a mouse button, and nothing that a program only pretends."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page

# A drag is one press. The count outlives a page that is loaded anew.
_COUNTING = """
addEventListener('pointerdown', event => {
    if (event.isTrusted) sessionStorage.setItem('clicks', clicks() + 1);
}, { capture: true });
const clicks = () => Number(sessionStorage.getItem('clicks') ?? 0);
"""


def counted(context: BrowserContext) -> Page:
    """Return a page that counts the clicks in it."""
    context.add_init_script(_COUNTING)
    return context.pages[0]


def clicks(page: Page) -> int:
    """Return how many times a mouse button was pressed so far."""
    return int(page.evaluate("Number(sessionStorage.getItem('clicks') ?? 0)"))
