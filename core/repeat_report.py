"""What asking a judge again changes, as charts with their captions."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from core.comparison.repeats import Variation, VariedBy, variation
from core.comparison_report import Comparison, DrawnChart
from core.repeat_figures import accuracy_by, repeat_strip


@dataclass(frozen=True, eq=False)
class Varied:
    """A judge's judgements under several repeats or orders, with the charts that there is something to draw for."""

    found: Variation
    charts: tuple[DrawnChart, ...]


def varied(of: Comparison, judge: int, rows: pd.DataFrame) -> tuple[Varied, ...]:
    """Return what varies of judge number ``judge``: repeats, orders of the agents, both or nothing.

    Args:
        of: The comparison.
        judge: The judge's place.
        rows: All its judgements, as for a judgement grid, with repeat and order.
    """
    found = [variation(rows, of.population, judge, by) for by in VariedBy]
    return tuple(_varied(of, judge, one) for one in found if len(one.values) > 1 and len(one.table))


def _varied(of: Comparison, judge: int, found: Variation) -> Varied:
    by, charts = found.by.value, []
    if not found.accuracy.empty:
        caption = of.caption(f"Accuracy by {by}", (judge,))
        charts.append(of.drawn(f"accuracy by {by} {judge + 1}", lambda palette: accuracy_by(found, palette), caption))
    if len(found.changed):
        caption = of.caption(f"Debates whose verdict changes by {by}", (judge,))
        charts.append(
            of.drawn(f"verdicts by {by} {judge + 1}", lambda palette: repeat_strip(found, of.claims, palette), caption)
        )
    return Varied(found, tuple(charts))


__all__ = ["Varied", "varied"]
