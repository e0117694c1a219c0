"""A report as a LaTeX document: no text in it is a command, whatever it holds. Pictures stand there as their data."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from core.report.document import Block, Column, Document, Drawing, Facts, Grid, Heading, Prose, Quote, Remark, Section
from core.report.html import paragraphs, shown
from core.table_export import latex_text

LONGEST_RUN = 30  # characters without a space after which a line may be broken
LONGEST_IN_CELL = 10  # the same in a table, whose columns may be narrow

# What latex_text leaves as it is and TeX would join with its neighbour or cannot typeset.
_JOINED = re.compile("(-(?=-)|[?!](?=`)|,(?=,)|'(?=')|[`“”·’⇄])")
_MORE = {
    "-": "-{}",
    "?": "?{}",
    "!": "!{}",
    ",": ",{}",
    "'": "'{}",
    "`": r"\textasciigrave{}",
    "“": r"\textquotedblleft{}",
    "”": r"\textquotedblright{}",
    "’": r"\textquoteright{}",
    "·": r"\textperiodcentered{}",
    "⇄": r"$\rightleftarrows$",
}
MOST_IN_ROW, LEAST_IN_ROW = 2_500, 100  # characters of a cell as wide as the line, and of the narrowest
MANY = 8  # columns; tables of more are set smaller and closer
GAP, GAP_OF_MANY = 0.027, 0.009  # between two columns, as shares of the line
PREAMBLE = r"""% Typeset with XeLaTeX or LuaLaTeX; with pdfLaTeX, signs that its fonts lack come out as ?.
\documentclass[11pt,a4paper]{article}
\usepackage{iftex}
\ifPDFTeX
  \usepackage[utf8]{inputenc}
  \usepackage[T1]{fontenc}
  \usepackage{textcomp}
  \makeatletter
  \def\UTFviii@undefined@err#1{?}
  \makeatother
\else
  \usepackage{fontspec}
\fi
\usepackage[margin=25mm]{geometry}
\usepackage{amsmath,amssymb,array,booktabs,longtable,ragged2e}
\setlength{\parindent}{0pt}
\setlength{\parskip}{0.6em}
\setlength{\emergencystretch}{3em}
\newcolumntype{L}[1]{>{\RaggedRight\arraybackslash}p{#1}}
\newcolumntype{R}[1]{>{\RaggedLeft\arraybackslash}p{#1}}
"""


def to_latex(document: Document) -> str:
    """Return the report as a document to be typeset; equal documents give equal texts."""
    parts = [
        PREAMBLE,
        rf"\title{{{escaped(document.title)}}}",
        rf"\author{{{escaped(document.author)}}}",
        rf"\date{{{escaped(document.date)}}}",
        r"\begin{document}",
        r"\maketitle",
        *(escaped(remark) for remark in document.remarks),
    ]
    for section in document.sections:
        parts += _section(section)
    if not document.sections:
        parts.append("There is nothing in this report yet.")
    judges = document.judges
    if judges is not None:
        parts += [rf"\section*{{{escaped(judges.title)}}}", _table(judges.columns, judges.rows)]
    parts.append(r"\section*{What this report rests on}")
    columns = (Column("What"), Column("Which", wide=True), Column("Hash or value", wide=True))
    rows = [(check.what, check.name, f"{check.value} {check.outcome}".strip()) for check in document.checks]
    parts += [
        _table(columns, rows),
        r"\subsection*{Recipe of this report}",
        rf"{{\footnotesize\ttfamily\RaggedRight {escaped(document.recipe, LONGEST_IN_CELL)}\par}}",
    ]
    parts.append(r"\end{document}")
    return "\n\n".join(part for part in parts if part) + "\n"


def escaped(text: str, longest: int = LONGEST_RUN) -> str:
    """Return a text on one line in which LaTeX finds no command, and which can be broken where it is long.

    Args:
        text: What to typeset.
        longest: Characters without a space after which a line may be broken.
    """
    deep = len(text) - len(text.lstrip("\u2003"))
    line = " ".join(shown(text).split())
    run = rf"[^\s-]{{{longest + 1},}}"
    broken = re.sub(run, lambda found: "\0".join(_pieces(found.group(), longest)), line)
    return r"\quad{}" * deep + r"\allowbreak{}".join(_safe(piece) for piece in broken.split("\0"))


def _safe(text: str) -> str:
    """Return a text without a command; ligatures, which would change dashes and quotes, are parted."""
    pieces = _JOINED.split(text)
    return "".join(_MORE[piece] if place % 2 else _edged(piece) for place, piece in enumerate(pieces))


def _edged(text: str) -> str:
    """Return the text escaped with the spaces at its ends, which escaping alone would drop."""
    body = latex_text(text)
    return f"{' ' if text[:1].isspace() else ''}{body}{' ' if body and text[-1:].isspace() else ''}"


def _pieces(run: str, longest: int) -> list[str]:
    return [run[at : at + longest] for at in range(0, len(run), longest)]


def _section(section: Section) -> Iterator[str]:
    yield rf"\section*{{{escaped(section.title)}}}"
    about = r" \textperiodcentered{} ".join(escaped(part) for part in (section.kicker, *section.badges) if part)
    if about:
        yield rf"\textit{{{about}}}"
    for block in section.blocks:
        yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Heading():
            yield rf"\subsection*{{{escaped(block.text)}}}"
        case Prose():
            yield from map(escaped, paragraphs(block.text))
        case Remark():
            yield rf"\textbf{{{escaped(block.title)}.}} " + "\n\n".join(map(escaped, paragraphs(block.text)))
        case Quote():
            words = "\n\n".join(map(escaped, paragraphs(block.text)))
            yield f"\\begin{{quote}}\n{words}\n\n\\hfill {escaped(block.source)}\n\\end{{quote}}"
        case Facts():
            columns = (Column("", wide=False), Column("", wide=True))
            yield _table(columns, block.rows, head=False)
        case Drawing():
            yield rf"\textit{{{escaped(block.title)}:}} {escaped(block.alt)}"
        case Grid():
            yield rf"\textbf{{{escaped(block.title)}}}"
            yield _table(block.columns, block.rows)
            if block.caption:
                yield rf"{{\small {escaped(block.caption)}}}"


def _table(columns: Sequence[Column], rows: Sequence[Sequence[str]], *, head: bool = True) -> str:
    many = len(columns) > MANY
    shares = _shares(columns, GAP_OF_MANY if many else GAP)
    sides = "".join(
        f"{'R' if column.number else 'L'}{{{share:.3f}\\linewidth}}"
        for column, share in zip(columns, shares, strict=True)
    )
    size = r"\scriptsize\setlength{\tabcolsep}{2pt}" if many else r"\small"
    lines = [rf"{{{size}\begin{{longtable}}{{@{{}}{sides}@{{}}}}"]
    if head:
        names = " & ".join(_cell(column.name) for column in columns)  # in braces: a rule takes what stands in brackets
        lines += [r"\toprule", rf"{names} \\", r"\midrule", r"\endhead"]
    most = [max(LEAST_IN_ROW, int(share * MOST_IN_ROW)) for share in shares]
    lines += [rf"{' & '.join(_cell(cell) for cell in part)} \\" for row in rows for part in _parted(row, most)]
    lines += [*([r"\bottomrule"] if head else []), r"\end{longtable}}"]
    return "\n".join(lines)


def _parted(row: Sequence[str], most: Sequence[int]) -> Iterator[tuple[str, ...]]:
    """Yield a row as several where a cell is longer than fits: no page breaks inside a row.

    Args:
        row: The cells' texts.
        most: Characters that fit into each.
    """
    cells = [textwrap.wrap(text, width) if len(text) > width else [text] for text, width in zip(row, most, strict=True)]
    yield from zip_longest(*cells, fillvalue="")


def _cell(text: str) -> str:
    # In braces, since a row that began with a bracket or a star would be read as an option of the row before.
    return f"{{{escaped(text, LONGEST_IN_CELL)}}}"


def _shares(columns: Sequence[Column], gap: float) -> list[float]:
    """Return how much of the line each column gets, the space between columns left out."""
    weights = [3.0 if column.wide else 0.9 if column.number else 1.3 for column in columns]
    room = 1.0 - gap * (len(columns) - 1)
    return [room * weight / sum(weights) for weight in weights]


__all__ = ["escaped", "to_latex"]
