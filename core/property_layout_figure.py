"""One's own figures in the layout of a published table as a chart, beside the published ones."""

from __future__ import annotations

import pandas as pd

from core.experiments.layout import NAMES, OWN, PRINTED, REMARK
from core.figure_parts import axis, beside, figure_of, name_axis, plain, room_for, scatter
from core.figures import Chart, hover_text
from core.palette import Palette
from core.wording import number, several

ROW = 34  # pixels of a row
SHARES = ("accuracy", "rate")  # what is drawn of a table: the first of these that it has
COUNTS = ("not_lower", "satisfied")  # or else one of these of the total
LONGEST = 56  # characters of a row's name


def layout_dots(table: pd.DataFrame, palette: Palette) -> Chart:
    """Return a row for each row of a filled table: one's own share a filled mark, the published one a hollow one.

    Args:
        table: As ``core.experiments.layout.filled`` returns it.
        palette: Colours for the background in use.
    """
    title, own, printed = _shares(table)
    places = [name for name in table.columns if not str(name).startswith((OWN, PRINTED))]
    places = [name for name in places if name not in ("debates", "judge tested", REMARK)]
    names = [hover_text(" · ".join(_text(row[name]) for name in places), LONGEST) for _, row in table.iterrows()]
    heights = list(range(len(table)))[::-1]
    traces, notes = [], []
    looks = ((own, OWN, "circle", palette.ink), (printed, PRINTED, "diamond-open", palette.llm_judge))
    for values, word, symbol, colour in looks:
        there = [(value, y) for value, y in zip(values, heights, strict=True) if not pd.isna(value)]
        traces.append(
            scatter(
                [value for value, _ in there],
                [y for _, y in there],
                mode="markers",
                name=word,
                marker={"symbol": symbol, "size": 11, "color": colour, "line": {"width": 2, "color": colour}},
                hovertemplate=f"{word} %{{x:.1f}} %<extra></extra>",
            )
        )
    for y, mine, theirs, count in zip(heights, own, printed, table["debates"], strict=True):
        said = "● –" if pd.isna(mine) else f"● {mine:.1f} (n = {count:.0f})"
        notes.append(beside(1, y, f"{said}   ◇ {number(theirs, 1)}", palette, xref="paper", size=12))
    figure = figure_of(
        traces,
        {
            "annotations": notes,
            "xaxis": axis(palette, f"{title}: ● yours, ◇ published", range=[-2, 103]),
            "yaxis": name_axis(palette, heights, names),
            **plain(110 + ROW * max(len(names), 1), left=room_for(names), top=10, right=190),
        },
    )
    filled = int((~pd.isna(own)).sum())
    alt = (
        f"{title}, ● of your debates and ◇ as published on the paper's own claims. {filled} of "
        f"{several(len(table), 'row')} have figures of yours."
    )
    return Chart(figure, alt, table)


def _shares(table: pd.DataFrame) -> tuple[str, pd.Series, pd.Series]:
    """Return what is drawn, in words, and the two columns of percentages."""
    for key in SHARES:
        if f"{PRINTED}: {NAMES[key]}" in table:
            title = NAMES[key].replace(" %", " in %").capitalize()
            return title, table[f"{OWN}: {NAMES[key]}"], table[f"{PRINTED}: {NAMES[key]}"]
    for key in COUNTS:
        if f"{PRINTED}: {NAMES[key]}" in table:
            own, printed = (
                100 * table[f"{side}: {NAMES[key]}"] / table[f"{side}: {NAMES['total']}"] for side in (OWN, PRINTED)
            )
            return f"{NAMES[key].capitalize()} in %", own, printed
    nothing = pd.Series([float("nan")] * len(table))
    return "Nothing", nothing, nothing


def _text(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


__all__ = ["layout_dots"]
