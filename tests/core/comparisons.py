"""Small comparisons for tests: verdicts written as letters, one letter per debate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

import pandas as pd

from core.comparison.population import Abstention, ComparedJudge, Population, common_population, judgement_grid

VERDICT = {"T": "true", "F": "false", "?": "uncertain"}
Value = TypeVar("Value")
STATUS = {"?": "abstained", "u": "unreadable", "e": "error", "r": "refused", "n": "not converged"}


def known(value: Value | None) -> Value:
    """Return a value that must be there."""
    assert value is not None
    return value


def judge(name: str, family: str = "semantics") -> ComparedJudge:
    return ComparedJudge(f"id-{name}", name, family)


def rows(letters: str, name: str, **columns: Any) -> pd.DataFrame:
    """Return one judge's judgements of d0, d1, ...: T, F, ?, an error (u, e, r, n) or . for none."""
    given = [(place, letter) for place, letter in enumerate(letters) if letter != "."]
    scores = {"T": 0.75, "F": 0.25, "?": 0.5}
    frame = pd.DataFrame(
        {
            "judge": f"id-{name}",
            "debate": [f"d{place}" for place, _ in given],
            "score": [scores.get(letter) for _, letter in given],
            "verdict": [VERDICT.get(letter) for _, letter in given],
            "status": [STATUS.get(letter, "ok") for _, letter in given],
        }
    )
    return frame.assign(**columns)


def labels(letters: str) -> dict[str, bool | None]:
    return {f"d{place}": {"T": True, "F": False}.get(letter) for place, letter in enumerate(letters)}


def population(
    gold: str, judged: Mapping[str, str], *, labelled: bool = True, abstention: Abstention = Abstention.NOT_RIGHT
) -> Population:
    frame = pd.concat([rows(letters, name) for name, letters in judged.items()], ignore_index=True)
    grid = judgement_grid(frame, labels(gold), [judge(name) for name in judged])
    return common_population(grid, labelled=labelled, abstention=abstention)


def with_scores(gold: str, scores: Mapping[str, Sequence[float | None]]) -> Population:
    frames = []
    for name, values in scores.items():
        frame = rows("".join("T" if value is None or value >= 0.5 else "F" for value in values), name)
        frames.append(frame.assign(score=pd.Series(values, dtype="float64")))
    return common_population(judgement_grid(pd.concat(frames), labels(gold), [judge(name) for name in scores]))
