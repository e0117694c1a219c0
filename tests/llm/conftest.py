from __future__ import annotations

import pytest

from storage.database import IN_MEMORY, Database


@pytest.fixture
def database():
    with Database.open(IN_MEMORY) as opened:
        yield opened
