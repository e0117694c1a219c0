"""Judgements as a file, one a line: to ship, to share, and to bring in what was judged elsewhere.

    {"format": "moot-judge/1", "judge": "3f...", "name": "gpt-4o, named", "settings": {"kind": "llm", ...}}
    {"format": "moot-judgement/1", "judge": "3f...", "debate_id": "zoo", "content": "9a...", "score": 0.62, ...}

A judge stands before its judgements. ``content`` is a hash of what was judged: a line is taken only for a debate that
still says the same.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from core.debate import profile
from core.errors import InvalidScore, MootError, UnreadableFile
from core.judgement import Judgement, JudgementStatus, Verdict
from core.judges.registry import settings_id
from core.llm.request import canonical
from core.opinion import OpinionProfile, checked_score
from core.roles import OPERATOR, Person
from core.strict_json import dumps, storable
from storage.database import Database
from storage.debate_filter import DebateFilter
from storage.debate_repository import DebateRepository
from storage.judgement_repository import FoundJudgement, JudgementRepository

FORMAT = "moot-judgement/1"
JUDGE_FORMAT = "moot-judge/1"
HASH_LENGTH = 16


@dataclass(frozen=True)
class Loaded:
    """What became of a file of judgements: how many were stored, and how many lines were left out for which reason."""

    stored: int
    left_out: Mapping[str, int]


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


def load_judgements(database: Database, lines: Iterable[str], origin: str, person: Person = OPERATOR) -> Loaded:
    """Store the judgements of a file's lines on the debates that are here and say the same as those judged.

    Args:
        database: Where they go. What it holds of the same judge on the same debate stays.
        lines: Of the file.
        origin: What is to be said wherever these judgements are shown.
        person: Who brings them in.

    Raises:
        NotAllowed: If the person may not import judgements.
    """
    repository, debates = JudgementRepository(database, person), DebateRepository(database)
    left_out: dict[str, int] = {}
    known: dict[str, tuple[str, str]] = {}
    judges: dict[str, tuple[str, Mapping[str, Any]]] = {}
    rows = []
    for line in lines:
        if not line.strip():
            continue
        try:
            record = _record(line)
            if record["format"] == JUDGE_FORMAT:
                judges[record["judge"]] = (str(record.get("name", "")), record["settings"])
                continue
            if record["judge"] not in judges:
                raise _LeftOut("its judge does not stand before it")
            debate_id = storable(str(record["debate_id"]))
            if debate_id not in known:
                known[debate_id] = _here(debates, debate_id)
            dataset, content = known[debate_id]
            if record["content"] != content:
                raise _LeftOut("the debate says something else than the one judged" if dataset else "no such debate")
            rows.append(_found(record, *judges[record["judge"]], dataset, debate_id, origin))
        except _LeftOut as reason:
            left_out[str(reason)] = left_out.get(str(reason), 0) + 1
    return Loaded(repository.keep_found(rows), left_out)


def load_judgement_file(database: Database, file: Path, origin: str, person: Person = OPERATOR) -> Loaded:
    """Store the judgements of a file.

    Raises:
        UnreadableFile: If it cannot be read.
    """
    try:
        lines = file.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFile(f"{file.name} cannot be read: {error}.") from error
    return load_judgements(database, lines, origin, person)


class _LeftOut(MootError):
    """A line that is not taken, with the reason."""


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
        raise _LeftOut("no JSON") from None
    if not isinstance(record, dict) or record.get("format") not in {FORMAT, JUDGE_FORMAT}:
        raise _LeftOut(f"no {FORMAT} record")
    needed = {"debate_id", "content", "status"} if record["format"] == FORMAT else {"settings"}
    if not needed <= set(record) or not isinstance(record.get("judge"), str):
        raise _LeftOut("a field is missing")
    if not isinstance(record.get("settings", {}), dict):
        raise _LeftOut("a judge whose settings are no object")
    return record


def _judgement(record: Mapping[str, Any], name: str, settings: Mapping[str, Any]) -> Judgement:
    try:
        score = checked_score("The score", record.get("score"))
        verdict = None if record.get("verdict") is None else Verdict(record["verdict"])
        status = JudgementStatus(record["status"])
        parts = tuple(_judgement(part, str(part.get("judge", "")), {}) for part in record.get("parts") or ())
    except (InvalidScore, ValueError, AttributeError, TypeError, KeyError):
        raise _LeftOut("a score, verdict or status that is none") from None
    if (score is None and verdict is None) == (status in {JudgementStatus.OK, JudgementStatus.ABSTAINED}):
        raise _LeftOut("a verdict without a judgement, or the other way round")
    notes = tuple(str(note) for note in record.get("notes") or ())
    return Judgement(name, score, verdict, status, {}, str(record.get("explanation", "")), settings, parts, notes)


def _found(
    record: Mapping[str, Any], name: str, settings: Mapping[str, Any], dataset: str, debate_id: str, origin: str
) -> FoundJudgement:
    said = _judgement(record, name or str(settings.get("judge") or "judge"), settings)
    try:
        return FoundJudgement(
            settings_id(settings),
            dataset,
            debate_id,
            said,
            replies=(),
            run_id="",
            origin=origin,
            models=tuple(str(model) for model in record.get("models") or ()),
            calls=int(record.get("calls") or 0),
            tokens_in=_count(record, "tokens_in"),
            tokens_out=_count(record, "tokens_out"),
            cost=None if record.get("cost") is None else float(record["cost"]),
            seconds=float(record.get("seconds") or 0.0),
        )
    except (TypeError, ValueError, OverflowError):
        raise _LeftOut("a field of the wrong kind") from None


def _count(record: Mapping[str, Any], name: str) -> int | None:
    return None if record.get(name) is None else int(record[name])


__all__ = [
    "FORMAT",
    "JUDGE_FORMAT",
    "Loaded",
    "content_hash",
    "judgement_lines",
    "load_judgement_file",
    "load_judgements",
]
