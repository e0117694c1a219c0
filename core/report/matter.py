"""What items refer to, as it was found in a database: what the sections of a report are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from core.comparison_report import Comparison, DrawnChart, NamedTable
from core.contestation import Contestation
from core.debate import Debate
from core.judgement import Judgement
from core.properties.witness import Witness
from core.report.items import FreeNote, JudgedDebate


@dataclass(frozen=True)
class FoundDebate:
    """A stored debate: the name of its data set, and the SHA-256 of its record and of the data set's file."""

    debate: Debate
    dataset: str
    sha256: str
    dataset_sha256: str


@dataclass(frozen=True)
class Logged:
    """What the audit log says of a contestation: the last entry that vouches for it, and the hash in there."""

    entry: int
    sha256: str


@dataclass(frozen=True)
class Ruled:
    """What was ruled on a contestation, by whom, why and when."""

    outcome: str
    reason: str
    name: str
    moment: str


@dataclass(frozen=True)
class AskedAgain:
    """What a language model said of a debate, and of the same after the edits; what must be said with it.

    ``breach`` says how the two break contestability; it is empty where they do not.
    """

    name: str
    before: Judgement
    after: Judgement
    settings: Mapping[str, Any]
    origin: str = ""
    breach: str = ""


@dataclass(frozen=True)
class FoundContestation:
    """A saved contestation with its debate.

    Attributes:
        contestation: The contestation.
        found: Its debate.
        digest: SHA-256 of what is stored of it.
        logged: What the audit log says of it.
        ruled: The ruling on it that stands, if any.
        models: What language models said before and after, where replies to both questions are stored.
        origins: What must be said with the judgements of stored judges, by their names.
    """

    contestation: Contestation
    found: FoundDebate
    digest: str
    logged: Logged | None = None
    ruled: Ruled | None = None
    models: tuple[AskedAgain, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Recorded:
    """What a stored judge said of a debate, and what must be said with it."""

    name: str
    judgement: Judgement
    settings: Mapping[str, Any]
    origin: str = ""


@dataclass(frozen=True)
class FoundJudgedDebate:
    """A debate to be judged as an item says, with what stored judges said of it."""

    item: JudgedDebate
    found: FoundDebate
    recorded: tuple[Recorded, ...] = ()


@dataclass(frozen=True, eq=False)
class FoundComparison:
    """A chart or a table of a comparison, with each judge's settings by the name it has there."""

    of: Comparison
    piece: DrawnChart | NamedTable
    settings: tuple[tuple[str, Mapping[str, Any]], ...]


@dataclass(frozen=True)
class FoundWitness:
    """A witness with its debate and its judge's settings."""

    witness: Witness
    found: FoundDebate
    settings: Mapping[str, Any]


@dataclass(frozen=True)
class NotFound:
    """Something that an item refers to and the database does not have, or that may not be shown; and why."""

    title: str
    reason: str


Matter = FoundContestation | FoundJudgedDebate | FoundComparison | FoundWitness | FreeNote | NotFound

__all__ = [
    "AskedAgain", "FoundComparison", "FoundContestation", "FoundDebate", "FoundJudgedDebate", "FoundWitness", "Logged",
    "Matter", "NotFound", "Recorded", "Ruled",
]  # fmt: skip
