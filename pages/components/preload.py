"""What the browser loads while it has nothing else to do, so that the first page with charts need not wait for it.

Streamlit's browser side loads the library behind charts, 5 MB of script, when the first chart comes; that is most of
the wait for the first comparison.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import streamlit as st

SCRIPTS = Path(st.__file__).resolve().parent / "static" / "static" / "js"
WANTED = ("PlotlyChart", "DataFrame")  # in the order of their use
DELAY_MS = 1500  # after the page is there


@cache
def scripts() -> tuple[str, ...]:
    """Return the files of Streamlit's that are wanted later; none where another release calls them something else."""
    found = [sorted(SCRIPTS.glob(f"{name}.*.js")) for name in WANTED]
    return tuple(paths[0].name for paths in found if len(paths) == 1)


def show() -> None:
    """Have the browser load them when it is idle; a module that is loaded is never loaded again."""
    names = json.dumps(scripts())
    st.html(
        f"<script>setTimeout(() => (globalThis.requestIdleCallback ?? setTimeout)(async () => {{"
        f"for (const name of {names}) "
        "await import(new URL(`static/js/${name}`, document.baseURI).href).catch(() => null);"
        f"}}), {DELAY_MS})</script>",
        unsafe_allow_javascript=True,
    )
