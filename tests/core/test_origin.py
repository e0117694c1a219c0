from __future__ import annotations

from dataclasses import replace

import pytest

from core.origin import origin_words
from tests.storage.debates import a_debate

DEMONSTRATION = "small local model, demonstration"


@pytest.mark.parametrize(
    ("provenance", "words"),
    [
        ({}, ()),
        ({"kind": "a field study"}, ()),
        ({"kind": "hand-written sample"}, ("hand-written sample",)),
        ({"kind": "debated by models"}, ("debated by models",)),
        ({"kind": "debated by models", "models": "not a list"}, ("debated by models",)),
        ({"kind": "debated by models", "models": ["a", "b"]}, ("debated by a, b",)),
        (
            {"kind": "debated by models", "models": ["a"], "remark": DEMONSTRATION},
            ("debated by a", DEMONSTRATION),
        ),
        ({"kind": "debated by models", "models": ["a"], "remark": "the best model there is"}, ("debated by a",)),
    ],
)
def test_a_debate_says_where_it_comes_from(provenance, words):
    assert origin_words(replace(a_debate(), provenance=provenance)) == words


def test_many_models_are_cut_short():
    many = [f"model-{number}" for number in range(40)]
    (words,) = origin_words(replace(a_debate(), provenance={"kind": "debated by models", "models": many}))
    assert words.startswith("debated by model-0, model-1")
    assert len(words) <= len("debated by ") + 60
