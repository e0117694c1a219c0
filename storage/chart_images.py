"""Charts drawn as image files by a Chromium or Chrome of this machine, if there is one."""

from __future__ import annotations

import shutil
import threading

import kaleido
import plotly.graph_objects as go
from choreographer.browsers import Chromium
from choreographer.errors import BrowserClosedError, BrowserDepsError, BrowserFailedError, ChromeNotFoundError

from core.errors import NoBrowser

SECONDS = 60.0  # that drawing one image may take, the browser's start included
SCALE = 2  # pixels of a PNG for each of the chart's

_one_at_a_time = threading.Lock()  # a browser takes some 200 MB


def browser_path() -> str | None:
    """Return where the browser is that would draw, None if there is none; BROWSER_PATH comes first."""
    try:
        found = Chromium.find_browser(skip_local=False)
    except ChromeNotFoundError:
        return None
    return shutil.which(found) if found else None


def draw(figure: go.Figure, kind: str) -> bytes:
    """Return a figure as an image file.

    Args:
        figure: With width and height in its layout.
        kind: ``svg``, ``png`` or ``pdf``.

    Raises:
        NoBrowser: If there is no browser, or it does not start.
    """
    options = {
        "format": kind,
        "width": figure.layout.width,
        "height": figure.layout.height,
        "scale": SCALE if kind == "png" else 1,
    }
    try:
        with _one_at_a_time:
            # Without mathjax=False the page would fetch MathJax from an outside address.
            image = kaleido.calc_fig_sync(figure, opts=options, kopts={"mathjax": False, "timeout": SECONDS})
    except (ChromeNotFoundError, BrowserDepsError, BrowserFailedError, BrowserClosedError, TimeoutError) as error:
        raise NoBrowser(kind, type(error).__name__) from error
    return bytes(image)
