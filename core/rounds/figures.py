"""Charts over rounds: where agents and judges stand, and how often they are right.

Lines differ in dash and mark and carry their names at their ends, so that none is told by colour alone. More lines
than fit one panel go into further ones below it, on the same axis.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import pandas as pd

from core.figure_parts import Part, axis, beside, figure_of, plain, rule, scatter
from core.figures import DASHES, SYMBOLS, Chart, hover_text
from core.palette import Palette
from core.rounds.trajectory import Line, LineKind, Trajectory
from core.wording import number, several

if TYPE_CHECKING:  # statistics take half a second to load, and one debate has none
    from core.rounds.accuracy import RoundAccuracy

MOST_LINES = 6  # of a panel
MOST_PANELS = 6  # further lines are in the table alone
MOST_TICKS = 24
MOST_TOLD = 6  # lines that a description names
PANEL = 250  # pixels
LETTER = 7.2  # pixels that a letter of a label takes
LONGEST_LABEL = 20
LABEL_GAP = 0.085  # of a panel's height that a label needs
TITLES = {
    LineKind.STANCE: "Stances of the agents",
    LineKind.JUDGE: "Scores of the judges",
    LineKind.PART: "Strength of the claim, agent by agent",
    LineKind.RECORDED: "Scores that came with the log",
}
SCORE_RANGE = (-0.03, 1.03)


@dataclass(frozen=True)
class _Drawn:
    """A line of a panel: places on the axis of moments, heights, how far up and down its whiskers reach."""

    name: str
    x: Sequence[float]
    y: Sequence[float]
    colour: str
    hover: str
    up: Sequence[float] = ()
    down: Sequence[float] = ()


@dataclass(frozen=True)
class _Panel:
    title: str
    lines: Sequence[_Drawn]
    y_range: tuple[float, float] = SCORE_RANGE
    level: float | None = None  # a line across
    ticks: Mapping[str, Any] = field(default_factory=dict)


def trajectory_chart(found: Trajectory, palette: Palette, names: Mapping[str, str] | None = None) -> Chart:
    """Return the lines of a debate over its rounds, a panel for each kind of line.

    Args:
        found: The lines.
        palette: Colours for the background in use.
        names: What to call agents, by id; the id itself where absent.
    """
    called = names or {}
    groups: dict[tuple[LineKind, str], list[Line]] = {}
    for line in found.lines:
        groups.setdefault((line.kind, line.judge), []).append(line)
    panels = []
    for (kind, judge), lines in groups.items():
        title = f"{TITLES[kind]}, {hover_text(judge, 60)}" if judge else TITLES[kind]
        drawn = [_line(line, called, palette) for line in lines]
        panels += [
            _Panel(title if start == 0 else f"{title}, continued", part, level=found.threshold)
            for start, part in _parted(drawn)
        ]
    rows = [
        {
            "kind": line.kind.value if not line.judge else f"{line.kind.value}, {line.judge}",
            "series": _name(line, called),
            "round": moment,
            "score": score,
        }
        for line in found.lines
        for moment, score in zip(found.moments, line.scores, strict=True)
        if score is not None
    ]
    table = pd.DataFrame(rows, columns=["kind", "series", "round", "score"])
    return Chart(_figure(panels, found.moments, palette), _told(found, called, len(panels)), table)


def accuracy_chart(found: RoundAccuracy, palette: Palette) -> Chart:
    """Return the accuracy of agents and judges after each round, in percent, with 95 % intervals."""
    place = {name: at for at, name in enumerate(found.moments)}
    panels: list[_Panel] = []
    told: list[str] = []
    lowest = float(found.table["low"].min()) if len(found.table) else 0.0
    alike = found.table["n"].nunique() == 1  # then it is said once, below the chart
    y_range = (max(-2.0, 100 * lowest - 6), 102.0)
    for key, rows in found.table.groupby("kind", sort=False):
        kind = LineKind(str(key))
        lines = []
        series = list(rows.groupby("series", sort=False))
        for order, (name, part) in enumerate(series):
            # Beside each other, so that the intervals of one round can be told apart.
            shift = 0.05 * (order % MOST_LINES - (min(len(series), MOST_LINES) - 1) / 2)
            share = (100 * part["accuracy"]).tolist()
            lines.append(
                _Drawn(
                    hover_text(str(name) if alike else f"{name} (n = {part['n'].iloc[0]})", LONGEST_LABEL + 12),
                    [place[moment] + shift for moment in part["moment"]],
                    share,
                    _colour(kind, palette),
                    "%{y:.1f} %",
                    (100 * part["high"] - share).tolist(),
                    (share - 100 * part["low"]).tolist(),
                )
            )
            told.append(f"{name} {share[0]:.1f} % to {share[-1]:.1f} % (n = {part['n'].iloc[0]})")
        title = {LineKind.STANCE: "Agents' own stances", LineKind.JUDGE: "Judges"}.get(
            kind, "Judgements that came with the log"
        )
        panels += [
            _Panel(title if start == 0 else f"{title}, continued", part, y_range, ticks={"ticksuffix": " %"})
            for start, part in _parted(lines)
        ]
    if not told:
        alt = "There is no accuracy by round: no labelled debate has a verdict after every round."
    else:
        more = f"; and {len(told) - MOST_TOLD} more lines" if len(told) > MOST_TOLD else ""
        alt = f"Accuracy from the first to the last round: {'; '.join(told[:MOST_TOLD])}{more}. {found.sentence}"
    return Chart(_figure(panels, found.moments, palette), alt, found.table)


def _line(line: Line, names: Mapping[str, str], palette: Palette) -> _Drawn:
    points = [(float(x), score) for x, score in enumerate(line.scores) if score is not None]
    return _Drawn(
        hover_text(_name(line, names), LONGEST_LABEL),
        [x for x, _ in points],
        [score for _, score in points],
        _colour(line.kind, palette),
        "%{y:.3f}",
    )


def _name(line: Line, names: Mapping[str, str]) -> str:
    return names.get(line.name, line.name) if line.kind in (LineKind.STANCE, LineKind.PART) else line.name


def _colour(kind: LineKind, palette: Palette) -> str:
    return {
        LineKind.STANCE: palette.neutral,
        LineKind.JUDGE: palette.semantics_judge,
        LineKind.PART: palette.neutral,
        LineKind.RECORDED: palette.llm_judge,
    }[kind]


def _parted(lines: Sequence[_Drawn]) -> list[tuple[int, Sequence[_Drawn]]]:
    return [(start, lines[start : start + MOST_LINES]) for start in range(0, len(lines), MOST_LINES)]


def _figure(panels: Sequence[_Panel], moments: Sequence[str], palette: Palette) -> Any:
    shown = list(panels)[:MOST_PANELS]
    count = max(len(shown), 1)
    gap = 0.0 if count == 1 else 0.16 / count
    tall = (1.0 - gap * (count - 1)) / count
    traces: list[Part] = []
    notes: list[Part] = []
    shapes: list[Part] = []
    axes: dict[str, Part] = {}
    for place, panel in enumerate(shown):
        name = "y" if place == 0 else f"y{place + 1}"
        top = 1.0 - place * (tall + gap)
        axes[name.replace("y", "yaxis")] = axis(
            palette,
            range=list(panel.y_range),
            domain=[max(0.0, top - tall), top],
            anchor="x" if place == count - 1 else "free",
            position=0.0,
            **panel.ticks,
        )
        title = beside(0, top, f"<b>{panel.title}</b>", palette, xref="paper", size=13)
        notes.append(title | {"yref": "paper", "yanchor": "bottom", "xshift": 0, "yshift": 4})
        if panel.level is not None:
            across = rule(palette, y=panel.level, dash="dot")
            shapes.append(across | {"yref": name, "xref": "paper"})
        traces += [_trace(line, order, name, palette) for order, line in enumerate(panel.lines)]
        notes += [
            beside(1, at, text, palette, xref="paper", size=13) | {"yref": name} for at, text in _end_labels(panel)
        ]
    step = -(-len(moments) // MOST_TICKS)
    ticks = list(range(0, len(moments), max(step, 1)))
    labels = [line.name for panel in shown for line in panel.lines]
    margin = round(24 + LETTER * min(max(map(len, labels), default=0), LONGEST_LABEL + 12))
    layout = {
        **plain(90 + (PANEL + 30) * count, left=46, top=34, right=min(margin, 190)),
        "annotations": notes,
        "shapes": shapes,
        "xaxis": axis(
            palette,
            "Round",
            tickvals=ticks,
            ticktext=[hover_text(moments[at], 12) for at in ticks],
            range=[-0.3, max(len(moments) - 0.7, 0.3)],
            anchor="y" if count == 1 else f"y{count}",
        ),
        **axes,
    }
    return figure_of(traces, layout)


def _trace(line: _Drawn, order: int, yaxis: str, palette: Palette) -> Part:
    whiskers = {}
    if line.up:
        whiskers = {
            "error_y": {
                "type": "data",
                "symmetric": False,
                "array": list(line.up),
                "arrayminus": list(line.down),
                "color": line.colour,
                "thickness": 1,
                "width": 4,
            }
        }
    return scatter(
        line.x,
        line.y,
        mode="lines+markers",
        name=line.name,
        xaxis="x",
        yaxis=yaxis,
        line={"color": line.colour, "width": 2, "dash": DASHES[order % len(DASHES)]},
        marker={"symbol": SYMBOLS[order % len(SYMBOLS)], "size": 9, "color": line.colour},
        hovertemplate=f"{line.name}: {line.hover}<extra></extra>",
        **whiskers,
    )


def _end_labels(panel: _Panel) -> list[tuple[float, str]]:
    """Return a label for each line at the height of its end, moved so far that none covers another or leaves."""
    low, high = panel.y_range
    gap = LABEL_GAP * (high - low)
    ends = sorted((line.y[-1], line.name) for line in panel.lines if line.y)
    placed: list[tuple[float, str]] = []
    for at, text in ends:
        placed.append((max(at, placed[-1][0] + gap) if placed else max(at, low + gap / 2), text))
    limit = high - gap / 2
    for place in reversed(range(len(placed))):
        at, text = placed[place]
        placed[place] = (min(at, limit), text)
        limit = placed[place][0] - gap
    return placed


def _told(found: Trajectory, names: Mapping[str, str], panels: int) -> str:
    rounds = several(len(found.moments) - 1, "round")
    told = []
    for line in found.lines:
        known = [score for score in line.scores if score is not None]
        if known:
            who = f"{_name(line, names)} ({line.judge})" if line.judge else _name(line, names)
            told.append(f"{who} {number(known[0])} to {number(known[-1])}")
    if not told:
        return f"No stance and no score is known over {rounds}."
    more = f"; and {len(told) - MOST_TOLD} more lines" if len(told) > MOST_TOLD else ""
    hidden = f" {panels - MOST_PANELS} panels more are in the table alone." if panels > MOST_PANELS else ""
    return f"From the first to the last known score over {rounds}: {'; '.join(told[:MOST_TOLD])}{more}.{hidden}"


__all__ = ["accuracy_chart", "trajectory_chart"]
