"""What must be known of results, said in the picture: simulated debates, small models, judges that do not judge."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence

from core.figures import Chart, hover_text
from core.palette import Palette
from core.properties.result import PropertyResult

SIMULATED = "The debates are simulated: their numbers were drawn, and no agent took part."
WIDTH = 104  # characters of a line in the picture
LINE = 18  # pixels of a line
SIZE = 13


def remarks(
    results: Sequence[PropertyResult], names: Mapping[str, str] | None = None, *, simulated: bool = False
) -> tuple[str, ...]:
    """Return what to say wherever results are shown, a sentence each: of the debates, and of each judge that needs it.

    Args:
        results: What is shown.
        names: What to call each judge, by its own name.
        simulated: Whether the debates are.
    """
    origins: dict[str, str] = {}
    caveats: dict[str, str] = {}  # the first of each judge: tests made at different times may count differently
    for one in results:
        if one.rate is not None:
            origins[one.judge] = origins.get(one.judge) or one.origin
            caveats[one.judge] = caveats.get(one.judge) or one.caveat
    known = names or {}
    told = [
        f"{known.get(judge, judge)}: {'; '.join(filter(None, (origins[judge], caveats[judge])))}."
        for judge in origins
        if origins[judge] or caveats[judge]
    ]
    return (*([SIMULATED] if simulated else []), *dict.fromkeys(told))


def with_remarks(chart: Chart, said: Sequence[str], palette: Palette) -> Chart:
    """Return a chart with sentences above it, as a part of the picture and of its description."""
    if not said:
        return chart
    lines = [hover_text(line, WIDTH + 10) for sentence in said for line in textwrap.wrap(sentence, WIDTH)]
    figure, room = chart.figure, LINE * len(lines) + 8
    margin = figure.layout.margin
    top, left = float(margin.t or 0), float(margin.l or 0)
    note = {
        "text": "<br>".join(f"<b>{line} </b>" for line in lines),  # the blank is for readers of the text
        "x": 0,
        "y": 1,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "bottom",
        "align": "left",
        "xshift": 10 - left,
        "yshift": top,
        "showarrow": False,
        "font": {"size": SIZE, "color": palette.ink},
    }
    figure.layout.annotations = (*figure.layout.annotations, note)
    figure.layout.margin.t = top + room
    figure.layout.height = float(figure.layout.height or 0) + room
    return Chart(figure, f"{' '.join(said)} {chart.alt}", chart.data)


__all__ = ["SIMULATED", "remarks", "with_remarks"]
