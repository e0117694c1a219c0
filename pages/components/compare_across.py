"""The figures of a comparison from top to bottom: judge by judge, pair by pair, case by case."""

from __future__ import annotations

from core.comparison_report import Comparison
from pages.components import compare_cases, compare_pair, compare_summary


def show(of: Comparison) -> None:
    """Draw everything that is said across debates."""
    compare_summary.remarks(of)
    compare_summary.table(of)
    if of.population.labelled:
        compare_summary.accuracy(of)
    if len(of.names) > 1:
        compare_pair.agreement(of)
        a, b = compare_pair.pair(of)
        compare_pair.tiles(of, a, b)
        compare_pair.differences(of, a, b)
        compare_cases.show(of, compare_cases.chosen(of, a, b))
