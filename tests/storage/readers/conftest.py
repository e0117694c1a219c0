"""How hypothesis draws here, and a folder of small logs."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from storage.readers import read_file

settings.register_profile("readers", max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])

settings.load_profile("readers")

LOGS = Path(__file__).resolve().parents[2] / "fixtures" / "logs"


@pytest.fixture
def log():
    """Return a function that reads one of the small logs."""
    return lambda name: read_file(LOGS / name, name)
