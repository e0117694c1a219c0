"""Charts of a judge asked again: the verdict at each repeat or order of agents, and the accuracy of each."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pandas as pd

from core.comparison.population import FALSE, NONE, TRUE, UNCERTAIN
from core.comparison.repeats import Variation, VariedBy
from core.figure_parts import axis, beside, figure_of, name_axis, plain, room_for, scatter
from core.figures import Chart, hover_text
from core.judgement import Verdict
from core.palette import Palette
from core.wording import VERDICT_SIGN, VERDICT_WORD

MOST_STRIPS = 20
VALUE_TITLE = {VariedBy.REPEAT: "Repeat", VariedBy.ORDER: "Order of the agents"}
NO_VERDICT_SIGN = "!"


def repeat_strip(found: Variation, claims: Mapping[str, str], palette: Palette) -> Chart:
    """Return the debates whose verdict changed, each as a row of signs, with a count such as ``2 of 3 True``.

    Args:
        found: The judgements of one judge over repeats or orders.
        claims: Claims by debate id; an id without one stands for itself.
        palette: Colours for the background in use.

    The marks' custom data is the debate id.
    """
    changed = found.changed.head(MOST_STRIPS)
    columns = pd.Index(found.debates.astype(str)).get_indexer(pd.Index(changed["debate"]))
    verdicts = found.verdicts[:, columns]
    heights = np.arange(len(changed))[::-1]
    looks = (
        (TRUE, VERDICT_SIGN[Verdict.TRUE], VERDICT_WORD[Verdict.TRUE], palette.support, "square"),
        (FALSE, VERDICT_SIGN[Verdict.FALSE], VERDICT_WORD[Verdict.FALSE], palette.attack, "square-open"),
        (UNCERTAIN, VERDICT_SIGN[Verdict.UNCERTAIN], VERDICT_WORD[Verdict.UNCERTAIN], palette.neutral, "circle-open"),
        (NONE, NO_VERDICT_SIGN, "no verdict", palette.ink, "x-thin-open"),
    )
    traces = []
    for code, sign, word, colour, symbol in looks:
        lines, places = np.nonzero(verdicts == code)
        inside = palette.background if symbol == "square" else colour
        traces.append(
            scatter(
                lines.tolist(),
                heights[places].tolist(),
                mode="markers" if code == NONE else "markers+text",
                marker={"symbol": symbol, "size": 26, "color": colour, "line": {"width": 2, "color": colour}},
                text=[sign] * len(lines),
                textfont={"color": inside, "size": 15},
                customdata=changed["debate"].to_numpy()[places].tolist(),
                hovertemplate=f"{word}<extra></extra>",
            )
        )
    counts = zip(heights.tolist(), changed["summary"], strict=True)
    names = [hover_text(claims.get(name, name), 48) for name in changed["debate"]]
    figure = figure_of(
        traces,
        {
            "annotations": [beside(1, y, hover_text(text), palette, xref="paper", size=13) for y, text in counts],
            "xaxis": axis(
                palette,
                VALUE_TITLE[found.by],
                tickvals=list(range(len(found.values))),
                ticktext=[hover_text(value, 24) for value in found.values],
                range=[-0.6, len(found.values) - 0.4],
                showgrid=False,
            ),
            "yaxis": name_axis(palette, heights.tolist(), names, range=[-0.7, len(changed) - 0.3], showgrid=False),
            **plain(90 + 40 * max(len(changed), 1), left=room_for(names), top=10, right=190),
        },
    )
    more = len(found.changed) - len(changed)
    rest = f" {more} more are not drawn." if more > 0 else ""
    return Chart(figure, found.sentence + rest, found.table)


def accuracy_by(found: Variation, palette: Palette) -> Chart:
    """Return the accuracy of each repeat or order as a dot with its 95 % interval, on the same debates each time."""
    table = found.accuracy
    heights = list(range(len(table)))[::-1]
    shares, low, high = (
        (100 * table[name].astype(float)).tolist() if len(table) else [] for name in ("accuracy", "low", "high")
    )
    whiskers = {
        "type": "data",
        "symmetric": False,
        "array": [end - share for end, share in zip(high, shares, strict=True)],
        "arrayminus": [share - end for end, share in zip(low, shares, strict=True)],
        "color": palette.neutral,
        "thickness": 2,
        "width": 5,
    }
    points = scatter(
        shares,
        heights,
        mode="markers",
        marker={"symbol": "circle", "size": 12, "color": palette.ink},
        error_x=whiskers,
        hovertemplate="%{x:.1f} %<extra></extra>",
    )
    band = {"type": "rect", "fillcolor": palette.neutral, "opacity": 0.18, "line": {"width": 0}}
    upright = {"y0": 0, "y1": 1, "yref": "y domain"}
    lowest, highest = min(low, default=40.0), max(high, default=100.0)
    names = [hover_text(value, 40) for value in table["value"]]
    figure = figure_of(
        [points],
        {
            "annotations": [
                beside(1, y, f"<b>{share:.1f} %</b>", palette, xref="paper")
                for y, share in zip(heights, shares, strict=True)
            ],
            "shapes": [band | upright | {"x0": min(shares), "x1": max(shares)}] if shares else [],
            "xaxis": axis(
                palette,
                f"Accuracy in % by {VALUE_TITLE[found.by].lower()}, with 95 % interval; band from lowest to highest",
                range=[max(0.0, lowest - 2), min(100.0, highest) + 2],
            ),
            "yaxis": name_axis(palette, heights, names, range=[-0.7, max(len(table), 1) - 0.3]),
            **plain(110 + 40 * max(len(table), 1), left=room_for(names), top=10, right=70),
        },
    )
    return Chart(figure, _accuracy_alt(found), table)


def _accuracy_alt(found: Variation) -> str:
    table = found.accuracy
    if table.empty:
        return (
            f"There is no accuracy of {found.judge.name} by {found.by.value}: "
            "no labelled debate has a verdict each time."
        )
    best, worst = table.iloc[table["accuracy"].argmax()], table.iloc[table["accuracy"].argmin()]
    return (
        f"Accuracy of {found.judge.name} by {found.by.value} on {found.complete} debates: from "
        f"{100 * worst['accuracy']:.1f} % ({worst['value']}) to {100 * best['accuracy']:.1f} % ({best['value']})."
    )
