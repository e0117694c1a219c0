"""A small chart of what judges believed after each round."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import plotly.graph_objects as go

from core.figures import DASHES, SYMBOLS, Chart, hover_text
from core.palette import Palette
from core.statements.beliefs import Belief, moves
from core.wording import HALF, several

HEIGHT = 260
MOST_TOLD = 3  # judges whose beliefs the sentence tells


def belief_lines(beliefs: Sequence[Belief], palette: Palette) -> Chart:
    """Return one line for each judge: the belief that the claim is true, by round.

    Args:
        beliefs: At least one, each judge's in order of the rounds.
        palette: Colours for the background in use.
    """
    figure = go.Figure()
    judges = list(dict.fromkeys(belief.judge for belief in beliefs))
    for position, judge in enumerate(judges):
        own = [belief for belief in beliefs if belief.judge == judge]
        figure.add_trace(
            go.Scatter(
                x=[belief.round for belief in own],
                y=[belief.score for belief in own],
                mode="lines+markers",
                name=hover_text(judge),
                line={
                    "color": palette.ink if position == 0 else palette.neutral,
                    "dash": DASHES[position % len(DASHES)],
                    "width": 2,
                },
                marker={"symbol": SYMBOLS[position % len(SYMBOLS)], "size": 8},
                hovertemplate="%{y:.2f} after round %{x}<extra></extra>",
            )
        )
    figure.add_hline(y=HALF, line={"color": palette.neutral, "width": 1, "dash": "dot"})
    numbers = sorted({belief.round for belief in beliefs})
    figure.update_xaxes(
        title="After round",
        tickvals=numbers,
        ticktext=["before" if number == 0 else str(number) for number in numbers],
        zeroline=False,
    )
    figure.update_yaxes(title="Belief that it is true", range=[-0.03, 1.03], zeroline=False)
    figure.update_layout(
        height=HEIGHT,
        margin={"l": 10, "r": 10, "t": 30, "b": 10},
        showlegend=len(judges) > 1,
        legend={"orientation": "h", "y": 1.2},
    )
    rows = [{"judge": belief.judge, "round": belief.round, "belief": belief.score} for belief in beliefs]
    return Chart(figure, belief_sentence(beliefs), pd.DataFrame(rows, columns=["judge", "round", "belief"]))


def belief_sentence(beliefs: Sequence[Belief]) -> str:
    """Return in words how each judge's belief moved."""
    told = []
    for judge, (first, last) in moves(beliefs).items():
        if first.round == last.round:
            told.append(f"{judge} at {first.score:.2f} {_when(first.round)}")
        else:
            told.append(f"{judge} from {first.score:.2f} {_when(first.round)} to {last.score:.2f} {_when(last.round)}")
    rest = len(told) - MOST_TOLD
    more = f", and {several(rest, 'more judge')}" if rest > 0 else ""
    return f"Belief that the claim is true: {'; '.join(told[:MOST_TOLD])}{more}."


def _when(number: int) -> str:
    return "before the debate" if number == 0 else f"after round {number}"


__all__ = ["belief_lines", "belief_sentence"]
