"""The reader of ucl-dark/llm_debate: a table with each debate as JSON in a cell, in three generations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from core.errors import MootError, UnreadableRecord
from core.import_issue import IssueLog, quoted
from core.judgement import Verdict
from storage.readers.cells import is_missing, text_of
from storage.readers.draft import mapping, text_or_none
from storage.readers.source import LineAndDebate, Recognised, Source
from storage.readers.table_source import Table, table_of
from storage.readers.tolerant_json import json_records
from storage.readers.two_debaters import NAMES, TwoDebaters

FORMAT = "llm-debate"
_ANSWER = re.compile(r"Answer:\s*+<?\s*+([AB])\b", re.IGNORECASE)
_CONFIDENCE = re.compile(r"Confidence correct:\s*+([01]?(?:\.\d{1,10})?)", re.IGNORECASE)
_COLUMNS = ("transcript", "question")
_TEXT_KEYS = ("argument", "text", "response", "content", "completion")
_UNVERIFIED = "<u_quote>"


class LlmDebateReader:
    """Knows the tables of llm_debate, and its transcripts on their own."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return why this is one: a transcript with two sides and their answers, or a table with such transcripts."""
        if source.members is not None:
            return None
        if any(_is_transcript(mapping(record.value)) for record in source.head[:3]):
            return Recognised(FORMAT, "It is a transcript with rounds of two sides and their answers.")
        if not source.is_parquet and b"transcript" not in source.data[:100_000]:
            return None
        try:
            table = table_of(source)
        except MootError:
            return None
        if table is None or not set(_COLUMNS) <= set(table.columns):
            return None
        place = table.places["transcript"]
        for _, cells in islice(table.rows(IssueLog()), 20):
            told = _parsed(cells[place] if place < len(cells) else None)
            if told is not None and _is_transcript(told):
                why = "Its column 'transcript' holds rounds of two sides as JSON."
                return Recognised(FORMAT, why, None, table.columns)
        return None

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield the debates."""
        if not recognised.columns:
            for record in source.values(issues):
                yield from _one(mapping(record.value), {}, record.line, issues)
            return
        table = table_of(source)
        if table is None:
            return
        for line, row in _rows(table, issues):
            cell = row.get("transcript")
            if is_missing(cell):
                message = "The row has no transcript; it is left out."
                issues.error("transcript_missing", message, line, "transcript")
                continue
            told = _parsed(cell)
            yield from _one({"plain": text_of(cell)} if told is None else told, row, line, issues)


def _rows(table: Table, issues: IssueLog) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, cells in table.rows(issues):
        yield line, {name: cells[place] if place < len(cells) else None for name, place in table.places.items()}


def _parsed(cell: object) -> Mapping[str, Any] | None:
    if isinstance(cell, dict):
        return cell
    if not isinstance(cell, str) or not cell.lstrip().startswith("{"):
        return None
    record = next(json_records(cell, IssueLog(), 2), None)
    return record.value if record is not None and isinstance(record.value, dict) else None


def _is_transcript(told: Mapping[str, Any]) -> bool:
    rounds = told.get("rounds")
    if not isinstance(rounds, list) or "question" not in told:
        return False
    if any(isinstance(entry, dict) and ("correct" in entry or "incorrect" in entry) for entry in rounds[:20]):
        return True
    return any(key in told for key in ("ans1", "ansA", "name1")) and any(isinstance(e, list) for e in rounds[:20])


def _one(told: Mapping[str, Any], row: Mapping[str, Any], line: int, issues: IssueLog) -> Iterator[LineAndDebate]:
    try:
        yield line, _Transcript(told, row, line, issues).made.debate()
    except UnreadableRecord as error:
        issues.error("record_unreadable", f"{error} It is left out.", line, "question")


class _Transcript:
    """One debate, with A and B for its sides: which of them is right, only the label says."""

    def __init__(self, told: Mapping[str, Any], row: Mapping[str, Any], line: int, issues: IssueLog) -> None:
        self.told, self.row, self.line, self.issues = told, row, line, issues
        right, wrong = self._answers()
        names = mapping(told.get("names"))
        named = text_or_none(names.get("correct"))
        swapped = named == NAMES["B"] if named in NAMES.values() else told.get("swap") is True
        self.right = "B" if swapped else "A"  # the side of the right answer
        a, b = (wrong, right) if swapped else (right, wrong)
        wished = text_or_none(row.get("id")) or text_or_none(told.get("index"))
        if "ans1" in told or "ansA" in told:  # the oldest keep A's answer first
            a, b = told.get("ansA", told.get("ans1")), told.get("ansB", told.get("ans2"))
            self.right = "A" if right is None or text_or_none(a) == text_or_none(right) else "B"
        question = told.get("question", row.get("question"))
        self.made = TwoDebaters(issues, line, wished or f"row-{line}", question, (a, b), "question")
        draft = self.made.draft
        if right is not None:
            draft.label(self.right == "A", "label")
        draft.provenance["story"] = {"title": told.get("story_title")}
        draft.provenance["rollout"] = told.get("rollout_type")
        if str(row.get("complete", True)).strip().casefold() in ("false", "0"):
            issues.warning("debate_unfinished", "The row is marked as not complete.", line, "complete")
        self._rounds()
        self._judgements()

    def _answers(self) -> tuple[Any, Any]:
        answers = mapping(self.told.get("answers"))
        right = answers.get("correct", self.row.get("correct answer"))
        return right, answers.get("incorrect", self.row.get("negative answer"))

    def _rounds(self) -> None:
        unverified = 0
        if "plain" in self.told:
            self.made.aside("transcript", 0, self.told["plain"], "transcript")
            message = "The transcript is plain text; who said what is not told apart."
            self.issues.info("transcript_only", message, self.line, "transcript")
        rounds = self.told.get("rounds")
        for number, entry in enumerate(rounds if isinstance(rounds, list) else ()):
            for side in NAMES:
                text = _speech(self._of_side(entry, side))
                unverified += text.count(_UNVERIFIED) if text is not None else 0
                self.made.speech(side, number, text, f"transcript.rounds[{number}].{side}")
            for role in ("cross_examiner", "judge"):
                word = role.replace("_", " ")
                self.made.aside(word, number, _speech(mapping(entry).get(role)), word)
        if unverified:
            message = f"Quotations that were not found in the story: {unverified}, marked {_UNVERIFIED}."
            self.issues.info("quotes_unverified", message, self.line, "transcript")

    def _of_side(self, entry: object, side: str) -> object:
        if isinstance(entry, list):
            place = list(NAMES).index(side)
            return entry[place] if place < len(entry) else None
        return mapping(entry).get("correct" if side == self.right else "incorrect")

    def _judgements(self) -> None:
        for column, cell in self.row.items():
            name = column.casefold()
            if not (name.startswith("judgement") or name.startswith("answer_judge")) or is_missing(cell):
                continue
            text = text_of(cell) or ""
            plain = text.strip().strip("<>()").upper()
            found = _ANSWER.findall(text)
            side = found[-1].upper() if found else plain if plain in NAMES else None
            confidence = _CONFIDENCE.findall(text)
            if confidence and confidence[-1]:
                share = float(confidence[-1]) if confidence[-1] != "." else None
                value = share if self.right == "A" or share is None else 1 - share
                self.made.belief(column, "human", value, column, reason=text)
            elif side is not None:
                self._verdict(column, side, text)
            else:
                message = f"The judge's reply {quoted(text)} names neither answer; it is unreadable and no verdict."
                self.issues.warning("ruling_unreadable", message, self.line, column)
                self.made.belief(column, "llm", None, column, reason=text)

    def _verdict(self, column: str, side: str, text: str) -> None:
        verdict = Verdict.TRUE if side == "A" else Verdict.FALSE
        self.made.draft.judgement(column, "llm", verdict=verdict, explanation=text, settings={"answer": side})


def _speech(value: object) -> str | None:
    if isinstance(value, dict):
        return next((text for key in _TEXT_KEYS if (text := text_or_none(value.get(key))) is not None), None)
    return text_or_none(value)


__all__ = ["LlmDebateReader"]
