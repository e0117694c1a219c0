"""Results of property tests as charts and tables to take away, each with its caption."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from core.comparison_report import DrawnChart, NamedTable
from core.figures import Chart
from core.palette import Palette
from core.properties.result import PropertyResult
from core.properties.tables import result_table, trial_table, witness_table
from core.property_figures import change_bars, growth_lines, profile_pair, property_grid, robustness_lines, trial_strip
from core.property_remarks import SIMULATED, remarks, with_remarks
from core.property_strips import StripRow, debate_strip
from core.table_export import Caption, Table

_OF_LABELS = ("accuracy", "on_true", "on_false")


def caption(title: str, results: Sequence[PropertyResult], dataset: str, *, simulated: bool = False) -> Caption:
    """Return what a chart or table of results is of."""
    judges = tuple(dict.fromkeys(one.judge for one in results))
    total = max((one.debates for one in results), default=0)
    tested = max((one.tested for one in results), default=0)
    methods = dict.fromkeys(f"{one.checked.label}: {one.checked.method}" for one in results)
    warnings = dict.fromkeys(f"{one.judge}: {text}" for one in results for text in one.discrimination.warnings)
    said = remarks(results, simulated=simulated)
    return Caption(title, dataset, judges, tested, total, "", "", (*said, *methods, *warnings))


def _drawn(name: str, draw: Callable[[Palette], Chart], told: Caption, said: Sequence[str]) -> DrawnChart:
    """Return a chart that says in the picture itself what must be known of it."""
    return DrawnChart(name, lambda palette: with_remarks(draw(palette), said, palette), told)


def grid_chart(
    results: Sequence[PropertyResult], names: Mapping[str, str], dataset: str, *, simulated: bool = False
) -> DrawnChart:
    """Return the grid of judges and properties."""
    told = caption("Properties of judges", results, dataset, simulated=simulated)
    said = remarks(results, names, simulated=simulated)
    return _drawn("property grid", lambda palette: property_grid(results, names, palette), told, said)


def changes_chart(result: PropertyResult, place: int, dataset: str, *, simulated: bool = False) -> DrawnChart:
    """Return how scores moved under one trial."""
    title = f"{result.checked.label}: changes of the score, {result.trials[place].trial.label}"
    told = caption(title, [result], dataset, simulated=simulated)
    said = remarks([result], simulated=simulated)
    return _drawn(f"{result.checked.key} changes", lambda palette: change_bars(result, place, palette), told, said)


def strip_chart(result: PropertyResult, dataset: str, *, labels: bool = True, simulated: bool = False) -> DrawnChart:
    """Return each order, repeat or other trial of one result."""
    told = caption(f"{result.checked.label}, trial by trial", [result], dataset, simulated=simulated)
    name = f"{result.checked.key} trials"
    said = remarks([result], simulated=simulated)
    return _drawn(name, lambda palette: trial_strip(result, palette, labels=labels), told, said)


def debates_chart(
    rows: Sequence[StripRow], result: PropertyResult, dataset: str, *, simulated: bool = False
) -> DrawnChart:
    """Return what was said of each debate under every trial of one result."""
    told = caption(f"{result.checked.label}, debate by debate", [result], dataset, simulated=simulated)
    said = remarks([result], simulated=simulated)
    name = f"{result.checked.key} debates"
    return _drawn(name, lambda palette: debate_strip(rows, result, palette), told, said)


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
    shown = {one.judge: name for side, name in zip((first, second), names, strict=True) for one in side}
    said = remarks([*first, *second], shown, simulated=simulated)
    return _drawn("property profiles", lambda palette: profile_pair(first, second, names, palette), told, said)


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
    said = remarks(results, names, simulated=simulated)
    return _drawn(f"robustness curve {what}", lambda palette: robustness_lines(table, what, names, palette), told, said)


def growth_chart(
    table: pd.DataFrame,
    value: str,
    along: str,
    names: Mapping[str, str],
    title: str,
    judges: Sequence[str],
    settings: str = "",
) -> DrawnChart:
    """Return how a share behaves in simulated debates as they grow; ``settings`` says what they are like otherwise."""
    count = int(table["debates"].max()) if len(table) else 0
    told = Caption(f"{title} by {along}", "Simulated debates", tuple(judges), count, count, settings, "", (SIMULATED,))
    return _drawn(
        f"simulated {title} by {along}",
        lambda palette: growth_lines(table, value, along, names, palette, title),
        told,
        (SIMULATED,),
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
    "SIMULATED", "caption", "changes_chart", "curve_chart", "debates_chart", "grid_chart", "growth_chart", "pair_chart",
    "results_table", "strip_chart", "trials_table", "witnesses_table",
]  # fmt: skip
