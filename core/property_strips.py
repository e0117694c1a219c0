"""What a judge said of each debate under every order, repeat or other trial, one row for each debate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pandas as pd

from core.figure_parts import axis, beside, figure_of, name_axis, plain, room_for, rule, scatter, segments
from core.figures import Chart, hover_text
from core.overview import Scored
from core.palette import Palette
from core.properties.result import PropertyResult
from core.wording import several

ROW = 36  # pixels of a debate
NAME = 44  # characters of a claim
PAGE = 20  # debates of a page


@dataclass(frozen=True)
class StripRow:
    """What a judge said of one debate.

    Attributes:
        debate: Its id.
        claim: What to call it; untrusted text.
        recorded: Of the debate as recorded; None where it is not known.
        trials: Under each trial, in order; None where it is not known.
        violated: Whether the test found a violation there.
    """

    debate: str
    claim: str
    recorded: Scored | None
    trials: tuple[Scored | None, ...]
    violated: bool

    @property
    def answers(self) -> tuple[Scored, ...]:
        """Return all that is known and has a score, that of the debate as recorded first."""
        return tuple(one for one in (self.recorded, *self.trials) if one is not None and one.score is not None)

    @property
    def spread(self) -> float | None:
        """Return the highest score minus the lowest, in [0, 1]; None with fewer than two."""
        scores = [one.score for one in self.answers if one.score is not None]
        return max(scores) - min(scores) if len(scores) > 1 else None

    @property
    def turned(self) -> int:
        """Return under how many trials the verdict is another one."""
        if self.recorded is None:
            return 0
        return sum(one is not None and one.verdict is not self.recorded.verdict for one in self.trials)

    @property
    def words(self) -> str:
        """Return in a few words how far the answers lie apart."""
        if self.spread is None:
            return "not asked again" if self.answers else "not asked"
        known = sum(one is not None and one.score is not None for one in self.trials)
        turned = f"{self.turned} of {known} turned" if self.turned else "none turned"
        return f"spread {self.spread:.3f} · {turned}"


def pages_of(count: int) -> int:
    """Return how many pages so many debates take, at least 1."""
    return max(1, -(-count // PAGE))


def in_order(result: PropertyResult, ids: Sequence[str]) -> list[int]:
    """Return the places of debates, violations first with the worst at the top, then the others as they come."""
    places = {name: place for place, name in enumerate(ids)}
    first = [places[one.debate] for one in result.witnesses if one.debate in places]
    return list(dict.fromkeys([*first, *range(len(ids))]))


def debate_strip(rows: Sequence[StripRow], result: PropertyResult, palette: Palette) -> Chart:
    """Return a row for each debate: the score as recorded a filled mark, those under each trial hollow ones.

    Args:
        rows: What was said.
        result: What the test came to.
        palette: Colours for the background in use.
    """
    heights = list(range(len(rows)))[::-1]
    names = [f"{'✕ ' if row.violated else ''}{hover_text(row.claim, NAME)}" for row in rows]
    scores = [[one.score for one in row.answers if one.score is not None] for row in rows]
    wide = [(min(found), max(found), y) for found, y in zip(scores, heights, strict=True) if len(found) > 1]
    labels = [one.trial.label for one in result.trials]
    tried = [
        (said.score, y, label)
        for row, y in zip(rows, heights, strict=True)
        for said, label in zip(row.trials, labels, strict=True)
        if said is not None and said.score is not None
    ]
    recorded = [
        (row.recorded.score, y)
        for row, y in zip(rows, heights, strict=True)
        if row.recorded is not None and row.recorded.score is not None
    ]
    look = {"symbol": "diamond-open", "size": 13, "color": palette.ink, "line": {"width": 2, "color": palette.ink}}
    figure = figure_of(
        [
            segments(
                [low for low, _, _ in wide],
                [high for _, high, _ in wide],
                [y for _, _, y in wide],
                {"color": palette.neutral, "width": 2},
            ),
            scatter(
                [score for score, _, _ in tried],
                [y for _, y, _ in tried],
                mode="markers",
                marker=look,
                customdata=[hover_text(label) for _, _, label in tried],
                hovertemplate="%{customdata}: %{x:.3f}<extra></extra>",
            ),
            scatter(
                [score for score, _ in recorded],
                [y for _, y in recorded],
                mode="markers",
                marker={"symbol": "circle", "size": 8, "color": palette.ink},
                hovertemplate="as recorded: %{x:.3f}<extra></extra>",
            ),
        ],
        {
            "annotations": [
                beside(1, y, row.words, palette, xref="paper", size=13) for y, row in zip(heights, rows, strict=True)
            ],
            "shapes": [rule(palette, x=float(result.settings.get("threshold", 0.5)), dash="dot")],
            "xaxis": axis(palette, "Score: ● as recorded, ◇ under each trial", range=[-0.03, 1.03]),
            "yaxis": name_axis(palette, heights, names),
            **plain(110 + ROW * max(len(rows), 1), left=room_for(names), top=10, right=200),
        },
    )
    return Chart(figure, _alt(rows, result), strip_frame(rows, result))


def strip_frame(rows: Sequence[StripRow], result: PropertyResult) -> pd.DataFrame:
    """Return one row for each answer: debate, claim, trial, score and verdict."""
    labels = ["as recorded", *(one.trial.label for one in result.trials)]
    found = [
        {
            "debate": row.debate,
            "claim": row.claim,
            "trial": label,
            "score": said.score,
            "verdict": "" if said.verdict is None else said.verdict.value,
        }
        for row in rows
        for label, said in zip(labels, (row.recorded, *row.trials), strict=True)
        if said is not None
    ]
    columns = ["debate", "claim", "trial", "score", "verdict"]
    kinds = {name: "float64" if name == "score" else "str" for name in columns}
    return pd.DataFrame(found, columns=columns).astype(kinds)


def _alt(rows: Sequence[StripRow], result: PropertyResult) -> str:
    spreads = [row.spread for row in rows if row.spread is not None]
    begin = f"{result.checked.label} of {result.judge}, {several(len(rows), 'debate')}, one row each: "
    if not spreads:
        return f"{begin}none was asked about more than once."
    turned = sum(row.turned > 0 for row in rows)
    return (
        f"{begin}scores lie up to {max(spreads):.3f} apart; the verdict turns on {turned} of {len(spreads)} that were "
        "asked about more than once."
    )


__all__ = ["PAGE", "StripRow", "debate_strip", "in_order", "pages_of", "strip_frame"]
