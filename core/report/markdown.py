"""A report as Markdown: every text is escaped; pictures stand at the end as data, and are referred to by number."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Sequence

from core.report.document import Block, Document, Drawing, Facts, Grid, Heading, Prose, Quote, Remark, Section
from core.report.html import paragraphs, shown
from core.table_export import markdown_text

_NUMBERED = re.compile(r"^(\d{1,9})([.)])(?=\s|$)")
_ADDRESS = re.compile(r"(?<=[a-zA-Z]):(?=//)|(?<=www)\.|@|(?<=[a-zA-Z]):(?=\S)", re.IGNORECASE)


def to_markdown(document: Document) -> str:
    """Return the report in CommonMark with tables as GitHub's; equal documents give equal texts."""
    pictures: list[str] = []
    parts = [f"# {escaped(document.title)}"]
    parts += [escaped(text) for text in (document.byline, *document.remarks) if text]
    if len(document.sections) > 1:
        lines = [
            f"{place}. {escaped(section.title)}{f' – {escaped(section.outcome)}' if section.outcome else ''}"
            for place, section in enumerate(document.sections, 1)
        ]
        parts.append("\n".join(lines))
    for section in document.sections:
        parts += _section(section, pictures)
    if not document.sections:
        parts.append("There is nothing in this report yet.")
    judges = document.judges
    if judges is not None:
        sides = "l" * len(judges.columns)
        parts += [f"## {judges.title}", _table([column.name for column in judges.columns], sides, judges.rows)]
    parts += ["## What this report rests on", _table(("What", "Which", "Hash or value"), "lll", _checks(document))]
    parts += ["Recipe of this report:", _fenced(document.recipe)]
    parts += [f"[picture-{place}]: {address}" for place, address in enumerate(pictures, 1)]
    return "\n\n".join(part for part in parts if part) + "\n"


def escaped(text: str) -> str:
    """Return a text on one line in which Markdown finds no markup, no link and no HTML."""
    line = markdown_text(shown(text))
    line = _ADDRESS.sub(lambda found: f"\\{found.group()}", line)
    return f"\\{line}" if line[:1] in ("-", "=", ":") else _NUMBERED.sub(r"\1\\\2", line)


def _section(section: Section, pictures: list[str]) -> Iterator[str]:
    yield f"## {escaped(section.title)}"
    about = " · ".join(escaped(part) for part in (section.kicker, *section.badges) if part)
    if about:
        yield f"*{about}*"
    for block in section.blocks:
        yield from _block(block, pictures)


def _block(block: Block, pictures: list[str]) -> Iterator[str]:
    match block:
        case Heading():
            yield f"### {escaped(block.text)}"
        case Prose():
            yield from _paragraphs(block.text)
        case Remark():
            said = "\n>\n".join(f"> {escaped(part)}" for part in _lines(block.text))
            yield f"> **{escaped(block.title)}**\n>\n{said}"
        case Quote():
            yield "\n>\n".join(
                f"> {part}" for part in [*map(escaped, _lines(block.text)), f"– {escaped(block.source)}"]
            )
        case Facts():
            yield "\n".join(f"- {escaped(name)}: {escaped(value)}" for name, value in block.rows)
        case Drawing():
            data = base64.b64encode(block.light.encode("utf-8", "replace")).decode()
            pictures.append(f"data:image/svg+xml;base64,{data}")
            yield f"![{escaped(block.alt)}][picture-{len(pictures)}]"
            yield escaped(block.caption)
        case Grid():
            yield f"**{escaped(block.title)}**"
            sides = "".join("r" if column.number else "l" for column in block.columns)
            yield _table([column.name for column in block.columns], sides, block.rows)
            yield escaped(block.caption)


def _paragraphs(text: str) -> Iterator[str]:
    yield from (escaped(part) for part in _lines(text))


def _lines(text: str) -> list[str]:
    return paragraphs(text) or [""]


def _table(names: Sequence[str], sides: str, rows: Sequence[Sequence[str]]) -> str:
    head = _row(names)
    rule = f"| {' | '.join('---:' if side == 'r' else '---' for side in sides)} |"
    return "\n".join([head, rule, *map(_row, rows)])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(_cell(cell) for cell in cells)} |"


def _cell(text: str) -> str:
    deep = len(text) - len(text.lstrip("\u2003"))
    return "\u2003" * deep + (escaped(text) or " ")


def _checks(document: Document) -> list[tuple[str, str, str]]:
    return [(check.what, check.name, f"{check.value} {check.outcome}".strip()) for check in document.checks]


def _fenced(text: str) -> str:
    """Return a text as a block of code whose fence is longer than any run of its sign within."""
    longest = max((len(run) for run in re.findall(r"~+", text)), default=0)
    fence = "~" * max(3, longest + 1)
    return f"{fence} json\n{shown(text)}\n{fence}"


__all__ = ["escaped", "to_markdown"]
