"""A chart or a table of judges side by side in a report."""

from __future__ import annotations

import pandas as pd

from core.chart_svg import chart_svg
from core.comparison_report import DrawnChart
from core.palette import DARK, LIGHT
from core.report import parts
from core.report.document import Block, Check, Column, Drawing, Grid, Remark, Section, Tone, grid
from core.report.matter import FoundComparison
from core.table_export import MISSING, Caption, Table

MOST_ROWS = 60
MANY, FEW = 8, 6  # more columns and no more rows than these: a table that is turned on its side
LONG = 40  # characters from which a cell is a sentence
PAIR = 2  # judges that the contents name, so that two charts of one kind can be told apart
KNOWN = "To be known of these judges"


def comparison_section(matter: FoundComparison) -> Section:
    """Return a chart or a table as a section."""
    caption = matter.piece.caption
    blocks: list[Block] = []
    if isinstance(matter.piece, DrawnChart):
        light, dark = matter.piece.draw(LIGHT), matter.piece.draw(DARK)
        blocks.append(Drawing(caption.title, chart_svg(light, LIGHT), chart_svg(dark, DARK), light.alt, light.alt))
        blocks.append(_table("Data of the chart", Table(light.data, caption), folded=True))
    else:
        made = matter.piece.make()
        blocks.append(_table("In numbers", made))
    blocks += _about(caption, matter.of.names)
    checks = [Check("Data set's file", caption.dataset, caption.dataset_hash)] if caption.dataset_hash else []
    return Section(
        key="",
        kicker="Comparison of judges",
        title=caption.title,
        blocks=tuple(blocks),
        badges=(caption.dataset, f"n = {caption.n:,} of {caption.total:,} debates"),
        checks=(*checks, *parts.prompt_checks(matter.settings)),
        outcome=_whose(caption) if len(caption.judges) <= PAIR else "",
        judges=parts.judge_lines(matter.settings),
    )


def _whose(caption: Caption) -> str:
    return "; ".join(name.split(" = ")[0] for name in caption.judges)


def _about(caption: Caption, names: tuple[str, ...]) -> list[Block]:
    """Return what the numbers rest on, and what must be known of the judges before they are read."""
    said = {name: [note for note in caption.notes if note.startswith(f"{name}: ")] for name in names}
    about = {note for notes in said.values() for note in notes}
    rules = [note for note in caption.notes if note not in about]
    known = [
        f"{name}: {' '.join(note.removeprefix(f'{name}: ') for note in notes)}" for name, notes in said.items() if notes
    ]
    rows = (
        ("Judges", "; ".join(caption.judges)),
        ("Data set", caption.dataset),
        ("Filter", caption.filter or "none"),
        ("How it is counted", " ".join(rules)),
    )
    blocks: list[Block] = [parts.facts(rows)]
    return blocks + ([Remark(KNOWN, "\n".join(known), Tone.ORIGIN)] if known else [])


def _table(title: str, table: Table, *, folded: bool = False) -> Grid:
    """Return a table as it is shown elsewhere, in a form that fits a page.

    A judge's verdict and score stand in one cell; ids, which claims stand for, are left out; a table of many columns
    and few rows is turned on its side.
    """
    shown = _together(table.shown)
    if {"claim", "Claim"} & set(shown.columns):
        shown = shown.drop(columns=[name for name in ("debate_id", "Id") if name in shown.columns])
    rows = [tuple(row) for row in shown.head(MOST_ROWS).itertuples(index=False)]
    more = f"The first {MOST_ROWS} of {len(shown):,} rows." if len(shown) > MOST_ROWS else ""
    if len(shown.columns) > MANY and 0 < len(shown) <= FEW:
        heads, *lines = zip(*rows, strict=True)
        turned = [(name, *line) for name, line in zip(shown.columns[1:], lines, strict=True)]
        return grid(title, [str(shown.columns[0]), *map(str, heads)], turned, more, folded=folded)
    kinds = {str(name): kind for name, kind in table.frame.dtypes.items()}
    columns = [
        Column(name, number=kinds[name].kind in "iuf", wide=len(shown) > 0 and int(shown[name].str.len().max()) > LONG)
        for name in shown.columns
    ]
    return grid(title, columns, rows, more, folded=folded)


def _together(shown: pd.DataFrame) -> pd.DataFrame:
    """Return a table of cases in which each judge's verdict and score are in one cell."""
    for name in list(shown.columns):
        scored = f"{name} score"
        if scored in shown.columns:
            shown[name] = [
                verdict if score == MISSING else f"{verdict} {score}"
                for verdict, score in zip(shown[name], shown.pop(scored), strict=True)
            ]
    return shown


__all__ = ["comparison_section"]
