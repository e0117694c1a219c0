"""Results of property tests as charts and tables to take away, each with its caption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pandas as pd

from core.comparison_report import DrawnChart, NamedTable
from core.properties.result import PropertyResult
from core.properties.tables import result_table, trial_table, witness_table
from core.property_figures import change_bars, growth_lines, profile_pair, property_grid, robustness_lines, trial_strip
from core.table_export import Caption, Table

SIMULATED = "The debates are simulated: their numbers were drawn, and no agent took part."
_OF_LABELS = ("accuracy", "on_true", "on_false")


def caption(title: str, results: Sequence[PropertyResult], dataset: str, *, simulated: bool = False) -> Caption:
    """Return what a chart or table of results is of."""
    judges = tuple(dict.fromkeys(one.judge for one in results))
    total = max((one.debates for one in results), default=0)
    tested = max((one.tested for one in results), default=0)
    methods = dict.fromkeys(f"{one.checked.label}: {one.checked.method}" for one in results)
    warnings = dict.fromkeys(f"{one.judge}: {text}" for one in results for text in one.discrimination.warnings)
    notes = [SIMULATED] if simulated else []
    return Caption(title, dataset, judges, tested, total, "", "", (*notes, *methods, *warnings))


def grid_chart(
    results: Sequence[PropertyResult], names: Mapping[str, str], dataset: str, *, simulated: bool = False
) -> DrawnChart:
    """Return the grid of judges and properties."""
    told = caption("Properties of judges", results, dataset, simulated=simulated)
    return DrawnChart("property grid", lambda palette: property_grid(results, names, palette), told)


def changes_chart(result: PropertyResult, place: int, dataset: str, *, simulated: bool = False) -> DrawnChart:
    """Return how scores moved under one trial."""
    title = f"{result.checked.label}: changes of the score, {result.trials[place].trial.label}"
    told = caption(title, [result], dataset, simulated=simulated)
    return DrawnChart(f"{result.checked.key} changes", lambda palette: change_bars(result, place, palette), told)


def strip_chart(result: PropertyResult, dataset: str, *, labels: bool = True, simulated: bool = False) -> DrawnChart:
    """Return each order, repeat or other trial of one result."""
    told = caption(f"{result.checked.label}, trial by trial", [result], dataset, simulated=simulated)
    name = f"{result.checked.key} trials"
    return DrawnChart(name, lambda palette: trial_strip(result, palette, labels=labels), told)


def pair_chart(
    first: Sequence[PropertyResult],
    second: Sequence[PropertyResult],
    names: tuple[str, str],
    dataset: str,
    *,
    simulated: bool = False,
) -> DrawnChart:
    """Return two judges' profiles of properties side by side."""
    told = caption("Properties of two judges", [*first, *second], dataset, simulated=simulated)
    return DrawnChart("property profiles", lambda palette: profile_pair(first, second, names, palette), told)


def curve_chart(
    results: Sequence[PropertyResult],
    table: pd.DataFrame,
    what: str,
    names: Mapping[str, str],
    dataset: str,
    *,
    simulated: bool = False,
) -> DrawnChart:
    """Return how many verdicts turn as a change grows."""
    told = caption(f"Verdicts that turn under {what}", results, dataset, simulated=simulated)
    return DrawnChart(f"robustness curve {what}", lambda palette: robustness_lines(table, what, names, palette), told)


def growth_chart(
    table: pd.DataFrame, value: str, along: str, names: Mapping[str, str], title: str, judges: Sequence[str]
) -> DrawnChart:
    """Return how a share behaves in simulated debates as they grow."""
    count = int(table["debates"].max()) if len(table) else 0
    told = Caption(f"{title} by {along}", "Simulated debates", tuple(judges), count, count, "", "", (SIMULATED,))
    return DrawnChart(
        f"simulated {title} by {along}",
        lambda palette: growth_lines(table, value, along, names, palette, title),
        told,
    )


def results_table(
    results: Sequence[PropertyResult], dataset: str, *, labels: bool = True, simulated: bool = False
) -> NamedTable:
    """Return one row for each result."""
    told = caption("Results of property tests", results, dataset, simulated=simulated)
    return NamedTable("properties", told, lambda: Table(_unlabelled(result_table(results), labels), told))


def trials_table(result: PropertyResult, dataset: str, *, labels: bool = True, simulated: bool = False) -> NamedTable:
    """Return one row for each trial of a result."""
    told = caption(f"{result.checked.label}, trial by trial", [result], dataset, simulated=simulated)
    name = f"{result.checked.key} trials"
    return NamedTable(name, told, lambda: Table(_unlabelled(trial_table([result]), labels), told))


def witnesses_table(
    result: PropertyResult, claims: Mapping[str, str], dataset: str, *, simulated: bool = False
) -> NamedTable:
    """Return one row for each violation, the worst first."""
    told = caption(f"{result.checked.label}: violations", [result], dataset, simulated=simulated)
    name = f"{result.checked.key} violations"
    return NamedTable(name, told, lambda: Table(witness_table([result], claims), told))


def _unlabelled(frame: pd.DataFrame, labels: bool) -> pd.DataFrame:
    """Return a table without what rests on gold labels, where these may not be used."""
    return frame if labels else frame[[name for name in frame.columns if not str(name).startswith(_OF_LABELS)]]


__all__ = [
    "SIMULATED", "caption", "changes_chart", "curve_chart", "grid_chart", "growth_chart", "pair_chart",
    "results_table", "strip_chart", "trials_table", "witnesses_table",
]  # fmt: skip
