"""Charts of judges side by side. Marks differ in shape, dash and hatching, and values stand beside them as text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from core.comparison.metrics import MEASURED
from core.comparison.population import Population
from core.figure_parts import (
    TITLE_LINE,
    TITLE_MARGIN,
    axis,
    beside,
    figure_of,
    label_names,
    name_axis,
    plain,
    room_for,
    rule,
    scatter,
    segments,
    wrapped_names,
    wrapped_words,
)
from core.figures import Chart, hover_text, score_scatter
from core.palette import Palette, mix
from core.wording import number

FAMILY_SYMBOLS = {
    "semantics": "circle",
    "llm": "diamond-open",
    "vote": "square-open",
    "human": "triangle-up-open",
    "recorded": "star-open",
}
FAMILY_WORDS = {"llm": "LLM"}
OTHER_SYMBOL = "hexagon-open"
PUBLISHED_SYMBOL = "circle-open-dot"
REMARKS = "Remarks"  # a column that a summary table may have besides its own
MOST_POINTS = 1_000
ACCURACIES = ("Accuracy %", "True accuracy %", "False accuracy %", "Accuracy low %", "Accuracy high %")
ROW_NAME_LENGTH = 44  # characters; a row has more room for a name than a column
FRAME = 54  # pixels of an agreement cell's frame, which stands for "they differ on every debate"


def accuracy_dots(summary: pd.DataFrame, palette: Palette) -> Chart:
    """Return every judge's accuracy as a dot with its interval, and its accuracy on True and False claims as ticks.

    Args:
        summary: A summary table; rows without an accuracy are not drawn. Published rows are marked as such.
        palette: Colours for the background in use.

    The marks' custom data is the judge's name.
    """
    rows = summary[summary["Accuracy %"].notna()]
    families = list(dict.fromkeys(rows["Family"]))
    own_first = rows.assign(published=rows["Source"] != MEASURED, place=rows["Family"].map(families.index))
    rows = own_first.sort_values(["published", "place"], kind="stable").drop(columns=["published", "place"])
    rows = rows.reset_index(drop=True)
    heights = list(range(len(rows)))[::-1]
    values = {name: rows[name].tolist() for name in ACCURACIES}
    thin = {"color": palette.neutral, "width": 2}
    thick = {"color": mix(palette.neutral, palette.background, 0.45), "width": 9}
    traces = [
        segments(values["True accuracy %"], values["False accuracy %"], heights, thin),
        segments(values["Accuracy low %"], values["Accuracy high %"], heights, thick),
    ]
    # One letter above the line and one below, so that they stay apart where the two accuracies are equal.
    for letter, column, side in (("T", "True accuracy %", "top"), ("F", "False accuracy %", "bottom")):
        traces.append(
            scatter(
                values[column],
                heights,
                mode="markers+text",
                marker={"symbol": "line-ns", "size": 16, "line": {"width": 2, "color": palette.ink}},
                text=[letter] * len(rows),
                textposition=f"{side} center",
                textfont={"color": palette.ink, "size": 13},
                hovertemplate=f"{column} %{{x:.1f}}<extra></extra>",
            )
        )
    published = rows["Source"] != MEASURED
    symbols = [
        PUBLISHED_SYMBOL if there else FAMILY_SYMBOLS.get(family, OTHER_SYMBOL)
        for family, there in zip(rows["Family"], published, strict=True)
    ]
    colours = [palette.llm_judge if family == "llm" else palette.ink for family in rows["Family"]]
    traces.append(
        scatter(
            values["Accuracy %"],
            heights,
            mode="markers",
            marker={"symbol": symbols, "size": 14, "color": colours, "line": {"width": 2, "color": colours}},
            customdata=rows["Judge"].tolist(),
            hovertext=[hover_text(name) for name in rows["Judge"]],
            hovertemplate="%{hovertext}<br>Accuracy %{x:.1f} %<extra></extra>",
        )
    )
    lowest = rows[list(ACCURACIES)].min().min()
    left = 40.0 if pd.isna(lowest) else min(40.0, 10 * np.floor(lowest / 10))
    own = int((~published).sum())
    lines = [rule(palette, x=50, dash="dot")]
    if 0 < own < len(rows):
        lines.append(rule(palette, y=len(rows) - own - 0.5))
    labels = [
        "<br>".join([name, *(f"<span style='font-size:11px'>{text}</span>" for text in _about(row))])
        for row, name in zip(rows.to_dict("records"), label_names(rows["Judge"].tolist(), ROW_NAME_LENGTH), strict=True)
    ]
    figure = figure_of(
        traces,
        {
            "annotations": [
                text
                for y, value, label in zip(heights, values["Accuracy %"], labels, strict=True)
                for text in (
                    beside(1, y, f"<b>{value:.1f} %</b>", palette, xref="paper"),
                    # Above the marks and not on the axis, so that a narrow screen is left with a wide chart.
                    beside(0, y + 0.24, label, palette, xref="paper", size=13)
                    | {"yanchor": "bottom", "align": "left", "xshift": 0, "bgcolor": palette.background},
                )
            ],
            "shapes": lines,
            "xaxis": axis(
                palette,
                "Accuracy in % (bar: 95 % interval);<br>T and F: on True and on False claims",
                range=[left - 1.5, 101.5],
            ),
            "yaxis": axis(palette, tickvals=heights, showticklabels=False, range=[-0.5, max(len(rows), 1) - 0.5 + 0.3]),
            **plain(130 + 88 * max(len(rows), 1), right=70, bottom=TITLE_MARGIN + TITLE_LINE),
        },
    )
    return Chart(figure, _accuracy_alt(rows), rows)


def agreement_squares(pairs: pd.DataFrame, names: Sequence[str], palette: Palette) -> Chart:
    """Return a square per pair of judges, its area the share of debates on which they differ, with kappa as text.

    Args:
        pairs: A row per pair, as ``agreement.pair_table`` gives.
        names: The judges' names by their places in it.
        palette: Colours for the background in use.

    The marks' custom data is ``"a:b"``, the places of the two judges.
    """
    records = pairs.to_dict("records")
    labels = label_names(names, ROW_NAME_LENGTH)
    hover = [
        f"{labels[row['a']]} and {labels[row['b']]}<br>"
        f"differ on {row['different']} of {row['n']}, κ {_kappa(row['kappa'])}"
        for row in records
    ]
    sides = [FRAME * math.sqrt(row["different"] / row["n"]) if row["n"] else 0.0 for row in records]
    frame = {"symbol": "square-open", "size": FRAME, "color": palette.neutral, "line": {"width": 1}}
    filled = {"symbol": "square", "size": sides, "color": palette.ink, "opacity": 1.0}
    traces = [
        scatter(
            [row["a"] for row in records],
            [-row["b"] for row in records],
            mode="markers",
            marker=marker,
            customdata=[f"{row['a']}:{row['b']}" for row in records],
            hovertext=hover,
            hovertemplate="%{hovertext}<extra></extra>",
        )
        for marker in (filled, frame)  # the frame is on top, so that a small square is as easy to hit as a large one
    ]
    texts = [
        beside(
            row["a"],
            -row["b"] - 0.29,
            f"<b>κ {_kappa(row['kappa'])}</b><br>{row['different']} differ",
            palette,
            anchor="center",
            size=13,
        )
        | {"yanchor": "top"}
        for row in records
    ]
    legend = "Square: share of debates on which two differ;<br>its frame would be all of them"
    count, shown = len(names), wrapped_names(names)
    left = room_for(shown[1:])
    corner = {"yref": "paper", "yanchor": "top", "xshift": 10 - left, "yshift": -8, "align": "left"}
    figure = figure_of(
        traces,
        {
            "annotations": [*texts, beside(0, 0, legend, palette, xref="paper", size=12) | corner],
            "xaxis": axis(
                palette,
                tickvals=list(range(count - 1)),
                ticktext=shown[:-1],
                range=[-0.6, max(count - 1.4, 0.6)],
                showgrid=False,
                side="top",
            ),
            "yaxis": name_axis(
                palette,
                [-place for place in range(1, count)],
                shown[1:],
                range=[-count + 1 - 0.75, -0.5],
                showgrid=False,
            ),
            **plain(140 + 108 * max(count - 1, 1), left=left, top=60, bottom=52),
        },
    )
    return Chart(figure, _agreement_alt(pairs), pairs)


def judge_scatter(population: Population, a: int, b: int, claims: Mapping[str, str], palette: Palette) -> Chart:
    """Return the score scatter of judges number a and b over the common population; custom data is the debate id.

    Of more than 1,000 debates evenly chosen ones are drawn, and the description says so.
    """
    scored = np.flatnonzero(~np.isnan(population.scores[[a, b]]).any(axis=0))
    drawn = scored[np.unique(np.linspace(0, len(scored) - 1, MOST_POINTS).astype(int))] if len(scored) else scored
    debates = population.debates[drawn].astype(str)
    frame = pd.DataFrame(
        {
            "debate_id": debates,
            "claim": [claims.get(name, "") for name in debates],
            "score_a": population.scores[a, drawn],
            "score_b": population.scores[b, drawn],
            "agree": population.verdicts[a, drawn] == population.verdicts[b, drawn],
        }
    )
    names = label_names([population.judges[place].name for place in (a, b)], ROW_NAME_LENGTH)
    thresholds = (population.judges[a].threshold, population.judges[b].threshold)
    chart = score_scatter(frame, names[0], names[1], palette, thresholds)
    for line in (chart.figure.layout.xaxis, chart.figure.layout.yaxis):
        line.update(axis(palette, line.title.text))
    if len(drawn) == len(scored):
        return chart
    return replace(chart, alt=f"{chart.alt} These are {len(drawn)} of {len(scored)} debates, evenly chosen.")


def _kappa(value: float) -> str:
    return "–" if pd.isna(value) else number(float(value)).replace("-", "−")


def _about(row: Mapping[Any, Any]) -> list[str]:
    """Return a row's family and source, and what is to be known of the judge where the table says so."""
    family, source = FAMILY_WORDS.get(str(row["Family"]), str(row["Family"])), str(row["Source"])
    origin = family if source == MEASURED else " · ".join(part for part in (family, source) if part)
    parts = [origin, *str(row.get(REMARKS) or "").split("; ")]
    return wrapped_words([part for part in parts if part], 58)


def _accuracy_alt(rows: pd.DataFrame) -> str:
    if rows.empty:
        return "No judge has an accuracy: labels are hidden, or no labelled debate is judged by all."
    best = rows.iloc[rows["Accuracy %"].argmax()]
    worst = rows.iloc[rows["Accuracy %"].argmin()]
    published = int((rows["Source"] != MEASURED).sum())
    reference = f" {published} of the rows are published figures." if published else ""
    if len(rows) == 1:
        return f"{best['Judge']} is right on {best['Accuracy %']:.1f} % of the debates.{reference}"
    return (
        f"Accuracy of {len(rows)} judges: highest {best['Judge']} with {best['Accuracy %']:.1f} %, "
        f"lowest {worst['Judge']} with {worst['Accuracy %']:.1f} %.{reference}"
    )


def _agreement_alt(pairs: pd.DataFrame) -> str:
    if pairs.empty:
        return "There is no pair of judges to compare."
    most = pairs.iloc[pairs["different"].argmax()]
    least = pairs.iloc[pairs["different"].argmin()]
    far = f"{most['judge_a']} and {most['judge_b']} differ on {most['different']} of {most['n']} debates"
    if len(pairs) == 1:
        return f"{far}, kappa {_kappa(most['kappa'])}."
    return (
        f"Of {len(pairs)} pairs of judges, {far}, the most (kappa {_kappa(most['kappa'])}); "
        f"{least['judge_a']} and {least['judge_b']} on {least['different']}, the fewest "
        f"(kappa {_kappa(least['kappa'])})."
    )
