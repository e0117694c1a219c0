"""From what a report refers to, as it was found, to the document that every format is written from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from core.errors import MootError
from core.report.comparison_section import comparison_section
from core.report.contestation_section import contestation_section
from core.report.debate_section import debate_section
from core.report.document import Document, Prose, Remark, Section, Tone
from core.report.items import FreeNote
from core.report.matter import FoundComparison, FoundContestation, FoundJudgedDebate, FoundWitness, Matter, NotFound
from core.report.report import Entry, Report
from core.report.witness_section import witness_section

HIDDEN = "Gold labels are hidden in this report and were not used."
ANONYMISED = "Agents are numbered in this report instead of named."


def document(report: Report, matters: Sequence[Matter], version: str) -> Document:
    """Return a report with its content.

    Args:
        report: The report.
        matters: What its entries refer to, in their order.
        version: Moot's.
    """
    sections = [
        _section(place, entry, matter, report)
        for place, (entry, matter) in enumerate(zip(report.entries, matters, strict=True), 1)
    ]
    remarks = [text for text, holds in ((HIDDEN, not report.labels), (ANONYMISED, report.anonymised)) if holds]
    return Document(
        report.title.strip() or "Report",
        report.author.strip(),
        report.date,
        version,
        tuple(sections),
        report.recipe,
        report.hash,
        tuple(remarks),
    )


def _section(place: int, entry: Entry, matter: Matter, report: Report) -> Section:
    try:
        made = _made(matter, report)
    except MootError as error:  # what it refers to is there and has changed
        made = _missing(NotFound(entry.item.title, str(error)))
    if entry.note.strip():
        made = replace(made, blocks=(Remark("Note", entry.note.strip(), Tone.NOTE), *made.blocks))
    return replace(made, key=f"item-{place}")


def _made(matter: Matter, report: Report) -> Section:
    match matter:
        case FoundContestation():
            return contestation_section(matter, report)
        case FoundJudgedDebate():
            return debate_section(matter, report)
        case FoundComparison():
            return comparison_section(matter)
        case FoundWitness():
            return witness_section(matter, report)
        case FreeNote():
            return Section("", "", matter.title, (Prose(matter.text),))
        case NotFound():
            return _missing(matter)


def _missing(matter: NotFound) -> Section:
    remark = Remark("Not in this report", matter.reason, Tone.MISSING)
    return Section("", "Missing", matter.title, (remark,), outcome="missing")


__all__ = ["document"]
