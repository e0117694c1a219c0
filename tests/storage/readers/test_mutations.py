"""Broken logs of every format are read or refused: no crash, nothing that violates the model."""

import pytest

from bench.fuzz_importers import run, seeds

INPUTS = 200  # for each log; ``python -m bench.fuzz_importers`` goes on for as long as wanted


@pytest.mark.parametrize("name", [name for name, _ in seeds()])
def test_mutated_logs_are_read_or_refused_and_keep_to_the_model(name):
    figures = run(INPUTS, seed=20261130, wanted=name, measured=False)
    assert figures["inputs"] == INPUTS
    assert figures.get("read_as_refused", 0) < INPUTS  # some of them must still be readable
