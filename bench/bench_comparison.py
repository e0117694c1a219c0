"""How fast six judges are compared on 10,000 debates: ``python -m bench.bench_comparison`` prints ``name: value``."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

import numpy as np
import pandas as pd

from core.calibration_figures import calibration_curve
from core.comparison.agreement import outcomes, pair_table, panel_agreement
from core.comparison.bootstrap import paired_difference
from core.comparison.calibration import calibrate
from core.comparison.coverage import coverage_sentence
from core.comparison.mcnemar import who_is_right
from core.comparison.metrics import summaries, summary_table
from core.comparison.population import ComparedJudge, Population, common_population, judgement_grid
from core.comparison.repeats import VariedBy, variation
from core.comparison_figures import accuracy_dots, agreement_squares, judge_scatter
from core.disagreement_figures import who_is_right_bars
from core.palette import LIGHT

DEBATES = 10_000
JUDGES = 6
REPEATS = 3
TIMES = 5


def some_judgements(
    debates: int = DEBATES, judges: int = JUDGES, seed: int = 1
) -> tuple[pd.DataFrame, dict[str, bool | None]]:
    """Return invented judgements, REPEATS per debate of the first judge and one of the others, and labels.

    A hundredth of the judgements are errors, another hundredth abstain, and one debate in fifty has no label.
    """
    chance = np.random.default_rng(seed)
    names = np.array([f"debate-{number:06}" for number in range(debates)])
    truth = chance.random(debates) < 0.5
    frames = []
    for judge in range(judges):
        for repeat in range(REPEATS if judge == 0 else 1):
            score = np.clip(chance.normal(np.where(truth, 0.6, 0.4), 0.15), 0, 1).round(3)
            verdict = np.where(score >= 0.5, "true", "false").astype(object)
            status = np.full(debates, "ok", object)
            kind = chance.random(debates)
            verdict[kind < 0.02], status[kind < 0.02] = "uncertain", "abstained"
            verdict[kind < 0.01], status[kind < 0.01] = None, "unreadable"
            frame = {"judge": f"judge-{judge}", "debate": names, "score": score, "verdict": verdict, "status": status}
            frames.append(pd.DataFrame({**frame, "repeat": repeat, "order": None, "tokens": 100.0, "cost": 0.001}))
    known = chance.random(debates) < 0.98
    labels = {str(name): bool(value) if there else None for name, value, there in zip(names, truth, known, strict=True)}
    return pd.concat(frames, ignore_index=True), labels


def figures() -> dict[str, float]:
    """Return milliseconds for each step of a comparison of 6 judges on 10,000 debates."""
    judgements, labels = some_judgements()
    judges = [ComparedJudge(f"judge-{number}", f"Judge {number}", "semantics") for number in range(JUDGES)]
    population = common_population(judgement_grid(judgements, labels, judges))
    others = list(range(1, JUDGES))
    steps: dict[str, Callable[[], object]] = {
        "population": lambda: common_population(judgement_grid(judgements, labels, judges)),
        "coverage": lambda: coverage_sentence(population),
        "bootstrap": lambda: [paired_difference(population.right[other], population.right[0]) for other in others],
        "summary": lambda: summary_table(summaries(population)),
        "agreement": lambda: (pair_table(population), panel_agreement(population)),
        "outcomes": lambda: outcomes(population, 0, 1),
        "who_is_right": lambda: [who_is_right(population, 0, other) for other in others],
        "calibration": lambda: [calibrate(population, number) for number in range(JUDGES)],
        "repeats": lambda: variation(judgements, population, 0, VariedBy.REPEAT),
        "charts": _charts(population),
    }
    return {
        f"comparison_{name}_milliseconds": 1000 * statistics.median(_seconds(step) for _ in range(TIMES))
        for name, step in steps.items()
    }


def _charts(population: Population) -> Callable[[], object]:
    """Return what draws the page's charts from figures that are there already."""
    summary, pairs = summary_table(summaries(population)), pair_table(population)
    differing, calibration = [who_is_right(population, 0, 1)], calibrate(population, 0)
    names = [judge.name for judge in population.judges]
    return lambda: (
        accuracy_dots(summary, LIGHT),
        agreement_squares(pairs, names, LIGHT),
        judge_scatter(population, 0, 1, {}, LIGHT),
        who_is_right_bars(differing, LIGHT),
        calibration_curve(calibration, LIGHT),
    )


def _seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


if __name__ == "__main__":
    for name, value in figures().items():
        print(f"{name}: {value:.1f}")
