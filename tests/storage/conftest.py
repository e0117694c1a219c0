from __future__ import annotations

import pytest

from storage.database import IN_MEMORY, Database
from storage.debate_repository import DebateRepository


@pytest.fixture
def path(tmp_path):
    return tmp_path / "moot.duckdb"


@pytest.fixture
def database():
    with Database.open(IN_MEMORY) as opened:
        yield opened


@pytest.fixture
def repository(database):
    return DebateRepository(database)
