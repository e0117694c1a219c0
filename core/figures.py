"""Charts as Plotly figures, from values; each has a sentence that says what it shows, for people who cannot see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from core.contributions import Contributions, GradientContributions, ShapleyContributions
from core.palette import Palette
from core.wording import HALF, shortened, signed

DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "cross", "x")
MOST_BARS = 15
WHISKER = 2.0  # standard errors that a whisker of a sampled contribution shows to each side


@dataclass(frozen=True)
class Chart:
    """A figure, its description in words, and the numbers in it as a table."""

    figure: go.Figure
    alt: str
    data: pd.DataFrame


TOOLBAR = 36  # pixels above a chart for the buttons that appear when it is pointed at


def export_config(name: str, image_format: str = "svg") -> dict[str, object]:
    """Return Plotly settings under which the chart's camera button saves ``name`` as svg or png, in the browser."""
    return {
        "toImageButtonOptions": {"format": image_format, "filename": name, "scale": 1 if image_format == "svg" else 2},
        "displaylogo": False,
        "modeBarButtonsToRemove": ["lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d"],
    }


def score_scatter(
    frame: pd.DataFrame,
    judge_a: str,
    judge_b: str,
    palette: Palette,
    thresholds: tuple[float, float] = (HALF, HALF),
) -> Chart:
    """Return one mark per debate: score of judge A against score of judge B.

    Args:
        frame: Columns debate_id, claim, score_a, score_b, agree (bool or missing); scores in [0, 1].
        judge_a: Name of the judge on the x axis.
        judge_b: Name of the judge on the y axis.
        palette: Colours for the background in use.
        thresholds: From which score on each of the two says True; drawn as lines.
    """
    both = frame.dropna(subset=["score_a", "score_b"])
    figure = go.Figure()
    for agree, name, colour, symbol in (
        (True, "same verdict", palette.neutral, "circle"),
        (False, "different verdict", palette.ink, "diamond-open"),
    ):
        part = both[both["agree"] == agree]
        figure.add_trace(
            go.Scatter(
                x=part["score_a"],
                y=part["score_b"],
                mode="markers",
                name=f"{name} ({len(part)})",
                marker={"color": colour, "symbol": symbol, "size": 10, "line": {"width": 2 if not agree else 0}},
                customdata=part["debate_id"],
                text=[hover_text(claim) for claim in part["claim"]],
                hovertemplate="%{text}<br>%{x:.2f} and %{y:.2f}<extra></extra>",
            )
        )
    at_x, at_y = thresholds
    for axis in ({"x0": at_x, "x1": at_x, "y0": 0, "y1": 1}, {"x0": 0, "x1": 1, "y0": at_y, "y1": at_y}):
        figure.add_shape(type="line", line={"color": palette.neutral, "width": 1, "dash": "dot"}, **axis)
    score_axis = {"range": [-0.03, 1.03], "zeroline": False}
    figure.update_xaxes(title=f"Score of {judge_a}", **score_axis)
    figure.update_yaxes(title=f"Score of {judge_b}", **score_axis)
    figure.update_layout(height=420, margin={"l": 10, "r": 10, "t": 30, "b": 10}, legend={"orientation": "h", "y": 1.1})
    differ = int((~both["agree"].astype(bool)).sum())
    alt = f"Scores of {judge_a} and {judge_b} on {len(both)} debates; they come to different verdicts on {differ}."
    return Chart(figure, alt, both)


def contribution_bars(
    contributions: Contributions,
    texts: Mapping[str, str],
    judge: str,
    palette: Palette,
    players: tuple[str, str] = ("argument", "arguments"),
    names: Mapping[str, str] | None = None,
) -> Chart:
    """Return what each player adds to the score, the largest first, by the definition that the axis names.

    A slope that differs by direction has two bars, one for a raised and one for a lowered base score. Sampled amounts
    have whiskers of ``WHISKER`` standard errors.

    Args:
        contributions: Amounts by argument id or group.
        texts: What to show of a player when it is pointed at, such as the argument's text.
        judge: The judge's name.
        palette: Colours for the background in use.
        players: What contributes: one of them, and several.
        names: What to call a player; its own key where absent.
    """
    table = _contribution_table(contributions, texts, names or {})
    shown = table[table["contribution"].round(6) != 0].head(MOST_BARS)[::-1]
    up = shown["contribution"] > 0
    whiskers = None
    if contributions_sampled := "standard error" in table:
        whiskers = {"type": "data", "array": WHISKER * shown["standard error"], "color": palette.ink, "thickness": 1}
    figure = go.Figure(
        go.Bar(
            x=shown["contribution"],
            y=[hover_text(name, 24) for name in shown["label"]],
            orientation="h",
            marker={
                "color": [palette.support if positive else palette.attack for positive in up],
                "pattern": {"shape": ["" if positive else "/" for positive in up]},
            },
            error_x=whiskers,
            text=[signed(value) for value in shown["contribution"]],
            textposition="outside",
            cliponaxis=False,
            hovertext=[hover_text(text) for text in shown["text"]],
            hovertemplate="%{hovertext}<extra></extra>",
            customdata=shown["argument"],
        )
    )
    reach = float(shown["contribution"].abs().max()) * 1.35 if len(shown) else 1.0
    label = contributions.definition.label
    sampled = f", ± {WHISKER:g} standard errors" if contributions_sampled else ""
    figure.update_xaxes(
        title=f"{label}: contribution to the score<br>of {hover_text(judge)}{sampled}",
        range=[-reach, reach],
        zeroline=True,
        zerolinecolor=palette.ink,
    )
    figure.update_yaxes(title=None, automargin=True)
    figure.update_layout(
        height=TOOLBAR + max(150, 60 + 28 * len(shown)), margin={"l": 10, "r": 10, "t": TOOLBAR, "b": 10}
    )
    one, several = players
    if not len(table) and contributions.notes:
        return Chart(figure, contributions.notes[0], table)
    if not len(shown):
        return Chart(figure, f"No {one} changes the score.", table)
    raising, lowering = (table.loc[table["contribution"].round(6) * sign > 0, "argument"].nunique() for sign in (1, -1))
    drawn = len(table) - len(shown)
    others = f" {drawn} more {'is' if drawn == 1 else 'are'} not drawn." if drawn else ""
    largest = shown.iloc[-1]
    alt = (
        f"{label}: {raising} {one if raising == 1 else several} {'raises' if raising == 1 else 'raise'} the score of "
        f"{judge} and {lowering} {'lowers' if lowering == 1 else 'lower'} it; the largest is {largest['label']} with "
        f"{signed(largest['contribution'])}.{others}"
    )
    return Chart(figure, alt, table)


def _contribution_table(
    contributions: Contributions, texts: Mapping[str, str], names: Mapping[str, str]
) -> pd.DataFrame:
    """Return one row for each bar, the largest first: argument, label, contribution, text, standard error if any."""
    rows: list[tuple[str, str, float]] = []
    for player, amount in contributions.amounts.items():
        rows.append((player, names.get(player, player), amount))
    if isinstance(contributions, GradientContributions):
        for player, slope in contributions.slopes.items():
            if slope.kinked:
                label = names.get(player, player)
                sides = (("raised", slope.right), ("lowered", slope.left))
                rows += [(player, f"{shortened(label, 14)}, {way}", side) for way, side in sides if side is not None]
    ranked = sorted(rows, key=lambda row: (-abs(row[2]), row[1]))
    table = pd.DataFrame(ranked, columns=["argument", "label", "contribution"])
    table["text"] = [texts.get(player, "") for player in table["argument"]]
    if isinstance(contributions, ShapleyContributions) and not contributions.exact:
        table["standard error"] = [contributions.standard_errors.get(player, 0.0) for player in table["argument"]]
    return table


def edit_steps(
    scores: Sequence[float | None],
    sentences: Sequence[str],
    judge: str,
    palette: Palette,
    threshold: float = HALF,
) -> Chart:
    """Return the score after each edit, starting from the original.

    Args:
        scores: Original score and the score after each edit; None where the judge gave none.
        sentences: What each edit did; one shorter than scores.
        judge: The judge's name.
        palette: Colours for the background in use.
        threshold: From which score on the judge says True; drawn as a line.
    """
    labels = ["original", *sentences]
    table = pd.DataFrame({"edit": range(len(scores)), "what": labels, "score": scores})
    figure = go.Figure(
        go.Scatter(
            x=table["edit"],
            y=table["score"],
            mode="lines+markers",
            line={"shape": "hv", "color": palette.ink, "width": 2},
            marker={"size": 9},
            hovertext=[hover_text(text) for text in labels],
            hovertemplate="%{hovertext}<br>%{y:.3f}<extra></extra>",
        )
    )
    figure.add_hline(y=threshold, line={"color": palette.neutral, "width": 1, "dash": "dot"})
    figure.update_xaxes(title="Edit number", dtick=1 if len(scores) < 25 else None, zeroline=False)
    figure.update_yaxes(title=f"Score of {judge}", range=[-0.03, 1.03], zeroline=False)
    figure.update_layout(height=300, margin={"l": 10, "r": 10, "t": 10, "b": 10})
    first, last = scores[0], scores[-1]
    change = f" from {first:.2f} to {last:.2f}" if first is not None and last is not None else ""
    return Chart(figure, f"Score of {judge} after each of {len(scores) - 1} edits{change}.", table)


def hover_text(text: str, length: int = 90) -> str:
    """Return a debate's text for a Plotly label, where a few HTML tags and entities would otherwise be read."""
    return shortened(text, length).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
