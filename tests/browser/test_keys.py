"""No page's source and no server's log holds a key, after a run that ended, one that failed, and a page that broke."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, WebSocket, expect

from core.runs.plan import RunState
from core.secret_text import KEY_MARK
from storage.database import Database
from storage.debate_repository import DebateRepository
from storage.run_repository import RunRepository
from storage.run_worker import RunWorker
from tests.browser.conftest import Serve
from tests.browser.journey import settled, visit
from tests.browser.serving import ROOT
from tests.llm.echoing_server import EchoingServer
from tests.llm.fault_server import Fault, Question
from tests.llm.judging import a_debate, a_judge, an_endpoint
from tests.llm.test_keys_nowhere import KEY, REASONED, assert_nowhere
from tests.storage.debates import a_dataset

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def asked() -> Iterator[EchoingServer]:
    with EchoingServer(reply=lambda question: REASONED) as opened:
        yield opened


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory, asked: EchoingServer) -> Path:
    """Return a database with a run that is done and one that its key stopped, both of which sent the key back."""
    path = tmp_path_factory.mktemp("keys") / "moot.duckdb"
    endpoint = an_endpoint(asked.base_url, retries=0)
    with Database.open(path) as opened, pytest.MonkeyPatch.context() as patch:
        patch.setenv("MOOT_TEST_KEY", KEY)
        DebateRepository(opened).add(a_dataset("few"), [a_debate(number) for number in range(3)])
        worker = RunWorker(opened)
        for fault, state in ((Fault.NONE, RunState.DONE), (Fault.KEY_REFUSED, RunState.STOPPED)):
            asked.fault = partial(_always, fault)
            judge = a_judge(endpoint, reasoning=True, seed=len(asked.keys) + 1)
            run = worker.create([judge], ["debate-0", "debate-1"])
            worker.start(run.id)
            assert worker.wait(run.id, 60)
            assert RunRepository(opened).get(run.id).state is state
        worker.stop()
    asked.fault = lambda question: Fault.NONE
    path.with_name("copy.duckdb").write_bytes(path.read_bytes())
    return path


@pytest.fixture(scope="module")
def address(serve: Serve, database: Path) -> str:
    return serve(database=database, MOOT_TEST_KEY=KEY)


def _always(fault: Fault, question: Question) -> Fault:
    return fault


class Watched:
    """A page, with all that it was sent beside what it shows."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sent: list[bytes | str] = []
        page.on("websocket", self._listen)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda sent: self.sent.append(sent))

    @property
    def source(self) -> str:
        """Return the page's source and everything that the server sent it."""
        sent = "".join(one if isinstance(one, str) else one.decode("utf-8", "replace") for one in self.sent)
        return self.page.content() + sent


BESIDE = "compare?" + urlencode({"tab": "One debate", "case": "debate-0"})
PAGES = (
    "data",
    "debate?d=debate-0&tab=Judges",
    "contest?d=debate-0",
    "compare",
    BESIDE,
    "audit",
    "settings",
)


@pytest.mark.parametrize("path", PAGES)
def test_no_page_source_after_runs_that_ended_holds_the_key(open_context, address, path):
    watched = Watched(open_context().pages[0])
    visit(watched.page, address, path)
    assert watched.sent
    assert_nowhere(watched.source, path)


def test_what_came_back_is_shown_with_a_mark_where_the_key_was(open_context, address):
    page = visit(open_context().pages[0], address, BESIDE)
    expect(page.get_by_text(f"Sent with {KEY_MARK}").first).to_be_visible()


def test_a_run_that_the_app_carries_out_shows_the_key_nowhere(open_context, address, asked):
    watched = Watched(open_context().pages[0])
    page = visit(watched.page, address, "data")
    asked.keys.clear()
    page.get_by_role("button", name="Resume").click()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("2 of 2 judged").nth(1)).to_be_visible(timeout=60_000)
    settled(page)
    assert asked.keys == {f"Bearer {KEY}"}
    assert_nowhere(watched.source)


def test_a_page_that_breaks_shows_and_logs_no_key(open_context, serve, database, tmp_path):
    # Loaded by Python itself before Moot.
    (tmp_path / "sitecustomize.py").write_text(
        "import os\n"
        "def broken(*_, **__):\n"
        "    key = os.environ['MOOT_TEST_KEY']\n"
        "    raise RuntimeError(f'This page broke with {len(key)}.')\n"
        "if 'streamlit' in ' '.join(__import__('sys').orig_argv):\n"
        "    import pages.components.run_list\n"
        "    pages.components.run_list.show = broken\n",
        "utf-8",
    )
    broken = serve(
        database=database.with_name("copy.duckdb"),
        MOOT_TEST_KEY=KEY,
        PYTHONPATH=f"{tmp_path}{os.pathsep}{ROOT}",
        PYTHONUNBUFFERED="1",  # so that the log is there at once
    )
    watched = Watched(open_context().pages[0])
    watched.page.goto(f"{broken}/data")
    expect(watched.page.locator('[data-testid="stException"]')).to_be_visible()
    assert_nowhere(watched.source)
    files = list(database.parent.glob("*.log"))
    said = f"This page broke with {len(KEY)}."
    for _ in range(150):  # the log is written after the page was told
        if any(said in told(file) for file in files):
            break
        watched.page.wait_for_timeout(100)
    logs = [told(file) for file in files]
    assert any(said in log for log in logs)  # with its traceback
    for log in logs:
        assert_nowhere(log)


def told(log: Path) -> str:
    """Return a server's log without what colours and frames it, and without ends of lines, so that nothing is cut."""
    plain = re.sub(r"\x1b\[[0-9;]*m", "", log.read_text("utf-8", "replace"))
    return plain + re.sub(r"[\s─━│┃╭╮╰╯]+", "", plain)
