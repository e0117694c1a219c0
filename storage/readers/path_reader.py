"""The reader of whatever a person has said the paths of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from core.debate import DebateProtocol
from core.errors import UnreadableRecord
from core.import_issue import IssueLog, quoted
from core.label_text import read_label
from core.opinion import TOPIC, RelationKind
from core.record_reading import plain_text
from core.score_text import Scale
from core.wording import several
from storage.readers.cells import TOPIC_WORDS, is_missing, polarity_of, round_of, text_of
from storage.readers.draft import DebateDraft, text_or_none
from storage.readers.path_mapping import (
    CONSTANT,
    DEBATE_FIELDS,
    STATEMENT_FIELDS,
    PathMapping,
    StatementPaths,
    path_problem,
)
from storage.readers.path_records import path_values
from storage.readers.record_path import Place, RecordPath, find, first, record_path
from storage.readers.scales import Scales
from storage.readers.source import LineAndDebate, Recognised, Source

FORMAT = "paths"


class PathReader:
    """Knows every file that comes with paths, and no other."""

    def recognise(self, source: Source) -> Recognised | None:
        """Return that a person said which path means what."""
        if source.paths is None or path_problem(source.paths) is not None:
            return None
        return Recognised(FORMAT, "It is read by paths, as you said.")

    def read(self, source: Source, recognised: Recognised, issues: IssueLog) -> Iterator[LineAndDebate]:
        """Yield the debates. Where a scale is open the file is gone through twice, for it shows in all values only."""
        if source.paths is not None:
            yield from _Reading(source, source.paths, issues).debates()


@dataclass(frozen=True)
class _Kind:
    """One kind of statements, its paths read; a text that starts with ``=`` stays itself."""

    paths: StatementPaths
    text: RecordPath
    others: Mapping[str, RecordPath]
    constants: Mapping[str, str]

    @classmethod
    def of(cls, paths: StatementPaths) -> _Kind:
        given = {name: value for name in STATEMENT_FIELDS[1:] if (value := getattr(paths, name))}
        return cls(
            paths,
            record_path(paths.text),
            {name: record_path(value) for name, value in given.items() if not value.startswith(CONSTANT)},
            {name: value[len(CONSTANT) :] for name, value in given.items() if value.startswith(CONSTANT)},
        )


@dataclass(frozen=True)
class _Statement:
    """One statement with what belongs to it, by the names of the mapping's fields."""

    kind: _Kind
    where: str
    values: Mapping[str, Any]


@dataclass
class _Building:
    """A debate under way, and how many statements each author has made in it."""

    line: int
    draft: DebateDraft
    counts: Counter[str] = field(default_factory=Counter)


class _Record:
    """One record on its way: its place in the file, and what its paths lead to."""

    def __init__(self, value: Any, line: int, number: int, prefix: str, locate: Callable[[str], int | None] | None):
        self.value = value
        self.line = line
        self.number = number
        self.prefix = prefix
        self.locate = locate

    def where(self, path: str) -> str:
        """Return a path of the record as one of the file's value."""
        return f"{self.prefix}.{path}" if self.prefix and not path.startswith("[") else f"{self.prefix}{path}"

    def statements(self, kind: _Kind) -> Iterator[_Statement]:
        """Yield the statements of a kind in order, each with the values that belong to it."""
        values = {name: _by_place(self.value, path, kind.text) for name, path in kind.others.items()}
        for found in find(self.value, kind.text):
            own: dict[str, Any] = dict(kind.constants)
            for name, (depth, held) in values.items():
                own[name] = held.get(found.place[:depth])
            yield _Statement(kind, self.where(kind.text.at(found.place)), own | {"text": found.value})


def _by_place(record: Any, path: RecordPath, text: RecordPath) -> tuple[int, dict[Place, Any]]:
    """Return how many of a text's places a value goes by, and the values by them.

    One repeating step beyond those in common is a list beside the texts', entry for entry.
    """
    depth = min(path.repeats, text.repeats)
    held: dict[Place, Any] = {}
    for found in find(record, path):
        held.setdefault(found.place[:depth], found.value)
    return depth, held


class _Reading:
    """One file read by its mapping."""

    def __init__(self, source: Source, mapping: PathMapping, issues: IssueLog) -> None:
        self.source = source
        self.mapping = mapping
        self.issues = issues
        self.kinds = [_Kind.of(group) for group in mapping.statements]
        self.record = record_path(mapping.record)
        self.paths = {name: getattr(mapping, name) for name in DEBATE_FIELDS if getattr(mapping, name)}
        self.words = {
            "label": _words(mapping.true_words, mapping.false_words),
            "polarity": _words(mapping.pro_words, mapping.con_words),
        }
        self.records_seen = 0
        self.missed: Counter[str] = Counter()
        self.first_missed: dict[str, tuple[int, int]] = {}
        self.used_keys = _top_keys(self.paths.values(), self.kinds)
        self.scales: Mapping[str, Scale | None] = {}

    def debates(self) -> Iterator[LineAndDebate]:
        """Yield the debates, and note what the paths did not find."""
        self.scales = self._scales()
        joined: dict[str, _Building] = {}
        for record in self._records(self.issues, noted=True):
            self.issues.locate = record.locate
            try:
                if not self.mapping.joined:
                    draft = self._draft(record)
                    if draft is not None:
                        alone = _Building(record.line, draft)
                        self._fill(alone, record)
                        yield record.line, self._finished(draft)
                    continue
                key = text_or_none(self._of(record, "debate_id"))
                if key is None:
                    self._miss("debate_id", self.paths["debate_id"], record)
                    message = f"{self._nothing('debate_id', record)} It belongs to no debate and is left out."
                    self.issues.error("path_found_nothing", message, record.line, record.prefix or None)
                    continue
                if key not in joined:
                    draft = self._draft(record)
                    if draft is None:
                        continue
                    joined[key] = _Building(record.line, draft)
                self._fill(joined[key], record)
            finally:
                self.issues.locate = None
        for building in joined.values():
            yield building.line, self._finished(building.draft)
        self._report()

    def _records(self, issues: IssueLog, *, noted: bool) -> Iterator[_Record]:
        number = 0
        for outer in path_values(self.source, issues):
            before = number
            for found in find(outer.value, self.record):
                number += 1
                prefix = self.record.at(found.place)
                yield _Record(found.value, outer.line, number, prefix, outer.locate)
            if noted and number == before:
                message = f"The path {self.mapping.record!r} leads to no record here; this value is left out."
                issues.error("path_found_nothing", message, outer.line, self.mapping.record or None)
        if noted:
            self.records_seen = number

    def _scales(self) -> dict[str, Scale | None]:
        scales = Scales(self.mapping.scales)
        open_paths = [path for path in self.mapping.score_paths if path not in self.mapping.scales]
        if open_paths:
            read = [(path, record_path(path)) for path in open_paths]
            for record in self._records(IssueLog(), noted=False):
                for path, steps in read:
                    for found in find(record.value, steps):
                        scales.add(path, found.value)
        return scales.decide(self.issues)

    # -- one record ---------------------------------------------------------------------------------------------

    def _draft(self, record: _Record) -> DebateDraft | None:
        claim = self._of(record, "claim")
        if isinstance(claim, (list, dict)) or is_missing(claim):
            why = self._nothing("claim", record) if is_missing(claim) else f"The claim is {quoted(claim)}, no text."
            self.issues.error("path_found_nothing", f"{why} It is left out.", record.line, self._field("claim", record))
            return None
        try:
            draft = DebateDraft(
                self.issues,
                record.line,
                self._of(record, "debate_id") if "debate_id" in self.paths else f"debate-{record.number}",
                claim if isinstance(claim, str) else text_of(claim),
                record.where(self.paths["claim"]),
            )
        except UnreadableRecord as error:
            self.issues.error("record_unreadable", f"{error} It is left out.", record.line)
            return None
        draft.title = text_or_none(self._of(record, "title"))
        if "label" in self.paths:
            label = self._of(record, "label")
            if is_missing(label):
                self._miss("label", self.paths["label"], record)
            else:
                self._label(draft, label, self._field("label", record))
        if isinstance(record.value, dict):
            for key, value in record.value.items():
                if key not in self.used_keys:
                    draft.keep(record.where(key), value)
        return draft

    def _label(self, draft: DebateDraft, label: Any, where: str) -> None:
        word = self.words["label"].get(_word(label))
        if word is not None and read_label(label)[0] is not word:
            draft.label(word, where)
            draft.provenance["label"] = plain_text(label)
        else:
            draft.label(label, where)

    def _fill(self, building: _Building, record: _Record) -> None:
        building.draft.line = record.line
        found = 0
        for kind in self.kinds:
            here = 0
            for statement in record.statements(kind):
                if isinstance(statement.values["text"], (list, dict)):
                    message = f"{kind.paths.text} leads to {quoted(statement.values['text'])}, which is no text."
                    self.issues.warning("wrong_type", message, record.line, statement.where)
                    continue
                here += 1
                self._statement(building, record, statement)
            if not here:
                self._miss("text", kind.paths.text, record)
            found += here
        if not found and not self.mapping.joined:
            paths = " and ".join(repr(kind.paths.text) for kind in self.kinds[:5])
            message = f"{paths} found nothing in record {record.number}; the debate has a claim and no arguments."
            self.issues.warning("path_found_nothing", message, record.line, record.prefix or None)

    def _statement(self, building: _Building, record: _Record, statement: _Statement) -> None:
        get, kind, draft = statement.values.get, statement.kind, building.draft
        for name, path in kind.others.items():
            if is_missing(get(name)):
                self._miss(name, str(path), record)
        number = self._round(get("round"), record, statement)
        author = _text(get("agent"))
        if author is not None:
            draft.agent(author, model=_text(get("model")))
            for stance in ("prior", "posterior"):
                if not is_missing(get(stance)):
                    scale = self._scale(getattr(kind.paths, stance))
                    draft.stance(number, author, stance, get(stance), statement.where, scale)
        building.counts[author or ""] += 1
        name = draft.argument(
            number,
            _text(get("argument_id")) or f"{author or 'statement'}-{building.counts[author or '']}",
            get("text"),
            statement.where,
            author=author,
            score=None if is_missing(get("score")) else get("score"),
            score_field=kind.paths.score or "",
            scale=self._scale(kind.paths.score),
            source=_text(get("source")),
            line=record.line,
        )
        if self.mapping.is_talk:
            draft.message(author, get("text"), round=number, model=_text(get("model")))
        side = self._side(get("polarity"), record, statement)
        if side is not None:
            draft.relation(number, name, _target(get("target")), side, statement.where)
        for key, side in (("supports", RelationKind.SUPPORT), ("attacks", RelationKind.ATTACK)):
            value = get(key)
            for target in value if isinstance(value, list) else [value]:
                if not is_missing(target) and not isinstance(target, (list, dict)):
                    draft.relation(number, name, _target(target), side, statement.where)

    def _scale(self, path: str | None) -> Scale | None:
        return Scale.UNIT if path is None or path.startswith(CONSTANT) else self.scales.get(path, Scale.UNIT)

    def _round(self, value: Any, record: _Record, statement: _Statement) -> int:
        if is_missing(value):
            return 0
        number = None if isinstance(value, (list, dict)) else round_of(value)
        if number is None:
            message = f"The round is {quoted(value)}; it is taken as 0."
            self.issues.warning("round_unreadable", message, record.line, statement.where)
            return 0
        return number

    def _side(self, value: Any, record: _Record, statement: _Statement) -> RelationKind | None:
        if is_missing(value):
            return None
        own = self.words["polarity"].get(_word(value))
        if own is not None:
            return RelationKind.SUPPORT if own else RelationKind.ATTACK
        kind = None if isinstance(value, (list, dict)) else polarity_of(value)
        if kind is None:
            message = f"The polarity must say pro or con; it is {quoted(value)}, so the statement bears on nothing."
            self.issues.warning("polarity_unreadable", message, record.line, statement.where)
        return kind

    def _finished(self, draft: DebateDraft) -> Any:
        if self.mapping.carried:
            _carry(draft)
        return draft.debate(DebateProtocol.TRANSCRIPT if self.mapping.is_talk else DebateProtocol.OTHER)

    # -- what was not found -------------------------------------------------------------------------------------

    def _of(self, record: _Record, name: str) -> Any:
        path = self.paths.get(name)
        if path is None:
            return None
        return path[len(CONSTANT) :] if path.startswith(CONSTANT) else first(record.value, record_path(path))

    def _field(self, name: str, record: _Record) -> str:
        return record.where(self.paths[name])

    def _nothing(self, name: str, record: _Record) -> str:
        return f"The path {self.paths[name]!r} of the {name.replace('_', ' ')} found nothing in record {record.number}."

    def _miss(self, name: str, path: str, record: _Record) -> None:
        key = f"{name}\0{path}"
        self.missed[key] += 1
        self.first_missed.setdefault(key, (record.number, record.line))

    def _report(self) -> None:
        if self.records_seen and self.mapping.is_talk:
            message = "No path leads to a polarity; statements bear on nothing until somebody decides."
            self.issues.info("polarity_missing", message)
        if self.records_seen and not any(kind.paths.score for kind in self.kinds):
            self.issues.info(
                "base_scores_missing",
                "No path leads to scores; base scores are kept as missing. How to fill them in is chosen when judging.",
            )
        for key, count in self.missed.items():
            name, _, path = key.partition("\0")
            number, line = self.first_missed[key]
            message = (
                f"The path {path!r} of the {name.replace('_', ' ')} found nothing {several(count, 'time')}, first in "
                f"record {number}."
            )
            self.issues.warning("path_found_nothing", message, line, path)


def _carry(draft: DebateDraft) -> None:
    if len(draft.round_numbers) > 1 and not any(
        draft.argument_ids(before) & draft.argument_ids(after) for before, after in pairwise(draft.round_numbers)
    ):
        draft.carry_forward()  # ids that come again are arguments that were held on to: then rounds are whole already


def _words(yes: tuple[str, ...], no: tuple[str, ...]) -> dict[str, bool]:
    return {_word(word): False for word in no} | {_word(word): True for word in yes}


def _word(value: object) -> str:
    return plain_text(value).strip().casefold()


def _text(value: Any) -> str | None:
    """Return a value as a text; what is no single value is none."""
    return None if isinstance(value, (list, dict)) else text_or_none(text_of(value))


def _target(value: Any) -> str:
    """Return the id that a relation points to; the claim goes by several words, and by none."""
    target = _text(value)
    return TOPIC if target is None or target.strip().casefold() in TOPIC_WORDS else target


def _top_keys(paths: Iterable[str], kinds: list[_Kind]) -> set[str]:
    """Return the keys of a record that some path begins with."""
    read = [record_path(path) for path in paths if not path.startswith(CONSTANT)]
    read += [path for kind in kinds for path in (kind.text, *kind.others.values())]
    return {step for path in read if path.steps and isinstance(step := path.steps[0], str)}


__all__ = ["FORMAT", "PathReader"]
