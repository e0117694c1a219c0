"""What a report shows, before it is known in which format: sections of blocks, and a table of hashes at the end.

Every text in here is as it came; each format makes it harmless in its own way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

FEW_JUDGES = 8  # of more, the settings are folded


class Tone(StrEnum):
    """What a remark is there for."""

    NOTE = "note"  # of whoever makes the report
    ORIGIN = "origin"  # where numbers are from, where that must be known
    MISSING = "missing"  # something the report refers to is not there
    WARNING = "warning"


@dataclass(frozen=True)
class Prose:
    """Words, in paragraphs."""

    text: str


@dataclass(frozen=True)
class Remark:
    """Words that must not be overlooked, under a short title."""

    title: str
    text: str
    tone: Tone = Tone.WARNING


@dataclass(frozen=True)
class Quote:
    """Somebody's words, and who said them when."""

    text: str
    source: str


@dataclass(frozen=True)
class Facts:
    """Names with values, one a line."""

    rows: tuple[tuple[str, str], ...]
    title: str = ""


@dataclass(frozen=True)
class Column:
    """A column of a table; numbers stand to the right, and wide columns hold sentences."""

    name: str
    number: bool = False
    wide: bool = False


@dataclass(frozen=True)
class Grid:
    """A table of texts.

    Attributes:
        title: What it shows.
        columns: Its columns.
        rows: A text for each column.
        caption: What else is to be known of it.
        folded: Whether it may be closed at first, because something else shows the same.
    """

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
    folded: bool = False


@dataclass(frozen=True)
class Drawing:
    """A picture as SVG for a light and for a dark background, with the same shapes.

    Attributes:
        title: What it shows, in a few words.
        light, dark: The SVG.
        alt: The same for people who cannot see it.
        caption: Said below it.
        narrow: The same two for a narrow page; None where the picture can only be scrolled there.
    """

    title: str
    light: str
    dark: str
    alt: str
    caption: str = ""
    narrow: tuple[str, str] | None = None


@dataclass(frozen=True)
class Heading:
    """A heading within a section."""

    text: str


Block = Prose | Remark | Quote | Facts | Grid | Drawing | Heading


@dataclass(frozen=True)
class Check:
    """A hash: of what kind of thing, which one, the hash, and what comparing it came to."""

    what: str
    name: str
    value: str
    outcome: str = ""


@dataclass(frozen=True)
class JudgeLine:
    """A judge of a report: its name, kind and settings in words, and the settings' hash."""

    name: str
    kind: str
    settings: str
    hash: str


@dataclass(frozen=True)
class Section:
    """One item of a report.

    Attributes:
        key: Unique in the report; for links within it.
        kicker: What kind of item it is.
        title: What it is about: often a claim.
        blocks: What it shows.
        badges: A few words each.
        checks: Hashes of what it rests on.
        outcome: What it comes to, for the contents; empty for nothing.
        judges: Whose judgements it shows; all of a report are listed together.
    """

    key: str
    kicker: str
    title: str
    blocks: tuple[Block, ...]
    badges: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    outcome: str = ""
    judges: tuple[JudgeLine, ...] = ()


@dataclass(frozen=True)
class Document:
    """A whole report.

    Attributes:
        title, author, date: As the recipe says.
        version: Moot's.
        sections: In order.
        recipe, hash: What it was made from.
        remarks: What holds for all of it, such as that labels are hidden.
    """

    title: str
    author: str
    date: str
    version: str
    sections: tuple[Section, ...]
    recipe: str
    hash: str
    remarks: tuple[str, ...] = field(default=())

    @property
    def byline(self) -> str:
        """Return who made it and of which day it is."""
        return ", ".join(part for part in (self.author, self.date) if part)

    @property
    def judges(self) -> Grid | None:
        """Return every judge's settings, each once under the first name that it has; None for no judge."""
        found: dict[str, JudgeLine] = {}
        for section in self.sections:
            for judge in section.judges:
                found.setdefault(judge.hash, judge)
        columns = (Column("Judge"), Column("Kind"), Column("Settings", wide=True))
        rows = tuple((judge.name, judge.kind, judge.settings) for judge in found.values())
        return Grid("Judges and their settings", columns, rows, folded=len(rows) > FEW_JUDGES) if rows else None

    @property
    def checks(self) -> tuple[Check, ...]:
        """Return every hash, each once, with the program's version first and the recipe last."""
        own = (Check("Program", "Moot", f"version {self.version}"),)
        found = [check for section in self.sections for check in section.checks]
        judges = [
            Check("Judge settings", judge.name, judge.hash) for section in self.sections for judge in section.judges
        ]
        once: dict[tuple[str, ...], Check] = {}
        for check in found:
            once.setdefault((check.what, check.name, check.value), check)
        for check in judges:
            once.setdefault((check.what, check.value), check)  # one judge may have a short name and a whole one
        return (*own, *once.values(), Check("Recipe", "this report", self.hash))


def grid(
    title: str,
    columns: Sequence[str | Column],
    rows: Sequence[Sequence[str]],
    caption: str = "",
    *,
    folded: bool = False,
) -> Grid:
    """Return a table; columns given by name alone hold words."""
    made = tuple(column if isinstance(column, Column) else Column(column) for column in columns)
    return Grid(title, made, tuple(tuple(row) for row in rows), caption, folded)


__all__ = [
    "Block",
    "Check",
    "Column",
    "Document",
    "Drawing",
    "Facts",
    "Grid",
    "Heading",
    "JudgeLine",
    "Prose",
    "Quote",
    "Remark",
    "Section",
    "Tone",
    "grid",
]  # fmt: skip
