"""What an experiment came to as tables and charts, the same for the page and for the command line."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import TypeVar

import pandas as pd

from core.chart_export import KINDS as CHART_KINDS
from core.chart_export import Render
from core.comparison.names import short_names
from core.comparison_files import drawn_file, drawn_file_name, named_file_name
from core.comparison_report import DrawnChart, NamedTable
from core.experiments.experiment import Experiment
from core.experiments.layout import OWN, PRINTED, Own, filled
from core.properties.curves import curve_table
from core.properties.property import Property
from core.properties.result import PropertyResult
from core.property_layout_figure import layout_dots
from core.property_remarks import remarks, with_remarks
from core.property_report import (
    curve_chart,
    grid_chart,
    results_table,
    strip_chart,
    trials_table,
    witnesses_table,
)
from core.published import PublishedTable
from core.table_export import KINDS as TABLE_KINDS
from core.table_export import Caption, Table, table_file
from storage.database import Database
from storage.property_debates import claims_of
from storage.property_repository import KeptResult
from storage.published import published

Piece = TypeVar("Piece", DrawnChart, NamedTable)
DAY = "experiment"  # in place of a date, so that the same experiment writes the same files


def by_debates(results: Sequence[KeptResult]) -> Iterator[tuple[str, tuple[KeptResult, ...]]]:
    """Return results part by part of the data, each with what the debates are, in words."""
    for _, group in groupby(results, key=lambda one: one.source.key):
        part = tuple(group)
        yield words_of(part[0]), part


def words_of(one: KeptResult) -> str:
    """Return which debates a result is about, in words."""
    return one.source.words("" if one.source.simulated else one.debates_of)


def published_table(number: int) -> PublishedTable | None:
    """Return the published table of property tests or accuracies with a number; None where there is none."""
    return next((one for one in published() if one.number == number and "protocol" in one.rows.columns), None)


@dataclass(frozen=True, eq=False)
class Layout:
    """A published table filled with one's own results: as it is, as a chart, and to take away.

    Attributes:
        origin: Which table it is.
        frame: The figures.
        chart, table: Of them.
    """

    origin: str
    frame: pd.DataFrame
    chart: DrawnChart
    table: NamedTable


def layout_of(table: PublishedTable, results: Sequence[KeptResult], *, labels: bool = True) -> Layout:
    """Return a published table filled with one's own results."""
    frame = filled(table, [Own(one.source, one.shown) for one in results], labels=labels)
    judges = tuple(dict.fromkeys(one.result.judge for one in results))
    names = dict.fromkeys(one.debates_of for one in results)
    whole: dict[str, int] = {}  # debates there are by protocol
    judged: dict[str, int] = {}
    for one in results:
        part = words_of(one) if one.source.protocol is None else one.source.protocol.value
        whole[part] = max(whole.get(part, 0), one.result.debates)
        judged[part] = max(judged.get(part, 0), one.result.judged)
    each = "; ".join(f"{part} {count:,}" for part, count in whole.items())
    rows = (f"Each row is of one protocol, and says of how many of its debates: {each}",) if len(whole) > 1 else ()
    said = remarks([one.shown for one in results])
    notes = (f"Columns that begin with {PRINTED!r}: {table.origin}", *table.remarks, *rows, *said)
    n, total = sum(judged.values()), sum(whole.values())
    told = Caption(table.title, "; ".join(names) or "none", judges, n, total, "", "", notes)
    name = f"published {table.number}"
    drawn = DrawnChart(
        f"{name} beside yours",
        lambda palette: with_remarks(layout_dots(frame, palette), _by_kind(results), palette),
        told,
    )
    figures = [str(name) for name in frame.columns if str(name).startswith((OWN, PRINTED)) or name == "debates"]
    counts = [name for name in figures if not ("%" in name or "change" in name)]
    decimals = dict.fromkeys(figures, 2) | dict.fromkeys(counts, 0) | {"value": 1}
    written = frame.astype(dict.fromkeys(counts, "Int64"))  # 32 and not 32.0
    return Layout(table.origin, frame, drawn, NamedTable(name, told, partial(Table, written, told, decimals)))


def _by_kind(results: Sequence[KeptResult]) -> tuple[str, ...]:
    """Return what is said of judges with the rows it is of, each once: a table may have dozens of judges."""
    rows: dict[str, list[str]] = {}
    for one in results:
        if one.result.rate is not None and (one.origin or one.result.caveat):
            words = (one.result.settings.get(name) for name in ("naming", "stance"))
            row = ", ".join(["LLM", *(str(word) for word in words if word is not None)])
            for part in filter(None, (one.origin, one.result.caveat)):
                rows.setdefault(part.split(" (")[0].strip(" ."), []).append(row)
    told: dict[str, list[str]] = {}
    for part, of in rows.items():
        told.setdefault(" and ".join(dict.fromkeys(of)), []).append(part)
    return tuple(f"{of}: {'; '.join(parts)}." for of, parts in told.items())


def results_of(results: Sequence[KeptResult], *, labels: bool = True) -> NamedTable:
    """Return one row for each result of an experiment, with what it was tested on."""
    simulated = any(one.source.simulated for one in results)
    words = "; ".join(dict.fromkeys(words_of(one) for one in results)) or "none"
    named = results_table([one.shown for one in results], words, labels=labels, simulated=simulated)

    def make() -> Table:
        made = named.make()
        frame = made.frame.copy()
        frame.insert(2, "tested_on", [words_of(one) for one in results])
        return replace(made, frame=frame)

    return replace(named, make=make)


def overview(
    experiment: Experiment, results: Sequence[KeptResult], *, labels: bool = True
) -> tuple[Layout | None, list[DrawnChart]]:
    """Return what an experiment comes to at a glance: the layout of its published table, and a chart for each part."""
    table = None if experiment.table is None else published_table(experiment.table)
    layout = None if table is None else layout_of(table, results, labels=labels)
    charts = [chart for _, part in by_debates(results) for chart in _charts(experiment, part, labels=labels)]
    return layout, charts


def _charts(experiment: Experiment, part: Sequence[KeptResult], *, labels: bool) -> Iterator[DrawnChart]:
    """Return the grid of one part of the data, and its curve."""
    words, simulated, curve = words_of(part[0]), part[0].source.simulated, _curve(experiment)
    shown = [one.shown for one in part]
    names = _names(shown)
    tested = [one for one in shown if one.checked != curve]
    drawn = [one for one in shown if one.rate is not None and one.checked == curve]
    if tested:
        yield grid_chart(tested, names, words, simulated=simulated)
    if drawn and experiment.curve is not None:
        table = pd.concat([curve_table(one, experiment.sizes) for one in drawn], ignore_index=True)
        if not labels:
            table = table[[name for name in table.columns if not name.startswith("accuracy")]]
        yield curve_chart(drawn, table, experiment.curve.value, names, words, simulated=simulated)


def _curve(experiment: Experiment) -> Property | None:
    return None if experiment.curve is None else experiment.tested[-1]


def pieces(
    database: Database, experiment: Experiment, results: Sequence[KeptResult], *, labels: bool = True
) -> tuple[list[DrawnChart], list[NamedTable]]:
    """Return the charts and tables of an experiment."""
    charts: list[DrawnChart] = []
    tables: list[NamedTable] = [results_of(results, labels=labels)] if results else []
    curve = _curve(experiment)
    for words, part in by_debates(results):
        simulated = part[0].source.simulated
        names = _names([one.result for one in part])
        tested = [one.shown for one in part if one.result.checked != curve]
        charts += _charts(experiment, part, labels=labels)
        for one in tested:
            if len(one.trials) > 1:
                charts.append(_named_for(strip_chart(one, words, labels=labels, simulated=simulated), names, one))
                tables.append(_named_for(trials_table(one, words, labels=labels, simulated=simulated), names, one))
            if one.witnesses:
                claims = claims_of(database, tuple(found.debate for found in one.witnesses))
                tables.append(_named_for(witnesses_table(one, claims, words, simulated=simulated), names, one))
    layout = None if experiment.table is None else published_table(experiment.table)
    if layout is not None:
        made = layout_of(layout, results, labels=labels)
        charts.append(made.chart)
        tables.append(made.table)
    return charts, tables


def experiment_files(
    database: Database,
    experiment: Experiment,
    results: Sequence[KeptResult],
    kinds: Collection[str],
    labels: bool,
    render: Render | None = None,
) -> Iterator[tuple[str, bytes]]:
    """Return the name and bytes of every file of an experiment.

    Raises:
        NoBrowser: If images are asked for and nothing can draw them.
    """
    charts, tables = pieces(database, experiment, results, labels=labels)
    for chart in charts:
        for kind in CHART_KINDS:
            if kind in kinds:
                yield drawn_file_name(chart, DAY, kind), drawn_file(chart, kind, render)
    for table in tables:
        for kind in TABLE_KINDS:
            if kind in kinds:
                yield named_file_name(table, DAY, kind), table_file(table.make(), kind)


def _names(results: Sequence[PropertyResult]) -> dict[str, str]:
    judges = {one.judge: str(one.settings.get("kind", "")) for one in results}
    return dict(zip(judges, short_names(list(judges), list(judges.values())), strict=True))


def _named_for(piece: Piece, names: dict[str, str], one: PropertyResult) -> Piece:
    """Return a piece of one judge with its name in that of the file, since every judge has such a piece."""
    return replace(piece, name=f"{piece.name} {names[one.judge]}")


__all__ = [
    "Layout", "by_debates", "experiment_files", "layout_of", "overview", "pieces", "published_table", "results_of",
    "words_of",
]  # fmt: skip
