"""Find what a report refers to, for whoever writes the report: the page, the command line, the tests."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from core.comparison.population import Abstention
from core.comparison_pieces import piece_named
from core.comparison_report import Comparison, DrawnChart
from core.contestation import Contestation, contest
from core.debate import Debate, profile
from core.errors import MootError, UnknownDebate
from core.judges.llm_judge import LlmJudge
from core.judges.many import LocalJudge
from core.judges.recorded_judge import RecordedJudge
from core.judges.registry import AnyJudge, family_of, judge_of, settings_id
from core.llm.circumstances import Circumstances
from core.properties.witness import Witness
from core.repeat_report import varied
from core.report.compose import document
from core.report.document import Document
from core.report.items import ComparedJudges, FreeNote, Item, JudgedDebate, PropertyWitness, SavedContestation
from core.report.matter import (
    AskedAgain,
    FoundComparison,
    FoundContestation,
    FoundDebate,
    FoundJudgedDebate,
    FoundWitness,
    Logged,
    Matter,
    NotFound,
    Recorded,
    Ruled,
)
from core.report.report import Report
from core.strict_json import storable
from core.supportiveness import breach
from core.wording import shortened
from storage.audit_log import AuditLog
from storage.comparison_choice import published_rows
from storage.comparison_source import material
from storage.contestation_repository import ContestationRepository
from storage.contested_judging import ContestedJudging
from storage.database import Database, first_row
from storage.debate_repository import DebateRepository
from storage.filter_record import filter_from_json
from storage.judge_catalogue import Candidate, candidates
from storage.judgement_repository import FoundJudgement, JudgementRepository
from storage.prompt_files import find_prompts, load_prices
from storage.row_hash import Vouched, row_hashes
from storage.ruling_repository import RulingRepository

LONGEST_TITLE = 200  # characters
LABELS = "Gold labels are hidden in this report, and this shows or rests on them."
_NEEDS_LABELS = ("accuracy", "calibration", "who is right")  # how the names of such charts begin


def report_document(database: Database, report: Report, version: str) -> Document:
    """Return a report with its content; what cannot be found is said in its place.

    Args:
        database: Where everything is.
        report: The report.
        version: Moot's.
    """
    finder = _Finder(database, report)
    return document(report, [finder.matter(entry.item) for entry in report.entries], version)


def item_words(database: Database, item: Item) -> tuple[str, str]:
    """Return what kind of thing an item is and what it is about, for a list; short, and without looking far."""
    try:
        match item:
            case SavedContestation():
                saved = ContestationRepository(database).get(item.contestation)
                claim = DebateRepository(database).get(saved.debate_id).claim
                return f"Saved contestation {saved.id}, by {saved.author}", shortened(claim, LONGEST_TITLE)
            case JudgedDebate():
                claim = DebateRepository(database).get(item.debate).claim
                return "Debate", shortened(claim, LONGEST_TITLE)
            case PropertyWitness():
                claim = DebateRepository(database).get(str(item.witness.get("debate"))).claim
                return f"Violated property: {item.witness.get('property')}", shortened(claim, LONGEST_TITLE)
    except MootError as error:
        return f"Missing: {item.title}", str(error)
    if isinstance(item, ComparedJudges):
        judges = "; ".join(
            str(judge.get("semantics") or judge.get("model") or judge.get("kind")) for judge in item.judges
        )
        about = item.what or item.name
        words = f"{about[:1].upper()}{about[1:]}: {judges}"
        return f"{item.piece.value.capitalize()} of judges side by side", shortened(words, LONGEST_TITLE)
    return item.title, ""


class _Finder:
    """Finds what items refer to; comparisons of the same judges are made once for all their charts."""

    def __init__(self, database: Database, report: Report) -> None:
        self._database = database
        self._report = report
        self._comparisons: dict[str, tuple[Comparison, tuple[Candidate, ...]]] = {}
        self._candidates: dict[str, Candidate] | None = None

    def matter(self, item: Item) -> Matter:
        try:
            match item:
                case FreeNote():
                    return item
                case SavedContestation():
                    return self._contestation(item)
                case JudgedDebate():
                    return self._judged(item)
                case ComparedJudges():
                    return self._comparison(item)
                case PropertyWitness():
                    return self._witness(item)
        except UnknownDebate as error:
            name = item.debate if isinstance(item, JudgedDebate) else ""
            why = f"The debate {name!r} is" if name else "Its debate is"
            return NotFound(item.title, f"{why} not in this database: it was removed, or never imported. {error}")
        except MootError as error:
            return NotFound(item.title, str(error))

    def _contestation(self, item: SavedContestation) -> Matter:
        saved = ContestationRepository(self._database).get(item.contestation)
        found = self._debate(saved.debate_id)
        with self._database.read() as cursor:
            digest = row_hashes(cursor, Vouched.CONTESTATION, [saved.id])[saved.id]
        ruling = RulingRepository(self._database).standing([saved.id]).get(saved.id)
        stored = JudgementRepository(self._database).for_debate(saved.debate_id)
        origins = {one.judgement.judge: one.origin for one in stored if one.origin}
        ruled = None if ruling is None else Ruled(ruling.outcome.value, ruling.reason, ruling.name, ruling.made_at)
        return FoundContestation(
            saved, found, digest, self._logged(saved.id), ruled, self._models(saved, found.debate), origins
        )

    def _models(self, saved: Contestation, debate: Debate) -> tuple[AskedAgain, ...]:
        """Return what language models said before and after, as far as replies are stored; none is asked."""
        repository = JudgementRepository(self._database)
        models = [one for one in repository.for_debate(debate.id) if one.judgement.settings.get("kind") == "llm"]
        asked = []
        for one in models:
            try:
                asked.append(self._asked_again(one, repository.judge(one.judge_id), saved, debate))
            except MootError:  # its endpoint or prompts are known no more, so no question can be found again
                continue
        return tuple(one for one in asked if one is not None)

    def _asked_again(
        self, one: FoundJudgement, judge: AnyJudge, saved: Contestation, debate: Debate
    ) -> AskedAgain | None:
        if not isinstance(judge, LlmJudge):
            return None
        asking = ContestedJudging(self._database, load_prices())
        held = profile(debate, saved.round_number)
        contested = contest(held, saved.edits).profile
        circumstances = Circumstances.of(debate, saved.round_number)
        whole = saved.round_number in (None, *(step.number for step in debate.rounds[-1:]))
        before = one.judgement if whole else asking.known(judge, held, circumstances)
        after = asking.known(judge, contested, circumstances)
        if before is None or after is None:
            return None
        said = breach(held, contested, before, after)
        return AskedAgain(one.judgement.judge, before, after, one.judgement.settings, one.origin, said)

    def _judged(self, item: JudgedDebate) -> Matter:
        kept = JudgementRepository(self._database).for_debate(item.debate)
        recorded = [Recorded(one.judgement.judge, one.judgement, one.judgement.settings, one.origin) for one in kept]
        return FoundJudgedDebate(item, self._debate(item.debate), tuple(recorded))

    def _witness(self, item: PropertyWitness) -> Matter:
        witness = Witness.from_json(item.witness)
        return FoundWitness(witness, self._debate(witness.debate), item.settings)

    def _comparison(self, item: ComparedJudges) -> Matter:
        labels = self._report.labels
        if not labels and (item.name.startswith(_NEEDS_LABELS) or "labels" in item.filter):
            return NotFound(item.title, LABELS)
        of, judges = self._compared(item)
        piece = piece_named(of, item.name, item.debates, item.what) or self._repeated(of, judges, item.name)
        if piece is None or isinstance(piece, DrawnChart) != (item.piece == "chart"):
            return NotFound(item.title, f"These judges have no {item.piece.value} called {item.name!r}.")
        if not of.population.size:
            return NotFound(item.title, "No debate is judged by every one of these judges.")
        settings = tuple((name, judge.settings) for name, judge in zip(of.names, judges, strict=True))
        return FoundComparison(of, piece, settings)

    def _compared(self, item: ComparedJudges) -> tuple[Comparison, tuple[Candidate, ...]]:
        key = repr((item.judges, item.dataset, item.filter, item.abstention, item.published, item.protocol))
        if key not in self._comparisons:
            judges = tuple(self._candidate(settings) for settings in item.judges)
            chosen = filter_from_json(item.filter, item.dataset)
            wanted = chosen.described
            repository = DebateRepository(self._database)
            of = material(self._database, judges, item.dataset or None).comparison(
                repository.ids(chosen) if wanted else None,
                wanted,
                labels=self._report.labels,
                abstention=Abstention(item.abstention or Abstention.NOT_RIGHT),
                published=published_rows(item.published, item.protocol or None) if item.published else None,
            )
            self._comparisons[key] = of, judges
        return self._comparisons[key]

    def _repeated(self, of: Comparison, judges: Sequence[Candidate], name: str) -> DrawnChart | None:
        repository = JudgementRepository(self._database)
        for place, judge in enumerate(judges):
            if judge.judge is None and name.endswith(f" {place + 1}"):
                for varying in varied(of, place, repository.repeats_frame(judge.id)):
                    for chart in varying.charts:
                        if chart.name == name:
                            return chart
        return None

    def _candidate(self, settings: Mapping[str, Any]) -> Candidate:
        if self._candidates is None:
            self._candidates = {one.id: one for one in candidates(self._database)}
        name = settings_id(settings)
        if name in self._candidates:
            return self._candidates[name]
        judge = judge_of(settings, find_prompts) if settings.get("kind") != "llm" else None
        if not isinstance(judge, LocalJudge | RecordedJudge):
            raise MootError(f"The judge with the settings {name} has judged nothing in this database.")
        return Candidate(name, judge.name, family_of(judge).value, judge, judge.settings())

    def _debate(self, name: str) -> FoundDebate:
        debate = DebateRepository(self._database).get(name)
        with self._database.read() as cursor:
            row = first_row(
                cursor.execute(
                    "SELECT d.record, s.name, s.sha256 FROM debate AS d JOIN dataset AS s ON s.id = d.dataset_id "
                    "WHERE d.id = ?",
                    [storable(name)],
                )
            )
        if row is None:
            raise UnknownDebate(name)
        record, dataset, digest = row
        return FoundDebate(debate, dataset, hashlib.sha256(record.encode()).hexdigest(), digest)

    def _logged(self, name: str) -> Logged | None:
        found = None
        for entry in AuditLog(self._database).about("contestation", name):
            for content in entry.vouches_for:
                if (content.table, content.id) == (Vouched.CONTESTATION.value, name):
                    found = Logged(entry.sequence, content.sha256)
        return found


__all__ = ["item_words", "report_document"]
