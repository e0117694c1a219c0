"""How quickly the board follows a hand, in a real Chromium: ``python -m bench.bench_board`` prints ``name: value``.

``drag`` is the time from a slider's input event until the frame with the new verdicts and the redrawn map is on the
screen, judged in the browser under every semantics; it waits for the screen's next frame, up to 17 ms at 60 Hz.
``release`` is the time from letting go until Python's judgements have replaced the browser's and are on the screen.
Each is the median of 20; Python's part of a release holds the judging, the layout and the data. Browser and server
share this machine.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.browser.conftest import ARGUMENTS, chromium
from tests.browser.serving import served

SIZES = (7, 50, 200)
REPEATS = 20

SCRIPT = """
import random
import streamlit as st
from core.board import LiveTile, board_data
from core.contestation import Edit, EditKind, contest
from core.judges import SemanticsJudge
from core.opinion import TOPIC, Argument, OpinionProfile, Relation, RelationKind, Stance
from core.semantics import SEMANTICS
from pages.components import board

st.set_page_config(layout="wide")
count = int(st.query_params["n"])
chance = random.Random(count)
words = "one two three measured because winter river copper never light record honey moon tides".split()
arguments, relations = [], []
for number in range(1, count + 1):
    text = " ".join(chance.choices(words, k=18))
    arguments.append(Argument(f"a{number}", text, f"m{number % 3}", round(chance.uniform(0.1, 0.9), 2)))
    target = TOPIC if number <= 6 or chance.random() < 0.3 else f"a{chance.randrange(1, number)}"
    kind = RelationKind.SUPPORT if number % 2 else RelationKind.ATTACK
    relations.append(Relation(f"a{number}", target, kind))
stances = tuple(Stance(f"m{number}", 0.5) for number in range(3))
original = OpinionProfile("A claim to measure with.", stances, tuple(arguments), tuple(relations))
judges = [SemanticsJudge(key) for key in SEMANTICS]
board.load_library()

@st.fragment
def desk():
    edits = st.session_state.setdefault("edits", [])
    events = board.pending("board")
    if events.commit:
        edits[:] = [Edit(EditKind.SET_BASE_SCORE, events.commit[0], after=events.commit[1])]
    contested = contest(original, edits)
    live = [LiveTile(judge, judge.judge(original), judge.judge(contested.profile)) for judge in judges]
    board.show(board_data(contested, original, live, selected="a1"), key="board")

desk()
"""

# Resolves when the frame in which the board was next drawn has been painted.
TIMED = """(root, {event, value, answered}) => new Promise((resolve) => {
  const board = root.moot;
  const range = root.querySelector("[type=range]");
  if (value !== null) range.value = value;
  const drawn = board.map.drawn;
  const start = performance.now();
  range.dispatchEvent(new Event(event, {bubbles: true}));
  const look = () => {
    if (board.map.drawn === drawn || (answered && board.moves.size)) return requestAnimationFrame(look);
    const painted = new MessageChannel();
    painted.port1.onmessage = () => resolve(performance.now() - start);
    painted.port2.postMessage(0);
  };
  requestAnimationFrame(look);
})"""


def figures() -> dict[str, float]:
    """Return medians in milliseconds; nothing where no Chromium is found."""
    path = chromium()
    if path is None:
        return {}
    result: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "board.py"
        script.write_text(SCRIPT, encoding="utf-8")
        with served(Path(folder) / "moot.duckdb", script) as address, sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=path, args=ARGUMENTS)
            for size in SIZES:
                page = browser.new_page(viewport={"width": 1440, "height": 1000})
                drags, releases = _measure(page, f"{address}/?n={size}")
                result[f"board_drag_{size}_milliseconds"] = statistics.median(drags)
                result[f"board_drag_{size}_worst_milliseconds"] = max(drags)
                result[f"board_release_{size}_milliseconds"] = statistics.median(releases)
                result[f"board_release_{size}_worst_milliseconds"] = max(releases)
                page.close()
            browser.close()
    return result


def _measure(page: Page, address: str) -> tuple[list[float], list[float]]:
    page.goto(address)
    board = page.locator(".board[data-drawn]")
    board.wait_for()
    drags, releases = [], []
    for number in range(REPEATS + 2):
        value = 0.1 + 0.8 * (number % 7) / 7 + number / 1000
        drag = board.evaluate(TIMED, {"event": "input", "value": value, "answered": False})
        release = board.evaluate(TIMED, {"event": "change", "value": None, "answered": True})
        if number >= 2:  # the first ones warm up both sides
            drags.append(float(drag))
            releases.append(float(release))
    return drags, releases


if __name__ == "__main__":
    measured = figures()
    for name, value in measured.items():
        print(f"{name}: {value:.1f}")
    if not measured:
        print("board: not measured, no Chromium found; set MOOT_CHROMIUM to its path", file=sys.stderr)
