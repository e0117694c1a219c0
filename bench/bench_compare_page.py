"""How quickly six judges are compared on 10,000 debates: ``python -m bench.bench_compare_page`` prints ``name: value``.

Seconds, in a real Chromium against the real app, which share this machine. ``open`` is from the click on the page's
link until Streamlit has finished and the last chart is there, on a server that has never judged these debates;
``reopen`` is the same once it has; ``filter`` is from the last key of a word until every number follows. Once for six
semantics, which judge at once, and once for three of them and three judges of a language model, whose judgements are
stored.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright

from bench.bench_storage import some_debates
from core.judgement import DecisionRule, Judgement
from core.judges.framing import StanceVariant
from core.judges.llm_judge import LlmJudge
from core.judges.semantics_judge import SemanticsJudge
from core.llm.endpoint import Endpoint
from core.semantics import SEMANTICS
from storage.database import Database
from storage.dataset import Dataset
from storage.debate_repository import DebateRepository
from storage.judgement_repository import JudgementRepository
from storage.judgement_rows import KeptJudgement
from storage.prompt_files import load_prompts
from tests.browser.conftest import ARGUMENTS, chromium
from tests.browser.serving import served

DEBATES = 10_000
REPEATS = 5
CHARTS = 3
READ_SECONDS = 8.0  # that a person looks at the first page, while the server loads what it will need
PATIENCE = 60.0  # seconds until what has not finished counts as broken
CHUNK = 500  # judgements in one statement
WORDS = ("tides", "honey", "moon", "copper", "river")  # each in nearly every debate
SEMANTIC: list[SemanticsJudge | LlmJudge] = [SemanticsJudge(key) for key in list(SEMANTICS)[:6]]
MODELS: list[SemanticsJudge | LlmJudge] = [
    LlmJudge(Endpoint("bench", "http://127.0.0.1:9/v1"), "bench-model", load_prompts(), stance=stance)
    for stance in StanceVariant
]


def prepared(path: Path, pinned: Sequence[SemanticsJudge | LlmJudge]) -> None:
    """Make a database of invented debates, and of judgements by chance: it is only speed that is looked at."""
    chance = random.Random(1)
    with Database.open(path) as database:
        repository = DebateRepository(database)
        repository.add(Dataset("bench", "Bench", "bench.jsonl", "0" * 64, 1, "moot-debate/1"), some_debates(DEBATES))
        ids, dataset = repository.ids(), repository.datasets()[0].id
        judgements = JudgementRepository(database)
        for judge in pinned:
            name = judgements.define(judge, pinned=True)  # so that the page begins with these
            if isinstance(judge, LlmJudge):
                kept = [KeptJudgement(name, dataset, debate, _said(judge, round(chance.random(), 2))) for debate in ids]
                for first in range(0, len(kept), CHUNK):
                    judgements.keep(kept[first : first + CHUNK])


def _said(judge: LlmJudge, score: float) -> Judgement:
    return Judgement(judge.name, score, DecisionRule().verdict(score), explanation=f"Score {score:.2f}, printed.")


def figures() -> dict[str, float]:
    """Return the seconds."""
    browser = chromium()
    if browser is None:
        return {}
    found: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        for kind, judges in (("semantics", SEMANTIC), ("mixed", [*SEMANTIC[:3], *MODELS])):
            path = Path(place) / f"{kind}.duckdb"
            prepared(path, judges)
            with served(path) as address:
                running = playwright.chromium.launch(executable_path=browser, args=ARGUMENTS)
                page = running.new_page()
                page.goto(f"{address}/settings")
                _finished(page)
                time.sleep(READ_SECONDS)
                found[f"compare_{kind}_open_seconds"] = _opened(page)
                again = []
                for _ in range(REPEATS):
                    page.get_by_role("link", name="Settings", exact=True).click()
                    expect(page.locator("h1").first).to_have_text("Settings")
                    _finished(page)
                    again.append(_opened(page))
                found[f"compare_{kind}_reopen_seconds"] = statistics.median(again)
                page.get_by_text("Which debates").click()
                found[f"compare_{kind}_filter_seconds"] = statistics.median(_filtered(page, word) for word in WORDS)
                running.close()
    return found


# Resolves with the seconds from an action until Streamlit has run, all charts are there and a frame is painted.
TIMED = """({action, charts, word, patience}) => new Promise((resolve, reject) => {
  const app = document.querySelector('[data-testid="stApp"]');
  let ran = false;  // a quick run may begin and end between two looks
  const runs = new MutationObserver(() => { ran = true; });
  runs.observe(app, {attributes: true, attributeFilter: ["data-test-script-state"]});
  const begun = performance.now();
  const look = () => {
    const state = app.getAttribute("data-test-script-state");
    const drawn = document.querySelectorAll('[data-testid="stPlotlyChart"] .main-svg').length >= charts;
    const said = !word || document.body.textContent.includes(`Filter: words '${word}'`);
    if (performance.now() - begun > 1000 * patience) {
      return reject(new Error(`Not finished: ran ${ran}, ${state}, charts ${drawn}, filtered ${said}.`));
    }
    if (!ran || state !== "notRunning" || !drawn || !said) return setTimeout(look, 5);
    runs.disconnect();
    requestAnimationFrame(() => setTimeout(() => resolve((performance.now() - begun) / 1000), 0));
  };
  action === "open"
    ? [...document.querySelectorAll("a")].find((link) => link.innerText === "Compare judges").click()
    : document.activeElement.dispatchEvent(new KeyboardEvent("keydown", {key: "Enter", bubbles: true}));
  look();
})"""


def _opened(page: Page) -> float:
    seconds: float = page.evaluate(TIMED, {"action": "open", "charts": CHARTS, "word": "", "patience": PATIENCE})
    return seconds


def _filtered(page: Page, word: str) -> float:
    page.get_by_role("textbox", name="Search", exact=True).fill(word)
    seconds: float = page.evaluate(TIMED, {"action": "filter", "charts": CHARTS, "word": word, "patience": PATIENCE})
    return seconds


def _finished(page: Page) -> None:
    expect(page.locator('[data-testid="stApp"]')).to_have_attribute(
        "data-test-script-state", "notRunning", timeout=60_000
    )


if __name__ == "__main__":
    for figure, value in figures().items():
        print(f"{figure}: {value:.3f}")
