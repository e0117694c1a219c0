"""Charts of how a score answers to what is changed, and of what it takes to flip a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np
import pandas as pd

from core.figure_parts import Part, axis, beside, figure_of, label_names, name_axis, plain, rule, scatter, segments
from core.figures import DASHES, Chart, hover_text
from core.judgement import DecisionRule, Judgement, Verdict
from core.judges.semantics_judge import SemanticsJudge
from core.least.one_score import ScoreFlip
from core.opinion import TOPIC
from core.palette import Palette, diverging, mix
from core.semantics import SEMANTICS
from core.sensitivity import Curve, HeatMap
from core.wording import VERDICT_SIGN, VERDICT_WORD, number, several, signed

MOST_LINES = 6
MOST_LOLLIPOPS = 10
LABEL_GAP = 0.07  # between the labels at the ends of lines, in score
EVERY = 5  # cells of a heat map from one verdict sign to the next
NAME_LENGTH = 28

Point = tuple[float, float]  # a base score or conservativeness with the score at it


def sensitivity_chart(
    curves: Sequence[Curve],
    palette: Palette,
    *,
    name: str,
    original: Point | None = None,
    now: Point | None = None,
) -> Chart:
    """Return the score over one base score, one line for each judge, with the zone in which the verdict is another.

    Args:
        curves: Of one argument; the first is that of the judge in use, whose zone and marks are drawn.
        palette: Colours for the background in use.
        name: What the changed argument is called.
        original: The original base score and score; the zone is where the verdict differs from the one there.
        now: The present base score and score.
    """
    shown = name if name != TOPIC else "the topic"
    return _curves_chart(curves, palette, f"Base score of {hover_text(shown, 40)} (0 to 1)", (0.0, 1.0), original, now)


def conservativeness_chart(
    curves: Sequence[Curve], palette: Palette, *, original: Point | None = None, now: Point | None = None
) -> Chart:
    """Return the score over the conservativeness, one line for each judge that has one; see ``sensitivity_chart``."""
    drawn = [curve for curve in curves if curve.values]
    ends = [end for curve in drawn for end in (curve.values[0], curve.values[-1])]
    reach = (min(ends), max(ends)) if ends else (1.0, 2.0)
    if not drawn:
        chart = _curves_chart([], palette, "Conservativeness κ", reach, None, None)
        return Chart(chart.figure, "This semantics has no conservativeness.", chart.data)
    return _curves_chart(drawn, palette, "Conservativeness κ (1 or more)", reach, original, now)


def heat_map_chart(
    found: HeatMap,
    palette: Palette,
    *,
    names: Mapping[str, str] | None = None,
    original: Point | None = None,
    now: Point | None = None,
) -> Chart:
    """Return the score over two base scores as colours, with signs of the verdict and the line where it turns.

    Args:
        found: The scores.
        palette: Colours for the background in use.
        names: What to call an argument, by id; the id itself where absent.
        original: The original base scores of the first and the second.
        now: The present ones.
    """
    decision = found.judge.rule
    values = found.values.tolist()
    scores = [[None if np.isnan(score) else score for score in row] for row in found.scores.tolist()]
    signs = [
        [_sign(decision, score) if not i % EVERY and not j % EVERY else "" for j, score in enumerate(row)]
        for i, row in enumerate(scores)
    ]
    labels = [hover_text(_name(names, which), 40) for which in (found.first, found.second)]
    colours = diverging(palette)
    middle = min(max(decision.threshold, 0.01), 0.99)
    stops = [middle * step / 3 for step in range(4)] + [middle + (1 - middle) * step / 3 for step in range(1, 4)]
    square = {"x": values, "y": values, "z": scores}
    ink = {"color": palette.ink}
    traces: list[Part] = [
        {
            "type": "heatmap",
            **square,
            "zmin": 0.0,
            "zmax": 1.0,
            "colorscale": [[stop, colour] for stop, colour in zip(stops, colours, strict=True)],
            "text": signs,
            "texttemplate": "%{text}",
            "textfont": {**ink, "size": 14},
            "colorbar": {
                "title": {"text": "Score", "font": {"color": palette.ink}},
                "tickfont": {"color": palette.ink},
            },
            "hovertemplate": f"{labels[0]} %{{x:.2f}}, {labels[1]} %{{y:.2f}}: score %{{z:.3f}}<extra></extra>",
        },
        *(
            {
                "type": "contour",
                **square,
                "contours": {"start": at, "end": at, "size": 1.0, "coloring": "none"},
                "line": {"color": palette.ink, "width": 2, "dash": "dash"},
                "showscale": False,
                "hoverinfo": "skip",
            }
            for at in _turning(decision)
        ),
        *_marks(palette, original, now),
    ]
    layout = {
        **plain(460, right=10),
        "xaxis": axis(palette, f"Base score of {labels[0]} (0 to 1)", range=[-0.03, 1.03], showgrid=False),
        "yaxis": axis(palette, f"Base score of {labels[1]} (0 to 1)", range=[-0.03, 1.03], showgrid=False),
    }
    table = pd.DataFrame(
        [
            {found.first: x, found.second: y, "score": score}
            for y, row in zip(values, scores, strict=True)
            for x, score in zip(values, row, strict=True)
        ]
    )
    verdicts = [decision.verdict(score) for row in scores for score in row if score is not None]
    counts = ", ".join(
        f"{VERDICT_WORD[verdict]} on {verdicts.count(verdict)}" for verdict in VERDICT_WORD if verdict in verdicts
    )
    places = len(values) ** 2
    first, second = (_name(names, which) for which in (found.first, found.second))
    alt = f"Score of {found.judge.name} over the base scores of {first} and {second}: {counts or 'none'} of {places}."
    return Chart(figure_of(traces, layout), alt, table)


def flip_lollipop(
    flips: Iterable[ScoreFlip],
    palette: Palette,
    *,
    texts: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
) -> Chart:
    """Return by how much each argument's base score would have to change, the smallest changes on top.

    Args:
        flips: As ``one_score_flips`` returns them; those without a change are counted in words.
        palette: Colours for the background in use.
        texts: The arguments' texts by id, for the hover.
        names: What to call an argument, by id; the id itself where absent.

    The marks' custom data is the argument's id.
    """
    rows = list(flips)
    able = [(flip, flip.change, flip.needed) for flip in rows]
    ranked = [(flip, change, needed) for flip, change, needed in able if change is not None and needed is not None]
    ranked.sort(key=lambda row: (abs(row[1]), row[0].argument))
    drawn = ranked[:MOST_LOLLIPOPS]
    heights = list(range(len(drawn)))[::-1]
    changes = [change for _, change, _ in drawn]
    colours = [palette.support if change > 0 else palette.attack for change in changes]
    traces = [
        segments([0.0] * len(drawn), changes, heights, {"color": palette.neutral, "width": 2}),
        scatter(
            changes,
            heights,
            mode="markers",
            marker={
                "symbol": ["triangle-right" if change > 0 else "triangle-left" for change in changes],
                "size": 14,
                "color": colours,
            },
            customdata=[flip.argument for flip, _, _ in drawn],
            hovertext=[hover_text((texts or {}).get(flip.argument, flip.argument)) for flip, _, _ in drawn],
            hovertemplate="%{hovertext}<extra></extra>",
        ),
    ]
    words = [
        beside(
            1,
            height,
            f"{number(flip.base_score)} → {number(needed, 3)} ({signed(change)})",
            palette,
            xref="paper",
            size=13,
        )
        for height, (flip, change, needed) in zip(heights, drawn, strict=True)
    ]
    reach = max((abs(change) for change in changes), default=1.0) * 1.15
    called = [hover_text(_name(names, flip.argument), NAME_LENGTH) for flip, _, _ in drawn]
    layout = {
        **plain(max(150, 80 + 30 * len(drawn)), top=10, right=180),
        "annotations": words,
        "shapes": [rule(palette, x=0.0)],
        "xaxis": axis(palette, "Needed change (−1 to 1)", range=[-reach, reach]),
        "yaxis": name_axis(palette, heights, called, showgrid=False),
    }
    table = pd.DataFrame(
        [
            {
                "argument": flip.argument,
                "base score": flip.base_score,
                "needed": flip.needed,
                "change": flip.change,
                "score then": flip.after,
                "status": flip.status.value,
            }
            for flip in rows
        ],
        columns=["argument", "base score", "needed", "change", "score then", "status"],
    )
    figure = figure_of(traces, layout)
    if not drawn:
        return Chart(figure, "No single change flips this verdict.", table)
    best = drawn[0]
    more = f" {len(ranked) - len(drawn)} more are not drawn." if len(ranked) > len(drawn) else ""
    alt = (
        f"{len(ranked)} of {len(rows)} arguments can flip the verdict alone; the smallest change is "
        f"{signed(best[1])} of {_name(names, best[0].argument)}, to {number(best[2], 3)}.{more}"
    )
    return Chart(figure, alt, table)


def semantics_dots(results: Sequence[tuple[SemanticsJudge, Judgement]], palette: Palette) -> Chart:
    """Return the score under each semantics as a dot, with its verdict as sign and word.

    Args:
        results: As ``by_semantics`` returns them.
        palette: Colours for the background in use.
    """
    labels = [SEMANTICS[judge.semantics].label for judge, _ in results]
    heights = list(range(len(results)))[::-1]
    scored = [(h, j.score, j.verdict) for h, (_, j) in zip(heights, results, strict=True) if j.score is not None]
    traces = [
        scatter(
            [score for _, score, _ in scored],
            [height for height, _, _ in scored],
            mode="markers",
            marker={"symbol": "circle", "size": 12, "color": palette.ink},
            hovertemplate="%{x:.3f}<extra></extra>",
        )
    ]
    words = [
        beside(1, height, _worded(judgement.verdict, judgement.score), palette, xref="paper", size=13)
        for height, (_, judgement) in zip(heights, results, strict=True)
    ]
    turning = _turning(results[0][0].rule) if results else []
    layout = {
        **plain(max(150, 80 + 30 * len(results)), top=10, right=130),
        "annotations": words,
        "shapes": [rule(palette, x=at, dash="dot") for at in turning],
        "xaxis": axis(palette, "Score (0 to 1)", range=[-0.03, 1.03]),
        "yaxis": name_axis(palette, heights, [hover_text(label, NAME_LENGTH) for label in labels]),
    }
    table = pd.DataFrame(
        {
            "semantics": labels,
            "score": pd.Series([judgement.score for _, judgement in results], dtype="float64"),
            "verdict": [_worded(judgement.verdict, None) for _, judgement in results],
        }
    )
    count = sum(verdict is Verdict.TRUE for _, _, verdict in scored)
    alt = f"{count} of {len(results)} semantics say True; scores by semantics."
    return Chart(figure_of(traces, layout), alt, table)


def _curves_chart(
    curves: Sequence[Curve],
    palette: Palette,
    title: str,
    reach: tuple[float, float],
    original: Point | None,
    now: Point | None,
) -> Chart:
    drawn = curves[:MOST_LINES]
    traces = [
        scatter(
            curve.values,
            [np.nan if score is None else score for score in curve.scores],
            mode="lines",
            name=name,
            line={
                "color": palette.ink if not place else palette.neutral,
                "dash": DASHES[place % len(DASHES)],
                "width": 3 if not place else 2,
            },
            hovertemplate=f"{hover_text(curve.judge.gradual.label)}: %{{x:.3f}} gives %{{y:.3f}}<extra></extra>",
        )
        for place, (curve, name) in enumerate(
            zip(drawn, label_names([curve.judge.name for curve in drawn]), strict=True)
        )
    ]
    for trace in traces:
        trace["y"] = [None if np.isnan(score) else score for score in trace["y"]]
    traces += _marks(palette, original, now)
    decision = drawn[0].judge.rule if drawn else DecisionRule()
    zones = _flipped(drawn[0], original[1]) if drawn and original is not None else []
    shades = [
        {
            "type": "rect",
            "x0": low,
            "x1": high,
            "y0": 0,
            "y1": 1,
            "yref": "y domain",
            "fillcolor": mix(palette.neutral, palette.background, 0.25),
            "line": {"width": 0},
            "layer": "below",
        }
        for low, high in zones
    ]
    width = reach[1] - reach[0]
    words = [
        {**beside(1, height, hover_text(label, 22), palette, xref="paper", size=13), "yanchor": "middle"}
        for label, height in _end_labels(drawn)
    ]
    if zones:
        widest = max(zones, key=lambda zone: zone[1] - zone[0])
        words.append(
            beside((widest[0] + widest[1]) / 2, 1.0, "flipped", palette, anchor="center", size=13) | {"yanchor": "top"}
        )
    layout = {
        **plain(360, right=170),
        "annotations": words,
        "shapes": [*shades, *(rule(palette, y=at, dash="dot") for at in _turning(decision))],
        "xaxis": axis(palette, title, range=[reach[0] - 0.03 * width, reach[1] + 0.03 * width]),
        "yaxis": axis(palette, "Score (0 to 1)", range=[-0.03, 1.03]),
    }
    table = pd.DataFrame(
        [
            {"judge": curve.judge.name, "value": value, "score": score}
            for curve in curves
            for value, score in zip(curve.values, curve.scores, strict=True)
        ],
        columns=["judge", "value", "score"],
    )
    return Chart(figure_of(traces, layout), _curves_alt(curves, drawn, zones), table)


def _curves_alt(curves: Sequence[Curve], drawn: Sequence[Curve], zones: Sequence[Point]) -> str:
    if not drawn:
        return "There is no curve to draw."
    first = drawn[0]
    scores = [score for score in first.scores if score is not None]
    parts = [f"Score of {first.judge.name} over {len(first.values)} values"]
    if scores:
        parts.append(f"between {min(scores):.3f} and {max(scores):.3f}")
    alt = ", ".join(parts) + ". "
    if zones:
        alt += "The verdict is another " + " and ".join(f"from {low:.2f} to {high:.2f}" for low, high in zones) + ". "
    else:
        alt += "Nowhere is the verdict another. "
    if len(drawn) > 1:
        more = several(len(drawn) - 1, "more judge is", "more judges are")
        alt += f"{more} drawn for comparison. "
    if len(curves) > len(drawn):
        alt += f"{len(curves) - len(drawn)} more are in the table only. "
    return alt.strip()


def _flipped(curve: Curve, original: float) -> list[Point]:
    """Return the stretches on which the verdict differs from that of a score."""
    decision = curve.judge.rule
    verdict = decision.verdict(original)
    points = [(value, score) for value, score in zip(curve.values, curve.scores, strict=True) if score is not None]
    other = [decision.verdict(score) is not verdict for _, score in points]
    zones: list[Point] = []
    begin = points[0][0] if points and other[0] else None
    for (one, two), (was, is_) in zip(pairwise(points), pairwise(other), strict=True):
        if was == is_:
            continue
        edge = _edge(decision, one, two)
        if begin is None:
            begin = edge
        else:
            zones.append((begin, edge))
            begin = None
    if begin is not None:
        zones.append((begin, points[-1][0]))
    return zones


def _edge(decision: DecisionRule, one: Point, two: Point) -> float:
    """Return about where the verdict turns between two points of a curve."""
    for at in _turning(decision):
        if min(one[1], two[1]) <= at <= max(one[1], two[1]) and one[1] != two[1]:
            return one[0] + (two[0] - one[0]) * (at - one[1]) / (two[1] - one[1])
    return (one[0] + two[0]) / 2


def _turning(decision: DecisionRule) -> list[float]:
    """Return the scores at which a verdict turns."""
    return sorted({decision.threshold - decision.abstention, decision.threshold + decision.abstention})


def _end_labels(curves: Sequence[Curve]) -> list[tuple[str, float]]:
    """Return a label for each line with a height near its end, no two on top of each other."""
    ends = [(curve, next((score for score in reversed(curve.scores) if score is not None), None)) for curve in curves]
    kappa = {curve.judge.semantics for curve in curves if curve.judge.conservativeness != 1}
    placed: list[tuple[str, float]] = []
    for curve, score in sorted(
        ((curve, score) for curve, score in ends if score is not None), key=lambda end: (end[1], end[0].judge.name)
    ):
        label = curve.judge.gradual.label
        if curve.judge.semantics in kappa and curve.over != "conservativeness":
            label = f"{label}, κ {curve.judge.conservativeness:g}"
        placed.append((label, max(score, placed[-1][1] + LABEL_GAP) if placed else score))
    if not placed:
        return []
    # Moved up to stand apart, they come down together by as much as they moved on average, and stay in the chart.
    heights = np.array([height for _, height in placed])
    wanted = np.array(sorted(score for _, score in ends if score is not None))
    down = float(np.clip(np.mean(heights - wanted), heights[-1] - 1.0, max(heights[0], heights[-1] - 1.0)))
    return [(label, height - down) for label, height in placed]


def _marks(palette: Palette, original: Point | None, now: Point | None) -> list[Part]:
    marks = []
    if original is not None:
        marks.append(_mark("original", "circle-open", original, palette))
    if now is not None:
        marks.append(_mark("now", "circle", now, palette))
    return marks


def _mark(word: str, symbol: str, at: Point, palette: Palette) -> Part:
    return scatter(
        [at[0]],
        [at[1]],
        mode="markers",
        marker={"symbol": symbol, "size": 13, "color": palette.ink, "line": {"width": 3, "color": palette.ink}},
        hovertemplate=f"{word}: %{{x:.3f}}, %{{y:.3f}}<extra></extra>",
    )


def _sign(decision: DecisionRule, score: float | None) -> str:
    return "!" if score is None else VERDICT_SIGN[decision.verdict(score)]


def _worded(verdict: Verdict | None, score: float | None) -> str:
    if verdict is None:
        return "no verdict"
    word = f"{VERDICT_SIGN[verdict]} {VERDICT_WORD[verdict]}"
    return word if score is None else f"{word} {score:.3f}"


def _name(names: Mapping[str, str] | None, which: str) -> str:
    return (names or {}).get(which, "the topic" if which == TOPIC else which)


__all__ = [
    "conservativeness_chart",
    "flip_lollipop",
    "heat_map_chart",
    "semantics_dots",
    "sensitivity_chart",
]
