"""Judgements as a file, one a line: to ship, to share, and to bring in what was judged elsewhere.

    {"format": "moot-judge/1", "judge": "3f...", "name": "gpt-4o, named", "settings": {"kind": "llm", ...}}
    {"format": "moot-judgement/1", "judge": "3f...", "debate_id": "zoo", "content": "9a...", "score": 0.62, ...}

A judge stands before its judgements. ``content`` is a hash of what was judged: a line is taken only for a debate that
still says the same. A line that is not taken is an issue with its number and field.
"""

from __future__ import annotations

import hashlib
import json
import math
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from core.debate import profile
from core.errors import InvalidScore, MootError, UnreadableFile
from core.import_issue import ImportIssue, IssueLog, quoted
from core.judgement import Judgement, JudgementStatus, Verdict
from core.judges.registry import settings_id
from core.llm.request import canonical
from core.opinion import OpinionProfile, checked_score
from core.roles import OPERATOR, Permission, Person, require
from core.strict_json import dumps, storable
from storage.database import Database
from storage.debate_filter import DebateFilter
from storage.debate_repository import DebateRepository
from storage.judgement_repository import FoundJudgement, JudgementRepository
from storage.readers.decoding import unpacked

FORMAT = "moot-judgement/1"
JUDGE_FORMAT = "moot-judge/1"
HASH_LENGTH = 16
LONGEST_LINE = 1 << 20  # bytes of a first line that are looked at
GZIP = b"\x1f\x8b"

_Value = TypeVar("_Value")


@dataclass(frozen=True)
class Loaded:
    """What became of a file of judgements: how many were stored, and how many lines were left out for which reason.

    Attributes:
        stored: How many are new.
        left_out: Lines that were not taken, counted by reason.
        found: How many judgements the file has that could be taken, those included that were here already.
        issues: What was not taken, line by line.
    """

    stored: int
    left_out: Mapping[str, int]
    found: int = 0
    issues: tuple[ImportIssue, ...] = ()


@dataclass(frozen=True)
class ReadJudgements:
    """What a file of judgements holds, as far as it fits the stored debates.

    Attributes:
        judgements: Those that can be stored.
        judges: The judges' names, in order.
        left_out: Lines that cannot be taken, counted by reason.
        issues: The same line by line.
    """

    judgements: tuple[FoundJudgement, ...]
    judges: tuple[str, ...]
    left_out: Mapping[str, int]
    issues: tuple[ImportIssue, ...]


def content_hash(judged: OpinionProfile) -> str:
    """Return a hash of what judges read of a debate: claim, stances, arguments and relations."""
    plain = {
        "claim": judged.claim,
        "shared": judged.shared,
        "stances": [[s.agent_id, s.prior, s.posterior] for s in judged.stances],
        "arguments": [[a.id, a.text, a.author, a.base_score] for a in judged.arguments],
        "relations": sorted([r.source, r.target, r.kind.value] for r in judged.relations),
    }
    return hashlib.sha256(canonical(plain).encode()).hexdigest()[:HASH_LENGTH]


def judgement_lines(database: Database, judges: Sequence[str], debates: Sequence[str]) -> Iterator[str]:
    """Return judges with their judgements on debates as lines without line ends: judge by judge, debates in order."""
    repository, stored = JudgementRepository(database), DebateRepository(database)
    contents = {name: content_hash(judged) for name, judged in stored.profiles(debates).items()}
    here = [debate for debate in debates if debate in contents]
    found = {(one.judge_id, one.debate_id): one for one in repository.on_debates(judges, here)}
    for judge in judges:
        of_judge = [found[judge, debate] for debate in here if (judge, debate) in found]
        if of_judge:
            said = of_judge[0].judgement
            name = settings_id(said.settings)
            yield dumps({"format": JUDGE_FORMAT, "judge": name, "name": said.judge, "settings": dict(said.settings)})
            yield from (_line(one, name, contents[one.debate_id]) for one in of_judge)


def holds_judgements(content: bytes) -> bool:
    """Return whether a file's content is judgements rather than debates, from its first line that is not blank."""
    first = next((line for line in content[:LONGEST_LINE].splitlines() if line.strip()), b"")
    try:
        record = json.loads(first.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return isinstance(record, dict) and record.get("format") in (FORMAT, JUDGE_FORMAT)


def judgement_text(source: Path | bytes) -> str | None:
    """Return the text of a file of judgements, unpacked where it is a gzip file; None for any other file.

    Bytes that are not UTF-8 are replaced, so that their line is left out.

    Raises:
        OSError: If the file cannot be read.
        UnreadableFile: If it unpacks to more than memory holds.
    """
    if isinstance(source, Path):
        with source.open("rb") as opened:
            head = opened.read(LONGEST_LINE)
    else:
        head = source[:LONGEST_LINE]
    if not holds_judgements(_unpacked_start(head)):
        return None
    whole = source.read_bytes() if isinstance(source, Path) else source
    return unpacked(whole, IssueLog()).decode("utf-8-sig", "replace")


def _unpacked_start(head: bytes) -> bytes:
    if not head.startswith(GZIP):
        return head
    try:
        return zlib.decompressobj(wbits=16 + zlib.MAX_WBITS).decompress(head, LONGEST_LINE)
    except zlib.error:
        return b""


def read_judgements(database: Database, lines: Iterable[str], origin: str, file: str = "") -> ReadJudgements:
    """Return the judgements of a file's lines on the debates that are here and say the same as those judged.

    Args:
        database: Where the debates are.
        lines: Of the file.
        origin: What is to be said wherever these judgements are shown.
        file: What to call the file in issues.
    """
    debates, issues = DebateRepository(database), IssueLog(file)
    left_out: dict[str, int] = {}
    known: dict[str, tuple[str, str]] = {}
    judges: dict[str, tuple[str, Mapping[str, Any]]] = {}
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            record = _record(line)
            if record["format"] == JUDGE_FORMAT:
                judges[record["judge"]] = (str(record.get("name", "")), record["settings"])
                continue
            if record["judge"] not in judges:
                raise _LeftOut("its judge does not stand before it", "judgement_without_judge", "judge")
            debate_id = storable(str(record["debate_id"]))
            if debate_id not in known:
                known[debate_id] = _here(debates, debate_id)
            dataset, content = known[debate_id]
            if not dataset:
                raise _LeftOut("no such debate", "judgement_without_debate", "debate_id", quoted(debate_id))
            if record["content"] != content:
                raise _LeftOut("the debate says something else than the one judged", "judged_debate_differs", "content")
            rows.append(_found(record, *judges[record["judge"]], dataset, debate_id, origin))
        except _LeftOut as reason:
            left_out[str(reason)] = left_out.get(str(reason), 0) + 1
            issues.error(reason.code, f"Left out: {reason}{reason.detail}.", number, reason.field)
    names = dict.fromkeys(row.judgement.judge for row in rows)
    return ReadJudgements(tuple(rows), tuple(names), left_out, issues.issues)


def load_judgements(
    database: Database, lines: Iterable[str], origin: str, person: Person = OPERATOR, file: str = ""
) -> Loaded:
    """Store the judgements of a file's lines on the debates that are here and say the same as those judged.

    Args:
        database: Where they go. What it holds of the same judge on the same debate stays.
        lines: Of the file.
        origin: What is to be said wherever these judgements are shown.
        person: Who brings them in.
        file: What to call the file in issues.

    Raises:
        NotAllowed: If the person may not import judgements.
        InvalidSetting: If a judge's settings hold what looks like a secret.
    """
    require(person, Permission.IMPORT)
    read = read_judgements(database, lines, origin, file)
    stored = JudgementRepository(database, person).keep_found(read.judgements)
    return Loaded(stored, read.left_out, len(read.judgements), read.issues)


def load_judgement_file(database: Database, file: Path, origin: str, person: Person = OPERATOR) -> Loaded:
    """Store the judgements of a file.

    Raises:
        UnreadableFile: If it cannot be read.
    """
    try:
        lines = file.read_text("utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{file.name} cannot be read: {error}.") from error
    return load_judgements(database, lines, origin, person)


class _LeftOut(MootError):
    """A line that is not taken: the reason, its code, the field, and what stands there."""

    def __init__(self, reason: str, code: str, field: str | None = None, value: str = "") -> None:
        super().__init__(reason)
        self.code = code
        self.field = field
        self.detail = f" ({value})" if value else ""


def _here(debates: DebateRepository, debate_id: str) -> tuple[str, str]:
    """Return a debate's dataset and content; two empty texts if it is not stored."""
    if not debates.exists(debate_id):
        return "", ""
    listed = debates.list(DebateFilter(ids=(debate_id,)))
    return str(listed["dataset_id"].iloc[0]), content_hash(profile(debates.get(debate_id)))


def _line(found: FoundJudgement, judge: str, content: str) -> str:
    taken = {
        "models": list(found.models),
        "calls": found.calls,
        "tokens_in": found.tokens_in,
        "tokens_out": found.tokens_out,
        "cost": found.cost,
        "seconds": round(found.seconds, 3),
    }
    place = {"format": FORMAT, "judge": judge, "debate_id": found.debate_id, "content": content}
    return dumps({**place, **_outcome(found.judgement), **(taken if found.calls else {})})


def _outcome(said: Judgement) -> dict[str, Any]:
    """Return what a judgement says, without what is empty."""
    record = {
        "score": said.score,
        "verdict": None if said.verdict is None else said.verdict.value,
        "status": said.status.value,
        "explanation": said.explanation,
        "parts": [{"judge": part.judge, **_outcome(part)} for part in said.parts],
        "notes": list(said.notes),
    }
    return {key: value for key, value in record.items() if value not in (None, "", [])}


def _record(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError):
        raise _LeftOut("no JSON", "json_invalid") from None
    if not isinstance(record, dict) or record.get("format") not in (FORMAT, JUDGE_FORMAT):
        raise _LeftOut(f"no {FORMAT} record", "format_version", "format")
    needed = ("judge", "debate_id", "content", "status") if record["format"] == FORMAT else ("judge", "settings")
    for name in needed:
        if name not in record:
            raise _LeftOut("a field is missing", "judgement_incomplete", name)
    for name, kind in (("judge", str), ("settings", dict)):
        if not isinstance(record.get(name, kind()), kind):
            raise _LeftOut("a field of the wrong kind", "wrong_type", name, quoted(record[name]))
    return record


def _judgement(record: Mapping[str, Any], name: str, settings: Mapping[str, Any], place: str = "") -> Judgement:
    if not isinstance(record, Mapping):
        raise _LeftOut("a field of the wrong kind", "wrong_type", place, quoted(record))

    def value(field: str, read: Callable[[Any], _Value]) -> _Value:
        try:
            return read(record.get(field))
        except (InvalidScore, ValueError, TypeError):
            where = f"{place}.{field}" if place else field
            raise _LeftOut(
                "a score, verdict or status that is none", f"{field}_unreadable", where, quoted(record.get(field))
            ) from None

    score = value("score", lambda given: checked_score("The score", given))
    verdict = value("verdict", lambda given: None if given is None else Verdict(given))
    status = value("status", JudgementStatus)
    if (score is None and verdict is None) == (status in {JudgementStatus.OK, JudgementStatus.ABSTAINED}):
        where = f"{place}.status" if place else "status"
        reason = "a verdict without a judgement, or the other way round"
        raise _LeftOut(reason, "status_unreadable", where, status.value)
    listed = record.get("parts") or ()
    if not isinstance(listed, Sequence) or isinstance(listed, str):
        raise _LeftOut("a field of the wrong kind", "wrong_type", f"{place}parts", quoted(listed))
    parts = tuple(
        _judgement(part, str(part.get("judge", "")) if isinstance(part, Mapping) else "", {}, f"{place}parts[{number}]")
        for number, part in enumerate(listed)
    )
    notes = record.get("notes") or ()
    if not isinstance(notes, Sequence) or isinstance(notes, str):
        raise _LeftOut("a field of the wrong kind", "wrong_type", "notes", quoted(notes))
    told = tuple(str(note) for note in notes)
    return Judgement(name, score, verdict, status, {}, str(record.get("explanation", "")), settings, parts, told)


def _found(
    record: Mapping[str, Any], name: str, settings: Mapping[str, Any], dataset: str, debate_id: str, origin: str
) -> FoundJudgement:
    said = _judgement(record, name or str(settings.get("judge") or "judge"), settings)

    def number(field: str, kind: Callable[[Any], _Value]) -> _Value | None:
        try:
            return None if record.get(field) is None else kind(record[field])
        except (TypeError, ValueError, OverflowError):
            raise _LeftOut("a field of the wrong kind", "wrong_type", field, quoted(record[field])) from None

    models = record.get("models") or ()
    if not isinstance(models, Sequence) or isinstance(models, str):
        raise _LeftOut("a field of the wrong kind", "wrong_type", "models", quoted(models))
    return FoundJudgement(
        settings_id(settings),
        dataset,
        debate_id,
        said,
        replies=(),
        run_id="",
        origin=origin,
        models=tuple(str(model) for model in models),
        calls=number("calls", int) or 0,
        tokens_in=number("tokens_in", int),
        tokens_out=number("tokens_out", int),
        cost=number("cost", _amount),
        seconds=number("seconds", _amount) or 0.0,
    )


def _amount(given: Any) -> float:
    value = float(given)
    if not math.isfinite(value) or value < 0:
        raise ValueError("no amount")
    return value


__all__ = [
    "FORMAT",
    "JUDGE_FORMAT",
    "Loaded",
    "ReadJudgements",
    "content_hash",
    "holds_judgements",
    "judgement_lines",
    "judgement_text",
    "load_judgement_file",
    "load_judgements",
    "read_judgements",
]
