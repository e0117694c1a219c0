"""The interactive board: verdict strip, argument map and what-if bar, as a component that judges in the browser.

Two parts: a loader that brings the vis-network file of the installed pyvis once, and the board, which is mounted once
and then only receives data. Debate text reaches the browser as data alone, never inside html, css or js.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyvis
import streamlit as st

from core.palette import DARK, LIGHT, css_variables

ASSETS = Path(__file__).resolve().parents[2] / "assets" / "board"
VIS_NETWORK = Path(pyvis.__file__).parent / "lib" / "vis-9.1.2" / "vis-network.min.js"
SCRIPTS = ("semantics.js", "drawing.js", "board.js")  # joined into one module, in this order

Commit = tuple[str, float, int]


@dataclass(frozen=True)
class BoardEvents:
    """What a person did on the board.

    Attributes:
        selected: The id of the argument clicked or chosen last, ``TOPIC`` for the topic; None before the first.
        commit: (argument, base score, number) of a base score that was let go since the last run, ``TOPIC`` for the
            topic's; None otherwise. Every commit is reported once.
    """

    selected: str | None
    commit: Commit | None


def styles() -> str:
    """Return the board's style sheet: the palette's colours, then board.css."""
    colours = f'.board {{ {css_variables(LIGHT)} }}\n.board[data-theme="dark"] {{ {css_variables(DARK)} }}\n'
    return colours + (ASSETS / "board.css").read_text(encoding="utf-8")


def script() -> str:
    """Return the board's JavaScript as one module."""
    return "\n".join((ASSETS / name).read_text(encoding="utf-8") for name in SCRIPTS)


_loader = st.components.v2.component(
    "moot_vis_network", js=VIS_NETWORK.read_text(encoding="utf-8") + "\n;export default function () {}"
)
_board = st.components.v2.component(
    "moot_board", html=(ASSETS / "board.html").read_text(encoding="utf-8"), css=styles(), js=script()
)


def load_library() -> None:
    """Bring the drawing library to the browser. Call it once on a page, outside any fragment."""
    _loader(key="moot_vis_network", height=1)


def pending(key: str) -> BoardEvents:
    """Return what happened on the board since the last run, before it is drawn again.

    Use it in a page or fragment that must apply an edit before it computes the board's data. Every commit is
    reported once, here or by ``show``.
    """
    state: Any = st.session_state.get(key) or {}
    return BoardEvents(state.get("selected"), _fresh_commit(key, state.get("commit")))


def show(
    data: dict[str, Any],
    *,
    key: str,
    read_only: bool = False,
    on_commit: Callable[[str, float], None] | None = None,
    on_select: Callable[[str | None], None] | None = None,
) -> BoardEvents:
    """Draw the board and return what a person did on it.

    Args:
        data: From ``core.board.board_data``.
        key: Fixed as long as the same debate is shown; a new key starts with a fresh view.
        read_only: Leave out the what-if bar and the comparison with the original verdict.
        on_commit: Called with (argument, base score) before the page or fragment runs again, so that one run is
            enough to apply an edit and to draw its result.
        on_select: Called with the chosen argument's id before the page or fragment runs again.
    """

    def committed() -> None:
        commit = _fresh_commit(key, (st.session_state.get(key) or {}).get("commit"))
        if commit is not None and on_commit is not None:
            on_commit(commit[0], commit[1])

    def chosen() -> None:
        if on_select is not None:
            on_select((st.session_state.get(key) or {}).get("selected"))

    state: Any = st.session_state.get(key) or {}
    before = state.get("commit") or {}
    result: Any = _board(
        key=key,
        data={**data, "seq": before.get("seq", 0), "read_only": read_only},
        on_selected_change=chosen,
        on_commit_change=committed,
    )
    return BoardEvents(result.selected, _fresh_commit(key, result.commit))


def _fresh_commit(key: str, commit: Any) -> Commit | None:
    """Return a commit that was not reported yet, and remember that it is reported now."""
    seen_key = f"{key}.commit_seen"
    if not commit or commit["seq"] == st.session_state.get(seen_key):
        return None
    st.session_state[seen_key] = commit["seq"]
    return str(commit["argument"]), float(commit["value"]), int(commit["seq"])
