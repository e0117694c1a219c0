"""The examples in docs/properties.md are what the program reads, and none is missing."""

from __future__ import annotations

import json
import re
from pathlib import Path

from core.perturbations import PERTURBATIONS, JudgeEditKind, perturbation_of
from core.properties.registry import PROPERTIES, property_of

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "properties.md").read_text(encoding="utf-8")
EXAMPLES = [[json.loads(line) for line in block.splitlines()] for block in re.findall(r"```json\n(.*?)```", PAGE, re.S)]


def test_every_perturbation_of_the_page_is_one_and_none_is_missing():
    found = [perturbation_of(record) for record in EXAMPLES[0]]
    assert {type(one) for one in found} == set(PERTURBATIONS.values())


def test_every_property_of_the_page_is_one():
    assert len([property_of(record) for record in EXAMPLES[1]]) == 7
    assert all(f"| {key} |" in PAGE for key in PROPERTIES)


def test_every_change_of_a_judge_is_named():
    words = " ".join(PAGE.split())
    assert all(f"`{kind.value}`" in words or f'"{kind.value}"' in words for kind in JudgeEditKind)
