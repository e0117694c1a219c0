"""The interactive board: verdict strip, argument map and what-if bar, as a component that judges in the browser.

Two parts: a loader that brings vis-network and the board's scripts once, and the board, which is mounted once
and then only receives data. Debate text reaches the browser as data alone, never inside html, css or js.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyvis
import streamlit as st

from core.palette import DARK, LIGHT, css_variables

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "board"
VIS_NETWORK = Path(pyvis.__file__).parent / "lib" / "vis-9.1.2" / "vis-network.min.js"
SCRIPTS = (
    "semantics.js",
    "drawing.js",
    "strip.js",
    "whatif.js",
    "map.js",
    "board.js",
)  # joined into one module, in this order

Commit = tuple[str, float, int]


@dataclass(frozen=True)
class BoardEvents:
    """What a person did on the board since the last run; everything is reported once.

    Attributes:
        selected: The id of the argument that was clicked or chosen, ``TOPIC`` for the topic; None if none was.
        commit: (argument, base score, number) of a base score that was let go, ``TOPIC`` for the topic's; None if
            none was.
    """

    selected: str | None
    commit: Commit | None


def styles() -> str:
    """Return the board's style sheet: the palette's colours, then board.css."""
    colours = f'.board {{ {css_variables(LIGHT)} }}\n.board[data-theme="dark"] {{ {css_variables(DARK)} }}\n'
    return colours + (ASSETS / "board.css").read_text(encoding="utf-8")


def library() -> str:
    """Return everything that the browser needs once: vis-network, the board's JavaScript, its style sheet."""
    scripts = "\n".join((ASSETS / name).read_text(encoding="utf-8") for name in SCRIPTS)
    sheet = f"globalThis.mootStyles = new CSSStyleSheet();\nglobalThis.mootStyles.replaceSync({json.dumps(styles())});"
    vis_network = VIS_NETWORK.read_text(encoding="utf-8")
    return f"{vis_network}\n;{sheet}\n{scripts}\nexport default function () {{}}"


# Streamlit sends a component's own script and style with every change of its data; so all that is large comes by a
# component of its own, which never changes.
_loader = st.components.v2.component("moot_library", js=library())
_board = st.components.v2.component(
    "moot_board",
    html=(ASSETS / "board.html").read_text(encoding="utf-8"),
    js=(ASSETS / "mount.js").read_text(encoding="utf-8"),
)


def load_library() -> None:
    """Bring the board's scripts to the browser. Call it once on a page, outside any fragment."""
    _loader(key="moot_library", height=1)


def pending(key: str) -> BoardEvents:
    """Return what happened on the board since the last run, before it is drawn again.

    For a page or fragment that applies an edit before it computes the board's data, so that one run is enough.
    """
    state = st.session_state.get(key) or {}
    selected, commit = _fresh(key, "selected", state), _fresh(key, "commit", state)
    return BoardEvents(
        None if selected is None else str(selected["argument"]),
        None if commit is None else (str(commit["argument"]), float(commit["value"]), int(commit["seq"])),
    )


def show(data: dict[str, Any], *, key: str, read_only: bool = False) -> BoardEvents:
    """Draw the board and return what a person did on it, unless ``pending`` has reported it already.

    Args:
        data: From ``core.board.board_data``.
        key: Fixed as long as the same debate is shown; a new key starts with a fresh view.
        read_only: Leave out the what-if bar and the comparison with the original verdict.
    """
    # The number of the last move that this run knows of: the browser keeps a newer one until it is answered.
    answered = (st.session_state.get(key) or {}).get("commit") or {}
    _board(
        key=key,
        data={**data, "seq": answered.get("seq", 0), "read_only": read_only},
        on_selected_change=_nothing,
        on_commit_change=_nothing,
    )
    return pending(key)


def _nothing() -> None:
    """Be the callback without which Streamlit would not keep a component's value."""


def _fresh(key: str, name: str, state: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """Return a value that was not reported yet, and remember that it is reported now."""
    value: Mapping[str, Any] | None = state.get(name)
    seen = f"{key}.{name}.seen"
    if not value or value["seq"] == st.session_state.get(seen):
        return None
    st.session_state[seen] = value["seq"]
    return value
