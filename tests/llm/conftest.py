from __future__ import annotations

import pytest

from storage.database import IN_MEMORY, Database
from tests.llm.judging import KEY
from tests.storage import processes

APP = """
import sys
from core.llm.prices import PriceTable
from storage.database import Database
from storage.debate_desk import DebateDesk, desk_answer
from storage.debate_run_worker import DebateRunWorker
from storage.inbox import Inbox
from storage.lock import Holder
from storage.run_desk import RunDesk
from storage.run_worker import RunWorker
database = Database.open(sys.argv[1], Holder.APP)
judges = RunWorker(database, PriceTable())
debates = DebateRunWorker(database, PriceTable()).judged_by(lambda: judges)
desk = desk_answer(RunDesk(database, lambda: judges).answer, DebateDesk(database, lambda: debates))
Inbox(database, desk).start()
print("open", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def database():
    with Database.open(IN_MEMORY) as opened:
        yield opened


@pytest.fixture
def app(tmp_path, monkeypatch):
    """The app's side, with a key in its own environment and the database open."""
    monkeypatch.setenv("MY_KEY", KEY)
    process = processes.start(APP, tmp_path / "moot.duckdb")
    assert processes.read_line(process) == "open\n"
    yield process
    processes.end(process)
