"""A chart of whether a judge's scores can be read as probabilities."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from core.comparison.calibration import Calibration
from core.figure_parts import TITLE_LINE, axis, beside, figure_of, plain, scatter, wrapped_name
from core.figures import Chart
from core.palette import Palette, mix
from core.wording import number

LARGEST_POINT = 34.0  # pixels of the fullest bin's point
SMALLEST_POINT = 7.0
TITLE_LENGTH = 34  # characters on a line of the title, which fit a telephone


def calibration_curve(found: Calibration, palette: Palette) -> Chart:
    """Return mean score against share of True claims, a point per bin; its area is the number of debates in it."""
    table = found.table
    largest = table["n"].max() if len(table) else 1
    rows = table.to_dict("records")
    diagonal = {"color": palette.neutral, "width": 1, "dash": "dot"}
    traces = [
        scatter([0, 1], [0, 1], mode="lines", line=diagonal, hoverinfo="skip"),
        scatter(
            table["mean_score"].tolist(),
            table["share_true"].tolist(),
            mode="lines+markers",
            line={"color": palette.ink, "width": 1.5},
            marker={
                "size": [_diameter(row["n"], largest) for row in rows],
                "color": mix(palette.ink, palette.background, 0.35),
                "line": {"color": palette.ink, "width": 2},
                "opacity": 1,
            },
            error_y={
                "type": "data",
                "symmetric": False,
                "array": (table["interval_high"] - table["share_true"]).tolist(),
                "arrayminus": (table["share_true"] - table["interval_low"]).tolist(),
                "color": palette.neutral,
                "thickness": 1,
                "width": 3,
            },
            hovertext=[f"{row['n']:.0f} debates" for row in rows],
            hovertemplate="%{hovertext}<br>mean score %{x:.2f}, True %{y:.2f}<extra></extra>",
        ),
    ]
    heading = f"{wrapped_name(found.judge, TITLE_LENGTH)}: ECE {number(found.ece, 3)}"
    detail = (
        f"{found.bins} bins of {found.binning}, Brier score {number(found.brier, 3)}, {found.n} debates<br>"
        "Area and number: debates in the bin; upright: 95 % interval<br>Dotted: as often True as the score says"
    )
    text = f"{heading}<br><span style='font-size:12px;font-weight:normal'>{detail}</span>"
    reach, further = [-0.04, 1.06], heading.count("<br>")
    figure = figure_of(
        traces,
        {
            "annotations": [_count(row, largest, palette) for row in rows],
            "xaxis": axis(palette, "Mean score of the bin", range=reach),
            "yaxis": axis(palette, "Share of claims labelled True", range=reach),
            "title": {"text": text, "font": {"size": 16}, "x": 0, "y": 0.97, "yanchor": "top"},
            **plain(540 + TITLE_LINE * further, left=56, top=112 + TITLE_LINE * further),
        },
    )
    return Chart(figure, _calibration_alt(found), table)


def _diameter(n: float, largest: float) -> float:
    """Return a point's diameter in pixels: its area stands for n, down to what can still be seen."""
    return max(SMALLEST_POINT, LARGEST_POINT * math.sqrt(n / largest))


def _count(row: Mapping[Any, Any], largest: float, palette: Palette) -> dict[str, Any]:
    text = beside(row["mean_score"], row["share_true"], f"{row['n']:.0f}", palette, size=12)
    return text | {"xshift": 0.5 * _diameter(row["n"], largest) + 4, "yshift": -9}


def _calibration_alt(found: Calibration) -> str:
    if found.ece is None:
        return f"{found.judge} gives no scores, so there is no calibration."
    table = found.table
    gaps = table["share_true"] - table["mean_score"]
    worst = table.iloc[gaps.abs().argmax()]
    return (
        f"Calibration of {found.judge} on {found.n} debates: expected calibration error {found.ece:.3f}, "
        f"Brier score {found.brier:.3f}. Farthest off, scores around {worst['mean_score']:.2f} are True in "
        f"{100 * worst['share_true']:.0f} % of {worst['n']:.0f} debates."
    )
