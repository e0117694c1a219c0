"""A chart or a table of judges side by side in a report."""

from __future__ import annotations

from core.chart_svg import chart_svg
from core.comparison_report import DrawnChart
from core.palette import DARK, LIGHT
from core.report import parts
from core.report.document import Block, Check, Column, Drawing, Grid, Remark, Section, Tone, grid
from core.report.matter import FoundComparison
from core.table_export import Caption, Table

MOST_ROWS = 60
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
    """Return a table as it is shown elsewhere; ids, which claims stand for, and empty columns left out."""
    shown = table.shown
    dropped = [name for name in ("debate_id",) if name in shown.columns and "claim" in shown.columns]
    shown = shown.drop(columns=dropped)
    kinds = {str(name): kind for name, kind in table.frame.dtypes.items()}
    columns = [
        Column(
            name, number=kinds[name].kind in "iuf", wide=bool(shown[name].str.len().max() > 40) if len(shown) else False
        )
        for name in shown.columns
    ]
    rows = [tuple(row) for row in shown.head(MOST_ROWS).itertuples(index=False)]
    more = f"The first {MOST_ROWS} of {len(shown):,} rows." if len(shown) > MOST_ROWS else ""
    return grid(title, columns, rows, more, folded=folded)


__all__ = ["comparison_section"]
