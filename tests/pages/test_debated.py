"""Debates held by models, on the pages."""

from __future__ import annotations

import pytest

from core.debating.plan import PROTOCOLS
from storage.database import Database
from storage.debate_run_worker import DebateRunWorker
from tests.llm.debaters import Debaters, a_plan, some_claims

PATIENCE = 60.0  # seconds until a test that waits gives up


@pytest.fixture
def held(database_path):
    """Hold a debate in each protocol, and return their ids."""
    with Database.open(database_path) as database:
        worker = DebateRunWorker(database, client=Debaters)
        for protocol in PROTOCOLS:
            run = worker.create(a_plan(protocol, rounds=2), some_claims(1), name=protocol.value)
            worker.start(run.id)
            assert worker.wait(run.id, PATIENCE)
        with database.read() as cursor:
            return [name for (name,) in cursor.execute("SELECT id FROM debate ORDER BY number").fetchall()]


def test_debates_of_every_protocol_open_for_reading_and_contesting(held, open_page):
    assert len(held) == 3
    for debate in held:
        page = open_page("explore/debate", d=debate)
        assert not page.exception
        assert "Claim number 0 holds." in [shown.value for shown in page.text]
        contested = open_page("judge/contest", d=debate)
        assert not contested.exception
        assert any("After your edits" in frame.value.columns for frame in contested.dataframe)


def test_how_a_debate_was_held_is_told_without_every_call(held, open_page):
    page = open_page("explore/debate", d=held[1], tab="Provenance")
    shown = "\n".join(table.value.to_string() for table in page.table)
    assert "debated by models" in shown
    assert "28 entries" in shown
    assert "replies" not in shown
