"""Charts of property tests: the grid, how scores moved, each order or repeat, two judges' profiles, curves.

Every value stands in the chart as text, and marks differ in shape or dash, so that none is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from core.figure_parts import (
    axis,
    beside,
    figure_of,
    name_axis,
    plain,
    room_for,
    rule,
    scatter,
    segments,
    wrapped_name,
    wrapped_names,
)
from core.figures import DASHES, SYMBOLS, Chart, hover_text
from core.palette import Palette, mix
from core.properties.measures import BIN_WIDTH
from core.properties.registry import PROPERTIES
from core.properties.result import PropertyResult
from core.properties.tables import grid, result_table, trial_table
from core.property_words import cell_lines, percent
from core.wording import several

ROW = 74  # pixels of a row of the grid
GREYS = 5  # steps of a cell's background
MOST_CURVES = 6
MOST_TRIALS = 24


def property_grid(results: Sequence[PropertyResult], names: Mapping[str, str], palette: Palette) -> Chart:
    """Return judges times properties; each cell says sign, count, n and share, on a grey that follows the share.

    Args:
        results: One for each judge and property; of several the last one counts.
        names: What to call each judge, by its own name.
        palette: Colours for the background in use.
    """
    cells = {(one.judge, one.checked.key): one for one in results}
    judges = list(dict.fromkeys(one.judge for one in results))
    keys = [key for key in PROPERTIES if any((judge, key) in cells for judge in judges)]
    heights = list(range(len(judges)))[::-1]
    notes, shapes, places = [], [], []
    for y, judge in zip(heights, judges, strict=True):
        for x, key in enumerate(keys):
            found = cells.get((judge, key))
            lines = cell_lines(found)
            text = "<br>".join(hover_text(line, 26) for line in lines)
            notes.append(beside(x, y, text, palette, anchor="center", size=13))
            shapes.append(_square(x, y, _grey(found, palette), palette))
            places.append((x, y))
    labels = [wrapped_name(PROPERTIES[key].label, 14) for key in keys]
    shown = wrapped_names([names.get(judge, judge) for judge in judges], 22)
    figure = figure_of(
        [scatter([x for x, _ in places], [y for _, y in places], mode="markers", marker={"size": 1, "opacity": 0})],
        {
            "annotations": notes,
            "shapes": shapes,
            "xaxis": axis(
                palette,
                tickvals=list(range(len(keys))),
                ticktext=labels,
                range=[-0.5, max(len(keys), 1) - 0.5],
                showgrid=False,
            ),
            "yaxis": name_axis(palette, heights, shown, showgrid=False),
            **plain(100 + ROW * max(len(judges), 1), left=room_for(shown), top=10, right=10),
        },
    )
    table = grid(results).rename(index=dict(names)).reset_index()
    return Chart(figure, _grid_alt(results, judges, keys), table)


def change_bars(result: PropertyResult, place: int, palette: Palette) -> Chart:
    """Return how scores moved under one trial: debates by size of the change, up hatched otherwise than down."""
    trial = result.trials[place]
    changes = trial.changes
    width = BIN_WIDTH
    rows = [(round(-1 + width * (number + 0.5), 3), count) for number, count in enumerate(changes.bins) if count]
    if changes.same:
        rows.append((0.0, changes.same))
    rows.sort()
    heights = list(range(len(rows)))
    names = [
        "same score" if centre == 0.0 else f"{centre - width / 2:+.2f} to {centre + width / 2:+.2f}".replace("-", "−")
        for centre, _ in rows
    ]
    colours = [palette.neutral if c == 0.0 else palette.support if c > 0 else palette.attack for c, _ in rows]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [count for _, count in rows],
        "y": heights,
        "width": [0.7] * len(rows),
        "marker": {
            "color": colours,
            "pattern": {
                "shape": ["/" if centre < 0 else "" for centre, _ in rows],
                "bgcolor": palette.background,
                "fgcolor": colours,
            },
            "line": {"width": 1, "color": colours},
        },
        "hovertemplate": "%{x} debates<extra></extra>",
    }
    figure = figure_of(
        [bars],
        {
            "annotations": [
                beside(count, y, f"{count:,}", palette) | {"xshift": 6}
                for y, (_, count) in zip(heights, rows, strict=True)
            ],
            "xaxis": axis(palette, "Debates", rangemode="tozero"),
            "yaxis": name_axis(palette, heights, names, title={"text": "", "font": {"color": palette.ink}}),
            **plain(110 + 26 * max(len(rows), 1), left=room_for(names), top=10, right=60),
        },
    )
    data = pd.DataFrame({"change": names, "debates": [count for _, count in rows]})
    alt = (
        f"Changes of the score of {result.judge} under {trial.trial.label}, on {several(changes.count, 'debate')}: "
        f"{changes.raised:,} raised, {changes.lowered:,} lowered, {changes.same:,} the same; "
        f"mean change {changes.mean:+.3f}."
    )
    return Chart(figure, alt, data)


def trial_strip(result: PropertyResult, palette: Palette, *, labels: bool = True) -> Chart:
    """Return one row for each order, repeat or other trial: how many verdicts turned, and the accuracy where known.

    Args:
        result: What was tested.
        palette: Colours for the background in use.
        labels: Whether gold labels may be used.
    """
    trials = result.trials[:MOST_TRIALS]
    known = labels and result.right is not None
    rows: list[tuple[str, Any, str]] = [("as recorded", result.right, f"{result.debates:,} debates")]
    for one in trials:
        flips = one.flips
        turned = f"{flips.count:,} of {one.compared:,} turned"
        ways = [f"{flips.false_to_true:,} F→T", f"{flips.true_to_false:,} T→F"] if flips.count else []
        rows.append((one.trial.label, one.right, " · ".join([turned, *ways])))
    heights = list(range(len(rows)))[::-1]
    names = [hover_text(name, 34) for name, _, _ in rows]
    traces: list[dict[str, Any]] = []
    if known:
        some = [(y, right) for y, (_, right, _) in zip(heights, rows, strict=True) if right is not None]
        shares = [100 * right.rate.value for _, right in some]
        traces.append(
            segments(
                [100 * right.rate.low for _, right in some],
                [100 * right.rate.high for _, right in some],
                [y for y, _ in some],
                {"color": palette.neutral, "width": 2},
            )
        )
        traces.append(
            scatter(
                shares,
                [y for y, _ in some],
                mode="markers+text",
                marker={"symbol": "circle", "size": 11, "color": palette.ink},
                text=[f"{share:.1f}" for share in shares],
                textposition="top center",
                textfont={"color": palette.ink, "size": 12},
                hovertemplate="%{x:.1f} %<extra></extra>",
            )
        )
        reach: dict[str, Any] = {"range": [min(40.0, *shares) - 5, 102]} if shares else {}
        title = "Accuracy in %, with 95 % interval; beside it how many verdicts turned"
    else:
        shares = [100 * one.flips.count / one.compared if one.compared else 0.0 for one in trials]
        traces.append(
            scatter(
                shares,
                heights[1:],
                mode="markers",
                marker={"symbol": "diamond", "size": 11, "color": palette.ink},
                hovertemplate="%{x:.1f} %<extra></extra>",
            )
        )
        reach = {"range": [-2, max([10.0, *shares]) * 1.1]}
        title = "Verdicts that turned, in % of the debates"
    figure = figure_of(
        traces,
        {
            "annotations": [
                beside(1, y, hover_text(text, 40), palette, xref="paper", size=13)
                for y, (_, _, text) in zip(heights, rows, strict=True)
            ],
            "xaxis": axis(palette, title, **reach),
            "yaxis": name_axis(palette, heights, names, showgrid=False),
            **plain(110 + 42 * len(rows), left=room_for(names), top=16, right=210),
        },
    )
    turned_most = max((one.flips.count for one in trials), default=0)
    alt = (
        f"{result.checked.label} of {result.judge} under {several(len(result.trials), 'trial')}: at most "
        f"{several(turned_most, 'verdict')} turned under any of them; {result.violations:,} of "
        f"{several(result.tested, 'debate')} violate the property."
    )
    columns = ["trial", "compared", "unchanged", "false_to_true", "true_to_false", "raised", "lowered", "same"]
    data = trial_table([result])[[*columns, "accuracy", "accuracy_change"] if known else columns]
    return Chart(figure, alt, data)


def profile_pair(
    first: Sequence[PropertyResult], second: Sequence[PropertyResult], names: tuple[str, str], palette: Palette
) -> Chart:
    """Return two judges' shares of debates that satisfy each property, with intervals: a filled and a hollow mark."""
    sides = [{one.checked.key: one for one in results if one.rate is not None} for results in (first, second)]
    keys = [key for key in PROPERTIES if any(key in side for side in sides)]
    heights = list(range(len(keys)))[::-1]
    traces, notes = [], []
    looks = (("circle", palette.ink, 0.14), ("diamond-open", palette.llm_judge, -0.14))
    for side, name, (symbol, colour, off) in zip(sides, names, looks, strict=True):
        there = [(y + off, side[key]) for y, key in zip(heights, keys, strict=True) if key in side]
        rates = [one.rate for _, one in there if one.rate is not None]
        ys = [y for y, _ in there]
        lows, highs = [100 * rate.low for rate in rates], [100 * rate.high for rate in rates]
        traces.append(segments(lows, highs, ys, {"color": colour, "width": 2}))
        traces.append(
            scatter(
                [100 * rate.value for rate in rates],
                ys,
                mode="markers",
                name=hover_text(name, 40),
                marker={"symbol": symbol, "size": 12, "color": colour, "line": {"width": 2, "color": colour}},
                hovertemplate="%{x:.1f} %<extra></extra>",
            )
        )
    for y, key in zip(heights, keys, strict=True):
        parts = [
            f"{side[key].satisfied:,}/{side[key].tested:,} ({percent(side[key])} %)" if key in side else "not tested"
            for side in sides
        ]
        notes.append(beside(1, y, f"● {parts[0]}<br>◇ {parts[1]}", palette, xref="paper", size=12))
    labels = [PROPERTIES[key].label for key in keys]
    figure = figure_of(
        traces,
        {
            "annotations": notes,
            "xaxis": axis(palette, "Debates that satisfy the property, in %, with 95 % interval", range=[-2, 103]),
            "yaxis": name_axis(palette, heights, labels),
            **plain(120 + 56 * max(len(keys), 1), left=room_for(labels), top=10, right=170),
        },
    )
    told = [
        f"{PROPERTIES[key].label}: {percent(sides[0][key])} against {percent(sides[1][key])} %"
        for key in keys
        if key in sides[0] and key in sides[1]
    ]
    alt = f"● {names[0]} and ◇ {names[1]}, debates that satisfy each property. {'; '.join(told)}."
    return Chart(figure, alt, result_table([*first, *second]).drop(columns=["cell", "proof"]))


def robustness_lines(table: pd.DataFrame, what: str, names: Mapping[str, str], palette: Palette) -> Chart:
    """Return how many verdicts turn as a change grows: one line for each judge, with its name at the end.

    Args:
        table: Rows of ``core.properties.curves.curve_table`` of one or more judges.
        what: What grows, in words.
        names: What to call each judge, by its own name.
        palette: Colours for the background in use.
    """
    judges = list(dict.fromkeys(table["judge"]))[:MOST_CURVES]
    rows = table[table["judge"].isin(judges)]
    return _lines(
        rows,
        "size",
        "turned",
        judges,
        names,
        palette,
        f"Size of the change ({what})",
        "Verdicts that turned, in %",
        f"Share of verdicts that turn under {what} of growing size. ",
    )


def growth_lines(
    table: pd.DataFrame, value: str, along: str, names: Mapping[str, str], palette: Palette, title: str
) -> Chart:
    """Return how a share behaves in simulated debates as agents or rounds grow.

    Args:
        table: Rows of ``core.simulation.behaviour.behaviour``, of one property.
        value: ``accuracy`` or ``rate``.
        along: ``agents`` or ``rounds``.
        names: What to call each judge.
        palette: Colours for the background in use.
        title: Of the axis with the share.
    """
    judges = list(dict.fromkeys(table["judge"]))[:MOST_CURVES]
    word = {"agents": "Agents", "rounds": "Rounds"}[along]
    return _lines(
        table[table["judge"].isin(judges)],
        along,
        value,
        judges,
        names,
        palette,
        f"{word} (simulated debates)",
        title,
        f"Simulated debates: {title.lower()} by number of {along}. ",
    )


def _lines(
    table: pd.DataFrame,
    x: str,
    y: str,
    judges: Sequence[str],
    names: Mapping[str, str],
    palette: Palette,
    x_title: str,
    y_title: str,
    begin: str,
) -> Chart:
    traces, ends, told = [], [], []
    for place, judge in enumerate(judges):
        part = table[(table["judge"] == judge) & table[y].notna()].sort_values(x)
        if part.empty:
            continue
        values = (100 * part[y]).tolist()
        traces.append(
            scatter(
                part[x].tolist(),
                values,
                mode="lines+markers",
                line={"color": palette.ink, "width": 2, "dash": DASHES[place % len(DASHES)]},
                marker={"symbol": SYMBOLS[place % len(SYMBOLS)], "size": 9, "color": palette.ink},
                hovertemplate="%{x}: %{y:.1f} %<extra></extra>",
            )
        )
        name = names.get(judge, judge)
        ends.append((values[-1], hover_text(name, 30)))
        told.append(f"{name}: {values[0]:.1f} % at {part[x].iloc[0]:g}, {values[-1]:.1f} % at {part[x].iloc[-1]:g}")
    highest = max((end for end, _ in ends), default=10.0)
    tops = [100 * float(table[y].max())] if table[y].notna().any() else [10.0]
    reach = max(10.0, highest, *tops) * 1.08
    placed = _apart(ends, reach / 18, reach * 0.97)
    notes = [beside(1, at, text, palette, xref="paper", size=13) for at, text in placed]
    figure = figure_of(
        traces,
        {
            "annotations": notes,
            "shapes": [rule(palette, y=0.0)],
            "xaxis": axis(palette, x_title),
            "yaxis": axis(palette, y_title, range=[-reach / 40, reach]),
            **plain(400, left=70, top=16, right=230),
        },
    )
    return Chart(figure, f"{begin}{'; '.join(told)}.", table.reset_index(drop=True))


def _apart(ends: Iterable[tuple[float, str]], gap: float, top: float) -> list[tuple[float, str]]:
    """Return end labels moved so far that none covers another and none lies above the chart."""
    placed: list[tuple[float, str]] = []
    for at, text in sorted(ends):
        lowest = placed[-1][0] + gap if placed else at
        placed.append((max(at, lowest), text))
    limit = top
    for place in reversed(range(len(placed))):
        at, text = placed[place]
        placed[place] = (min(at, limit), text)
        limit = placed[place][0] - gap
    return placed


def _square(x: int, y: int, colour: str, palette: Palette) -> dict[str, Any]:
    box = {"x0": x - 0.48, "x1": x + 0.48, "y0": y - 0.47, "y1": y + 0.47}
    return {"type": "rect", "layer": "below", "fillcolor": colour, "line": {"width": 1, "color": palette.border}, **box}


def _grey(found: PropertyResult | None, palette: Palette) -> str:
    """Return a background in five steps, darker for more debates that satisfy the property; text stays readable."""
    if found is None or found.rate is None:
        return palette.background
    step = min(GREYS - 1, int(found.rate.value * GREYS))
    return mix(palette.neutral, palette.background, 0.06 + 0.05 * step)


def _grid_alt(results: Sequence[PropertyResult], judges: Sequence[str], keys: Sequence[str]) -> str:
    violated = [one for one in results if one.violations]
    worst = min(violated, key=lambda one: one.satisfied / one.tested, default=None)
    begin = f"{several(len(judges), 'judge')} by {several(len(keys), 'property', 'properties')}. "
    if worst is None:
        return f"{begin}No violation was found."
    return (
        f"{begin}{len(violated)} of {several(len(results), 'cell')} have violations; most in {worst.checked.label} of "
        f"{worst.judge}: {worst.violations:,} of {several(worst.tested, 'debate')}."
    )


__all__ = [
    "change_bars", "growth_lines", "profile_pair", "property_grid", "robustness_lines", "trial_strip",
]  # fmt: skip
