"""A chart of who is right when two judges differ."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from core.comparison.mcnemar import WhoIsRight, p_text
from core.figure_parts import axis, beside, figure_of, plain, wrapped_names
from core.figures import Chart
from core.palette import Palette


def who_is_right_bars(pairs: Sequence[WhoIsRight], palette: Palette) -> Chart:
    """Return, for pairs of judges, on how many disagreements the first is right (left) and the second (right).

    The bars' custom data is ``"position:side"``: the pair's position and ``a`` or ``b``.
    """
    table = pd.DataFrame(
        [
            {
                "judge_a": pair.judge_a.name,
                "judge_b": pair.judge_b.name,
                "a_right": len(pair.only_a),
                "b_right": len(pair.only_b),
                "neither": len(pair.neither),
                "same_verdict": pair.same,
                "exact_p": pair.test.exact_p,
                "chi_squared": pair.test.chi_squared,
                "chi_squared_p": pair.test.chi_squared_p,
            }
            for pair in pairs
        ]
    )
    heights = list(range(len(pairs)))[::-1]
    traces = []
    for side, sign, hatch in (("a", -1, ""), ("b", 1, "/")):
        counts = [len(pair.only_a if side == "a" else pair.only_b) for pair in pairs]
        judges = [pair.judge_a if side == "a" else pair.judge_b for pair in pairs]
        colours = [palette.llm_judge if judge.family == "llm" else palette.ink for judge in judges]
        pattern = {"shape": hatch, "fgcolor": colours, "bgcolor": palette.background, "size": 8}
        traces.append(
            {
                "type": "bar",
                "x": [sign * count for count in counts],
                "y": heights,
                "orientation": "h",
                "width": 0.42,
                "marker": {"color": colours, "line": {"color": colours, "width": 1}, "pattern": pattern},
                "customdata": [f"{position}:{side}" for position in range(len(pairs))],
                "hovertext": [f"right in {count} disagreements" for count in counts],
                "hovertemplate": "%{hovertext}<extra></extra>",
            }
        )
    reach = max([1, *(len(side) for pair in pairs for side in (pair.only_a, pair.only_b))])
    ticks = _count_ticks(reach)
    figure = figure_of(
        traces,
        {
            "annotations": [
                text for y, pair in zip(heights, pairs, strict=True) for text in _texts(pair, y, reach, palette)
            ],
            "xaxis": axis(
                palette,
                "Debates on which the two differ and exactly one is right",
                range=[-1.2 * reach, 1.2 * reach],
                tickvals=[*(-tick for tick in reversed(ticks)), 0, *ticks],
                ticktext=[*(str(tick) for tick in reversed(ticks)), "0", *(str(tick) for tick in ticks)],
                zeroline=True,
                zerolinecolor=palette.ink,
            ),
            "yaxis": axis(palette, visible=False, range=[-0.35, len(pairs) - 0.1]),
            "barmode": "overlay",
            **plain(100 + 140 * max(len(pairs), 1)),
        },
    )
    alt = " ".join(pair.sentence for pair in pairs) or "There is no pair of judges to compare."
    return Chart(figure, alt, table)


def _texts(pair: WhoIsRight, height: float, reach: int, palette: Palette) -> list[dict[str, Any]]:
    """Return the counts beside the bars, the judges' names above them, and p between."""
    ground = {"bgcolor": palette.background}
    neither = f", neither {len(pair.neither)}" if pair.neither else ""
    texts = [beside(0, height + 0.31, f"{p_text(pair.test)}{neither}", palette, anchor="center", size=12) | ground]
    shown = wrapped_names([pair.judge_a.name, pair.judge_b.name], 18)
    for label, right, sign, anchor in (
        (shown[0], pair.only_a, -1, "right"),
        (shown[1], pair.only_b, 1, "left"),
    ):
        name = beside(0, height + 0.42, f"{label}<br>right", palette, anchor=anchor, size=13)
        texts.append(name | ground | {"xshift": 8 * sign, "yanchor": "bottom", "align": anchor})
        texts.append(beside(sign * (len(right) + 0.02 * reach), height, f"<b>{len(right)}</b>", palette, anchor=anchor))
    return texts


def _count_ticks(reach: int) -> list[int]:
    """Return up to four round numbers from 1 to reach."""
    step = 1
    for candidate in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000):
        step = candidate
        if reach / candidate <= 4:
            break
    return list(range(step, reach + 1, step))
