"""Tables to take away as CSV, Markdown and LaTeX, with a caption that says what the numbers are of."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from core.errors import InvalidSetting
from core.export import table_bytes
from core.wording import number, signed

KINDS = {"csv": "csv", "markdown": "md", "latex": "tex"}  # kind and the ending of its file
WIDE = 8  # columns; a wider table is scaled to the text's width in LaTeX
MISSING = "–"
CSV_MARK = b"\xef\xbb\xbf"

_LATEX = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': r"\symbol{34}",
        "−": r"$-$",
        "±": r"$\pm$",
        "≥": r"$\geq$",
        "≤": r"$\leq$",
        "×": r"$\times$",
        "→": r"$\rightarrow$",
        "↓": r"$\downarrow$",
        "κ": r"$\kappa$",
        "Δ": r"$\Delta$",
        "✓": r"$\checkmark$",
        "✕": r"$\times$",
        "⇄": r"$\rightleftarrows$",
        "–": "--",
        "…": r"\ldots{}",
    }
)
_OPTION = re.compile(r"^[\[*]")  # what a command before it would take for its own
_BEYOND_LATIN = re.compile("[^\u0000-\u024f\u2010-\u2026]")
_MARKDOWN = {ord(sign): f"\\{sign}" for sign in "\\`*_{}[]<>()#+!|~$&"}


@dataclass(frozen=True)
class Caption:
    """What a table or chart is of.

    Attributes:
        title: What it shows.
        dataset: Name of the data set.
        judges: Names of the judges.
        n: Debates that the numbers use.
        total: Debates that the filter leaves.
        filter: The filter in words; empty for none.
        dataset_hash: Hash of the data set's content; empty if unknown.
        notes: Further sentences, such as the coverage and how abstentions count.
    """

    title: str
    dataset: str
    judges: tuple[str, ...]
    n: int
    total: int
    filter: str = ""
    dataset_hash: str = ""
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """Return the caption as one line."""
        content = f" (content {self.dataset_hash[:12]})" if self.dataset_hash else ""
        parts = [
            self.title,
            f"Data set: {self.dataset}{content}",
            f"Judges: {'; '.join(self.judges)}" if self.judges else "",
            f"n = {self.n} of {self.total} debates",
            f"Filter: {self.filter or 'none'}",
            *self.notes,
        ]
        return " ".join(f"{one_line(part).rstrip('.')}." for part in parts if part)


@dataclass(frozen=True, eq=False)
class Table:
    """A table with its caption and how its numbers are written.

    Attributes:
        frame: The values; unknown ones missing.
        caption: What it is of.
        decimals: Decimals of numeric columns by name; other columns of floats get 3.
        signs: Columns whose numbers carry a sign, as differences do.
    """

    frame: pd.DataFrame
    caption: Caption
    decimals: Mapping[str, int] = field(default_factory=dict)
    signs: frozenset[str] = frozenset()

    @property
    def shown(self) -> pd.DataFrame:
        """Return every value as the text to show; columns without any value are left out."""
        kept = [name for name in self.frame.columns if self.frame[name].notna().any()] or list(self.frame.columns)
        return pd.DataFrame(
            {str(name): [self._text(str(name), value) for value in self.frame[name]] for name in kept}, dtype="str"
        )

    def _text(self, column: str, value: object) -> str:
        if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
            return MISSING
        if isinstance(value, (bool, np.bool_)):
            return "yes" if value else "no"
        if isinstance(value, (int, np.integer)) and column not in self.decimals:
            return str(value)
        if isinstance(value, (int, float, np.integer, np.floating)):
            decimals = self.decimals.get(column, 3)
            if column in self.signs:
                return signed(float(value), decimals)
            return number(float(value), decimals).replace("-", "−")
        return one_line(str(value))


def table_file(table: Table, kind: str) -> bytes:
    """Return a table as the bytes of a file.

    Args:
        table: The table.
        kind: ``csv``, ``markdown`` or ``latex``.

    Raises:
        InvalidSetting: If there is no such kind.
    """
    match kind:
        case "csv":
            return to_csv(table)
        case "markdown":
            return to_markdown(table).encode("utf-8", "replace")
        case "latex":
            return to_latex(table).encode("utf-8", "replace")
        case _:
            raise InvalidSetting(f"There is no table format {kind!r}; there are {', '.join(KINDS)}.")


def to_csv(table: Table) -> bytes:
    """Return the values in full precision as CSV, below the caption as a line that begins with ``#``.

    Readers that know comments skip the caption, as ``pandas.read_csv(..., comment="#")`` does; a spreadsheet shows it
    above the table.
    """
    body = table_bytes(table.frame, "csv").removeprefix(CSV_MARK)
    return CSV_MARK + f"# {table.caption.text}\r\n".encode("utf-8", "replace") + body


def to_markdown(table: Table) -> str:
    """Return the table as shown in Markdown, below its caption; numbers stand to the right."""
    shown = table.shown
    rules = ["---:" if right else "---" for right in _numeric(table, shown)]
    lines = [
        f"**{markdown_text(table.caption.title)}**",
        "",
        _markdown_row([markdown_text(name) for name in shown.columns]),
        _markdown_row(rules),
        *(_markdown_row([markdown_text(cell) for cell in row]) for row in shown.itertuples(index=False)),
        "",
        markdown_text(table.caption.text),
    ]
    return "\n".join(lines) + "\n"


def to_latex(table: Table, label: str = "") -> str:
    """Return the table as shown in LaTeX with booktabs rules; wide tables are scaled to the text's width.

    Every text is escaped, so that none of it is a command.
    """
    shown = table.shown
    columns = "".join("r" if right else "l" for right in _numeric(table, shown))
    escaped = shown.map(_latex_cell)
    escaped.columns = pd.Index([_latex_cell(name) for name in shown.columns])
    body = escaped.to_latex(
        index=False,
        escape=False,
        column_format=columns,
        caption=_known_signs(latex_text(table.caption.text)),
        label=label or None,
        position="tbp",
    )
    packages = "booktabs, amssymb"
    if len(shown.columns) > WIDE:
        packages += ", graphicx"
        body = body.replace("\\begin{tabular}", "\\resizebox{\\textwidth}{!}{%\n\\begin{tabular}")
        body = body.replace("\\end{tabular}", "\\end{tabular}}")
    engine = " Typeset with XeLaTeX or LuaLaTeX and a font that has its signs." if _BEYOND_LATIN.search(body) else ""
    return f"% Packages: {packages}{engine and '.'}{engine}\n{body}"


def _latex_cell(text: str) -> str:
    """Return a cell's text; a row or rule before it would read a bracket or star at its beginning as an option."""
    return _OPTION.sub(r"{}\g<0>", _known_signs(latex_text(text)))


def _known_signs(text: str) -> str:
    return text.replace("\N{REPLACEMENT CHARACTER}", "?")  # for control characters; no font of LaTeX's own has it


def latex_text(text: str) -> str:
    """Return text in which LaTeX finds no command; signs that its fonts lack become mathematics."""
    return one_line(text).translate(_LATEX)


def markdown_text(text: str) -> str:
    """Return text in which Markdown finds no markup, no cell border and no HTML."""
    return one_line(text).translate(_MARKDOWN)


def one_line(text: str) -> str:
    """Return text without line breaks and control characters."""
    return " ".join(
        "".join(sign if sign.isprintable() or sign.isspace() else "\N{REPLACEMENT CHARACTER}" for sign in text).split()
    )


def _markdown_row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _numeric(table: Table, shown: pd.DataFrame) -> list[bool]:
    kinds = {str(name): kind for name, kind in table.frame.dtypes.items()}
    return [pd.api.types.is_numeric_dtype(kinds[name]) for name in shown.columns]
